// A segment against a box, in the two norms that the bodies need: Euclid's for discs (segment_distance.cpp),
// the largest coordinate's for squares (segment_depth.cpp). Both rest on one observation. Mirror the plane so
// that the segment a to b runs right and up. Then the box reaches farthest to the left of the segment's line
// at its upper left corner, and farthest to the right of it at its lower right one; with r = corner - a, d =
// b - a,
//   side(corner) = d x r = d.x r.y - d.y r.x
// is the distance of that corner from the line times |d|, and the line misses the box where the first is
// negative or the second positive.
//
// Errors are in u = 2^-53, half an ulp of 1. A difference of coordinates is off by u of itself at most.
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

#include "math/exact.h"

namespace fairlead::math::detail {

inline double smaller_of(double a, double b) { return b < a ? b : a; }
inline double larger_of(double a, double b) { return a < b ? b : a; }

/// The problem mirrored: a.x <= b.x, a.y <= b.y. Made without branches, since steps come in all directions,
/// and from the smaller and the larger coordinates, so that both directions of travel give exactly the same
/// results.
struct Swept {
    Vec2 a;
    Vec2 b;
    Vec2 low;
    Vec2 high;

    Swept(Vec2 from, Vec2 to, const Aabb& box) {
        const bool falls = ((from.x < to.x) & (to.y < from.y)) | ((to.x < from.x) & (from.y < to.y));
        const double mirror = falls ? -1.0 : 1.0;
        a = {smaller_of(from.x, to.x), smaller_of(from.y * mirror, to.y * mirror)};
        b = {larger_of(from.x, to.x), larger_of(from.y * mirror, to.y * mirror)};
        low = {box.low.x, smaller_of(box.low.y * mirror, box.high.y * mirror)};
        high = {box.high.x, larger_of(box.low.y * mirror, box.high.y * mirror)};
    }

    [[nodiscard]] Vec2 upper_left() const { return {low.x, high.y}; }
    [[nodiscard]] Vec2 lower_right() const { return {high.x, low.y}; }
    [[nodiscard]] bool shadows_meet() const {
        return a.x <= high.x && low.x <= b.x && a.y <= high.y && low.y <= b.y;
    }
};

/// Steps along an axis are common, and simpler: the segment is its own bounding box. So is one that leaves
/// the axis by less than 1e-140, for all that matters, and the products below never underflow.
inline bool along_axis(Vec2 d) { return d.x < 1e-140 || d.y < 1e-140; }

/// d x (corner - a), off by u of itself plus 2^-98 |d| |corner - a|: the errors of the differences and of the
/// products are carried along.
inline double side_accurately(const Swept& s, Vec2 corner) {
    const Pair dx = two_difference(s.b.x, s.a.x), dy = two_difference(s.b.y, s.a.y);
    const Pair rx = two_difference(corner.x, s.a.x), ry = two_difference(corner.y, s.a.y);
    const Pair left = two_product(dx.high, ry.high);
    const Pair right = two_product(dy.high, rx.high);
    const Pair main = two_difference(left.high, right.high);
    const double rest = (dx.high * ry.low + dx.low * ry.high) - (dy.high * rx.low + dy.low * rx.high);
    return main.high + (main.low + ((left.low - right.low) + rest));
}

/// d x (corner - a) at the price of two products, and what it may be off by: three roundings in each product
/// and one in the difference, so (4 u + O(u^2)) times the sum; 5 u covers the higher orders and the roundings
/// of the bound itself.
struct Side {
    double value;
    double error;
};

inline Side side_quickly(const Swept& s, Vec2 d, Vec2 corner) {
    const double left = d.x * (corner.y - s.a.y);
    const double right = d.y * (corner.x - s.a.x);
    return {left - right, 5.0 * 0x1p-53 * (magnitude(left) + magnitude(right))};
}

/// The depth of the segment in the box (segment_depth.cpp): the largest over its points of the distance to
/// the nearest side from inside, negative outside, in the norm of the largest coordinate.
[[nodiscard]] double depth_of(const Swept& s);

/// depth_of(s) > slack, without divisions and accurate products wherever the quick ones decide.
[[nodiscard]] bool is_deeper(const Swept& s, double slack);

}  // namespace fairlead::math::detail
