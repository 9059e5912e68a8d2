// A segment against a box, in the two norms that the bodies need: Euclid's for discs, the largest
// coordinate's for squares. Both rest on one observation. Mirror the plane so that the segment a to b runs
// right and up. Then the box reaches farthest to the left of the segment's line at its upper left corner, and
// farthest to the right of it at its lower right one; with r = corner - a, d = b - a,
//   side(corner) = d x r = d.x r.y - d.y r.x
// is the distance of that corner from the line times |d|, and the line misses the box where the first is
// negative or the second positive.
//
// Errors. u = 2^-53; ulp(x) >= u |x|. Differences of coordinates are off by u relative. `side_accurately` is
// off by u relative plus 2^-98 |d| |r|: it carries the errors of the differences and of the products along.
#include <fairlead/math/swept.h>

#include <cmath>
#include <utility>

#include "math/exact.h"

namespace fairlead::math {
namespace {

using detail::magnitude;
using detail::Pair;

constexpr double kUnit = 0x1p-53;

double smaller_of(double a, double b) { return b < a ? b : a; }
double larger_of(double a, double b) { return a < b ? b : a; }

/// The problem mirrored: a.x <= b.x, a.y <= b.y. Swapping the ends first makes every result exactly the same
/// for both directions of travel.
struct Swept {
    Vec2 a;
    Vec2 b;
    Vec2 low;
    Vec2 high;

    Swept(Vec2 from, Vec2 to, const Aabb& box) : a(from), b(to), low(box.low), high(box.high) {
        if (b.x < a.x || (b.x == a.x && b.y < a.y)) std::swap(a, b);
        if (a.y <= b.y) return;
        a.y = -a.y;
        b.y = -b.y;
        low.y = -box.high.y;
        high.y = -box.low.y;
    }

