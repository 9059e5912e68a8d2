// VolumeQuery: what is asked of a volume. Every field has a default; fill in by name.
//
//     VolumeQuery{.start = {2, 3, 10}, .goal = Vec3{40, 8, 25}}
//     VolumeQuery{.start = submarine, .goal = harbour, .agent = {.radius = 0.4}, .reach = 5}
//
// Positions are world units, with their height: nothing is moved to a floor.
#pragma once

#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/volume/area.h>
#include <fairlead/volume/blocker.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

enum class VolumePlanner : std::uint8_t {
    any_angle,  ///< short, in microseconds: no bound is promised (find_route.h says what was measured)
    astar,  ///< shortest from voxel to voxel by `neighbours`, bound 1: the reference (Hart, Nilsson and Raphael 1968)
    dijkstra,           ///< the same without a heuristic (Dijkstra 1959)
    greedy_best_first,  ///< no bound: follows the heuristic alone. For demonstration
    count_,
};

/// How voxels are joined for planners that go from one to the next. A step over an edge or a corner needs all voxels of the box that it
/// crosses.
enum class VoxelNeighbours : std::uint8_t { six, eighteen, twenty_six, count_ };

/// Read by astar and greedy_best_first (technique V7).
enum class VolumeHeuristic : std::uint8_t {
    automatic,  ///< the way if all were open; with 18 neighbours the straight line
    euclid,
    manhattan,  ///< too much with more than 6 neighbours: no bound then
    count_,
};

/// "any_angle", ... as on the command line. Never null.
[[nodiscard]] const char* planner_name(VolumePlanner planner);

struct VolumeQuery {
    Spot start{};
    Goal goal{};  ///< point, any_of, within
    /// A sphere of Agent::radius, or with a height an upright capsule (radius >= 1/1024 voxel); not any_angle: no part of it more
    /// than half a voxel (of its shortest side) from its middle.
    Agent agent{};
    /// World units, >= 0, infinite is anywhere: a start or a goal where the unit cannot be is moved to the nearest voxel's middle
    /// where it can, up to so far. The route begins or ends there.
    double reach = 0.0;
    VolumePlanner planner = VolumePlanner::any_angle;
    VoxelNeighbours neighbours = VoxelNeighbours::twenty_six;  ///< not read by any_angle
    VolumeHeuristic heuristic = VolumeHeuristic::automatic;
    /// Pull the way taut and slide its bends. Planners that go from voxel to voxel keep what they found in Route::cost.
    bool smooth = true;
    /// Out of reach, or the budget is spent: give the way to the place nearest the goal (find_route.h).
    bool partial = false;
    Borrowed<VolumeBlocker> blockers{};  ///< at most 65,536; any_angle alone
    Borrowed<VolumeArea>
        areas{};  ///< at most 65,536 dangers and currents (area.h). Every planner serves them
    std::uint64_t expansions_max = UINT64_MAX;  ///< give up with budget_spent after this many
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(VolumeQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.blockers);
    visit(query.areas);
}

}  // namespace fairlead
