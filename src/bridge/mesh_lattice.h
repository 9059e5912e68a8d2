// A lattice of poses that lies on a level mesh like a sheet, as a world to search (search/pose_space.h): states are (place, heading, gear),
// a place being a cell and the polygon under its node; moves are the motion primitives that the body can be driven along.
//
// A state is place x poses + heading << gear bits | gear; state 0 is the exact goal. Lower bound: the larger of the shortest
// curve on open ground and the distance over the surface (mesh/distance_flood.h); both are consistent.
#pragma once

#include <span>

#include <fairlead/drive/drive_table.h>
#include <fairlead/search/engine.h>

#include "bridge/mesh_bridges.h"
#include "bridge/mesh_nearest.h"
#include "bridge/mesh_places.h"
#include "bridge/mesh_sweep.h"
#include "drive/curves/free_curve.h"
#include "drive/lattice/curve_bounds.h"
#include "drive/lattice/grid_lattice.h"
#include "mesh/search/distance_flood.h"
#include "search/pose_space.h"

namespace fairlead::bridge {

/// A primitive as the search needs it.
struct MeshStep {
    Cost cost = 0;       ///< where a length costs itself
    double reach = 0.0;  ///< no point of the swept body is farther from the start, cells
    std::int8_t dx = 0;
    std::int8_t dy = 0;
    std::uint8_t to = 0;
    Gear gear = Gear::forward;
};

/// A curve from an exact start to a pose of the lattice.
struct MeshStart {
    std::uint32_t state = 0;
    std::uint32_t from = 0;  ///< which of the poses that the query may start in
    CurveWord word{};
    Cost cost = 0;
};

/// Where a search may end: at exact poses that free curves lead to; or, where the goal has a range, in poses of the lattice.
struct MeshGoalPoses {
    static constexpr int kCurveTries = 4;
    Vec2 centre{};               ///< cells
    double range = 0.0;          ///< > 0: no way over the surface from there to the goal is longer, cells
    std::uint32_t headings = 0;  ///< and in one of these headings
    drive::SheetPose target[kHeadingsMax]{};
    int targets = 0;
    double reach = 0.0;  ///< curves to them are tried from this far, cells
    drive::CurveWorld curves{};

    [[nodiscard]] bool curve_from(const drive::SheetPose& from, Gear gear, drive::FreeCurve& curve,
                                  int& which) const {
        return curves.find_any(from, gear, {target, static_cast<std::size_t>(targets)}, kCurveTries, curve,
                               which);
    }
};

class MeshLattice {
  public:
    explicit MeshLattice(const Allocator& allocator)
        : nodes(allocator),
          places(allocator),
          flood(allocator),
          sweep(allocator),
          steps(allocator),
          starts(allocator),
          bridges(allocator),
          near_goal(allocator) {}

    static constexpr std::uint32_t kGoalState = 0;
    static constexpr std::uint32_t kByBridge = 1;  ///< the tag of a node that a bridge leads to

    PagedNodes nodes;
    MeshPlaces places;
    mesh::DistanceFlood flood;
    MeshSweep sweep;
    Array<MeshStep> steps;
    Array<MeshStart> starts;
    MeshBridges bridges;
    MeshGoalPoses goal;
    MeshNearest near_goal;  ///< where notes_places()

    /// The cost of a cell. False: out of memory.
    [[nodiscard]] bool begin(const DriveTable& table, Cost cell);
    /// The state of a pose on the lattice; kNoNode: out of memory.
    [[nodiscard]] std::uint32_t state_at(std::int32_t x, std::int32_t y, std::uint32_t polygon,
                                         std::int32_t heading, Gear gear);
    [[nodiscard]] std::uint32_t state_of(std::uint32_t place, std::int32_t heading, Gear gear) const {
        const std::uint32_t back = gear == Gear::reverse ? gear_bits_ : 0;
        return place * poses_ + (static_cast<std::uint32_t>(heading) << gear_bits_) + back;
    }
    /// There are nodes for the states below this one.
    [[nodiscard]] std::uint64_t states() const { return states_; }
    /// The place that a curve leads to, (dx, dy) cells away; `reach`: no point of the swept body is farther from its start. kNoNode:
    /// it is not free (or out of memory: failed()).
    [[nodiscard]] std::uint32_t place_after(std::uint32_t place, const Pose& from, const CurveWord& word,
                                            double reach, std::int32_t dx, std::int32_t dy);
    /// What a move costs that may be made, but for a change of gear.
    [[nodiscard]] Cost move_cost(std::uint32_t place, const drive::LatticePose& at, std::uint32_t step) {
        return sweep.prices().even ? steps[step].cost : priced_move(place, at, step);
    }
    [[nodiscard]] const DriveTable& table() const { return *table_; }
    [[nodiscard]] Cost cell() const { return cell_; }
    /// Of the largest disc about the axle that lies in what is compared with walls, world units: where that does not get through,
    /// nothing does.
    [[nodiscard]] double width() const;
    /// A length in cells as a lower bound.
    [[nodiscard]] Cost rounded_down(double cells) const;
    /// Of curves on open ground.
    [[nodiscard]] Cost least_curve(const Pose& from, const Pose& to) const;
    [[nodiscard]] std::uint32_t place_of(std::uint32_t state) const { return state / poses_; }
    /// Of a state at a place; makes room for its node. kNoNode: out of memory.
    [[nodiscard]] std::uint32_t keep_state(std::uint32_t place, std::int32_t heading, Gear gear);
    /// By a curve from a state near the goal. False: there is none.
    [[nodiscard]] bool curve_to_goal(std::uint32_t state, Cost& cost) const;
    /// Lower bound by the way over the surface.
    [[nodiscard]] Cost ground_of(std::uint32_t state) { return ground_at(state / poses_); }
    /// Is the way from there over the surface no longer than the goal's reach, or its range?
    [[nodiscard]] bool is_near_goal(std::uint32_t place);
    /// Is a pose near the goal already there?
    [[nodiscard]] bool accepts(std::uint32_t state) const {
        return goal.range > 0.0 && ((goal.headings >> pose_of(state).heading) & 1U) != 0;
    }
    [[nodiscard]] drive::LatticePose pose_of(std::uint32_t state) const;
    [[nodiscard]] drive::SheetPose sheet_pose(std::uint32_t state) const;
    [[nodiscard]] bool failed() const {
        return failed_ || sweep.failed() || flood.failed() || bridges.failed() || near_goal.failed();
    }

