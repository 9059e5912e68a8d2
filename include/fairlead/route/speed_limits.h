// SpeedLimits: how fast a unit moves and how fast that changes. One value for the planner with speeds (drive/find_timed.h), the
// profile of a route (route/speed_profile.h) and the unit that moves (motion/).
//
//     const SpeedLimits lorry{.speed_max = 12, .accel_max = 1.5, .lateral_accel_max = 3};
//     const SpeedLimits person{.speed_max = 1.5, .accel_max = 4, .lateral_accel_max = 2, .turn_rate_max = 3};
//     const SpeedLimits token = SpeedLimits::only(5.0);                     // always as fast as it can; turns at once
//
// What they mean, at every moment: |speed| <= speed_max, in reverse <= reverse_speed_max; speeds up by at most accel_max and
// slows down by at most brake_max a second, along the way; speed^2 x |curvature| <= lateral_accel_max; |turning| <=
// turn_rate_max, so on a curve speed x |curvature| is, and on the spot a turn takes |angle| / turn_rate_max. Hence the tightest
// turn at a speed v has radius max(v^2 / lateral_accel_max, v / turn_rate_max): a person who slows down turns tighter, and at
// speed 0 on the spot (technique X3). Infinity: no such limit.
//
// Corners. A walker's route changes its heading from one leg to the next at a point. A unit whose turn rate or lateral
// acceleration is limited stops there and turns; one with neither passes.
#pragma once

#include <limits>

#include <fairlead/base/result.h>
#include <fairlead/route/route.h>

namespace fairlead {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// As a speed at an end: whatever comes out.
inline constexpr double kAnySpeed = -1.0;

/// World units, seconds and radians.
struct SpeedLimits {
    double speed_max = 8.0;           ///< 1e-6 to 1e9
    double reverse_speed_max = 0.0;   ///< 0: speed_max; never above it
    double accel_max = 2.0;           ///< 1e-9 to 1e12, or kNoLimit
    double brake_max = 4.0;           ///< 1e-9 to 1e12, or kNoLimit
    double lateral_accel_max = 3.0;   ///< 1e-9 to 1e12, or kNoLimit
    double turn_rate_max = kNoLimit;  ///< radians a second: 1e-9 to 1e12, or kNoLimit
    double cusp_seconds = 0.5;        ///< a change of gear takes so long, standing; 0 to 1e6

    /// A top speed and nothing else.
    [[nodiscard]] static constexpr SpeedLimits only(double speed) {
        return {speed, 0.0, kNoLimit, kNoLimit, kNoLimit, kNoLimit, 0.0};
    }
    friend bool operator==(const SpeedLimits&, const SpeedLimits&) = default;
};

/// not_finite (NaN, or infinite where there is no kNoLimit) or out_of_range, with the field.
[[nodiscard]] Result<void> check_speed_limits(const SpeedLimits& limits);

/// The most in a gear on a line (0) or on an arc of a curvature. Whatever the curvature, NaN aside, above 0 unless it is infinite.
[[nodiscard]] double speed_on(const SpeedLimits& limits, double curvature, Gear gear = Gear::forward);

/// The tightest radius at a speed: 0 at speed 0.
[[nodiscard]] double turning_radius_at(const SpeedLimits& limits, double speed);

/// Seconds of a turn on the spot, >= 0.
[[nodiscard]] double turn_seconds(const SpeedLimits& limits, double angle_rad);

/// Must the unit stop where its heading jumps?
[[nodiscard]] bool stops_at_corners(const SpeedLimits& limits);

}  // namespace fairlead
