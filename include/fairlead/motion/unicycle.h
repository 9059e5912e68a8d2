// A unit that moves ahead and turns: the next pose on the way to a place, within all its limits at once (techniques X3, K8).
// For people, and for units without a route: they slow down to turn tighter, turn on the spot at speed 0, and stop where they
// are sent.
//
//     UnicycleState me{.pose = {{3, 4}, 0.0}};
//     // each frame
//     me = steer_towards(me, target, {.speed_max = 1.5, .accel_max = 3, .brake_max = 3, .lateral_accel_max = 2, .turn_rate_max = 3}, dt);
//
// In a step the unit drives an arc of one curvature: along it the speed rises by at most accel_max, or falls by at most
// brake_max, a second, and at its greatest speed of the step neither speed^2 x |curvature| passes lateral_accel_max nor speed x
// |curvature| turn_rate_max; |curvature| <= 1 / turning_radius. A unit with turning radius 0 that stands turns by up to
// turn_rate_max x dt. All to 1e-9. (Step size: the limits hold within a step too; `state` never jumps.)
//
// It turns towards the aim as it can, no faster than it can turn enough to meet it; behind it (more than a quarter turn off):
// it brakes and turns on the spot, or, with a turning radius, takes the shortest way of a turn and a line (curve/relaxed.h). It
// stops at the aim: exactly there, from then on standing; it does not pass it, if it could brake in time when it was sent.
//
// Cost: 0.1 us. Nothing is allocated. Deterministic. Limits are those that check_speed_limits accepts, turning_radius >= 0, dt
// >= 0 and finite: anything else is a caller's bug (an assert).
#pragma once

#include <fairlead/math/pose.h>
#include <fairlead/route/speed_limits.h>

namespace fairlead {

struct UnicycleState {
    Pose pose{};
    double speed = 0.0;  ///< forward, >= 0

    friend bool operator==(const UnicycleState&, const UnicycleState&) = default;
};

/// The state after dt seconds.
[[nodiscard]] UnicycleState steer_towards(const UnicycleState& state, Vec2 aim, const SpeedLimits& limits,
                                          double dt, double turning_radius = 0.0);

/// Turns on the spot towards a heading, once it stands; brakes until then.
[[nodiscard]] UnicycleState turn_towards(const UnicycleState& state, double heading_rad,
                                         const SpeedLimits& limits, double dt);

}  // namespace fairlead
