// Boxes of chunks: those that a box of voxels meets.
#pragma once

#include <algorithm>
#include <cstdint>

#include "volume/data/state.h"

namespace fairlead::volume {

/// In chunks, half open, within the bounds.
struct ChunkBox {
    Voxel low{};
    Voxel high{};

    [[nodiscard]] static ChunkBox all(const StateData& state) { return {{0, 0, 0}, state.chunk_count}; }
    [[nodiscard]] static ChunkBox of(const StateData& state, const VoxelBox& box) {
        if (box.empty()) return {};
        const auto low = [](std::int32_t v) { return v < 0 ? 0 : v >> 6; };
        const auto high = [](std::int32_t v, std::int32_t most) {
            return v <= 0 ? 0 : std::min(((v - 1) >> 6) + 1, most);
        };
        const Voxel& count = state.chunk_count;
        return {{low(box.low.x), low(box.low.y), low(box.low.z)},
                {high(box.high.x, count.x), high(box.high.y, count.y), high(box.high.z, count.z)}};
    }
    [[nodiscard]] bool contains(Voxel chunk) const { return VoxelBox{low, high}.contains(chunk); }
};

/// Calls visit(Voxel) for each, by z, y and x, until it says false; did it never?
template <class Visit>
[[nodiscard]] bool each_chunk_of(const ChunkBox& box, const Visit& visit) {
    for (std::int32_t z = box.low.z; z < box.high.z; ++z) {
        for (std::int32_t y = box.low.y; y < box.high.y; ++y) {
            for (std::int32_t x = box.low.x; x < box.high.x; ++x) {
                if (!visit(Voxel{x, y, z})) return false;
            }
        }
    }
    return true;
}

}  // namespace fairlead::volume
