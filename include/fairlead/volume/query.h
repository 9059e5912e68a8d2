// VolumeQuery: what is asked of a volume. Every field has a default; fill in by name.
//
//     VolumeQuery{.start = {2, 3, 10}, .goal = Vec3{40, 8, 25}}
//     VolumeQuery{.start = submarine, .goal = harbour, .agent = {.radius = 0.4}, .reach = 5}
//
// Positions are world units, with their height: nothing is moved to a floor.
#pragma once

#include <cstdint>

#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

enum class VolumePlanner : std::uint8_t {
    any_angle,  ///< short, in microseconds: no bound is promised (find_route.h says what was measured)
    count_,
};

/// "any_angle". Never null.
[[nodiscard]] const char* planner_name(VolumePlanner planner);

struct VolumeQuery {
    Spot start{};
    Goal goal{};    ///< point
    Agent agent{};  ///< a sphere of Agent::radius, at most half a voxel (of its shortest side)
    /// World units, >= 0, infinite is anywhere: a start or a goal where the unit cannot be is moved to the nearest voxel's middle
    /// where it can, up to so far. The route begins or ends there.
    double reach = 0.0;
    VolumePlanner planner = VolumePlanner::any_angle;
    bool smooth = true;  ///< pull the way taut and slide its bends
    /// budget_spent: give the way to the place nearest the goal so far (find_route.h).
    bool partial = false;
    std::uint64_t expansions_max = UINT64_MAX;  ///< give up with budget_spent after this many
};

}  // namespace fairlead
