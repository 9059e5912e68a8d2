// Two lines: the nearest points are an end of one and its foot on the other, unless they cross. A line and a box: the squared
// distance along
// the line is convex, and quadratic between the places where it passes the box's sides; its slope is looked at in each such part.
#include "crowd/avoid/nearest.h"

#include "math/segment.h"

namespace fairlead::crowd {

namespace {

double clamp01(double t) { return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t; }

/// The foot of p on the line from a to b.
Vec2 foot(Vec2 p, Vec2 a, Vec2 b) { return math::nearest_along(a, b - a, p); }

double apart(const NearestPoints& pair) {
    return dot(pair.on_other - pair.on_way, pair.on_other - pair.on_way);
}

bool crossing(Vec2 a, Vec2 b, Vec2 c, Vec2 d, Vec2& at) {
    const Vec2 along = b - a;
    const Vec2 other = d - c;
    const double turn = cross(along, other);
    if (turn == 0.0) return false;
    const double t = cross(c - a, other) / turn;
    const double s = cross(c - a, along) / turn;
    if (!(t >= 0.0 && t <= 1.0 && s >= 0.0 && s <= 1.0)) return false;
    at = a + along * t;
    return true;
}

Vec2 into_box(Vec2 p, Vec2 low, Vec2 high) {
    return {p.x < low.x    ? low.x
            : p.x > high.x ? high.x
                           : p.x,
            p.y < low.y    ? low.y
            : p.y > high.y ? high.y
                           : p.y};
}

NearestPoints nearest_to_box(Vec2 a, Vec2 b, Vec2 low, Vec2 high) {
    const Vec2 along = b - a;
    double stops[6] = {0.0, 1.0};
    int count = 2;
    const auto add = [&](double at, double from, double rate) {
        const double t = rate != 0.0 ? (at - from) / rate : 0.0;
        if (t > 0.0 && t < 1.0) stops[count++] = t;
    };
    add(low.x, a.x, along.x);
    add(high.x, a.x, along.x);
    add(low.y, a.y, along.y);
    add(high.y, a.y, along.y);
    for (int i = 1; i < count; ++i) {
        for (int k = i; k > 0 && stops[k] < stops[k - 1]; --k) {
            const double t = stops[k];
            stops[k] = stops[k - 1];
            stops[k - 1] = t;
        }
    }
    // half the slope of the squared distance
    const auto slope = [&](double t) {
        const Vec2 p = a + along * t;
        return dot(p - into_box(p, low, high), along);
    };
    double best = 0.0;
    double before = slope(0.0);
    if (before < 0.0) {
        best = 1.0;
        for (int i = 1; i < count; ++i) {
            const double after = slope(stops[i]);
            if (after < 0.0) {
                before = after;
                continue;
            }
            const double size = stops[i] - stops[i - 1];
            best = after > before ? stops[i - 1] + size * (before / (before - after)) : stops[i];
            break;
        }
    }
    const Vec2 p = a + along * clamp01(best);
    return {p, into_box(p, low, high)};
}

}  // namespace

NearestPoints nearest_points(Vec2 a, Vec2 b, Vec2 other_a, Vec2 other_b) {
    NearestPoints best{a, foot(a, other_a, other_b)};
    if (a == b) return best;
    const NearestPoints more[] = {
        {b, foot(b, other_a, other_b)}, {foot(other_a, a, b), other_a}, {foot(other_b, a, b), other_b}};
    for (const NearestPoints& pair : more) {
        if (apart(pair) < apart(best)) best = pair;
    }
    Vec2 at{};
    if (crossing(a, b, other_a, other_b, at)) best = {at, at};
    return best;
}

NearestPoints nearest_points(Vec2 a, Vec2 b, const WallPiece& piece) {
    const Vec2 low = ground(piece.a);
    const Vec2 high = ground(piece.b);
    return piece.box ? nearest_to_box(a, b, low, high) : nearest_points(a, b, low, high);
}

}  // namespace fairlead::crowd
