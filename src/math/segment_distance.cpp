// The distance between a segment and a box, and the disc that sweeps along the segment.
#include <fairlead/math/swept.h>

#include "math/segment_box.h"

namespace fairlead::math {
namespace {

using detail::larger_of;
using detail::magnitude;
using detail::Side;
using detail::smaller_of;
using detail::Swept;

/// Between the box and the bounding box of the segment.
Vec2 gap_between_boxes(const Swept& s) {
    return {larger_of(larger_of(s.low.x - s.b.x, s.a.x - s.high.x), 0.0),
            larger_of(larger_of(s.low.y - s.b.y, s.a.y - s.high.y), 0.0)};
}

/// Between a point and the box.
Vec2 gap_to_box(Vec2 p, const Swept& s) {
    return {larger_of(larger_of(s.low.x - p.x, p.x - s.high.x), 0.0),
            larger_of(larger_of(s.low.y - p.y, p.y - s.high.y), 0.0)};
}

/// Within 3 u for a gap of two differences: they are off by u each, the square by 4 u, the root adds u.
double length_of_gap(Vec2 gap) {
    if (gap.x == 0.0) return gap.y;
    if (gap.y == 0.0) return gap.x;
    return length(gap);
}

/// The sign of a corner's side; 0 may stand for anything within 2^-98 |d| |corner - a|.
double side_signed(const Swept& s, Vec2 d, Vec2 corner) {
    const Side side = detail::side_quickly(s, d, corner);
    return FAIRLEAD_LIKELY(magnitude(side.value) > side.error) ? side.value
                                                               : detail::side_accurately(s, corner);
}

/// The distance from p(t) to the box is convex in t. Where the line misses the box, its lowest point is the
/// foot of the nearest corner; so beyond either end the answer is that end's. There, r is all but at a right
/// angle to d, and |r| is the distance: deciding wrongly by rounding shifts the foot by at most 4 u of the
/// distance.
double distance_of(const Swept& s) {
    const Vec2 d = s.b - s.a;
    if (detail::along_axis(d)) return length_of_gap(gap_between_boxes(s));
    const bool misses_left = side_signed(s, d, s.upper_left()) < 0.0;
    const bool misses = misses_left || side_signed(s, d, s.lower_right()) > 0.0;
    if (!misses && s.shadows_meet()) return 0.0;
    if (misses) {
        const Vec2 corner = misses_left ? s.upper_left() : s.lower_right();
        if (dot(d, corner - s.a) > 0.0 && dot(d, s.b - corner) > 0.0) {
            return magnitude(detail::side_accurately(s, corner)) / length(d);  // u + 3 u + u
        }
    }
    return smaller_of(length_of_gap(gap_to_box(s.a, s)), length_of_gap(gap_to_box(s.b, s)));
}

/// distance_of(s) < reach, reach > 0, without its divisions and accurate products wherever the quick ones
/// decide.
bool within_reach(const Swept& s, double reach) {
    const double reach_square = reach * reach;
    const Vec2 d = s.b - s.a;
    const Vec2 gap = gap_between_boxes(s);
    if (dot(gap, gap) >= reach_square) return false;
    if (detail::along_axis(d)) return true;
    const Vec2 gap_a = gap_to_box(s.a, s);
    const Vec2 gap_b = gap_to_box(s.b, s);
    if (dot(gap_a, gap_a) < reach_square || dot(gap_b, gap_b) < reach_square) return true;
    const Side left = detail::side_quickly(s, d, s.upper_left());
    const Side right = detail::side_quickly(s, d, s.lower_right());
    if (left.value > left.error && right.value < -right.error) return s.shadows_meet();
    const bool misses_left = left.value < -left.error;
    if (misses_left || right.value > right.error) {
        const Vec2 corner = misses_left ? s.upper_left() : s.lower_right();
        if (dot(d, corner - s.a) <= 0.0 || dot(d, s.b - corner) <= 0.0) return false;
        // distance = |side| / |d|. The right hand side below is off by at most 6 u, the margins are 9 u.
        const double size = magnitude(misses_left ? left.value : right.value);
        const double error = misses_left ? left.error : right.error;
        const double limit = reach_square * dot(d, d);
        if ((size + error) * (size + error) < limit * (1.0 - 1e-15)) return true;
        if ((size - error) * (size - error) > limit * (1.0 + 1e-15)) return false;
    }
    return distance_of(s) < reach;
}

}  // namespace

double distance_segment_box(Vec2 a, Vec2 b, const Aabb& box) { return distance_of(Swept(a, b, box)); }

double penetration_disc_box(Vec2 a, Vec2 b, double radius, const Aabb& box) {
    const Swept s(a, b, box);
    if (radius > 0.0) return radius - distance_of(s);
    const double depth = detail::depth_of(s);
    return depth > 0.0 ? depth : 0.0 - distance_of(s);
}

bool disc_sweep_overlaps_box(Vec2 a, Vec2 b, double radius, const Aabb& box, double slack) {
    const Swept s(a, b, box);
    if (radius > 0.0) {
        const double reach = radius - slack;
        return reach > 0.0 && within_reach(s, reach);
    }
    if (slack >= 0.0) return detail::is_deeper(s, slack);
    return penetration_disc_box(a, b, radius, box) > slack;
}

}  // namespace fairlead::math
