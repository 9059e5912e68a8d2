// May the body be driven along a curve that is no primitive? Exact, against the map's free cells.
#pragma once

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

/// Coordinates and radius in cells. False as soon as the body would reach into a blocked cell, or off the map, by more than
/// kSweepSlack. Only blocked cells in reach are looked at: 50 ns in the open, about 100 ns a wall cell near the curve.
[[nodiscard]] bool curve_is_free(const GroundBits& free, const BodyCore& body, const Pose& start,
                                 double radius, const CurveWord& word);

/// Does the body stand clear of walls?
[[nodiscard]] bool stands_free(const GroundBits& free, const BodyCore& body, const Pose& pose);

}  // namespace fairlead::drive
