// Volumes to bytes: chunks in order, the words of their mixed cells as they lie in memory.
#include <fairlead/volume/save_volume.h>

#include "volume/data/state.h"
#include "volume/files/volume_sections.h"

namespace fairlead {

namespace volume {

namespace {

// Calls visit(x, y, z, chunk) for each that holds something solid, in the order of the table.
template <class Visit>
void each_solid_chunk(const StateData& state, const Visit& visit) {
    std::size_t i = 0;
    for (std::int32_t z = 0; z < state.chunk_count.z; ++z) {
        for (std::int32_t y = 0; y < state.chunk_count.y; ++y) {
            for (std::int32_t x = 0; x < state.chunk_count.x; ++x, ++i) {
                const Chunk* chunk = state.chunks[i];
                if (chunk != nullptr && chunk->solid > 0) visit(Voxel{x, y, z}, *chunk);
            }
        }
    }
}

std::uint32_t stored_words(const std::uint64_t* node) {
    return 2 + static_cast<std::uint32_t>(std::popcount(StoredCell{node[0], node[1]}.mixed()));
}

StoredChunk stored_chunk(Voxel place, const Chunk& chunk) {
    StoredChunk out{.place = place};
    for (std::uint32_t c = 0; c < 64; ++c) {
        const CellEntry cell = chunk.cells[c];
        const std::uint64_t bit = std::uint64_t{1} << c;
        if (cell.node != CellEntry::kEmpty) out.some |= bit;
        if (cell.node == CellEntry::kFull) out.full |= bit;
        if (cell.is_mixed()) out.words += stored_words(chunk.node(cell.node));
    }
    return out;
}

void put_options(ByteWriter& out, const StateData& state) {
    for (const Vec3& v : {state.origin, state.scale}) {
        for (const double value : {v.x, v.y, v.z}) out.put(value);
    }
    for (const std::int32_t side : {state.size.x, state.size.y, state.size.z}) out.put(side);
    out.put(std::uint32_t{0});
    out.put(state.solid);
}

void put_chunk(ByteWriter& out, const StoredChunk& chunk) {
    for (const std::int32_t at : {chunk.place.x, chunk.place.y, chunk.place.z}) out.put(at);
    out.put(chunk.words);
    out.put(chunk.some);
    out.put(chunk.full);
}

void put_words(ByteWriter& out, const Chunk& chunk) {
    for (const CellEntry cell : chunk.cells) {
        if (!cell.is_mixed()) continue;
        const std::uint64_t* node = chunk.node(cell.node);
        for (std::uint32_t i = 0; i < stored_words(node); ++i) out.put(node[i]);
    }
}

}  // namespace

}  // namespace volume

VolumeKey volume_key(const VolumeOptions& options, std::uint64_t source) {
    return {volume::options_hash_of(options.origin, options.voxel_size, options.size), source};
}

VolumeKey volume_key(const VolumeOptions& options) {
    Digest digest;
    for (const VoxelBrick& brick : options.bricks) {
        for (const std::int32_t at : {brick.x, brick.y, brick.z}) digest.add(at);
        digest.add(brick.solid);
    }
    return volume_key(options, std::max(digest.value(), std::uint64_t{1}));  // 0 means: not known
}

Result<void> save_volume(const VolumeState& volume, Array<std::uint8_t>& out, std::uint64_t source) {
    using namespace volume;
    const StateData& state = volume.data();
    BakedWriter file({.kind = kBakedVolume,
                      .major = kVolumeMajor,
                      .minor = kVolumeMinor,
                      .options_hash = options_hash_of(state.origin, state.scale, state.size),
                      .source_hash = source},
                     state.chunks.allocator());
    put_options(file.begin(kOptionsSection.id, kOptionsSection.stride), state);
    ByteWriter& chunks = file.begin(kChunkSection.id, kChunkSection.stride);
    each_solid_chunk(state,
                     [&](Voxel place, const Chunk& chunk) { put_chunk(chunks, stored_chunk(place, chunk)); });
    ByteWriter& words = file.begin(kWordSection.id, kWordSection.stride);
    each_solid_chunk(state, [&](Voxel, const Chunk& chunk) { put_words(words, chunk); });
    return file.finish(out);
}

}  // namespace fairlead
