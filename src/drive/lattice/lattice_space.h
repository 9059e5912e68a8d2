// The lattice as a space for the search engine: states are (cell, heading, gear), steps are the motion primitives that
// the edge map allows.
//
// A state is y << (columns + poses) | x << poses | heading << 1 | gear, where gear is the one it came in. One more state is
// the exact goal. Tags are not used: two poses tell which primitive joins them.
//
// Lower bound: the larger of the shortest curve on open ground (CurveBound) and the way on the ground round the walls
// (GroundDistance) times DriveTable::ground_factor, which no primitive beats. It bounds the ways on the lattice, with the
// short curves to an exact goal off the lattice (prepare_ends.h); the longer free curves to the goal that are tried on the
// way are no part of what it bounds, they can only make the answer cheaper. The ground distance goes over links. The curve does not:
// where there are links, it or the least that a way over a last link to the goal's floor costs, whichever is less. That is
// consistent: the latter is the same everywhere, and over a link to that floor no more than the link and the curve from its end.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include <fairlead/search/cost.h>
#include <fairlead/search/node_store.h>
#include "drive/map/edge_map.h"

#include "drive/cost/step_costs.h"
#include "drive/curves/free_curve.h"
#include "drive/ground/ground_distance.h"
#include "drive/lattice/block_nodes.h"
#include "drive/lattice/curve_bounds.h"
#include "drive/lattice/lattice_code.h"
#include "drive/lattice/other_estimate.h"

namespace fairlead::drive {

/// A primitive as the search needs it. 16 bytes.
struct LatticeStep {
    Cost cost = 0;  ///< where cells differ, what does not depend on them: of turns on the spot
    std::int8_t dx = 0;
    std::int8_t dy = 0;
    std::uint8_t to = 0;
    Gear gear = Gear::forward;
};

/// A curve from the exact start to a pose of the lattice.
struct LatticeStart {
    LatticePose pose{};
    Pose from{};  ///< cells
    CurveWord word{};
    Cost cost = 0;
};

/// Where a search may end: in poses of the lattice that will do, and at exact poses that free curves lead to.
struct LatticeGoal {
    static constexpr int kCurveTries = 8;

    double node_offset = 0.5;  ///< DriveTable's
    Vec2 centre{};             ///< cells
    double range =
        0.0;  ///< poses of the lattice in cells with their middle no farther from the centre will do
    std::uint32_t headings = 0;        ///< in one of these headings; 0: none will do
    LatticePose nearest{};             ///< the lattice pose that the goal asked for is, or is nearest to
    bool on_lattice = false;           ///< the goal asked for is one pose of the lattice
    SheetPose target[kHeadingsMax]{};  ///< exact poses
    int targets = 0;
    double reach = 0.0;  ///< curves to them are tried from this far, cells
    CurveWorld curves{};
    std::int32_t low = 0;  ///< the goal's floor: rows from here
    std::int32_t top = INT32_MAX;

    [[nodiscard]] bool on_floor(std::int32_t y) const { return y >= low && y < top; }
    [[nodiscard]] bool accepts(const LatticePose& at) const {
        if (((headings >> at.heading) & 1U) == 0 || !on_floor(at.y)) return false;
        const Vec2 gap{centre.x - at.x - node_offset, centre.y - at.y - node_offset};
        return dot(gap, gap) <= range * range;
    }
    [[nodiscard]] bool in_reach(const LatticePose& at) const {
        const Vec2 gap{centre.x - at.x - node_offset, centre.y - at.y - node_offset};
        return targets > 0 && dot(gap, gap) < reach * reach && on_floor(at.y);
    }
    /// The cheapest free curve to a target, and which one. False: none.
    [[nodiscard]] bool curve_from(const Pose& from, Gear gear, FreeCurve& curve, int& which) const;
};

inline constexpr std::size_t kStartsMax = 192;  // for each exact pose

class LatticeSpace {
  public:
    LatticeSpace() = default;
    LatticeSpace(const EdgeMap& edges, std::span<const LatticeStep> steps,
                 std::span<const LatticeStart> starts, const LatticeGoal& goal, GroundDistance& ground)
        : edges_(&edges), steps_(steps.data()), starts_(starts), goal_(&goal), ground_(&ground) {
        code_ = LatticeCode::of(edges.width(), edges.table().headings(),
                                edges.table().options().agent.can_reverse);
        bound_ = CurveBound(edges.table().curve_bounds(), edges.table().headings(), goal.nearest.heading);
        goal_state_ = static_cast<std::uint32_t>(code_.count(edges.height()));
    }