    [[nodiscard]] Vec2 upper_left() const { return {low.x, high.y}; }
    [[nodiscard]] Vec2 lower_right() const { return {high.x, low.y}; }
    [[nodiscard]] bool shadows_meet() const {
        return a.x <= high.x && low.x <= b.x && a.y <= high.y && low.y <= b.y;
    }
};

/// A vector from a point to the nearest one of the box.
Vec2 gap_to_box(Vec2 p, const Swept& s) {
    return {larger_of(larger_of(s.low.x - p.x, p.x - s.high.x), 0.0),
            larger_of(larger_of(s.low.y - p.y, p.y - s.high.y), 0.0)};
}

/// Within 3 u: differences u each, squares and sum 2 u more on the square, the root u.
double distance_point_box(Vec2 p, const Swept& s) {
    const Vec2 gap = gap_to_box(p, s);
    if (gap.x == 0.0) return gap.y;
    if (gap.y == 0.0) return gap.x;
    return length(gap);
}

double side_accurately(Vec2 a, Vec2 b, Vec2 corner) {
    const Pair dx = detail::two_difference(b.x, a.x), dy = detail::two_difference(b.y, a.y);
    const Pair rx = detail::two_difference(corner.x, a.x), ry = detail::two_difference(corner.y, a.y);
    const Pair left = detail::two_product(dx.high, ry.high);
    const Pair right = detail::two_product(dy.high, rx.high);
    const Pair main = detail::two_difference(left.high, right.high);
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

Side side_quickly(Vec2 a, Vec2 d, Vec2 corner) {
    const double left = d.x * (corner.y - a.y);
    const double right = d.y * (corner.x - a.x);
    return {left - right, 5.0 * kUnit * (magnitude(left) + magnitude(right))};
}

// A shorter segment is a point: its square would underflow.
constexpr double kTinySquare = 1e-280;

/// The distance from p(t) to the box is convex in t. Where the line misses the box, its lowest point is the
/// foot of the nearest corner; so beyond either end the answer is that end's. There, r is all but at a right
/// angle to d, and |r| is the distance: deciding wrongly by rounding shifts the foot by at most 4 u of the
/// distance.
double distance_of(const Swept& s) {
    const Vec2 d = s.b - s.a;
    const double left = side_accurately(s.a, s.b, s.upper_left());
    const double right = side_accurately(s.a, s.b, s.lower_right());
    const bool line_meets = left >= 0.0 && right <= 0.0;
    if (line_meets && s.shadows_meet()) return 0.0;
    const double square = dot(d, d);
    if (!line_meets && square > kTinySquare) {
        const Vec2 corner = left < 0.0 ? s.upper_left() : s.lower_right();
        if (dot(d, corner - s.a) > 0.0 && dot(d, s.b - corner) > 0.0) {
            return magnitude(left < 0.0 ? left : right) / std::sqrt(square);  // u + 2.5 u + u
        }
    }
    return smaller_of(distance_point_box(s.a, s), distance_point_box(s.b, s));
}

/// max over t in [0, 1] of min(x - low.x, y - low.y, high.x - x, high.y - y) at p(t) = (x, y). The first two
/// rise with t, the others fall, so this is a linear program in (t, depth), and its optimum is the least over
/// all pairs of a falling and a rising constraint (t >= 0 counts as rising, t <= 1 as falling; Helly's
/// theorem on the line). The mixed pairs give side / (d.x + d.y).
double depth_of(const Swept& s) {
    double depth = smaller_of(smaller_of(s.b.x - s.low.x, s.b.y - s.low.y),
                              smaller_of(s.high.x - s.a.x, s.high.y - s.a.y));
    depth = smaller_of(depth, 0.5 * smaller_of(s.high.x - s.low.x, s.high.y - s.low.y));
    const double run = (s.b.x - s.a.x) + (s.b.y - s.a.y);
    if (run <= 0.0) return depth;
    const double left = side_accurately(s.a, s.b, s.upper_left());
    const double right = -side_accurately(s.a, s.b, s.lower_right());
    return smaller_of(depth, smaller_of(left, right) / run);
}

bool deeper(const Swept& s, double slack) {
    if (!(s.b.x - s.low.x > slack && s.b.y - s.low.y > slack)) return false;
    if (!(s.high.x - s.a.x > slack && s.high.y - s.a.y > slack)) return false;
    return depth_of(s) > slack;
}

/// distance_of(s) < reach, reach > 0, without its divisions and accurate products wherever the quick ones
/// decide.
bool within_reach(const Swept& s, double reach) {
    if (s.low.x - s.b.x >= reach || s.a.x - s.high.x >= reach) return false;
    if (s.low.y - s.b.y >= reach || s.a.y - s.high.y >= reach) return false;
    const double reach_square = reach * reach;
    const Vec2 gap_a = gap_to_box(s.a, s);
    const Vec2 gap_b = gap_to_box(s.b, s);
    if (dot(gap_a, gap_a) < reach_square || dot(gap_b, gap_b) < reach_square) return true;
    const Vec2 d = s.b - s.a;
    const double square = dot(d, d);
    if (square <= kTinySquare) return false;
    const Side left = side_quickly(s.a, d, s.upper_left());
    const Side right = side_quickly(s.a, d, s.lower_right());
    if (left.value > left.error && right.value < -right.error) return s.shadows_meet();
    const bool misses_left = left.value < -left.error;
    if (misses_left || right.value > right.error) {
        const Vec2 corner = misses_left ? s.upper_left() : s.lower_right();
        if (dot(d, corner - s.a) <= 0.0 || dot(d, s.b - corner) <= 0.0) return false;
        // distance = |side| / |d|. The right side below is off by at most 6 u, the margins are 9 u.
        const double size = magnitude(misses_left ? left.value : right.value);
        const double error = misses_left ? left.error : right.error;
        const double limit = reach_square * square;
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
    const double depth = depth_of(s);
    return depth > 0.0 ? depth : 0.0 - distance_of(s);
}

double penetration_square_box(Vec2 a, Vec2 b, double half, const Aabb& box) {
    const Vec2 grow{half, half};
    return depth_of(Swept(a, b, {box.low - grow, box.high + grow}));
}

bool disc_sweep_overlaps_box(Vec2 a, Vec2 b, double radius, const Aabb& box, double slack) {
    const Swept s(a, b, box);
    if (radius > 0.0) {
        const double reach = radius - slack;
        return reach > 0.0 && within_reach(s, reach);
    }
    if (slack >= 0.0) return deeper(s, slack);
    return penetration_disc_box(a, b, radius, box) > slack;
}

}  // namespace fairlead::math
