// Files of one chunk: the volume's options, the place, and the bricks that hold something, in order. What is joined to what depends on
// the chunks around it and is found when the chunk is put in.
#include <fairlead/volume/stream.h>

#include "base/no_memory.h"
#include "volume/data/state.h"
#include "volume/files/volume_sections.h"

namespace fairlead {

namespace volume {

namespace {

constexpr std::uint16_t kChunkFileMajor = 1;
constexpr std::uint16_t kChunkFileMinor = 0;
constexpr SectionKind kChunkOptions{four_letters("OPTS"), 80};
constexpr SectionKind kChunkBricks{four_letters("BRIK"), 16};

/// What a chunk's file says of its volume, and which chunk it is.
struct ChunkHead {
    Vec3 origin{};
    Vec3 voxel_size{};
    Voxel size{};
    Voxel place{};
};

Error bad_head() { return {ErrorCode::baked_value, 0, 0}; }

Result<ChunkHead> read_head(const BakedFile& file) {
    Result<BakedSection> section = file.section(kChunkOptions.id, kChunkOptions.stride);
    if (!section) return section.error();
    if (section->count != 1) return bad_head();
    ByteReader& in = section->reader;
    ChunkHead head;
    for (Vec3* v : {&head.origin, &head.voxel_size}) {
        for (double* value : {&v->x, &v->y, &v->z}) *value = in.get<double>();
    }
    for (std::int32_t* side : {&head.size.x, &head.size.y, &head.size.z}) *side = in.get<std::int32_t>();
    bool good = in.get<std::uint32_t>() == 0;
    for (std::int32_t* at : {&head.place.x, &head.place.y, &head.place.z}) *at = in.get<std::int32_t>();
    good = good && in.get<std::uint32_t>() == 0;
    const auto holds = [](std::int32_t at, std::int32_t side) {
        return side >= 1 && side <= kVolumeSideMax && at >= 0 && at < (side + 63) / 64;
    };
    good = good && holds(head.place.x, head.size.x) && holds(head.place.y, head.size.y) &&
           holds(head.place.z, head.size.z) &&
           file.header().options_hash == options_hash_of(head.origin, head.voxel_size, head.size);
    return good ? Result<ChunkHead>(head) : Result<ChunkHead>(bad_head());
}

// Voxels of a brick in bounds.
std::uint64_t inside(const ChunkHead& head, const VoxelBrick& b) {
    return low_places(head.size.x - b.x * 4, head.size.y - b.y * 4, head.size.z - b.z * 4);
}

Result<void> read_bricks(const BakedFile& file, const ChunkHead& head, Array<VoxelBrick>& out) {
    Result<BakedSection> section = file.section(kChunkBricks.id, kChunkBricks.stride);
    if (!section) return section.error();
    if (section->count > 64 * 64) return Error{ErrorCode::baked_value, 1, 64 * 64};
    if (!out.reserve(static_cast<std::size_t>(section->count))) return kNoMemory;
    std::int64_t last = -1;
    for (std::uint64_t i = 0; i < section->count; ++i) {
        const std::uint32_t place = section->reader.get<std::uint32_t>(),
                            nothing = section->reader.get<std::uint32_t>();
        const auto at = static_cast<std::int32_t>(place & 0xfff), cell = at >> 6;
        const VoxelBrick brick{head.place.x * 16 + (cell & 3) * 4 + (at & 3),
                               head.place.y * 16 + (cell >> 2 & 3) * 4 + (at >> 2 & 3),
                               head.place.z * 16 + (cell >> 4) * 4 + (at >> 4 & 3),
                               section->reader.get<std::uint64_t>()};
        const bool good = place < 64 * 64 && nothing == 0 && std::int64_t{place} > last && brick.solid != 0 &&
                          (brick.solid & ~inside(head, brick)) == 0;
        if (!good) return Error{ErrorCode::baked_value, 1, static_cast<std::int64_t>(i)};
        last = place;
        if (!out.push_back(brick)) return kNoMemory;
    }
    return {};
}

}  // namespace

}  // namespace volume

Result<void> save_volume_chunk(const VolumeState& volume, Voxel chunk, Array<std::uint8_t>& out,
                               std::uint64_t source) {
    const volume::StateData& state = volume.data();
    if (!state.is_chunk(chunk)) return Error{ErrorCode::out_of_range, Field::chunks};
    if (!volume.is_loaded(chunk)) return Error{ErrorCode::incompatible, Field::chunks};
    BakedWriter file({.kind = kBakedVolumeChunk,
                      .major = volume::kChunkFileMajor,
                      .minor = volume::kChunkFileMinor,
                      .options_hash = volume::options_hash_of(state.origin, state.scale, state.size),
                      .source_hash = source},
                     out.allocator());
    ByteWriter& head = file.begin(volume::kChunkOptions.id, volume::kChunkOptions.stride);
    for (const Vec3& v : {state.origin, state.scale}) {
        for (const double value : {v.x, v.y, v.z}) head.put(value);
    }
    for (const Voxel& v : {state.size, chunk}) {
        for (const std::int32_t n : {v.x, v.y, v.z}) head.put(n);
        head.put(std::uint32_t{0});
    }
    ByteWriter& bricks = file.begin(volume::kChunkBricks.id, volume::kChunkBricks.stride);
    for (std::int32_t i = 0; i < 64 * 64; ++i) {
        const std::int32_t cell = i >> 6;
        const Voxel at{chunk.x * 16 + (cell & 3) * 4 + (i & 3),
                       chunk.y * 16 + (cell >> 2 & 3) * 4 + (i >> 2 & 3),
                       chunk.z * 16 + (cell >> 4) * 4 + (i >> 4 & 3)};
        if (!state.brick_in_bounds(at.x, at.y, at.z)) continue;
        const std::uint64_t solid = state.stored_bits(at.x, at.y, at.z) & state.inside_bits(at.x, at.y, at.z);
        if (solid == 0) continue;
        bricks.put(static_cast<std::uint32_t>(i));
        bricks.put(std::uint32_t{0});
        bricks.put(solid);
    }
    return file.finish(out);
}

Result<VolumeChunk> load_volume_chunk(std::span<const std::uint8_t> bytes, const VolumeKey& of,
                                      const VolumeLoadOptions& options) {
    const Result<BakedFile> file = BakedFile::open(bytes, {.kind = kBakedVolumeChunk,
                                                           .major = volume::kChunkFileMajor,
                                                           .minor = volume::kChunkFileMinor,
                                                           .bytes_max = options.bytes_max});
    if (!file) return file.error();
    const auto stale = [](VolumeStale why) {
        return Error{ErrorCode::incompatible, -1, static_cast<std::int64_t>(why)};
    };
    const BakedHeader& header = file->header();
    if (header.options_hash != of.options) return stale(VolumeStale::options);
    if (of.source != 0 && header.source_hash != of.source) return stale(VolumeStale::source);
    if (file->sections() != 2) return Error{ErrorCode::baked_section, 2};
    const Result<volume::ChunkHead> head = volume::read_head(*file);
    if (!head) return head.error();
    VolumeChunk chunk(options.allocator);
    chunk.place = head->place;
    chunk.source = header.source_hash;
    if (const Result<void> done = volume::read_bricks(*file, *head, chunk.bricks); !done) return done.error();
    return chunk;
}

}  // namespace fairlead
