// Is a curved way through a volume free? What sight (volume/sight.h) is for lines, for Dubins airplane curves.
//
//     if (curve_in_sight(*space, here, there, shortest_airplane(here, there, 3.0, climb), 0.4)) fly(...);
//
// The unit is a sphere about its position, radius 0 is a point; or, as an Agent with a height, an upright capsule, or a level box that
// turns with its heading and holds its position (the axle). A box is decided exactly, on arcs too. Of the others straight pieces are
// decided exactly, as in_sight does. An arc that rises (a helix) is cut into pieces. A piece of length l on the ground and curvature
// k stays within d = k l^2 / 8 of its chord, moment by moment, as it rises evenly; the chord's distance to each voxel's box,
// in closed form, then tells: free where it is at least the radius + d, blocked where it is less than the radius - d,
// else the piece is halved, until d is at most kCurveGap of a voxel's shortest side.
//
// Promises. What is said to be free is: no point of the curve is nearer to anything solid than the radius, but for
// half the contact slack. A curve that keeps twice kCurveGap more than the radius is never refused. No allocation.
//
// Cost: 0.1 to 0.5 us a voxel of length near solid voxels.
#pragma once

#include <fairlead/curve/airplane.h>
#include <fairlead/route/agent.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

inline constexpr double kCurveGap = 0x1p-9;

/// From `from` to `to`, world units; `to` must be where the curve ends (its height is read). NaN and infinite ones see nothing.
[[nodiscard]] bool curve_in_sight(const VolumeState& volume, const Place& from, const Place& to,
                                  const AirplaneCurve& curve, double radius = 0.0);

/// The same for a drive leg.
[[nodiscard]] bool leg_in_sight(const VolumeState& volume, const Leg& leg, double radius = 0.0);

/// The same of any unit that a FlyQuery takes; another one sees nothing.
[[nodiscard]] bool curve_in_sight(const VolumeState& volume, const Place& from, const Place& to,
                                  const AirplaneCurve& curve, const Agent& agent);
[[nodiscard]] bool leg_in_sight(const VolumeState& volume, const Leg& leg, const Agent& agent);

}  // namespace fairlead
