// ClusterSpace: the entrances of all clusters as one graph to search, on the highest level that serves at each place.
//
// A search that enters a cluster takes the highest level whose cluster there holds neither the start nor the goal; a node that is not an
// entrance of that level is a dead end there. From a node it goes on only into the cluster on the other side: costs inside a cluster are
// those of the shortest ways, so that what lies behind has been reached as cheaply already. Each node is opened once. Where a portal
// leads to is a node too, which goes on into the clusters around it.
//
// Costs are taut ones, in 1/256 of 1/24 cell; the heuristic is 1.05 times the octile distance, which exceeds the length of a straight
// line by 8 % at most. So what is found may be dearer than the best by some percent, 0.4 % in the mean on cities, and no bound is stated.
#pragma once

#include <fairlead/search/cost.h>

#include "grid/general_space.h"
#include "grid/hierarchy/insertion.h"
#include "grid/hierarchy/upper_cluster.h"

namespace fairlead::grid {

/// f = g + h, and no node is opened again: the heuristic is not consistent with these costs.
struct ClusterKey {
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return g + h; }
    [[nodiscard]] bool reopens() const { return false; }
};

/// One hop: where a node leads into, and as what.
struct ClusterEntry {
    std::int32_t level = -1;  ///< -1: a dead end
    std::int32_t layer = 0;
    std::int32_t x = 0;  ///< the cluster
    std::int32_t y = 0;
    std::int32_t node = 0;  ///< among its entrances
};

/// Portals that are quicker than walking, for the estimate: where they begin, and how far the goal is from there at least.
struct FarPortals {
    static constexpr std::int32_t kMost = 16;
    std::int32_t count = 0;  ///< more than kMost: nothing is estimated
    std::int32_t x2[kMost] = {};
    std::int32_t y2[kMost] = {};
    Cost rest[kMost] = {};
};

class ClusterSpace {
  public:
    static constexpr std::uint32_t kGoal = UINT32_MAX - 1;
    static constexpr std::int32_t kFraction = 8;  ///< bits of a cost below 1/24 cell

    ClusterSpace() = default;
    /// `cells` and both insertions, which are of different clusters, outlive the search.
    ClusterSpace(const CellQuery& cells, const Insertion& start, const Insertion& goal);

    /// Where to note what is expanded, for partial routes; null: nowhere. A node is noted as the cell beyond it.
    void track(NearestPlace* nearest) { nearest_ = nearest; }

    template <class Sink>
    void start(Sink& sink) {
        const Cluster cluster = ground(start_->layer, start_->cluster_x, start_->cluster_y);
        for (std::int32_t e = 0; e < start_->count; ++e) {
            if (start_->cost[e] == kNoCost) continue;
            const ClusterNode& node = cluster.nodes[e];
            if (is_place(node.id)) {
                leave(sink, node.id, start_->cost[e]);
            } else {
                add(sink, node, start_->cost[e], cluster.side_of(e));
            }
        }
    }

    template <class Sink>
    void expand(std::uint32_t id, Cost, std::uint32_t into_owner, Sink& sink) {
        const ClusterEntry entry = enter(id, into_owner != 0);
        if (entry.level < 0) return;
        if (nearest_ != nullptr) cells_->note(*nearest_, id, beyond(id, into_owner != 0));
        if (is_place(id)) leave(sink, id, 0);
        if (entry.level > 0) {
            const UpperCluster cluster = upper(entry.level, entry.layer, entry.x, entry.y);
            return add_row(cluster, cluster.costs + entry.node * cluster.count(), entry.node, 0, 0, sink);
        }
        const Cluster cluster = ground(entry.layer, entry.x, entry.y);
        const std::uint32_t half = is_place(id) ? 0 : kHalfStep;
        add_row(cluster, cluster.costs + entry.node * cluster.header->points, entry.node, half, kHalfStep,
                sink);
        if (!goal_->is_in(entry.layer, entry.x, entry.y) || goal_->cost[entry.node] == kNoCost) return;
        last_ = 0;
        sink.add(kGoal, Cost{goal_->cost[entry.node] + half} << kFraction, 0);
    }

