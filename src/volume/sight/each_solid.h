// The solid voxels in a box, by the parts, bricks and bits that hold some.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "volume/data/state.h"

namespace fairlead::volume {

/// Voxels from low to high, both included, in bounds.
struct VoxelRange {
    std::int32_t low[3];
    std::int32_t high[3];

    /// Along axis k what lies between two places, in voxels, of a world of that size; what is outside counts as its first or last voxel.
    void cover(int k, double from, double to, std::int32_t size) {
        const double last = size - 1;
        low[k] = static_cast<std::int32_t>(std::clamp(std::floor(from), 0.0, last));
        high[k] = static_cast<std::int32_t>(std::clamp(std::floor(to), 0.0, last));
    }
};

/// Near of each_solid: every brick.
struct EveryBrick {
    bool operator()(std::int32_t, std::int32_t, std::int32_t) const { return true; }
};

/// Calls visit(Voxel) until it says true; was there one that did? Bricks that hold something are first shown to near(x, y, z), their low
/// corner: false if nothing in it matters.
template <class Near, class Visit>
[[nodiscard]] bool each_solid(const StateData& state, const VoxelRange& r, Near&& near, Visit&& visit) {
    const auto in_brick = [&](std::uint64_t bits, std::int32_t x, std::int32_t y, std::int32_t z) {
        bits &= bits_between(r.low[0] - x, r.high[0] - x, kLowX, 1);
        bits &= bits_between(r.low[1] - y, r.high[1] - y, kLowY, 4);
        bits &= bits_between(r.low[2] - z, r.high[2] - z, kLowZ, 16);
        for (; bits != 0; bits &= bits - 1) {
            const std::int32_t b = std::countr_zero(bits);
            if (visit(Voxel{x + (b & 3), y + (b >> 2 & 3), z + (b >> 4)})) return true;
        }
        return false;
    };
    const auto in_part = [&](std::int32_t px, std::int32_t py, std::int32_t pz) {
        const Chunk* chunk = state.chunks[state.chunk_index(px >> 3, py >> 3, pz >> 3)];
        if (chunk == nullptr) return false;
        const CellEntry cell = chunk->cells[place64(px >> 1, py >> 1, pz >> 1)];
        if (cell.distance(place8(px, py, pz)) != 0) return false;
        const std::uint64_t* node = cell.is_mixed() ? chunk->node(cell.node) : nullptr;
        const std::int32_t x1 = std::min(px * 2 + 1, r.high[0] >> 2),
                           y1 = std::min(py * 2 + 1, r.high[1] >> 2),
                           z1 = std::min(pz * 2 + 1, r.high[2] >> 2);
        for (std::int32_t z = std::max(pz * 2, r.low[2] >> 2); z <= z1; ++z) {
            for (std::int32_t y = std::max(py * 2, r.low[1] >> 2); y <= y1; ++y) {
                for (std::int32_t x = std::max(px * 2, r.low[0] >> 2); x <= x1; ++x) {
                    const std::uint64_t bits = node == nullptr ? kAll : node_brick(node, place64(x, y, z));
                    if (bits != 0 && near(x * 4, y * 4, z * 4) && in_brick(bits, x * 4, y * 4, z * 4))
                        return true;
                }
            }
        }
        return false;
    };
    for (std::int32_t z = r.low[2] >> 3; z <= r.high[2] >> 3; ++z) {
        for (std::int32_t y = r.low[1] >> 3; y <= r.high[1] >> 3; ++y) {
            for (std::int32_t x = r.low[0] >> 3; x <= r.high[0] >> 3; ++x) {
                if (in_part(x, y, z)) return true;
            }
        }
    }
    return false;
}

}  // namespace fairlead::volume
