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

/// Does it come within the root of `limit` of the box before a share of the way, if it does somewhere?
[[nodiscard]] bool is_within_before(Vec3 from, Vec3 to, const Box& box, double limit, double share);

/// How near the place at a share of the way is, squared.
[[nodiscard]] double squared_at(Vec3 from, Vec3 to, const Box& box, double share);

/// Where the segment comes within the root of `limit` of the box first; it does somewhere. The place itself does not yet.
[[nodiscard]] double first_within(Vec3 from, Vec3 to, const Box& box, double limit);

}  // namespace fairlead::volume
