// What must hold for the loader of baked volumes and of one chunk whatever the bytes: it returns; its errors are those of a baked
// file; what it accepts can be asked and edited, and saves as the same bytes. The checksums are then computed anew,
// so that damage reaches the checks behind them. Shared by the fuzz target and the test with damaged files. A broken
// promise ends the program through FAIRLEAD_ASSERT.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <fairlead/base/assert.h>
#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/save_volume.h>
#include <fairlead/volume/stream.h>

namespace fairlead::testing {

inline constexpr std::int64_t kDriveVoxelsMax = 1 << 24;

/// The same but for the container's minor version, which nobody looks at (and the header's checksum over it).
inline bool same_file(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    constexpr std::size_t kMinorAt = 10, kMinorEnd = 12, kChecksumAt = 60, kChecksumEnd = 64;
    if (a.size() != b.size() || a.size() < kChecksumEnd) return false;
    return std::memcmp(a.data(), b.data(), kMinorAt) == 0 &&
           std::memcmp(a.data() + kMinorEnd, b.data() + kMinorEnd, kChecksumAt - kMinorEnd) == 0 &&
           std::memcmp(a.data() + kChecksumEnd, b.data() + kChecksumEnd, a.size() - kChecksumEnd) == 0;
}

inline void drive_accepted_volume(Volume& volume, std::span<const std::uint8_t> bytes) {
    const VolumeState& state = volume.state();
    const Result<BakedFile> file = BakedFile::open(bytes, {});
    Array<std::uint8_t> again;
    FAIRLEAD_ASSERT(save_volume(state, again, file->header().source_hash).has_value());
    FAIRLEAD_ASSERT(same_file(again.span(), bytes));
    Rng rng(7);
    const Voxel size = state.size();
    std::int64_t counted = 0;
    state.each_brick(
        [](const VoxelBrick& brick, void* user) {
            for (std::uint64_t left = brick.solid; left != 0; left &= left - 1)
                ++*static_cast<std::int64_t*>(user);
        },
        &counted);
    FAIRLEAD_ASSERT(counted == state.solid_voxels());
    for (int i = 0; i < 50; ++i) {
        const Voxel v{rng.between(-2, size.x + 1), rng.between(-2, size.y + 1), rng.between(-2, size.z + 1)};
        FAIRLEAD_ASSERT(state.in_bounds(v) || !state.is_free(v));
        FAIRLEAD_ASSERT((state.component(v) == VolumeState::kNoComponent) == !state.is_free(v));
        const int bit = (v.x & 3) + 4 * (v.y & 3) + 16 * (v.z & 3);
        FAIRLEAD_ASSERT(state.is_free(v) ==
                        ((state.solid_bits(v.x >> 2, v.y >> 2, v.z >> 2) >> bit & 1) == 0));
    }
    // What is joined to what may be forged: a way is found or not, but the search ends.
    Scratch scratch;
    for (int i = 0; i < 3; ++i) {
        const Voxel from{rng.between(0, size.x - 1), rng.between(0, size.y - 1), rng.between(0, size.z - 1)};
        const Voxel to{rng.between(0, size.x - 1), rng.between(0, size.y - 1), rng.between(0, size.z - 1)};
        (void)find_route(
            volume,
            VolumeQuery{.start = state.centre(from), .goal = state.centre(to), .expansions_max = 2000},
            scratch);
    }
    const Voxel low{size.x / 3, size.y / 3, size.z / 3};
    FAIRLEAD_ASSERT(volume.apply(VolumeEdit::fill({low, {low.x + 5, low.y + 5, low.z + 5}})).has_value());
    FAIRLEAD_ASSERT(!state.is_free(low));
    const Voxel chunk{low.x / kVolumeChunkSide, low.y / kVolumeChunkSide, low.z / kVolumeChunkSide};
    if (rng.below(2) == 0) {
        FAIRLEAD_ASSERT(volume.apply(VolumeEdit::unload(chunk)).has_value() && !state.is_loaded(chunk));
        FAIRLEAD_ASSERT(!state.is_free(low));
    }
    FAIRLEAD_ASSERT(volume.apply(VolumeEdit::load(chunk, {})).has_value() && state.is_free(low));
    FAIRLEAD_ASSERT(volume.apply(VolumeEdit::clear({{0, 0, 0}, size})).has_value());
    FAIRLEAD_ASSERT(state.solid_voxels() == 0 && state.is_free(low));
}

/// A file of one chunk: what is accepted can be put in, and is saved as the same bytes. True: accepted.
inline bool load_and_drive_chunk(std::span<const std::uint8_t> bytes) {
    constexpr std::int32_t kSideMax = 1 << 10;
    const Result<BakedFile> file = BakedFile::open(bytes, {.kind = kBakedVolumeChunk});
    if (!file) return false;
    const Result<VolumeChunk> chunk = load_volume_chunk(bytes, {file->header().options_hash, 0});
    if (!chunk) {
        const ErrorCode code = chunk.error().code;
        FAIRLEAD_ASSERT(code >= ErrorCode::baked_length && code <= ErrorCode::baked_value);
        return false;
    }
    ByteReader options = file->section_at(0).reader;
    VolumeOptions of{.streamed = true};
    for (Vec3* v : {&of.origin, &of.voxel_size}) {
        for (double* value : {&v->x, &v->y, &v->z}) *value = options.get<double>();
    }
    for (std::int32_t* side : {&of.size.x, &of.size.y, &of.size.z}) *side = options.get<std::int32_t>();
    if (of.size.x > kSideMax || of.size.y > kSideMax || of.size.z > kSideMax) return true;
    Result<Volume> volume = Volume::make(of);
    if (!volume) return true;  // of a volume that there cannot be
    FAIRLEAD_ASSERT(volume->apply(chunk->edit()).has_value());
    Array<std::uint8_t> again;
    FAIRLEAD_ASSERT(save_volume_chunk(*volume, chunk->place, again, chunk->source).has_value());
    FAIRLEAD_ASSERT(same_file(again.span(), bytes));
    return true;
}

enum class VolumeFate : std::uint8_t { refused, refused_resealed, accepted_resealed, accepted };

/// True: accepted.
inline bool load_and_drive_volume(std::span<const std::uint8_t> bytes) {
    if (load_and_drive_chunk(bytes)) return true;
    Result<Volume> volume = load_volume(bytes, {.voxels_max = kDriveVoxelsMax});
    if (volume) {
        drive_accepted_volume(*volume, bytes);
        return true;
    }
    const Error error = volume.error();
    const bool too_large = error.code == ErrorCode::size_limit && error.detail == kDriveVoxelsMax;
    FAIRLEAD_ASSERT(too_large ||
                    (error.code >= ErrorCode::baked_length && error.code <= ErrorCode::baked_value));
    const Result<Volume> fresh = load_fresh_volume(bytes, {1, 1}, {.voxels_max = kDriveVoxelsMax});
    FAIRLEAD_ASSERT(!fresh.has_value());  // no file has that hash of its options
    return false;
}

inline VolumeFate baked_volume(std::span<const std::uint8_t> bytes) {
    if (load_and_drive_volume(bytes)) return VolumeFate::accepted;
    std::vector<std::uint8_t> sealed(bytes.begin(), bytes.end());
    if (!baked_reseal(sealed)) return VolumeFate::refused;
    return load_and_drive_volume(sealed) ? VolumeFate::accepted_resealed : VolumeFate::refused_resealed;
}

}  // namespace fairlead::testing
