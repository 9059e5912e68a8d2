// The second witness for routes of turning units, slow and plain: it walks every leg in steps of 0.001 cell with the
// standard library's sine and looks at the body in each place. It shares no code with the planners or with verify.
//
// What it says is wrong is wrong by more than `alarm`. What it does not see is less deep than half a step (the body moves by
// no more between two looks); where the gap to all walls is wide it takes longer steps, no longer than the gap.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

#include "oracle/pose_map.h"

namespace fairlead::oracle {

enum class PoseFault : std::uint8_t {
    none,
    number,     ///< not finite, a negative length, or no leg that the unit can make
    gear,       ///< in reverse, and the unit cannot
    curvature,  ///< tighter than the turning radius
    wall,       ///< the body overlaps a wall or leaves the map
    position,   ///< a leg does not end where the next one starts, or the route not where it should
    heading,    ///< the same for where the unit faces
    length,     ///< the route's length is not the sum
    count_,
};
[[nodiscard]] const char* fault_name(PoseFault fault);

struct PoseFinding {
    PoseFault fault = PoseFault::none;
    std::size_t leg = 0;
    double distance = 0.0;  ///< along the leg
    double amount = 0.0;    ///< depth, gap, angle: how wrong
    double deepest = -1e9;  ///< over the places looked at; negative: the smallest gap, if below 0.3

    [[nodiscard]] explicit operator bool() const { return fault != PoseFault::none; }
};

struct PoseSampling {
    double step = 0.001;
    double alarm = 1e-6;        ///< cells, radians
    std::optional<Pose> start;  ///< where the route must begin
    std::optional<Pose> goal;   ///< where it must end
};

/// The first fault, or none. Routes without legs are judged by their end.
[[nodiscard]] PoseFinding sample_route(const Route& route, const PoseMap& map, const Agent& agent,
                                       const PoseSampling& sampling = {});

/// Where the unit is after s of a drive leg, or after s radians of a turn, by the standard library.
[[nodiscard]] Pose sampled_pose(const Leg& leg, double s);

}  // namespace fairlead::oracle
