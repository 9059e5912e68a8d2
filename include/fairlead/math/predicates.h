// Exact predicates of points in the plane: which side of a line, inside or outside of a circle.
//
// The sign is exact for all doubles that neither overflow nor underflow: a filter in plain arithmetic, then an
// exact expansion where the filter cannot decide. Source: Jonathan R. Shewchuk (1997), "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates".
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead::math {

/// Twice the signed area of the triangle abc: positive when c is to the left of ab. The sign is exact for
/// all doubles that neither overflow nor underflow (a filter, then an exact expansion; Shewchuk 1997); the
/// value is within 2^-50 |ab| |ac|. Cost: 4 ns, near collinear points about 60.
[[nodiscard]] double orient2d(Vec2 a, Vec2 b, Vec2 c);

/// Positive when d lies inside the circle through a, b and c where these turn left, negative when it lies
/// outside, zero on the circle; the signs change where abc turns right; collinear abc have no circle, and
/// the sign no meaning. The sign is exact for all coordinates that are zero or between 2^-216
/// and 2^250 in size; the value is an estimate of the determinant. Cost: 8 ns; on the circle or close to it about
/// 60 where the coordinates are of a lattice (differences below 2^25 steps) or not quite on it, 150 for upright
/// boxes, else up to 1.4 us.
[[nodiscard]] double in_circle(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

}  // namespace fairlead::math
