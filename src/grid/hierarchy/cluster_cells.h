// The free cells of a cluster of 64 x 64, a word a row.
#pragma once

#include "grid/hierarchy/clusters.h"

namespace fairlead::grid {

/// The free cells of a cluster.
struct ClusterCells {
    std::uint64_t rows[kClusterSide] = {};  ///< zero past the map
    std::int32_t width = kClusterSide;
    std::int32_t height = kClusterSide;
    std::int32_t x = 0;  ///< of its first cell on the map
    std::int32_t y = 0;

    void gather(const StateData& state, const Body& body, std::int32_t layer, std::int32_t cluster_x,
                std::int32_t cluster_y);
    [[nodiscard]] bool free(std::int32_t at_x, std::int32_t at_y) const {
        return ((rows[at_y] >> at_x) & 1U) != 0;
    }
};

}  // namespace fairlead::grid
