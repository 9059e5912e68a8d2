// Exact tests of a moving body against an axis-aligned box: the geometry behind "is this step legal".
//
// "Penetration" is how deep the open body reaches into the open box: positive when they overlap, zero or
// negative (minus the gap) when they only touch or are apart. Touching is never an overlap; callers compare
// with their own slack (design.md section 2).
//
// Shapes: a == b is a body at rest. Boxes are not empty (low <= high); one without width or height has no
// interior, so a point never reaches into it, a larger body does. Numbers are finite and below 1e150.
//
// Errors, with u = 2^-53: distances are within 6 u of themselves plus 2^-90 of the largest number given (and
// plus 1e-140: steps shorter than that count as none); so penetrations are within 8 units in the last place
// of the largest of the numbers given and the result. Axis moves between coordinates that are multiples of
// 1/2 give exact results where those are multiples of 1/4. Both directions of travel give the same bits.
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/predicates.h>
#include <fairlead/math/vec.h>

namespace fairlead::math {

/// Distance from the segment ab to the box; 0 when they meet.
[[nodiscard]] double distance_segment_box(Vec2 a, Vec2 b, const Aabb& box);

/// Radius minus distance_segment_box for radius > 0. For radius 0 (a point unit) it is how deep the segment
/// runs through the open box: the largest, over the points of the segment, of the distance to the box's
/// boundary from inside (or minus the distance outside); touching a side or a corner gives 0.
[[nodiscard]] double penetration_disc_box(Vec2 a, Vec2 b, double radius, const Aabb& box);

/// penetration_disc_box(a, b, radius, box) > slack, at half the price: squares are compared where that
/// decides. Never false when the true penetration is above slack + 8 units in the last place of the largest
/// number given, never true when it is below slack minus as much. Cost: 11 ns, next to contact about 35.
[[nodiscard]] bool disc_sweep_overlaps_box(Vec2 a, Vec2 b, double radius, const Aabb& box, double slack);

/// The same for an axis-aligned square of half-width `half` moving from centre a to centre b without turning:
/// how deep it reaches into the box, measured along the axis of least overlap, at the worst moment. When they
/// are apart: minus the gap, measured along the axis of the larger one, at the nearest moment.
[[nodiscard]] double penetration_square_box(Vec2 a, Vec2 b, double half, const Aabb& box);

/// penetration_square_box(a, b, half, box) > slack, with the promise of disc_sweep_overlaps_box.
[[nodiscard]] bool square_sweep_overlaps_box(Vec2 a, Vec2 b, double half, const Aabb& box, double slack);

}  // namespace fairlead::math
