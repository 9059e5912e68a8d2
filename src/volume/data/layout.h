// How the voxels of a volume lie in memory: bricks of 4^3 as bits, in cells of 16^3, in chunks of 64^3.
//
// A cell is empty, full, or mixed. A mixed cell is, in the words of its chunk: which of its 64 bricks hold a solid voxel, which are
// full, then the bits of the bricks that are neither, in order. Voxels beyond the bounds are stored as free and answered as solid.
//
// Distances. A part is 8^3, a block 32^3. In 2 bits each knows how far the nearest one of its kind with a solid voxel is, in steps of
// its kind, diagonals counting one (Chebyshev); 0: it holds one; 3: as far or farther.
#pragma once

#include <bit>
#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/volume/volume.h>

#include "base/revisions.h"

namespace fairlead::volume {

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};
inline constexpr std::int32_t kDistanceCap = 3;

/// The place of a voxel among the 64 of its brick, and of a brick among the 64 of its cell, a cell among those of its chunk.
[[nodiscard]] FAIRLEAD_INLINE constexpr std::uint32_t place64(std::int32_t x, std::int32_t y,
                                                              std::int32_t z) {
    return static_cast<std::uint32_t>((x & 3) | (y & 3) << 2 | (z & 3) << 4);
}
/// Of a part among the 8 of its cell, a block among the 8 of its chunk.
[[nodiscard]] FAIRLEAD_INLINE constexpr std::uint32_t place8(std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::uint32_t>((x & 1) | (y & 1) << 1 | (z & 1) << 2);
}

inline constexpr std::uint64_t kLowX = 0x1111111111111111ULL;  ///< the voxels with x = 0 in their brick
inline constexpr std::uint64_t kLowY = 0x000f000f000f000fULL;
inline constexpr std::uint64_t kLowZ = 0x000000000000ffffULL;

/// Voxels of a brick from low to high along an axis, both included, counted from its low corner; `plane`: those where the axis is 0,
/// `step`: from a bit to that of the next one along it.
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t bits_between(std::int32_t low, std::int32_t high,
                                                         std::uint64_t plane, std::uint32_t step) {
    std::uint64_t bits = 0;
    for (std::int32_t i = low < 0 ? 0 : low; i <= (high > 3 ? 3 : high); ++i)
        bits |= plane << (step * static_cast<std::uint32_t>(i));
    return bits;
}

/// One cell, 4 bytes.
struct CellEntry {
    static constexpr std::uint16_t kEmpty = 0;
    static constexpr std::uint16_t kFull = 1;

    std::uint16_t node = kEmpty;  ///< else where its words begin, 2 or more
    std::uint16_t distances = 0;  ///< of its 8 parts, 2 bits each

    [[nodiscard]] FAIRLEAD_INLINE bool is_mixed() const { return node > kFull; }
    [[nodiscard]] FAIRLEAD_INLINE std::int32_t distance(std::uint32_t part) const {
        return distances >> (2 * part) & 3;
    }
};
static_assert(sizeof(CellEntry) == 4);

/// 64^3 voxels; the words of its mixed cells lie behind it.
struct Chunk {
    Block block{};
    std::uint32_t solid = 0;            ///< voxels
    std::uint16_t words = 2;            ///< the first two are not used: a node below 2 is none
    std::uint16_t block_distances = 0;  ///< of its 8 blocks, 2 bits each
    CellEntry cells[64]{};

    static constexpr std::uint32_t kWordsMax = 2 + 64 * 66;

    [[nodiscard]] static std::size_t bytes_for(std::uint32_t words) {
        return sizeof(Chunk) + (words - 2) * sizeof(std::uint64_t);
    }
    /// Node n of a mixed cell begins at node(n).
    [[nodiscard]] FAIRLEAD_INLINE const std::uint64_t* node(std::uint32_t n) const {
        return reinterpret_cast<const std::uint64_t*>(this + 1) + (n - 2);
    }
    [[nodiscard]] std::uint64_t* node(std::uint32_t n) {
        return reinterpret_cast<std::uint64_t*>(this + 1) + (n - 2);
    }
    [[nodiscard]] FAIRLEAD_INLINE std::int32_t block_distance(std::uint32_t which) const {
        return block_distances >> (2 * which) & 3;
    }
};
static_assert(Chunk::kWordsMax <= UINT16_MAX);
static_assert(sizeof(Chunk) % alignof(std::uint64_t) == 0);

/// Without a call where the processor's own instruction may not be used.
[[nodiscard]] FAIRLEAD_INLINE std::uint32_t count_bits(std::uint64_t v) {
#if defined(__POPCNT__) || defined(__aarch64__)
    return static_cast<std::uint32_t>(std::popcount(v));
#else
    v -= v >> 1 & 0x5555555555555555ULL;
    v = (v & 0x3333333333333333ULL) + (v >> 2 & 0x3333333333333333ULL);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return static_cast<std::uint32_t>(v * 0x0101010101010101ULL >> 56);
#endif
}

/// Of a brick of a mixed cell: its solid voxels.
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t node_brick(const std::uint64_t* node, std::uint32_t brick) {
    const std::uint64_t bit = std::uint64_t{1} << brick;
    if ((node[0] & bit) == 0) return 0;
    if ((node[1] & bit) != 0) return kAll;
    return node[2 + count_bits(node[0] & ~node[1] & (bit - 1))];
}

}  // namespace fairlead::volume
