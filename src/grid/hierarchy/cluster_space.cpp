#include "grid/hierarchy/cluster_space.h"

#include <algorithm>

#include "grid/hierarchy/entrances.h"

namespace fairlead::grid {

ClusterSpace::ClusterSpace(const CellQuery& cells, const Insertion& start, const Insertion& goal)
    : cells_(&cells),
      state_(cells.state),
      body_(cells.body),
      start_(&start),
      goal_(&goal),
      levels_(cells.body->cluster_levels) {
    for (std::int32_t level = 0; level < levels_; ++level)
        grids_[level] = ClusterGrid::of(*state_, *body_, level, 0);
    goal_x2_ = 2 * (goal.cluster_x * kClusterSide + goal.at.x) + 1;
    goal_y2_ = 2 * (goal.cluster_y * kClusterSide + goal.at.y) + 1;
    if (state_->wrap_x) half_lap_x2_ = state_->width;
    if (state_->wrap_y) half_lap_y2_ = state_->height;
    if (!cells.far_portals.empty()) list_far_portals();
}

// From where a portal begins, through it and perhaps through others: relaxed until nothing changes (Bellman 1958).
void ClusterSpace::list_far_portals() {
    const std::span<const std::uint32_t> entries = cells_->far_portals;
    far_.count = FarPortals::kMost + 1;
    if (entries.size() > FarPortals::kMost) return;
    far_.count = 0;
    for (const std::uint32_t entry : entries) {
        const Cell c = cells_->code.cell(entry);
        far_.x2[far_.count] = 2 * c.x + 1;
        far_.y2[far_.count] = 2 * c.y + 1;
        far_.rest[far_.count++] = kCostMax;
    }
    const PortalTables& portals = *state_->portal_tables;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::int32_t i = 0; i < far_.count; ++i) {
            for (const PortalStep& step : portals_from(portals.steps, entries[static_cast<std::size_t>(i)])) {
                const Cell to = cells_->code.cell(step.to);
                const Cost sum = fixed(step.portal) + estimate(2 * to.x + 1, 2 * to.y + 1);
                if (sum >= far_.rest[i]) continue;
                far_.rest[i] = sum;
                changed = true;
            }
        }
    }
}

Cost ClusterSpace::estimate_far(std::int32_t x2, std::int32_t y2, Cost walk) const {
    if (far_.count > FarPortals::kMost) return 0;
    for (std::int32_t i = 0; i < far_.count; ++i) {
        if (far_.rest[i] >= walk) continue;
        walk = std::min(walk, estimate(x2, y2, far_.x2[i], far_.y2[i]) + far_.rest[i]);
    }
    return walk;
}

ClusterSpace::Border ClusterSpace::border_of(std::uint32_t id) const {
    const ClusterGrid& grid = grids_[0];
    const std::uint32_t border = id / kBorderNodesMax;
    const auto across = static_cast<std::uint32_t>(grid.across);
    const auto down = static_cast<std::uint32_t>(grid.down);
    const std::uint32_t row = border / 2 / across;
    return {static_cast<std::int32_t>(row / down), static_cast<std::int32_t>(border / 2 % across),
            static_cast<std::int32_t>(row % down), (border & 1U) != 0 ? kNorthSide : kEastSide};
}

Vec2 ClusterSpace::position(std::uint32_t state) const {
    if (state == kGoal) return {0.5 * goal_x2_, 0.5 * goal_y2_};
    if (is_place(state)) {
        const Cell c = cell_of(place(state));
        return {c.x + 0.5, c.y + 0.5};
    }
    const Border border = border_of(state);
    const Cluster owner = ground(border.layer, border.x, border.y);
    const std::int32_t first = owner.first(border.side);
    const ClusterNode& node = owner.nodes[first + static_cast<std::int32_t>(state % kBorderNodesMax)];
    return {0.5 * node.x2, 0.5 * node.y2};
}

Cost ClusterSpace::portal_cost(std::uint32_t from, std::uint32_t to) const {
    const PortalTables& portals = *state_->portal_tables;
    const PortalPlace& leaving = place(from);
    Cost best = kCostMax;
    for (std::uint32_t s = leaving.first_step; s < leaving.end_step; ++s) {
        if (portals.arrivals[s] == (to & ~kPlaceBit)) best = std::min(best, fixed(portals.steps[s].portal));
    }
    return best;
}

ClusterEntry ClusterSpace::raise(ClusterEntry entry, std::uint32_t id, std::int32_t side) const {
    for (std::int32_t level = levels_ - 1; level > 0; --level) {
        const std::int32_t shift = level * kClusterFanShift;
        const std::int32_t x = entry.x >> shift, y = entry.y >> shift;
        if (holds_end(level, entry.layer, x, y)) continue;
        const UpperCluster cluster = upper(level, entry.layer, x, y);
        if (cluster.absent()) continue;
        const std::int32_t end = side == kPlaceSide ? cluster.count() : cluster.first(side + 1);
        for (std::int32_t i = cluster.first(side); i < end; ++i) {
            if (cluster.nodes[i].id == id) return {level, entry.layer, x, y, i};
        }
        return entry;
    }
    const Cluster cluster = ground(entry.layer, entry.x, entry.y);
    entry.level = 0;
    entry.node = cluster.first(side);
    if (side != kPlaceSide) {
        entry.node += static_cast<std::int32_t>(id % kBorderNodesMax);
        return entry;
    }
    while (cluster.nodes[entry.node].id != id) ++entry.node;
    return entry;
}

ClusterEntry ClusterSpace::enter(std::uint32_t id, bool into_owner) const {
    ClusterEntry entry;
    if (is_place(id)) {
        const Cell c = cell_of(place(id));
        entry.layer = c.layer;
        entry.x = c.x >> kClusterShift;
        entry.y = c.y >> kClusterShift;
        return raise(entry, id, kPlaceSide);
    }
    const Border border = border_of(id);
    entry.layer = border.layer;
    entry.x = border.x;
    entry.y = border.y;
    if (into_owner) return raise(entry, id, border.side);
    if (!cluster_beyond(*state_, grids_[0], border.side, entry.x, entry.y)) return entry;
    return raise(entry, id, opposite_side(border.side));
}

Cell ClusterSpace::beyond(std::uint32_t id, bool into_owner) const {
    if (is_place(id)) return cell_of(place(id));
    const Border border = border_of(id);
    std::int32_t x = border.x, y = border.y, side = border.side;
    if (!into_owner) {
        (void)cluster_beyond(*state_, grids_[0], side, x, y);
        side = opposite_side(side);
    }
    const Cluster cluster = ground(border.layer, x, y);
    const Cluster::Point p =
        cluster.points[cluster.first(side) + static_cast<std::int32_t>(id % kBorderNodesMax)];
    return {x * kClusterSide + p.x, y * kClusterSide + p.y, border.layer};
}

}  // namespace fairlead::grid
