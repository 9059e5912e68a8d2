#include "debug/body_outline.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::debug {

namespace {

int quarter_chords(double radius_points) {
    return std::clamp(static_cast<int>(std::ceil(kHalfPi / chord_angle(radius_points))), 2, 16);
}

double turn_of(Vec2 a, Vec2 b, Vec2 c) { return cross(b - a, c - a); }

}  // namespace

BodyOutline outline_of(const BodyCore& body, const Pose& pose, double point) {
    const Vec2 ahead = math::direction(pose.heading_rad);
    const Vec2 left{-ahead.y, ahead.x};
    const Aabb& box = body.core;
    const Vec2 corners[4] = {{box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}, box.low};
    BodyOutline out;
    const int chords = body.radius > 0.0 ? quarter_chords(body.radius / point) : 0;
    for (int corner = 0; corner < 4; ++corner) {
        for (int i = 0; i <= chords; ++i) {
            Vec2 p = corners[corner];
            if (chords > 0)
                p = p +
                    math::direction(kHalfPi * (corner - 1 + static_cast<double>(i) / chords)) * body.radius;
            out.points[out.count++] = pose.position + ahead * p.x + left * p.y;
        }
    }
    return out;
}

// The monotone chain of A. M. Andrew (1979).
Hull hull_of(const BodyOutline& a, const BodyOutline& b) {
    Vec2 all[2 * kOutlineMax];
    int count = 0;
    for (const BodyOutline* outline : {&a, &b}) {
        for (const Vec2& p : outline->used()) all[count++] = p;
    }
    std::sort(all, all + count,  // total order: equal points are one point
              [](Vec2 p, Vec2 q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
    Vec2 chain[4 * kOutlineMax];
    int size = 0;
    const auto add = [&](Vec2 p, int keep) {
        while (size >= keep + 2 && turn_of(chain[size - 2], chain[size - 1], p) <= 0.0) --size;
        chain[size++] = p;
    };
    for (int i = 0; i < count; ++i) add(all[i], 0);
    const int lower = size - 1;
    for (int i = count - 2; i >= 0; --i) add(all[i], lower);
    Hull hull;
    for (int i = 0; i + 1 < size && i < 2 * kOutlineMax; ++i) hull.points[hull.count++] = chain[i];
    return hull;
}

}  // namespace fairlead::debug
