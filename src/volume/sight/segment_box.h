// How near a segment comes to a box: the one function that decides what a unit touches.
//
// The squared distance to a box along a segment is convex and piecewise quadratic, with a break where a coordinate crosses a side of the
// box, six at most. Between the breaks where its slope changes sign lies the least one. It is evaluated there, from the gaps on the axes,
// so that its error is that of the coordinates. Ends are taken in lexicographic order: both directions give the same bits.
#pragma once

#include <utility>

#include <fairlead/math/vec.h>

namespace fairlead::volume {

/// Where on the way from `from` to `to` it is, and its square.
struct NearestOnSegment {
    double share = 0.0;
    double squared = 0.0;
};

struct Box {
    double low[3];
    double high[3];
};

[[nodiscard]] NearestOnSegment nearest_on_segment(Vec3 from, Vec3 to, const Box& box);

/// Where the segment comes within the root of `limit` of the box first; it does somewhere.
[[nodiscard]] double first_within(Vec3 from, Vec3 to, const Box& box, double limit);

}  // namespace fairlead::volume
