// The solid voxels in a box, by the parts, bricks and bits that hold some.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "volume/data/state.h"

namespace fairlead::volume {

/// Voxels from low to high, both included, in bounds.
struct VoxelRange {
    std::int32_t low[3];
    std::int32_t high[3];
};

/// Calls visit(Voxel) until it says true; was there one that did?
template <class Visit>
[[nodiscard]] bool each_solid(const StateData& state, const VoxelRange& r, Visit&& visit) {
    const auto in_part = [&](std::int32_t px, std::int32_t py, std::int32_t pz) {
        const Chunk* chunk = state.chunks[state.chunk_index(px >> 3, py >> 3, pz >> 3)];
        if (chunk == nullptr) return false;
        const CellEntry cell = chunk->cells[place64(px >> 1, py >> 1, pz >> 1)];
        if (cell.distance(place8(px, py, pz)) != 0) return false;
        const std::uint64_t* node = cell.is_mixed() ? chunk->node(cell.node) : nullptr;
        for (std::int32_t i = 0; i < 8; ++i) {
            const std::int32_t x = px * 2 + (i & 1), y = py * 2 + (i >> 1 & 1), z = pz * 2 + (i >> 2);
            std::uint64_t bits = node == nullptr ? kAll : node_brick(node, place64(x, y, z));
            if (bits == 0) continue;
            bits &= bits_between(r.low[0] - x * 4, r.high[0] - x * 4, kLowX, 1);
            bits &= bits_between(r.low[1] - y * 4, r.high[1] - y * 4, kLowY, 4);
            bits &= bits_between(r.low[2] - z * 4, r.high[2] - z * 4, kLowZ, 16);
            for (; bits != 0; bits &= bits - 1) {
                const std::int32_t b = std::countr_zero(bits);
                if (visit(Voxel{x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)})) return true;
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