    /// Costs: of a cell, of a change of gear. `ground_factor`: no way is shorter than this times its ground distance.
    /// Costs of terrain are `cheapest` at least.
    void set_costs(Cost cell, Cost cusp, double ground_factor, Cost cheapest) {
        const auto unit = static_cast<double>(cell);
        cell_ = cell;
        cusp_ = cusp;
        ground_unit_ = static_cast<Cost>(unit * ground_factor / kGroundStraight);
        curve_unit_ = static_cast<Cost>(unit * kCurveBoundsUnit) * cheapest;
        cheapest_ = cheapest;
    }
    /// Where the map has links: they, and what the heuristic must know of them.
    void set_links(std::span<const LatticeLink> links);
    void set_terrain(const StepCosts& costs) { terrain_ = costs; }
    /// Another heuristic instead of the bounds.
    void set_estimate(const OtherEstimate& other) { other_ = &other; }
    /// What it costs to drive one curve from start to goal.
    void set_direct(Cost cost) { direct_ = cost; }
    [[nodiscard]] const LatticeCode& code() const { return code_; }
    [[nodiscard]] std::uint32_t goal_state() const { return goal_state_; }
    [[nodiscard]] Pose pose_in_cells(const LatticePose& at) const {
        return edges_->table().node(at.x, at.y, at.heading);
    }

