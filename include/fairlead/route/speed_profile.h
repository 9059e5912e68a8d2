// How fast a route is driven: functions of Route::speeds, a list of knots.
//
//     const double now = distance_at(route->speeds.span(), 1.25);           // pure functions of time and distance
//     const Place unit = place_at(*route, route->speeds.span(), 1.25);
//
// From one knot to the next the acceleration is constant. Two knots at the same distance are a wait: the unit stands
// there from the time of the first to that of the second. The first knot is at distance 0 and time 0, the last one
// at the route's end. No knots: no profile; the functions then answer 0, and the route's start.
//
// Terrain. Where driving a length takes `slowdown` times as long as elsewhere, the unit really moves at
// speed / slowdown. So `speed` is continuous along a route over terrain, and limits are those of `speed`.
//
// Between knots: speed^2 is linear in distance, speed is linear in time. Cost of each function: O(log knots).
// Deterministic. Arguments beyond the ends are clamped to them.
#pragma once

#include <span>

#include <fairlead/route/route.h>

namespace fairlead {

/// When the unit comes to a distance: at a wait, when the wait begins.
[[nodiscard]] double time_at(std::span<const SpeedKnot> knots, double distance);

[[nodiscard]] double distance_at(std::span<const SpeedKnot> knots, double time);

/// Before terrain slows it down.
[[nodiscard]] double speed_at(std::span<const SpeedKnot> knots, double time);

/// Where the unit is. Linear in the number of legs.
[[nodiscard]] Place place_at(const Route& route, std::span<const SpeedKnot> knots, double time);

}  // namespace fairlead
