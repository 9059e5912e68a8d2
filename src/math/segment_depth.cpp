// The depth of a segment in a box, and the axis-aligned square that sweeps along the segment.
#include <fairlead/math/swept.h>

#include "math/segment_box.h"

namespace fairlead::math {
namespace detail {
namespace {

/// slack < side / run, without the division where the quick products decide; `sign` makes the side positive
/// inside.
bool side_exceeds(const Swept& s, Vec2 d, Vec2 corner, double sign, double slack) {
    const double run = d.x + d.y;
    const Side side = side_quickly(s, d, corner);
    const double excess = sign * side.value - slack * run;
    const double margin = side.error + 1e-15 * magnitude(slack * run);  // sum, product, difference: 3 u
    if (excess > margin) return true;
    if (excess < -margin) return false;
    return sign * side_accurately(s, corner) / run > slack;
}

}  // namespace

/// max over t in [0, 1] of min(x - low.x, y - low.y, high.x - x, high.y - y) at p(t) = (x, y). The first two
/// rise with t, the others fall, so this is a linear program in (t, depth), and its optimum is the least over
/// all pairs of a falling and a rising constraint (t >= 0 counts as rising, t <= 1 as falling; Helly's
/// theorem on the line). The mixed pairs give side / (d.x + d.y).
double depth_of(const Swept& s) {
    double depth = smaller_of(smaller_of(s.b.x - s.low.x, s.b.y - s.low.y),
                              smaller_of(s.high.x - s.a.x, s.high.y - s.a.y));
    depth = smaller_of(depth, 0.5 * smaller_of(s.high.x - s.low.x, s.high.y - s.low.y));
    const Vec2 d = s.b - s.a;
    if (along_axis(d)) return depth;  // the mixed pairs repeat the terms of the axis without motion
    const double run = d.x + d.y;
    // A side beyond the limit cannot lower the depth any more.
    const double limit = depth * run + 1e-15 * magnitude(depth * run);
    const Side left = side_quickly(s, d, s.upper_left());
    if (left.value - left.error <= limit) {
        depth = smaller_of(depth, side_accurately(s, s.upper_left()) / run);
    }
    const Side right = side_quickly(s, d, s.lower_right());
    if (-right.value - right.error <= limit) {
        depth = smaller_of(depth, -side_accurately(s, s.lower_right()) / run);
    }
    return depth;
}

bool is_deeper(const Swept& s, double slack) {
    if (!(s.b.x - s.low.x > slack && s.b.y - s.low.y > slack)) return false;
    if (!(s.high.x - s.a.x > slack && s.high.y - s.a.y > slack)) return false;
    if (!(0.5 * smaller_of(s.high.x - s.low.x, s.high.y - s.low.y) > slack)) return false;
    const Vec2 d = s.b - s.a;
    if (along_axis(d)) return true;
    return side_exceeds(s, d, s.upper_left(), 1.0, slack) && side_exceeds(s, d, s.lower_right(), -1.0, slack);
}

}  // namespace detail

namespace {

/// The moving square against the box is its centre against the box grown by half a side all round (the
/// Minkowski sum). Growing rounds each side by half an ulp.
detail::Swept sweep_square(Vec2 a, Vec2 b, double half, const Aabb& box) {
    const Vec2 grow{half, half};
    return {a, b, {box.low - grow, box.high + grow}};
}

}  // namespace

double penetration_square_box(Vec2 a, Vec2 b, double half, const Aabb& box) {
    return detail::depth_of(sweep_square(a, b, half, box));
}

bool square_sweep_overlaps_box(Vec2 a, Vec2 b, double half, const Aabb& box, double slack) {
    return detail::is_deeper(sweep_square(a, b, half, box), slack);
}

}  // namespace fairlead::math
