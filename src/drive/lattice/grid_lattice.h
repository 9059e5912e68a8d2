// The lattice of poses on a map, as a world to search (search/pose_space.h): states are (cell, heading, gear), moves are the motion
// primitives that the edge map allows.
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
#include "drive/map/clear_moves.h"
#include "drive/map/edge_map.h"

#include "drive/cost/step_costs.h"
#include "drive/curves/free_curve.h"
#include "drive/ground/ground_distance.h"
#include "drive/lattice/curve_bounds.h"
#include "drive/lattice/lattice_code.h"
#include "drive/lattice/other_estimate.h"
#include "search/pose_space.h"

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

class GridLattice {
  public:
    GridLattice() = default;
    GridLattice(const EdgeMap& edges, std::span<const LatticeStep> steps,
                std::span<const LatticeStart> starts, const LatticeGoal& goal, GroundDistance& ground)
        : edges_(&edges), steps_(steps.data()), starts_(starts), goal_(&goal), ground_(&ground) {
        code_ = LatticeCode::of(edges.width(), edges.table().headings(),
                                edges.table().options().agent.can_reverse);
        bound_ = CurveBound(edges.table().curve_bounds(), edges.table().headings(), goal.nearest.heading);
        goal_state_ = static_cast<std::uint32_t>(code_.count(edges.height()));
    }

    /// Of a cell. `ground_factor`: no way is shorter than this times its ground distance. Costs of terrain are `cheapest` at least.
    void set_costs(Cost cell, double ground_factor, Cost cheapest) {
        const auto unit = static_cast<double>(cell);
        cell_ = cell;
        ground_unit_ = static_cast<Cost>(unit * ground_factor / kGroundStraight);
        curve_unit_ = static_cast<Cost>(unit * kCurveBoundsUnit) * cheapest;
        cheapest_ = cheapest;
    }
    /// Where the map has links: they, and what the heuristic must know of them.
    void set_links(std::span<const LatticeLink> links);
    void set_terrain(const StepCosts& costs) { terrain_ = costs; }
    /// Another heuristic instead of the bounds.
    void set_estimate(const OtherEstimate& other) { other_ = &other; }
    /// Only poses in these cells are looked at, and only those from where the goal is joined within them. Null: all. With a corridor
    /// least_of_starts() is no bound.
    void set_corridor(const GroundBits* cells) { corridor_ = cells; }
    /// Moves that are clear of a query's blockers; null: there are none.
    void set_clear_moves(ClearMoves* clear) { clear_ = clear; }
    /// Are moves looked at in parts? Then the lattice waits for them.
    void look_in_parts(bool parts) { in_parts_ = parts; }
    /// A primitive that begins in the pose's heading.
    [[nodiscard]] FAIRLEAD_INLINE bool may_drive(const LatticePose& from, std::size_t primitive) const {
        return clear_ != nullptr ? clear_->may_drive(from.x, from.y, from.heading, primitive)
                                 : edges_->may_drive(from.x, from.y, primitive);
    }
    [[nodiscard]] const LatticeCode& code() const { return code_; }
    [[nodiscard]] Pose pose_in_cells(const LatticePose& at) const {
        return edges_->table().node(at.x, at.y, at.heading);
    }

    // ---- a PoseWorld (search/pose_space.h)
    class Moves;
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t goal_state() const { return goal_state_; }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t gear_bit() const { return code_.gear_bits; }
    template <class Visit>
    void each_start(bool beside_curve, const Visit& visit) {
        for (const LatticeStart& start : starts_) {
            const LatticePose& at = start.pose;
            if (FAIRLEAD_UNLIKELY(corridor_ != nullptr) && is_outside(at.x, at.y)) continue;
            if (beside_curve && !is_on_goals_ground(at)) continue;
            visit(code_.state(at.x, at.y, at.heading, at.gear), start.cost);
        }
    }
    [[nodiscard]] FAIRLEAD_INLINE Moves moves(std::uint32_t state, bool keeps_gear);
    template <class Visit>
    FAIRLEAD_INLINE void each_jump(std::uint32_t state, const Visit& visit) {
        if (FAIRLEAD_UNLIKELY(!links_.empty())) each_link(code_.pose(state), visit);
    }
    [[nodiscard]] FAIRLEAD_INLINE Cost least_left(std::uint32_t state) const {
        const LatticePose at = code_.pose(state);
        if (FAIRLEAD_UNLIKELY(other_ != nullptr) && other_->serves(goal_->on_floor(at.y)))
            return by_other(at);
        const Cost by_curve = links_.empty() ? curve_bound(at) : bound_over_links(at);
        if (ground_unit_ == 0) return by_curve;
        const Cost by_ground = ground_->at(at.x, at.y) * ground_unit_;
        return by_ground > by_curve ? by_ground : by_curve;
    }
    [[nodiscard]] FAIRLEAD_INLINE bool cost_to_goal(std::uint32_t state, Cost& cost) const {
        const LatticePose at = code_.pose(state);
        cost = 0;
        return goal_->accepts(at) || (goal_->in_reach(at) && cost_of_curve(at, cost));
    }
    /// The ground is not grown to all that the last state leads to, or its moves are not looked at (BestFirst).
    [[nodiscard]] FAIRLEAD_INLINE bool waits() const { return ground_->waits() || moves_wait_; }
    [[nodiscard]] bool go_on() {
        if (!moves_wait_) return ground_->go_on();
        moves_wait_ = words_in_parts(waiting_at_) == nullptr;
        return !moves_wait_;
    }

