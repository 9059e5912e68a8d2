// The sections of baked volumes, kind VOLU. FORMAT.md says what the records mean.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fairlead/base/baked.h>
#include <fairlead/base/digest.h>
#include <fairlead/volume/save_volume.h>

#include "base/section_loader.h"

namespace fairlead::volume {

inline constexpr std::uint16_t kVolumeMajor = 1;
inline constexpr std::uint16_t kVolumeMinor = 1;
/// The minor version of a file: of volumes that are there as a whole, and of those that are not.
inline constexpr std::uint16_t kVolumeWhole = 0;
inline constexpr std::uint16_t kVolumeParts = 1;

// In this order.
inline constexpr SectionKind kOptionsSection{four_letters("OPTS"), 72};
inline constexpr SectionKind kChunkSection{four_letters("CHNK"), 24};
inline constexpr SectionKind kDataSection{four_letters("DATA"), 8};
inline constexpr SectionKind kLabelSection{four_letters("LABL"), 8};
inline constexpr std::int64_t kOptionsSectionAt = 0;
inline constexpr std::int64_t kChunkSectionAt = 1;
inline constexpr std::int64_t kDataSectionAt = 2;
inline constexpr std::int64_t kLabelSectionAt = 3;

/// A chunk that is not open; without words, one that is not there. In DATA lie its blocks, one behind the other, as they lie in memory
/// (data/layout.h, components/joins.h), with Block::kBorrowed where the revision stands that made them.
struct StoredChunk {
    Voxel place{};             ///< in chunks
    std::uint32_t chunk = 0;   ///< words of 8 bytes: Chunk
    std::uint32_t tables = 0;  ///< ChunkTables; 0: none
    std::uint32_t links = 0;   ///< ChunkLinks; 0: none

    [[nodiscard]] std::uint64_t words() const { return std::uint64_t{chunk} + tables + links; }
    [[nodiscard]] bool is_loaded() const { return words() != 0; }
};

/// A mixed cell begins so; the bricks that are neither empty nor full follow.
struct StoredCell {
    std::uint64_t some = 0;  ///< bricks that hold a solid voxel
    std::uint64_t full = 0;

    [[nodiscard]] std::uint64_t mixed() const { return some & ~full; }
};

/// The header's hash of the options.
[[nodiscard]] inline std::uint64_t options_hash_of(Vec3 origin, Vec3 voxel_size, Voxel size) {
    Digest digest;
    for (const double value : {origin.x, origin.y, origin.z, voxel_size.x, voxel_size.y, voxel_size.z})
        digest.add(value);
    for (const std::int32_t value : {size.x, size.y, size.z}) digest.add(value);
    return digest.value();
}

/// Of 4^3 places those with x < nx, y < ny and z < nz.
[[nodiscard]] inline std::uint64_t low_places(std::int32_t nx, std::int32_t ny, std::int32_t nz) {
    const auto low = [](std::int32_t n, std::uint64_t plane, std::int32_t step) {
        std::uint64_t bits = 0;
        for (std::int32_t i = 0; i < std::min(n, 4); ++i) bits |= plane << (step * i);
        return bits;
    };
    return low(nx, 0x1111111111111111ULL, 1) & low(ny, 0x000f000f000f000fULL, 4) & low(nz, 0xffffULL, 16);
}

}  // namespace fairlead::volume
