// Exact tests of a moving body against an axis-aligned box: the geometry behind "is this step legal".
//
// "Penetration" is how deep the open body reaches into the open box: positive when they overlap, zero or
// negative (minus the gap) when they only touch or are apart. The value is exact up to rounding: within
// 8 units in the last place of the largest coordinate. Touching is never an overlap; callers compare with
// their own slack (design.md section 2).
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

namespace fairlead::math {

/// Distance from the segment ab to the box; 0 when they meet. a == b is a point.
[[nodiscard]] double distance_segment_box(Vec2 a, Vec2 b, const Aabb& box);

/// Radius minus distance_segment_box for radius > 0. For radius 0 (a point unit) it is how deep the segment
/// runs through the open box: the largest, over the points of the segment, of the distance to the box's
/// boundary from inside (or minus the distance outside); touching a side or a corner gives 0.
[[nodiscard]] double penetration_disc_box(Vec2 a, Vec2 b, double radius, const Aabb& box);

/// penetration_disc_box(a, b, radius, box) > slack, at a fraction of the price: squares are compared where that decides.
/// Never false when the true penetration is above slack + 8 units in the last place of the largest number
/// given, never true when it is below slack minus as much. The same for both directions of travel.
[[nodiscard]] bool disc_sweep_overlaps_box(Vec2 a, Vec2 b, double radius, const Aabb& box, double slack);

/// The same for an axis-aligned square of half-width `half` moving from centre a to centre b without turning:
/// how deep it reaches into the box, measured along the axis of least overlap, at the worst moment.
[[nodiscard]] double penetration_square_box(Vec2 a, Vec2 b, double half, const Aabb& box);

/// Twice the signed area of the triangle abc: positive when c is to the left of ab. The sign is exact for
/// all doubles that neither overflow nor underflow (adaptive: a filter, then an exact expansion; Shewchuk 1997).
[[nodiscard]] double orient2d(Vec2 a, Vec2 b, Vec2 c);

}  // namespace fairlead::math
