// The filters of the exact predicates, inline for the kernels that ask millions of times.
#pragma once

#include <fairlead/math/predicates.h>

#include "math/exact.h"

namespace fairlead::math::detail {

/// The exact stages. Their values are within 2^-50 of the true ones, relative.
[[nodiscard]] double orient2d_exact(Vec2 a, Vec2 b, Vec2 c);
[[nodiscard]] double in_circle_exact(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

// The filter: each difference and each product has a relative error of at most u = 2^-53, so `left` and
// `right` are off by (3 u + 3 u^2 + u^3) of their true values, and their difference by u of itself. With
// |left| + |right| as computed that is (3 u + O(u^2)) (|left| + |right|) + u |left - right|, below 4 u (1 + 8
// u) times the computed sum. Shewchuk's constant is the tighter 3 u + 16 u^2, because the last subtraction
// cannot change the sign.
FAIRLEAD_INLINE double orient2d_filtered(Vec2 a, Vec2 b, Vec2 c, double left, double right) {
    constexpr double kBound = 3.0 * 0x1p-53 + 16.0 * 0x1p-106;
    const double area = left - right;
    const double bound = kBound * (magnitude(left) + magnitude(right));
    if (FAIRLEAD_LIKELY(magnitude(area) > bound)) return area;
    return orient2d_exact(a, b, c);
}
FAIRLEAD_INLINE double orient2d_inline(Vec2 a, Vec2 b, Vec2 c) {
    return orient2d_filtered(a, b, c, (b.x - a.x) * (c.y - a.y), (b.y - a.y) * (c.x - a.x));
}

// Shewchuk's constant (10 u + 96 u^2) for this order of operations.
FAIRLEAD_INLINE double in_circle_inline(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    constexpr double kBound = 10.0 * 0x1p-53 + 96.0 * 0x1p-106;
    const double ax = a.x - d.x, ay = a.y - d.y;
    const double bx = b.x - d.x, by = b.y - d.y;
    const double cx = c.x - d.x, cy = c.y - d.y;
    const double bc = bx * cy, cb = cx * by;
    const double ca = cx * ay, ac = ax * cy;
    const double ab = ax * by, ba = bx * ay;
    const double lift_a = ax * ax + ay * ay;
    const double lift_b = bx * bx + by * by;
    const double lift_c = cx * cx + cy * cy;
    const double value = lift_a * (bc - cb) + lift_b * (ca - ac) + lift_c * (ab - ba);
    const double size = (magnitude(bc) + magnitude(cb)) * lift_a + (magnitude(ca) + magnitude(ac)) * lift_b +
                        (magnitude(ab) + magnitude(ba)) * lift_c;
    const double bound = kBound * size;
    if (FAIRLEAD_LIKELY(value > bound || -value > bound)) return value;
    return in_circle_exact(a, b, c, d);
}

}  // namespace fairlead::math::detail
