// ClusterSpace: the entrances of all clusters as one graph to search, on the highest level that serves at each place.
//
// A search that enters a cluster takes the highest level whose cluster there holds neither the start nor the goal; a node that is not an
// entrance of that level is a dead end there. From a node it goes on only into the cluster on the other side: costs inside a cluster are
// those of the shortest ways, so that what lies behind has been reached as cheaply already. Each node is opened once.
//
// Costs are taut ones, in 1/256 of 1/24 cell; the heuristic is 1.05 times the octile distance, which exceeds the length of a straight
// line by 8 % at most. So what is found may be dearer than the best by some percent, 0.4 % in the mean on cities, and no bound is stated.
#pragma once

#include <fairlead/search/cost.h>

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
    std::int32_t x = 0;       ///< the cluster
    std::int32_t y = 0;
    std::int32_t node = 0;  ///< among its entrances
};

class ClusterSpace {
  public:
    static constexpr std::uint32_t kGoal = UINT32_MAX - 1;
    static constexpr std::int32_t kFraction = 8;  ///< bits of a cost below 1/24 cell

    ClusterSpace() = default;
    /// `start` and `goal` are of different clusters and outlive the search.
    ClusterSpace(const StateData& state, const Body& body, std::int32_t layer, const Insertion& start,
                 const Insertion& goal);

    template <class Sink>
    void start(Sink& sink) {
        const Cluster cluster = ground(start_->cluster_x, start_->cluster_y);
        for (std::int32_t e = 0; e < start_->count; ++e) {
            if (start_->cost[e] == kNoCost) continue;
            add(sink, cluster.nodes[e], start_->cost[e], cluster.side_of(e));
        }
    }

    template <class Sink>
    void expand(std::uint32_t id, Cost, std::uint32_t into_owner, Sink& sink) {
        const ClusterEntry entry = enter(id, into_owner != 0);
        if (entry.level < 0) return;
        if (entry.level > 0) {
            const UpperCluster cluster = upper(entry.level, entry.x, entry.y);
            return add_row(cluster, cluster.costs + entry.node * cluster.count(), entry.node, 0, sink);
        }
        const Cluster cluster = ground(entry.x, entry.y);
        add_row(cluster, cluster.costs + entry.node * cluster.header->points, entry.node, kStepCost, sink);
        if (entry.x != goal_->cluster_x || entry.y != goal_->cluster_y) return;
        if (goal_->cost[entry.node] == kNoCost) return;
        last_ = 0;
        sink.add(kGoal, Cost{goal_->cost[entry.node] + kHalfStep} << kFraction, 0);
    }

    /// Of the state that was added last: the engine asks at once.
    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t) const { return last_; }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == kGoal; }

    /// Where a node leads when the search goes on into the cluster that owns it, or else into the other.
    [[nodiscard]] ClusterEntry enter(std::uint32_t id, bool into_owner) const;

    [[nodiscard]] Cluster ground(std::int32_t x, std::int32_t y) const {
        return Cluster::at(state_->chunks[grids_[0].chunk(x, y)]);
    }
    void gather(std::int32_t x, std::int32_t y, ClusterCells& cells) const {
        cells.gather(*state_, *body_, layer_, x, y);
    }
    [[nodiscard]] UpperCluster upper(std::int32_t level, std::int32_t x, std::int32_t y) const {
        return UpperCluster::at(state_->chunks[grids_[level].chunk(x, y)]);
    }
    /// Of a node or the goal, in cells.
    [[nodiscard]] Vec2 position(std::uint32_t state) const;
    [[nodiscard]] bool inside(std::int32_t level, std::int32_t x, std::int32_t y) const {
        return grids_[level].inside(x, y);
    }
    [[nodiscard]] const Insertion& from() const { return *start_; }
    [[nodiscard]] const Insertion& to() const { return *goal_; }

  private:
    /// The cluster that owns a node, and on which side of it the node is.
    struct Border {
        std::int32_t x = 0;
        std::int32_t y = 0;
        std::int32_t side = kEastSide;
    };
    [[nodiscard]] Border border_of(std::uint32_t id) const;

    template <class Any, class Value, class Sink>
    FAIRLEAD_INLINE void add_row(const Any& cluster, const Value* row, std::int32_t from, std::uint32_t extra,
                                 Sink& sink) {
        constexpr Value kNone = static_cast<Value>(kNoCost);
        for (std::int32_t side = 0; side < 4; ++side) {
            const std::int32_t end = cluster.header->first[side + 1];
            for (std::int32_t j = cluster.header->first[side]; j < end; ++j) {
                if (row[j] == kNone || j == from) continue;
                add(sink, cluster.nodes[j], row[j] + extra, side);
            }
        }
    }
    template <class Sink>
    FAIRLEAD_INLINE void add(Sink& sink, const ClusterNode& node, std::uint32_t cost, std::int32_t side) {
        last_ = estimate(node.x2, node.y2);
        // Beyond its west and south sides lies the cluster that owns the node.
        sink.add(node.id, Cost{cost} << kFraction, side == kWestSide || side == kSouthSide ? 1U : 0U);
    }
    /// 1.05 x octile: 12 a half cell straight, and 12 (sqrt 2 - 1) more where it is diagonal, with 8 bits of fraction.
    [[nodiscard]] FAIRLEAD_INLINE Cost estimate(std::int32_t x2, std::int32_t y2) const {
        std::int32_t dx = x2 < goal_x2_ ? goal_x2_ - x2 : x2 - goal_x2_;
        std::int32_t dy = y2 < goal_y2_ ? goal_y2_ - y2 : y2 - goal_y2_;
        if (dx > half_lap_x2_) dx = 2 * half_lap_x2_ - dx;
        if (dy > half_lap_y2_) dy = 2 * half_lap_y2_ - dy;
        const std::int32_t low = dx < dy ? dx : dy;
        const std::int32_t high = dx < dy ? dy : dx;
        return static_cast<Cost>(high) * 3226U + static_cast<Cost>(low) * 1336U;
    }
    [[nodiscard]] bool holds_end(std::int32_t level, std::int32_t x, std::int32_t y) const {
        const std::int32_t shift = level * kClusterFanShift;
        return (start_->cluster_x >> shift == x && start_->cluster_y >> shift == y) ||
               (goal_->cluster_x >> shift == x && goal_->cluster_y >> shift == y);
    }

    const StateData* state_ = nullptr;
    const Body* body_ = nullptr;
    const Insertion* start_ = nullptr;
    const Insertion* goal_ = nullptr;
    ClusterGrid grids_[kClusterLevels];
    std::int32_t levels_ = 0;
    std::int32_t layer_ = 0;
    std::int32_t goal_x2_ = 0;
    std::int32_t goal_y2_ = 0;
    std::int32_t half_lap_x2_ = INT32_MAX / 4;  // of an axis that wraps, in half cells
    std::int32_t half_lap_y2_ = INT32_MAX / 4;
    Cost last_ = 0;
};

}  // namespace fairlead::grid
