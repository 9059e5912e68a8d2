#include "oracle/plain_geometry.h"

#include <algorithm>
#include <cmath>

namespace fairlead::oracle {

namespace {

double point_to_box(Vec2 p, const Aabb& box) {
    const double dx = std::max({box.low.x - p.x, 0.0, p.x - box.high.x});
    const double dy = std::max({box.low.y - p.y, 0.0, p.y - box.high.y});
    return std::sqrt(dx * dx + dy * dy);
}

/// The part of the segment (from 0 to 1) with low < coordinate < high; empty when from >= to.
void clip(double a, double d, double low, double high, double& from, double& to) {
    if (d == 0.0) {
        if (!(a > low && a < high)) {
            // Empty for good: `from` may be so large that one less is the same number.
            from = std::max(from, 1.0);
            to = std::min(to, 0.0);
        }
        return;
    }
    const double t0 = (low - a) / d;
    const double t1 = (high - a) / d;
    from = std::max(from, std::min(t0, t1));
    to = std::min(to, std::max(t0, t1));
}

}  // namespace

double point_to_segment(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 d = b - a;
    const double dd = dot(d, d);
    const double t = dd > 0.0 ? std::clamp(dot(p - a, d) / dd, 0.0, 1.0) : 0.0;
    return length(p - (a + d * t));
}

bool segment_enters_box(Vec2 a, Vec2 b, const Aabb& box) {
    double from = 0.0;
    double to = 1.0;
    const Vec2 d = b - a;
    const Aabb inner{{box.low.x + kTouch, box.low.y + kTouch}, {box.high.x - kTouch, box.high.y - kTouch}};
    if (inner.empty()) return false;
    clip(a.x, d.x, inner.low.x, inner.high.x, from, to);
    clip(a.y, d.y, inner.low.y, inner.high.y, from, to);
    return from <= to;
}

double segment_to_box(Vec2 a, Vec2 b, const Aabb& box) {
    double from = 0.0;
    double to = 1.0;
    const Vec2 d = b - a;
    clip(a.x, d.x, box.low.x, box.high.x, from, to);
    clip(a.y, d.y, box.low.y, box.high.y, from, to);
    if (from < to || box.contains(a) || box.contains(b)) return 0.0;
    double best = std::min(point_to_box(a, box), point_to_box(b, box));
    for (const Vec2 corner : {box.low, box.high, Vec2{box.low.x, box.high.y}, Vec2{box.high.x, box.low.y}}) {
        best = std::min(best, point_to_segment(corner, a, b));
    }
    return best;
}

bool body_meets_box(const Body& body, Vec2 a, Vec2 b, const Aabb& box) {
    if (body.half > 0.0) {
        return segment_enters_box(
            a, b, {box.low - Vec2{body.half, body.half}, box.high + Vec2{body.half, body.half}});
    }
    if (body.radius == 0.0) return segment_enters_box(a, b, box);
    return segment_to_box(a, b, box) < body.radius - kTouch;
}

bool body_meets_disc(const Body& body, Vec2 a, Vec2 b, Vec2 centre, double radius) {
    if (body.half > 0.0) {
        // The square meets the disc when its centre is nearer than `radius` to the square around the disc's centre.
        const Vec2 half{body.half, body.half};
        if (radius == 0.0) return segment_enters_box(a, b, {centre - half, centre + half});
        return segment_to_box(a, b, {centre - half, centre + half}) < radius - kTouch;
    }
    return point_to_segment(centre, a, b) < body.radius + radius - kTouch;
}

}  // namespace fairlead::oracle
