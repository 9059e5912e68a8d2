// Insertion: what it costs to come from a cell to each entrance of its cluster, inside the cluster, and over which point the way leads.
#pragma once

#include "grid/hierarchy/taut_table.h"

namespace fairlead::grid {

struct Insertion {
    static constexpr std::int32_t kNodesMax = 4 * kBorderNodesMax + kClusterPlacesMax;

    std::int32_t layer = 0;
    std::int32_t cluster_x = 0;
    std::int32_t cluster_y = 0;
    Cluster::Point at{};  ///< in the cluster
    std::int32_t count = 0;
    std::uint32_t cost[kNodesMax] = {};  ///< to the border or the place; kNoCost where there is no way
    std::uint8_t point[kNodesMax] = {};  ///< the first point of the way, which is seen from here
    bool joined = false;                 ///< there is a way to one of them

    [[nodiscard]] bool is_in(std::int32_t on_layer, std::int32_t x, std::int32_t y) const {
        return cluster_x == x && cluster_y == y && layer == on_layer;
    }
    /// False: out of memory.
    [[nodiscard]] bool fill(const StateData& state, const Body& body, std::int32_t on_layer, std::int32_t x,
                            std::int32_t y, const ClusterSight& sight, ClusterCells& cells,
                            ClusterField& field);

  private:
    [[nodiscard]] bool fill_by_cells(const Cluster& cluster, const ClusterCells& cells, ClusterField& field);
};

}  // namespace fairlead::grid
