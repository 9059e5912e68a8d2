// An arc and a box are nearest at an end of the arc, at a corner of the box (seen from the circle's centre), or where the arc runs along an
// axis beside a side of the box. Else they meet, and then the arc crosses a side.
#include "route/arc_box.h"

#include <algorithm>
#include <cmath>

namespace fairlead::route {

namespace {

double gap_to_box(Vec2 p, const Aabb& box) {
    const double x = std::max({box.low.x - p.x, p.x - box.high.x, 0.0});
    const double y = std::max({box.low.y - p.y, p.y - box.high.y, 0.0});
    return length(Vec2{x, y});
}

struct Arc {
    Vec2 a;
    Vec2 b;
    double side;  // +1: it bends to the left and lies to the right of its chord
    double radius;
    Vec2 centre;

    Arc(Vec2 from, Vec2 to, double curvature)
        : a(from), b(to), side(curvature > 0.0 ? 1.0 : -1.0), radius(1.0 / std::fabs(curvature)) {
        const Vec2 chord = b - a;
        const double half = 0.5 * length(chord);
        const double up = std::sqrt(std::max(0.0, radius * radius - half * half));
        const Vec2 left = half > 0.0 ? Vec2{-chord.y, chord.x} * (0.5 / half) : Vec2{};
        centre = a + chord * 0.5 + left * (side * up);
    }
    // Of a point of the circle.
    [[nodiscard]] bool holds(Vec2 p) const { return side * cross(b - a, p - a) <= 0.0; }
};

// Does the arc cross the line x = at between the two heights? `swapped`: the line y = at.
bool crosses(const Arc& arc, bool swapped, double at, double low, double high) {
    const double c = swapped ? arc.centre.y : arc.centre.x;
    const double other = swapped ? arc.centre.x : arc.centre.y;
    const double square = arc.radius * arc.radius - (at - c) * (at - c);
    if (square < 0.0) return false;
    const double root = std::sqrt(square);
    for (const double v : {other - root, other + root}) {
        if (low <= v && v <= high && arc.holds(swapped ? Vec2{v, at} : Vec2{at, v})) return true;
    }
    return false;
}

}  // namespace

double distance_arc_box(Vec2 a, Vec2 b, double curvature, const Aabb& box) {
    double best = std::min(gap_to_box(a, box), gap_to_box(b, box));
    if (best == 0.0 || a == b) return best;
    const Arc arc(a, b, curvature);
    for (const double x : {box.low.x, box.high.x}) {
        if (crosses(arc, false, x, box.low.y, box.high.y)) return 0.0;
    }
    for (const double y : {box.low.y, box.high.y}) {
        if (crosses(arc, true, y, box.low.x, box.high.x)) return 0.0;
    }
    const auto consider = [&](Vec2 way) {  // the point of the circle that way from its centre
        const double size = length(way);
        if (size == 0.0) return;
        const Vec2 p = arc.centre + way * (arc.radius / size);
        if (arc.holds(p)) best = std::min(best, gap_to_box(p, box));
    };
    for (const Vec2 axis : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}}) consider(axis);
    for (const double x : {box.low.x, box.high.x}) {
        for (const double y : {box.low.y, box.high.y}) consider(Vec2{x, y} - arc.centre);
    }
    return best;
}

}  // namespace fairlead::route
