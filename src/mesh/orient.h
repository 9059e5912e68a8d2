// math::orient2d with its filter where it is called: most calls end there, and searches make a dozen for each
// polygon.
#pragma once

#include <cmath>

#include <fairlead/math/swept.h>

namespace fairlead::mesh {

/// Positive when c lies to the left of ab; the sign is exact. The filter is that of src/math/orient2d.cpp.
[[nodiscard]] FAIRLEAD_INLINE double side_of(Vec2 a, Vec2 b, Vec2 c) {
    constexpr double kBound = 3.0 * 0x1p-53 + 16.0 * 0x1p-106;
    const double left = (b.x - a.x) * (c.y - a.y);
    const double right = (b.y - a.y) * (c.x - a.x);
    const double area = left - right;
    const double bound = kBound * (std::fabs(left) + std::fabs(right));
    if (FAIRLEAD_LIKELY(area > bound || -area > bound)) return area;
    return math::orient2d(a, b, c);
}

}  // namespace fairlead::mesh