  private:
    [[nodiscard]] const std::uint64_t* words_in_parts(const LatticePose& at) {
        return clear_->column_in_parts(at.x, at.y, at.heading, std::uint64_t{1} << (at.x & 63));
    }
    /// Null: they are waited for.
    [[nodiscard]] FAIRLEAD_INLINE const std::uint64_t* words_at(const LatticePose& at) {
        if (FAIRLEAD_LIKELY(clear_ == nullptr)) return edges_->column(at.x, at.y);
        if (!in_parts_) return clear_->column(at.x, at.y, at.heading);
        const std::uint64_t* words = words_in_parts(at);
        moves_wait_ = words == nullptr;
        waiting_at_ = at;
        return words;
    }
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
        return least_left(code_.state(at.x, at.y, at.heading, at.gear)) < far;
    }
    [[nodiscard]] Cost curve_bound(const LatticePose& at) const;
    [[nodiscard]] Cost bound_over_links(const LatticePose& at) const;
    [[nodiscard]] Cost by_other(const LatticePose& at) const;
    [[nodiscard]] bool cost_of_curve(const LatticePose& at, Cost& cost) const;

    template <class Visit>
    void each_link(const LatticePose& at, const Visit& visit) {
        for (const LatticeLink& link : links_at(links_, at.x, at.y)) {
            if (!stands(link.to_x, link.to_y, at.heading)) continue;
            // No way leads on from there.
            if (ground_unit_ != 0 && ground_->at(link.to_x, link.to_y) == kGroundFar) continue;
            visit(PoseMove{code_.state(link.to_x, link.to_y, at.heading, at.gear), 0, link_cost(link)});
        }
    }
    [[nodiscard]] bool stands(std::int32_t x, std::int32_t y, std::int32_t heading) const {
        return may_drive({x, y, heading, Gear::forward}, edges_->room(heading));
    }
    [[nodiscard]] Cost link_cost(const LatticeLink& link) const {
        return static_cast<Cost>(link.cost * static_cast<double>(cell_));
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
    ClearMoves* clear_ = nullptr;
    LatticePose waiting_at_{};
    bool in_parts_ = false;
    bool moves_wait_ = false;  // those of `waiting_at_`
    StepCosts terrain_;
    std::span<const LatticeLink> links_;
    Cost over_link_ = kCostMax;  // any way over one
    std::uint32_t goal_state_ = 0;
    Cost cell_ = 0;
    Cost cheapest_ = 1;
    Cost ground_unit_ = 0;
    Cost curve_unit_ = 0;
};

/// The primitives that the edge map allows from a pose, in order.
class GridLattice::Moves {
  public:
    FAIRLEAD_INLINE Moves(GridLattice& lattice, const LatticePose& at, bool keeps_gear)
        : lattice_(&lattice), at_(at), keeps_gear_(keeps_gear) {
        const PrimitiveSet& set = lattice.edges_->table().primitives();
        next_ = set.first(at.heading);
        words_ = lattice.words_at(at);
        end_ = FAIRLEAD_LIKELY(words_ != nullptr) ? set.first(at.heading + 1) : next_;
        bit_ = static_cast<std::uint32_t>(at.x) & 63U;
    }

    [[nodiscard]] FAIRLEAD_INLINE bool next(PoseMove& move) {
        while (next_ < end_) {
            const std::uint32_t i = next_++;
            if (((words_[i] >> bit_) & 1U) == 0) continue;
            const LatticeStep& step = lattice_->steps_[i];
            if (keeps_gear_ && step.gear != at_.gear) continue;
            const std::int32_t x = at_.x + step.dx;
            const std::int32_t y = at_.y + step.dy;
            if (lattice_->corridor_ != nullptr && lattice_->is_outside(x, y)) continue;
            const StepCosts& terrain = lattice_->terrain_;
            move = {lattice_->code_.state(x, y, step.to, step.gear), 0,
                    step.cost + (terrain.used() ? terrain.of(i, at_.x, at_.y) : 0)};
            return true;
        }
        return false;
    }

  private:
    GridLattice* lattice_;
    LatticePose at_;
    const std::uint64_t* words_ = nullptr;
    std::uint32_t next_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t bit_ = 0;
    bool keeps_gear_ = false;
};

FAIRLEAD_INLINE GridLattice::Moves GridLattice::moves(std::uint32_t state, bool keeps_gear) {
    return {*this, code_.pose(state), keeps_gear};
}

}  // namespace fairlead::drive
