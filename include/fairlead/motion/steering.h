// Steering behaviours: wanted velocities as pure functions, and what makes one of several (technique M3).
//
//     const WeightedVelocity wants[] = {{steer_follow(at, track, 1.5), 1.0}, {steer_separate(at, others, 2.0, 1.5), 0.6},
//                                       {steer_evade(at, dragon, 8.0, 1.5), 2.0}};
//     velocity = limit_change(velocity, blend(wants, 1.5), {.speed_max = 1.5, .accel_max = 4}, dt);
//
// All are values in space: on ground heights are 0. Speeds are world units a second. No behaviour looks at walls: Follower
// does, and crowds. Inputs are finite, speeds and ranges >= 0; what is at the very place of the unit pushes it along +x.
//
// Cost: nanoseconds each, separate linear in the others. Nothing is allocated. Deterministic: sums are in the order given.
//
// Source: C. Reynolds, Steering Behaviors for Autonomous Characters, 1999; there behaviours are forces, here velocities, so
// that weights mean the same at all speeds.
#pragma once

#include <span>

#include <fairlead/math/vec.h>
#include <fairlead/route/speed_limits.h>

namespace fairlead {

/// Straight to a place at a speed.
[[nodiscard]] Vec3 steer_seek(Vec3 position, Vec3 aim, double speed);

/// The same, slowing down so that it stops there: after `dt` at this velocity it can still brake in time.
[[nodiscard]] Vec3 steer_arrive(Vec3 position, Vec3 aim, double speed, double brake_max, double dt);

/// A straight piece of a path.
struct SteerTrack {
    Vec3 from{};
    Vec3 to{};
    double corridor = 0.5;  ///< > 0
};
/// Along it: within the corridor to its end, outside back into it and on.
[[nodiscard]] Vec3 steer_follow(Vec3 position, const SteerTrack& track, double speed);

/// Away from those nearer than `range`, the nearer the more; up to `speed`.
[[nodiscard]] Vec3 steer_separate(Vec3 position, std::span<const Vec3> others, double range, double speed);

struct Threat {
    Vec3 position{};
    Vec3 velocity{};
};
/// Away from where a threat will be when it could be here; nothing beyond `range`.
[[nodiscard]] Vec3 steer_evade(Vec3 position, const Threat& threat, double range, double speed);

struct WeightedVelocity {
    Vec3 velocity{};
    double weight = 1.0;  ///< >= 0
};
/// Their sum by weight, cut to speed_max. Not a mean: what wants nothing does not slow the rest.
[[nodiscard]] Vec3 blend(std::span<const WeightedVelocity> wants, double speed_max);

/// The velocity after dt that is nearest to the wanted one within limits: |speed| <= speed_max, along the motion accel_max and
/// brake_max, across
/// it lateral_accel_max. turn_rate_max limits how far its direction turns.
[[nodiscard]] Vec3 limit_change(Vec3 velocity, Vec3 wanted, const SpeedLimits& limits, double dt);

}  // namespace fairlead