    /// From now on near_goal, which has begun, is told what is opened.
    void note_places() { notes_places_ = true; }
    void stop_noting() { notes_places_ = false; }
    /// There is no way to the goal: until begin() the search is for places near it, as the crow flies.
    void look_nearby() { nearby_ = true; }

    // ---- a PoseWorld (search/pose_space.h)
    class Moves;
    [[nodiscard]] static constexpr std::uint32_t goal_state() { return kGoalState; }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t gear_bit() const { return gear_bits_; }
    template <class Visit>
    void each_start(bool, const Visit& visit) const {
        for (const MeshStart& start : starts) visit(start.state, start.cost);
    }
    [[nodiscard]] FAIRLEAD_INLINE Moves moves(std::uint32_t state, bool keeps_gear);
    template <class Visit>
    void each_jump(std::uint32_t state, const Visit& visit) {
        if (nearby_) return;
        if (!bridges.is_time(ground_of(state))) return;
        for (const MeshBridge& bridge : bridges.find(*this, state))
            visit(PoseMove{bridge.to, kByBridge, bridge.cost});
    }
    [[nodiscard]] Cost least_left(std::uint32_t state);
    [[nodiscard]] bool cost_to_goal(std::uint32_t state, Cost& cost) {
        cost = 0;
        return !nearby_ && is_near_goal(state / poses_) && (accepts(state) || curve_to_goal(state, cost));
    }

  private:
    [[nodiscard]] std::uint32_t move(std::uint32_t state, const drive::LatticePose& at, std::uint32_t step);
    [[nodiscard]] double room_at(std::uint32_t place);
    [[nodiscard]] double even_at(std::uint32_t place);
    [[nodiscard]] Cost priced_move(std::uint32_t place, const drive::LatticePose& at, std::uint32_t step);
    [[nodiscard]] Cost ground_at(std::uint32_t place);
    [[nodiscard]] Cost curve_bound(std::uint32_t state) const;
    [[nodiscard]] Cost range_cost() const;
    const DriveTable* table_ = nullptr;
    std::uint32_t poses_ = 0;  ///< a place's
    std::uint32_t gear_bits_ = 0;
    bool failed_ = false;
    double most_room_ = 0.0;
    std::uint64_t states_ = 0;
    Cost cell_ = 0;
    bool notes_places_ = false;
    bool nearby_ = false;
};

/// The primitives that the body can be driven along from a state, in order.
class MeshLattice::Moves {
  public:
    Moves(MeshLattice& lattice, std::uint32_t state, bool keeps_gear)
        : lattice_(&lattice), at_(lattice.pose_of(state)), state_(state), keeps_gear_(keeps_gear) {
        const PrimitiveSet& set = lattice.table_->primitives();
        next_ = set.first(at_.heading);
        end_ = set.first(at_.heading + 1);
    }
    [[nodiscard]] bool next(PoseMove& move) {
        while (next_ < end_) {
            const std::uint32_t i = next_++;
            if (keeps_gear_ && lattice_->steps[i].gear != at_.gear) continue;
            const std::uint32_t to = lattice_->move(state_, at_, i);
            if (to == kNoNode) continue;
            move = {to, 0, lattice_->move_cost(lattice_->place_of(state_), at_, i)};
            return true;
        }
        return false;
    }

  private:
    MeshLattice* lattice_;
    drive::LatticePose at_;
    std::uint32_t state_;
    std::uint32_t next_ = 0;
    std::uint32_t end_ = 0;
    bool keeps_gear_;
};

FAIRLEAD_INLINE MeshLattice::Moves MeshLattice::moves(std::uint32_t state, bool keeps_gear) {
    if (notes_places_) near_goal.note(*this, state);
    return {*this, state, keeps_gear};
}

using MeshSpace = PoseSpace<MeshLattice, PagedNodes>;

}  // namespace fairlead::bridge
