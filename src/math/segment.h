// Segments in the plane and in space: the place nearest to a point, and how far apart two of them are. In doubles, for thresholds with
// slack; what must be exact asks the predicates.
//
// A place is a + along * share, or an end itself: nearest_along is for what has a direction, nearest_on for what has two ends and must not
// leave them by rounding.
#pragma once

#include <algorithm>
#include <cmath>

#include <fairlead/math/vec.h>

namespace fairlead::math {

/// How far along from `a` the place nearest to p is: 0 at `a`, 1 at a + along. Of no length: 0.
template <class Vec>
[[nodiscard]] FAIRLEAD_INLINE double share_along(Vec a, Vec along, Vec p) {
    const double square = dot(along, along);
    const double t = square > 0.0 ? dot(p - a, along) / square : 0.0;
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

/// That place.
template <class Vec>
[[nodiscard]] FAIRLEAD_INLINE Vec nearest_along(Vec a, Vec along, Vec p) {
    return a + along * share_along(a, along, p);
}

/// The point of the segment ab that is nearest to p.
[[nodiscard]] inline Vec2 nearest_on(Vec2 a, Vec2 b, Vec2 p) {
    const Vec2 d = b - a;
    const double square = dot(d, d);
    const double t = square > 0.0 ? dot(p - a, d) / square : 0.0;
    return t <= 0.0 ? a : t >= 1.0 ? b : a + d * t;
}

/// From the segment ab to p.
[[nodiscard]] inline double segment_distance(Vec2 a, Vec2 b, Vec2 p) {
    return distance(nearest_on(a, b, p), p);
}

/// From the segment ab to the segment cd, squared; 0 where they cross.
[[nodiscard]] inline double segments_squared(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const Vec2 e = b - a, f = d - c;
    const double p = cross(e, c - a), q = cross(e, d - a), u = cross(f, a - c), v = cross(f, b - c);
    if (((p > 0.0) != (q > 0.0)) && ((u > 0.0) != (v > 0.0))) return 0.0;
    const auto squared = [](Vec2 from, Vec2 to, Vec2 at) {
        const Vec2 off = nearest_on(from, to, at) - at;
        return dot(off, off);
    };
    return std::min({squared(a, b, c), squared(a, b, d), squared(c, d, a), squared(c, d, b)});
}

[[nodiscard]] inline double segments_distance(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    return std::sqrt(segments_squared(a, b, c, d));
}

}  // namespace fairlead::math
