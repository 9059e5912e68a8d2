// A lattice of poses that lies on a level mesh like a sheet, as a space for the search engine: states are (place, heading, gear),
// a place being a cell and the polygon under its node; steps are the motion primitives that the body can be driven along.
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
#include "drive/lattice/lattice_space.h"
#include "mesh/search/distance_flood.h"

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

/// A curve from the exact start to a pose of the lattice.
struct MeshStart {
    std::uint32_t state = 0;
    CurveWord word{};
    Cost cost = 0;
};

/// The exact poses to come to.
struct MeshGoalPoses {
    static constexpr int kCurveTries = 4;
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

    /// Costs: of a cell, of a change of gear. False: out of memory.
    [[nodiscard]] bool begin(const DriveTable& table, Cost cell, Cost cusp);
    void set_direct(Cost cost) { direct_ = cost; }
    /// The state of a pose on the lattice; kNoNode: out of memory.
    [[nodiscard]] std::uint32_t state_at(std::int32_t x, std::int32_t y, std::uint32_t polygon,
                                         std::int32_t heading, Gear gear);
    [[nodiscard]] std::uint32_t state_of(std::uint32_t place, std::int32_t heading, Gear gear) const {
        const std::uint32_t back = two_gears_ && gear == Gear::reverse ? 1 : 0;
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
    [[nodiscard]] Cost cusp() const { return cusp_; }
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
    [[nodiscard]] bool cost_to_goal(std::uint32_t state, Cost& cost) const;
    /// Lower bound by the way over the surface.
    [[nodiscard]] Cost ground_of(std::uint32_t state) { return ground_at(state / poses_); }
    /// Is the way from there over the surface no longer than the goal's reach?
    [[nodiscard]] bool is_near_goal(std::uint32_t place);
    [[nodiscard]] drive::LatticePose pose_of(std::uint32_t state) const;
    [[nodiscard]] drive::SheetPose sheet_pose(std::uint32_t state) const;
    [[nodiscard]] bool failed() const {
        return failed_ || sweep.failed() || flood.failed() || bridges.failed();
    }

    // ---- for the engine
    template <class Sink>
    void start(Sink& sink) {
        for (const MeshStart& start : starts) sink.add(start.state, start.cost, 0);
        goal_cost_ = kCostMax;
        if (direct_ == kCostMax) return;
        sink.add(kGoalState, direct_, 0);
        note_goal(direct_);
    }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return state == kGoalState; }
    [[nodiscard]] Cost heuristic(std::uint32_t state);
    /// The cheapest way to the goal so far (kCostMax: none), and poses opened since it was found.
    [[nodiscard]] Cost goal_cost() const { return goal_cost_; }
    [[nodiscard]] std::uint64_t since_goal() const { return since_goal_; }
    /// No way costs less.
    [[nodiscard]] Cost least_cost();
    /// From now on the pose opened that is nearest to the goal is kept, of those that are nearer than `start`.
    void watch_nearest(Cost start) {
        watches_ = true;
        nearest_ = kGoalState;
        nearest_rest_ = start;
    }
    void stop_watching() { watches_ = notes_places_ = false; }
    /// From now on near_goal, which has begun, is told what is opened.
    void note_places() { notes_places_ = true; }
    /// There is no way to the goal: until begin() the search is for places near it, as the crow flies.
    void look_nearby() { nearby_ = true; }
    /// kGoalState: there is none.
    [[nodiscard]] std::uint32_t nearest() const { return watches_ ? nearest_ : kGoalState; }

    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t, Sink& sink) {
        if (watches_) watch(state);
        if (notes_places_) near_goal.note(*this, state);
        ++since_goal_;
        const drive::LatticePose at = pose_of(state);
        const PrimitiveSet& set = table_->primitives();
        const bool keeps_gear = two_gears_ && is_reached(state ^ 1U, g + cusp_);
        for (std::uint32_t i = set.first(at.heading); i < set.first(at.heading + 1); ++i) {
            const MeshStep& step = steps[i];
            if (keeps_gear && step.gear != at.gear) continue;
            const std::uint32_t next = move(state, at, i);
            if (next == kNoNode) continue;
            const Cost cost = move_cost(state / poses_, at, i) + (step.gear != at.gear ? cusp_ : 0);
            if (two_gears_ && is_dominated(next, g + cost)) continue;
            sink.add(next, cost, 0);
        }
        if (nearby_) return;
        try_goal(state, g, sink);
        if (!bridges.is_time(ground_of(state))) return;
        for (const MeshBridge& bridge : bridges.find(*this, state))
            sink.add(bridge.to, bridge.cost, kByBridge);
    }

  private:
    [[nodiscard]] std::uint32_t move(std::uint32_t state, const drive::LatticePose& at, std::uint32_t step);
    [[nodiscard]] double room_at(std::uint32_t place);
    [[nodiscard]] double even_at(std::uint32_t place);
    [[nodiscard]] Cost priced_move(std::uint32_t place, const drive::LatticePose& at, std::uint32_t step);
    [[nodiscard]] Cost ground_at(std::uint32_t place);
    [[nodiscard]] Cost curve_bound(std::uint32_t state) const;
    [[nodiscard]] bool is_dominated(std::uint32_t state, Cost g) const {
        return g >= cusp_ && is_reached(state ^ 1U, g - cusp_);
    }
    [[nodiscard]] bool is_reached(std::uint32_t state, Cost g) const {
        const std::uint32_t node = nodes.find(state);
        return node != kNoNode && nodes[node].g <= g;
    }
    template <class Sink>
    void try_goal(std::uint32_t state, Cost g, Sink& sink) {
        Cost cost = 0;
        if (!is_near_goal(state / poses_) || !cost_to_goal(state, cost)) return;
        sink.add(kGoalState, cost, 0);
        note_goal(g + cost);
    }
    void watch(std::uint32_t state) {
        const Cost rest = heuristic(state);
        if (rest >= nearest_rest_) return;
        nearest_rest_ = rest;
        nearest_ = state;
    }
    void note_goal(Cost cost) {
        if (cost >= goal_cost_) return;
        goal_cost_ = cost;
        since_goal_ = 0;
    }
    const DriveTable* table_ = nullptr;
    std::uint32_t poses_ = 0;  ///< a place's
    std::uint32_t gear_bits_ = 0;
    bool two_gears_ = false;
    bool failed_ = false;
    double most_room_ = 0.0;
    std::uint64_t states_ = 0;
    Cost cell_ = 0;
    Cost cusp_ = 0;
    Cost direct_ = kCostMax;
    Cost goal_cost_ = kCostMax;
    std::uint64_t since_goal_ = 0;
    bool watches_ = false;
    bool notes_places_ = false;
    bool nearby_ = false;
    std::uint32_t nearest_ = kGoalState;
    Cost nearest_rest_ = 0;
};

}  // namespace fairlead::bridge
