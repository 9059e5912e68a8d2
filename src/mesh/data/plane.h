// Points, lines and sides in the plane, for the kernels of this module.
#pragma once

#include <algorithm>

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

#include "math/predicates.h"
#include "math/segment.h"

namespace fairlead::mesh {

using math::nearest_on;
using math::segment_distance;
using math::segments_distance;

/// Positive when c lies to the left of ab; the sign is exact. Inline: searches ask a dozen times for each polygon.
[[nodiscard]] FAIRLEAD_INLINE double side_of(Vec2 a, Vec2 b, Vec2 c) {
    return math::detail::orient2d_inline(a, b, c);
}

/// side_of for many points and one line ab. The same numbers: its first differences are kept.
struct Line {
    Vec2 a{};
    Vec2 b{};
    Vec2 way{};

    Line(Vec2 from, Vec2 to) : a(from), b(to), way(to - from) {}
    [[nodiscard]] FAIRLEAD_INLINE double side(Vec2 p) const {
        return math::detail::orient2d_filtered(a, b, p, way.x * (p.y - a.y), way.y * (p.x - a.x));
    }
};

/// Makes the box large enough.
inline void include(Aabb& box, Vec2 p) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
}
inline void include(Aabb& box, const Aabb& other) {
    if (other.empty()) return;
    include(box, other.low);
    include(box, other.high);
}

}  // namespace fairlead::mesh