    template <class Sink>
    void start(Sink& sink) {
        for (const LatticeStart& start : starts_) {
            const LatticePose& at = start.pose;
            if (FAIRLEAD_UNLIKELY(corridor_ != nullptr) && is_outside(at.x, at.y)) continue;
            if (direct_ != kCostMax && !is_on_goals_ground(at)) continue;
            sink.add(code_.state(at.x, at.y, at.heading, at.gear), start.cost, 0);
        }
        if (direct_ != kCostMax) sink.add(goal_state_, direct_, 0);
    }

    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == goal_state_; }

    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t state) const {
        if (state == goal_state_) return 0;
        const LatticePose at = code_.pose(state);
        if (FAIRLEAD_UNLIKELY(other_ != nullptr) && other_->serves(goal_->on_floor(at.y)))
            return by_other(at);
        const Cost by_curve = links_.empty() ? curve_bound(at) : bound_over_links(at);
        if (ground_unit_ == 0) return by_curve;
        const Cost by_ground = ground_->at(at.x, at.y) * ground_unit_;
        return by_ground > by_curve ? by_ground : by_curve;
    }

    /// Only poses in these cells are looked at, and only those from where the goal is joined within them. Null: all.
    void set_corridor(const GroundBits* cells) { corridor_ = cells; }
    /// The least of its starts' estimates: no way of the lattice costs less, if it has no corridor.
    [[nodiscard]] Cost least_estimate();

    /// The search's nodes. With two gears a state is left out while its twin in the other gear was reached for
    /// less by a change of gear: what it leads to, the twin leads to for no more. Nor does a state change gear where its
    /// twin was reached for no more than a change of gear above it: the twin goes on so.
    void set_nodes(const BlockNodes& nodes, bool two_gears) {
        nodes_ = &nodes;
        two_gears_ = two_gears;
    }

    /// From now on the pose opened that is nearest to the goal is kept, of those that are nearer than the start.
    void watch_nearest() {
        watches_ = true;
        nearest_ = goal_state_;
        least_ = kCostMax;
        for (const LatticeStart& start : starts_) {
            const LatticePose& at = start.pose;
            const Cost rest = heuristic(code_.state(at.x, at.y, at.heading, at.gear));
            if (rest < kCostMax - start.cost) least_ = std::min(least_, rest + start.cost);
        }
    }
    /// The goal's state: there is none.
    [[nodiscard]] std::uint32_t nearest() const { return watches_ ? nearest_ : goal_state_; }

    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t, Sink& sink) {
        if (FAIRLEAD_UNLIKELY(watches_)) watch(state);
        const LatticePose at = code_.pose(state);
        const PrimitiveSet& set = edges_->table().primitives();
        const std::uint32_t first = set.first(at.heading);
        const std::uint32_t count = set.first(at.heading + 1) - first;
        const std::uint64_t* words = edges_->column(at.x, at.y) + first;
        const LatticeStep* steps = steps_ + first;
        const std::uint32_t bit = static_cast<std::uint32_t>(at.x) & 63U;
        const bool keeps_gear = two_gears_ && is_reached(state ^ 1U, g + cusp_);
        // In two rounds, so that the nodes of the second are on their way while the first goes on.
        Successor next[kAhead];
        for (std::uint32_t i = 0; i < count;) {
            std::uint32_t found = 0;
            for (; i < count && found < kAhead; ++i) {
                if (((words[i] >> bit) & 1U) == 0) continue;
                const LatticeStep& step = steps[i];
                if (keeps_gear && step.gear != at.gear) continue;
                const Cost length = step.cost + (terrain_.used() ? terrain_.of(first + i, at.x, at.y) : 0);
                const Cost cost = length + (step.gear != at.gear ? cusp_ : 0);
                if (corridor_ != nullptr && is_outside(at.x + step.dx, at.y + step.dy)) continue;
                next[found] = {code_.state(at.x + step.dx, at.y + step.dy, step.to, step.gear), cost};
                nodes_->prefetch(next[found++].state);
            }
            for (std::uint32_t k = 0; k < found; ++k) {
                if (two_gears_ && is_dominated(next[k].state, g + next[k].cost)) continue;
                sink.add(next[k].state, next[k].cost, 0);
            }
        }
        if (FAIRLEAD_UNLIKELY(!links_.empty())) take_links(at, g, sink);
        if (!waits()) try_goal(at, sink);
    }
    /// The ground is not grown to all that the last state leads to (BestFirst).
    [[nodiscard]] FAIRLEAD_INLINE bool waits() const { return ground_->waits(); }
    [[nodiscard]] bool go_on() { return ground_->go_on(); }

  private:
    struct Successor {
        std::uint32_t state;
        Cost cost;
    };
    static constexpr std::uint32_t kAhead = 32;

    // Not in the corridor, or not joined with the goal there. While the ground waits nobody knows, and it counts for nothing.
    [[nodiscard]] FAIRLEAD_INLINE bool is_outside(std::int32_t x, std::int32_t y) {
        if (!corridor_->free(x, y)) return true;
        return !ground_->waits() && ground_->at(x, y) == kGroundFar && !ground_->waits();
    }
    // False: no way on the ground leads from here to the goal. Beside a curve all the way such a start would make the list of open
    // poses as long as its estimate is.
    [[nodiscard]] bool is_on_goals_ground(const LatticePose& at) const {
        if (ground_unit_ == 0) return true;
        const Cost far = Cost{kGroundFar} * ground_unit_;
        return heuristic(code_.state(at.x, at.y, at.heading, at.gear)) < far;
    }
    void watch(std::uint32_t state) {
        const Cost rest = heuristic(state);
        if (rest >= least_) return;
        least_ = rest;
        nearest_ = state;
    }
    [[nodiscard]] Cost curve_bound(const LatticePose& at) const;
    [[nodiscard]] Cost bound_over_links(const LatticePose& at) const;
    [[nodiscard]] Cost by_other(const LatticePose& at) const;

    [[nodiscard]] FAIRLEAD_INLINE bool is_dominated(std::uint32_t state, Cost g) const {
        return g >= cusp_ && is_reached(state ^ 1U, g - cusp_);
    }
    /// Was a state reached for no more than g?
    [[nodiscard]] FAIRLEAD_INLINE bool is_reached(std::uint32_t state, Cost g) const {
        const std::uint32_t node = nodes_->find(state);
        return node != kNoNode && (*nodes_)[node].g <= g;
    }

    template <class Sink>
    void take_links(const LatticePose& at, Cost g, Sink& sink) {
        for (const LatticeLink& link : links_at(links_, at.x, at.y)) {
            if (!edges_->stands(link.to_x, link.to_y, at.heading)) continue;
            // No way leads on from there.
            if (ground_unit_ != 0 && ground_->at(link.to_x, link.to_y) == kGroundFar) continue;
            const std::uint32_t next = code_.state(link.to_x, link.to_y, at.heading, at.gear);
            const Cost cost = link_cost(link);
            if (!two_gears_ || !is_dominated(next, g + cost)) sink.add(next, cost, 0);
        }
    }
    [[nodiscard]] Cost link_cost(const LatticeLink& link) const {
        return static_cast<Cost>(link.cost * static_cast<double>(cell_));
    }

    template <class Sink>
    void try_goal(const LatticePose& at, Sink& sink) {
        if (goal_->accepts(at)) return sink.add(goal_state_, 0, 0);
        if (!goal_->in_reach(at)) return;
        FreeCurve curve;
        int which = 0;
        if (!goal_->curve_from(pose_in_cells(at), at.gear, curve, which)) return;
        sink.add(goal_state_, static_cast<Cost>(curve.cost * static_cast<double>(cell_)), 0);
    }

    const EdgeMap* edges_ = nullptr;
    const LatticeStep* steps_ = nullptr;
    std::span<const LatticeStart> starts_;
    const LatticeGoal* goal_ = nullptr;
    GroundDistance* ground_ = nullptr;
    const OtherEstimate* other_ = nullptr;
    CurveBound bound_;
    LatticeCode code_;
    const GroundBits* corridor_ = nullptr;
    const BlockNodes* nodes_ = nullptr;
    bool two_gears_ = false;
    StepCosts terrain_;
    std::span<const LatticeLink> links_;
    Cost over_link_ = kCostMax;  // any way over one
    std::uint32_t goal_state_ = 0;
    std::uint32_t nearest_ = 0;  // of those opened, if watches_
    Cost least_ = kCostMax;
    bool watches_ = false;
    Cost cell_ = 0;
    Cost direct_ = kCostMax;
    Cost cheapest_ = 1;
    Cost cusp_ = 0;
    Cost ground_unit_ = 0;
    Cost curve_unit_ = 0;
};

}  // namespace fairlead::drive
