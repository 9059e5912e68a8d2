// The distance from a point to a segment.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead::polygon {

/// a and b differ.
inline double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 along = b - a;
    const double part = dot(p - a, along) / dot(along, along);
    return distance(p, part <= 0.0 ? a : (part >= 1.0 ? b : a + along * part));
}

}  // namespace fairlead::polygon