    /// Of the state that was added last: the engine asks at once.
    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t) const { return last_; }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == kGoal; }

    /// Where a node leads when the search goes on into the cluster that owns it, or else into the other. Of a place of portals: into its
    /// own.
    [[nodiscard]] ClusterEntry enter(std::uint32_t id, bool into_owner) const;
    /// The cell that a node leads to; not of a dead end.
    [[nodiscard]] Cell beyond(std::uint32_t id, bool into_owner) const;

    [[nodiscard]] Cluster ground(std::int32_t layer, std::int32_t x, std::int32_t y) const {
        return Cluster::at(chunk(0, layer, x, y));
    }
    void gather(std::int32_t layer, std::int32_t x, std::int32_t y, ClusterCells& cells) const {
        cells.gather(*state_, *body_, layer, x, y);
    }
    [[nodiscard]] UpperCluster upper(std::int32_t level, std::int32_t layer, std::int32_t x,
                                     std::int32_t y) const {
        return UpperCluster::at(chunk(level, layer, x, y));
    }
    /// Of a node or the goal, in cells.
    [[nodiscard]] Vec2 position(std::uint32_t state) const;
    [[nodiscard]] const PortalPlace& place(std::uint32_t id) const {
        return state_->portal_tables->places[id & ~kPlaceBit];
    }
    /// The cheapest of the portals from one place to another; kCostMax: there is none.
    [[nodiscard]] Cost portal_cost(std::uint32_t from, std::uint32_t to) const;
    [[nodiscard]] Cell cell_of(const PortalPlace& place) const { return cells_->code.cell(place.state); }
    [[nodiscard]] bool inside(std::int32_t level, std::int32_t x, std::int32_t y) const {
        return grids_[level].inside(x, y);
    }
    [[nodiscard]] const Insertion& from() const { return *start_; }
    [[nodiscard]] const Insertion& to() const { return *goal_; }

  private:
    /// The cluster that owns a node, and on which side of it the node is.
    struct Border {
        std::int32_t layer = 0;
        std::int32_t x = 0;
        std::int32_t y = 0;
        std::int32_t side = kEastSide;
    };
    [[nodiscard]] Border border_of(std::uint32_t id) const;

    [[nodiscard]] const std::uint64_t* chunk(std::int32_t level, std::int32_t layer, std::int32_t x,
                                             std::int32_t y) const {
        const ClusterGrid& grid = grids_[level];
        return state_->chunks[grid.chunk(x, y) + static_cast<std::uint32_t>(layer * grid.across * grid.down)];
    }

    /// `half_from` and `half_to` come on top of a row's costs: from the middle of a border to its cells.
    template <class Any, class Value, class Sink>
    FAIRLEAD_INLINE void add_row(const Any& cluster, const Value* row, std::int32_t from,
                                 std::uint32_t half_from, std::uint32_t half_to, Sink& sink) {
        constexpr Value kNone = static_cast<Value>(kNoCost);
        const std::uint32_t extra = half_from + half_to;
        for (std::int32_t side = 0; side < 4; ++side) {
            const std::int32_t end = cluster.header->first[side + 1];
            for (std::int32_t j = cluster.header->first[side]; j < end; ++j) {
                if (row[j] == kNone || j == from) continue;
                add(sink, cluster.nodes[j], row[j] + extra, side);
            }
        }
        for (std::int32_t j = cluster.header->first[kPlaceSide]; j < cluster.count(); ++j) {
            if (row[j] != kNone && j != from) leave(sink, cluster.nodes[j].id, row[j] + half_from);
        }
    }
    /// Through each of the portals that leave a place, which is come to at a cost.
    template <class Sink>
    void leave(Sink& sink, std::uint32_t id, std::uint32_t cost) {
        const PortalTables& portals = *state_->portal_tables;
        const PortalPlace& from = place(id);
        for (std::uint32_t s = from.first_step; s < from.end_step; ++s) {
            const std::uint32_t to = portals.arrivals[s];
            const Cell cell = cell_of(portals.places[to]);
            if (!state_->row_lines(*body_, cell.layer).get(cell.x, cell.y)) continue;
            last_ = estimate(2 * cell.x + 1, 2 * cell.y + 1);
            sink.add(kPlaceBit | to, (Cost{cost} << kFraction) + fixed(portals.steps[s].portal), 0);
        }
    }
    /// What a portal costs.
    [[nodiscard]] Cost fixed(std::uint32_t portal) const {
        constexpr double kUnits = static_cast<double>(kStepCost << kFraction);
        return static_cast<Cost>(state_->portals[portal].cost * kUnits);
    }
    template <class Sink>
    FAIRLEAD_INLINE void add(Sink& sink, const ClusterNode& node, std::uint32_t cost, std::int32_t side) {
        last_ = estimate(node.x2, node.y2);
        // Beyond its west and south sides lies the cluster that owns the node.
        sink.add(node.id, Cost{cost} << kFraction, side == kWestSide || side == kSouthSide ? 1U : 0U);
    }
    /// To the goal. Portals that beat walking must be known to it.
    [[nodiscard]] FAIRLEAD_INLINE Cost estimate(std::int32_t x2, std::int32_t y2) const {
        const Cost walk = estimate(x2, y2, goal_x2_, goal_y2_);
        return FAIRLEAD_UNLIKELY(far_.count != 0) ? estimate_far(x2, y2, walk) : walk;
    }
    [[nodiscard]] Cost estimate_far(std::int32_t x2, std::int32_t y2, Cost walk) const;
    /// 1.05 x octile: 12 a half cell straight, and 12 (sqrt 2 - 1) more where it is diagonal, with 8 bits of fraction.
    [[nodiscard]] FAIRLEAD_INLINE Cost estimate(std::int32_t x2, std::int32_t y2, std::int32_t to_x2,
                                                std::int32_t to_y2) const {
        std::int32_t dx = x2 < to_x2 ? to_x2 - x2 : x2 - to_x2;
        std::int32_t dy = y2 < to_y2 ? to_y2 - y2 : y2 - to_y2;
        if (dx > half_lap_x2_) dx = 2 * half_lap_x2_ - dx;
        if (dy > half_lap_y2_) dy = 2 * half_lap_y2_ - dy;
        const std::int32_t low = dx < dy ? dx : dy;
        const std::int32_t high = dx < dy ? dy : dx;
        return static_cast<Cost>(high) * 3226U + static_cast<Cost>(low) * 1336U;
    }
    [[nodiscard]] bool holds_end(std::int32_t level, std::int32_t layer, std::int32_t x,
                                 std::int32_t y) const {
        const std::int32_t shift = level * kClusterFanShift;
        return (start_->cluster_x >> shift == x && start_->cluster_y >> shift == y &&
                start_->layer == layer) ||
               (goal_->cluster_x >> shift == x && goal_->cluster_y >> shift == y && goal_->layer == layer);
    }
    /// The highest level to enter a cluster of level 0 on, in `entry`, as the node with this number. Its nodes from first(side) on are
    /// looked through.
    [[nodiscard]] ClusterEntry raise(ClusterEntry entry, std::uint32_t id, std::int32_t side) const;
    void list_far_portals();

    const CellQuery* cells_ = nullptr;
    const StateData* state_ = nullptr;
    const Body* body_ = nullptr;
    const Insertion* start_ = nullptr;
    const Insertion* goal_ = nullptr;
    ClusterGrid grids_[kClusterLevels];
    std::int32_t levels_ = 0;
    std::int32_t goal_x2_ = 0;
    std::int32_t goal_y2_ = 0;
    std::int32_t half_lap_x2_ = INT32_MAX / 4;  // of an axis that wraps, in half cells
    std::int32_t half_lap_y2_ = INT32_MAX / 4;
    FarPortals far_;
    NearestPlace* nearest_ = nullptr;
    Cost last_ = 0;
};

}  // namespace fairlead::grid
