// Dubins airplane curves: the ways through space of a unit that cannot turn tighter than a radius, cannot reverse,
// and climbs and sinks no steeper than it can (technique K7).
//
//     const Place here{{0, 0, 10}, 0}, there{{40, 8, 35}, kHalfPi};
//     const AirplaneCurve way = shortest_airplane(here, there, 3.0, {.up_rad = 0.5, .down_rad = 0.7});
//     append_legs(way, here, there.position.z, route.legs, end);
//
// Seen from above such a curve is arcs of at least the turning radius and straight lines, tangent to each other; it
// rises evenly, so an arc is a helix. Climbing begins and ends at once: there is no climb angle in a pose.
//
// Let D be the length of the Dubins path on the ground and N the length on the ground that the change of height needs
// at the steepest climb. No way is shorter on the ground than the larger of the two, and in space none is shorter
// than that with the rise.
//   low     N <= D: the Dubins path, rising evenly
//   medium  D < N < D + one turn: the path is made longer until it has N: by a larger radius, or by an arc before it or behind it
//   high    more: whole turns before the Dubins path, wide enough that the ground length is N
// Low and high are the shortest there are, and so is a medium one whose ground length is N: `shortest` says so. Close
// ends may have ways shorter and longer than N and none between; then the curve is longer, and `shortest` is false
// though it may be.
//
// Promises: the curve ends at the goal within 1e-10 radii, plus 1e-14 of the distance and of its length, plus the
// rounding of the coordinates; its slope is within the limits, but for 1e-12 of them. Deterministic. Nothing is
// allocated.
//
// Cost: low 0.1 us, high 0.2 us, medium 5 to 30 us.
//
// Errors: none; what check_airplane refuses is a caller's bug, an assert.
//
// Sources: H. Chitsaz, S. M. LaValle, Time-optimal paths for a Dubins airplane, 2007; M. Owen, R. W. Beard, T. W.
// McLain, Implementing Dubins airplane paths on fixed-wing UAVs, 2014, for the three cases. The medium curves are
// ours.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/curve/word.h>
#include <fairlead/route/route.h>

namespace fairlead {

/// How steeply a unit climbs and sinks, both above 0: radians from the level, at most kClimbMax.
struct ClimbLimits {
    double up_rad = kHalfPi / 3.0;  ///< 30 degrees
    double down_rad = kHalfPi / 3.0;

    friend bool operator==(const ClimbLimits&, const ClimbLimits&) = default;
};
inline constexpr double kClimbMax = 1.5;

/// not_finite, out_of_range: Field::climb; the rest as check_curve.
[[nodiscard]] Result<void> check_climb(const ClimbLimits& climb);
[[nodiscard]] Result<void> check_airplane(const Place& from, const Place& to, double radius,
                                          const ClimbLimits& climb);

enum class AirplaneCase : std::uint8_t { low, medium, high };

struct AirplaneCurve {
    CurveWord word{};        ///< up to four segments
    double radius = 0.0;     ///< of its arcs; at least the turning radius
    std::int32_t loops = 0;  ///< whole turns: before the word, or behind it
    Steer loop_steer = Steer::left;
    bool loops_last = false;
    double loop_radius = 0.0;
    double ground = 0.0;  ///< length on the ground, loops included
    double rise = 0.0;
    double length = 0.0;  ///< in space
    AirplaneCase altitude = AirplaneCase::low;
    bool shortest = true;

    friend bool operator==(const AirplaneCurve&, const AirplaneCurve&) = default;
};

[[nodiscard]] AirplaneCurve shortest_airplane(const Place& from, const Place& to, double radius,
                                              const ClimbLimits& climb);

/// A lower bound of the length in space, which shortest_airplane reaches where it says so. As dear as dubins_distance.
[[nodiscard]] double airplane_distance(const Place& from, const Place& to, double radius,
                                       const ClimbLimits& climb);

inline constexpr int kAirplaneCurves = 6;

/// Several, the shortest first; where it is blocked another one may be free. Low: all Dubins words that are long
/// enough. Medium: the ways to make it longer. High: turns to either side, before and behind. At least 1.
[[nodiscard]] int airplane_curves(const Place& from, const Place& to, double radius, const ClimbLimits& climb,
                                  std::span<AirplaneCurve, kAirplaneCurves> curves);

inline constexpr int kAirplaneLegs = 6;

/// The curve as legs of kind drive with rise, on layer 0: how many. Segments shorter than 1e-12 radii are left out.
/// The last one ends at the height `to_z`, which is from's plus the rise, up to rounding. `end`: where it leads.
[[nodiscard]] int legs_of(const AirplaneCurve& curve, const Place& from, double to_z,
                          std::span<Leg, kAirplaneLegs> legs, Place& end);
/// Appends them. False: out of memory, `legs` as it was.
[[nodiscard]] bool append_legs(const AirplaneCurve& curve, const Place& from, double to_z, Array<Leg>& legs,
                               Place& end);

}  // namespace fairlead
