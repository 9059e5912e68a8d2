// verify_speed: may a route be driven as its speed profile says? Written apart from the planners that make profiles.
//
//     const SpeedViolation bad = verify_speed(way->route, way->speeds.span(), {.speed_max = 12, .accel_max = 1.5});
//     if (bad) std::printf("%s at %.2f\n", speed_violation_name(bad.kind), bad.distance);
//
// What is judged, at every point of the route and in closed form (between knots the squared speed is linear in distance, so
// that it is enough to look at knots and at the ends of legs):
//   * the numbers are finite and in their ranges; distance and time never fall, the knots lead from distance 0 and time 0 to the
//     route's length, speeds at the two ends are those asked for;
//   * no more than speed_max, or reverse_speed_max in reverse; speed^2 x |curvature| at most lateral_accel_max, speed x |curvature| at
//     most turn_rate_max; on no leg more than its Leg::speed_max, where it has one;
//   * accelerations within accel_max and brake_max; the speed jumps only where those are infinite;
//   * from knot to knot it takes slowdown x 2 x length / (sum of the speeds); a wait is at speed 0;
//   * at speed 0 where the gear changes, at turns, at links, at either end of an upright leg and, if turn rate or lateral acceleration
//     is limited, at corners; and waits there of cusp_seconds, |angle| / turn_rate_max, link_seconds, one after the other;
//   * on slopes speeds are those in space, and an upright leg is climbed as high as it is: by knots at one distance;
//   * Route::cost, if it is asked for, is the last knot's time.
// Not judged: the route itself (verify.h), whether it could be driven faster, whether a slowdown is the terrain's. Rounding:
// 1e-9 of the route's length, of speed_max squared and of times.
//
// Cost: linear in knots and legs. No allocation. Deterministic.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <fairlead/route/route.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead {

enum class SpeedViolationKind : std::uint8_t {
    none,
    bad_number,  ///< not finite, negative, a slowdown below 1, or distance or time that falls
    ends,        ///< the profile does not begin or end where the route does, or not at the speeds asked for
    speed,       ///< above the gear's limit; depth = by how much
    lateral,     ///< above the lateral limit; depth = acceleration
    leg,         ///< above Leg::speed_max; depth = speed
    accel,       ///< speeds up too hard; depth = acceleration
    brake,       ///< slows down too hard; depth = acceleration
    time,        ///< a part takes another time than its speeds say; depth = seconds
    cusp,        ///< the gear changes while it moves, or sooner than it can; depth = speed or seconds
    turn,  ///< turns faster than it can: on a curve (depth = rate), or where it should stand (speed or seconds)
    link,    ///< passes a link at speed or sooner than it can; depth = speed or seconds
    climb,   ///< an upright leg is not climbed by as much as it rises; depth = by how much
    cost,    ///< Route::cost is not the last knot's time; depth = seconds
    count_,  ///< not a kind: the number of them
};

/// "speed", "lateral", ... Never null.
[[nodiscard]] const char* speed_violation_name(SpeedViolationKind kind);

struct SpeedViolation {
    SpeedViolationKind kind = SpeedViolationKind::none;
    std::int64_t knot = -1;  ///< the knot before it
    double distance = 0.0;
    double depth = 0.0;

    [[nodiscard]] explicit operator bool() const { return kind != SpeedViolationKind::none; }
};

/// World units and seconds.
struct SpeedRules {
    double speed_max = 8.0;
    double reverse_speed_max = 0.0;  ///< 0: speed_max
    double accel_max = 2.0;
    double brake_max = 4.0;
    double lateral_accel_max = 3.0;
    double turn_rate_max = std::numeric_limits<double>::infinity();
    double cusp_seconds = 0.0;
    std::span<const double> link_seconds{};  ///< by leg, of those that are links; beyond its end: 0
    double start_speed = 0.0;
    double goal_speed = 0.0;  ///< below 0: any
    bool cost_is_time = true;
};

/// The first violation, or none. Any argument is safe.
[[nodiscard]] SpeedViolation verify_speed(const Route& route, std::span<const SpeedKnot> knots,
                                          const SpeedRules& rules);

}  // namespace fairlead
