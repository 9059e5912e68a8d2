#include "grid/hierarchy/cluster_space.h"

#include "grid/hierarchy/entrances.h"

namespace fairlead::grid {

ClusterSpace::ClusterSpace(const StateData& state, const Body& body, std::int32_t layer,
                           const Insertion& start, const Insertion& goal)
    : state_(&state),
      body_(&body),
      start_(&start),
      goal_(&goal),
      levels_(body.cluster_levels),
      layer_(layer) {
    for (std::int32_t level = 0; level < levels_; ++level)
        grids_[level] = ClusterGrid::of(state, body, level, layer);
    goal_x2_ = 2 * (goal.cluster_x * kClusterSide + goal.at.x) + 1;
    goal_y2_ = 2 * (goal.cluster_y * kClusterSide + goal.at.y) + 1;
    if (state.wrap_x) half_lap_x2_ = state.width;
    if (state.wrap_y) half_lap_y2_ = state.height;
}

ClusterSpace::Border ClusterSpace::border_of(std::uint32_t id) const {
    const ClusterGrid& grid = grids_[0];
    const std::uint32_t border = id / kBorderNodesMax;
    const std::uint32_t index = border / 2 - static_cast<std::uint32_t>(layer_ * grid.across * grid.down);
    const auto across = static_cast<std::uint32_t>(grid.across);
    return {static_cast<std::int32_t>(index % across), static_cast<std::int32_t>(index / across),
            (border & 1U) != 0 ? kNorthSide : kEastSide};
}

Vec2 ClusterSpace::position(std::uint32_t state) const {
    if (state == kGoal) return {0.5 * goal_x2_, 0.5 * goal_y2_};
    const Border border = border_of(state);
    const Cluster owner = ground(border.x, border.y);
    const std::int32_t first = owner.first(border.side);
    const ClusterNode& node = owner.nodes[first + static_cast<std::int32_t>(state % kBorderNodesMax)];
    return {0.5 * node.x2, 0.5 * node.y2};
}

ClusterEntry ClusterSpace::enter(std::uint32_t id, bool into_owner) const {
    const Border border = border_of(id);
    std::int32_t side = border.side;
    ClusterEntry entry;
    entry.x = border.x;
    entry.y = border.y;
    if (!into_owner) {
        if (!cluster_beyond(*state_, grids_[0], side, entry.x, entry.y)) return entry;
        side = opposite_side(side);
    }
    for (std::int32_t level = levels_ - 1; level > 0; --level) {
        const std::int32_t shift = level * kClusterFanShift;
        const std::int32_t x = entry.x >> shift, y = entry.y >> shift;
        if (holds_end(level, x, y)) continue;
        const UpperCluster cluster = upper(level, x, y);
        if (cluster.absent()) continue;
        for (std::int32_t i = cluster.first(side); i < cluster.first(side + 1); ++i) {
            if (cluster.nodes[i].id == id) return {level, x, y, i};
        }
        return entry;
    }
    entry.level = 0;
    entry.node = ground(entry.x, entry.y).first(side) + static_cast<std::int32_t>(id % kBorderNodesMax);
    return entry;
}

}  // namespace fairlead::grid
