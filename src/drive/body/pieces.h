// The segments of a curve, placed, as the sweeps want them.
#pragma once

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>

#include "drive/body/sweep.h"

namespace fairlead::drive {

inline constexpr double kHalfDiagonal = 0.70710678118654757;  // of a cell

struct SweptPieces {
    SweptSegment piece[kCurveSegmentsMax];
    int count = 0;  ///< at least 1: an empty word is one segment of no length
};

/// Radius and coordinates in cells.
[[nodiscard]] SweptPieces place_pieces(const Pose& start, double radius, const CurveWord& word);

/// Distance from the axle to the body's farthest point.
[[nodiscard]] double farthest_point(const BodyCore& body);

}  // namespace fairlead::drive
