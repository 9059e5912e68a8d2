#include "grid/hierarchy/insertion.h"

namespace fairlead::grid {

bool Insertion::fill_by_cells(const Cluster& cluster, const ClusterCells& cells, ClusterField& field) {
    if (!field.fill(cells, at)) return false;
    for (std::int32_t e = 0; e < count; ++e) {
        const std::uint16_t way = field.cost(cluster.points[e]);
        if (way == Cluster::kNone) continue;
        cost[e] = way + cluster.half(e);
        joined = true;
    }
    return true;
}

bool Insertion::fill(const StateData& state, const Body& body, std::int32_t on_layer, std::int32_t x,
                     std::int32_t y, const ClusterSight& sight, ClusterCells& cells, ClusterField& field) {
    layer = on_layer;
    cluster_x = x >> kClusterShift;
    cluster_y = y >> kClusterShift;
    at = {static_cast<std::uint8_t>(x & (kClusterSide - 1)),
          static_cast<std::uint8_t>(y & (kClusterSide - 1))};
    cells.gather(state, body, layer, cluster_x, cluster_y);
    const ClusterGrid grid = ClusterGrid::of(state, body, 0, layer);
    const Cluster cluster = Cluster::at(state.chunks[grid.chunk(cluster_x, cluster_y)]);
    count = cluster.count();
    joined = false;
    for (std::int32_t e = 0; e < count; ++e) cost[e] = kNoCost;
    if (cluster.header->crowded != 0) return fill_by_cells(cluster, cells, field);
    const std::int32_t points = cluster.header->points;
    for (std::int32_t p = 0; p < points; ++p) {
        const Cluster::Point q = cluster.points[p];
        const std::int32_t dx = q.x - at.x, dy = q.y - at.y;
        if (!bends_at(cluster.corners[p], dx, dy) || !sight.sees(cells, at, q)) continue;
        const std::uint32_t way = taut_cost(dx, dy);
        for (std::int32_t e = 0; e < count; ++e) {
            const std::uint16_t rest = cluster.costs[e * points + p];
            if (rest == Cluster::kNone || way + rest >= cost[e]) continue;
            cost[e] = way + rest;
            point[e] = static_cast<std::uint8_t>(p);
            joined = true;
        }
    }
    for (std::int32_t e = 0; e < cluster.first(kPlaceSide); ++e) {
        if (cost[e] != kNoCost) cost[e] += kHalfStep;
    }
    return true;
}

}  // namespace fairlead::grid
