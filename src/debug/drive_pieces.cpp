#include "debug/drive_pieces.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::debug {

namespace {

constexpr int kStepsMax = 512;
constexpr int kPointsMax = 256;

double angle_of(const Leg& leg) {
    return leg.kind == LegKind::turn ? leg.turn_rad : leg.curvature * leg.length;
}

// Steps in which nothing within `reach` of the centre of the turn strays from its arc.
int steps_of(const Leg& leg, double reach, double point) {
    const double step = chord_angle(reach / point);
    return std::clamp(static_cast<int>(std::ceil(std::abs(angle_of(leg)) / step)), 1, kStepsMax);
}

double turn_radius(const Leg& leg) { return leg.curvature == 0.0 ? 0.0 : 1.0 / std::abs(leg.curvature); }

Place place_at(const Leg& leg, double share) {
    Place at = place_on_leg(leg, leg.length * share);
    if (leg.kind == LegKind::turn) at.heading_rad += leg.turn_rad * share;
    return at;
}

}  // namespace

void sweep_leg(const BodyCore& body, double reach, const Leg& leg, const Sink& sink, const Fill& fill) {
    const int steps = steps_of(leg, turn_radius(leg) + reach, sink.point);
    const auto outline = [&](int i) {
        const Place at = place_at(leg, static_cast<double>(i) / steps);
        return outline_of(body, {ground(at.position), at.heading_rad}, sink.point);
    };
    Vec3 corners[2 * kOutlineMax];
    BodyOutline before = outline(0);
    for (int i = 1; i <= steps; ++i) {
        const BodyOutline after = outline(i);
        const Hull hull = hull_of(before, after);
        std::size_t count = 0;
        for (const Vec2& p : hull.used()) corners[count++] = at_height(p, leg.start.position.z);
        if (count > 2) draw_polygon(sink, std::span<const Vec3>{corners, count}, fill);
        before = after;
    }
}

void draw_tick(const Place& place, double size, const Sink& sink, const Stroke& stroke) {
    const Vec2 way = math::direction(place.heading_rad) * size;
    const Vec3 p = place.position;
    draw_line(sink, p, {p.x + way.x, p.y + way.y, p.z}, stroke);
}

void draw_outline_of(const BodyOutline& outline, double z, const Sink& sink, const Fill& fill,
                     const Stroke& stroke) {
    Vec3 points[kOutlineMax];
    std::size_t count = 0;
    for (const Vec2& p : outline.used()) points[count++] = at_height(p, z);
    const std::span<const Vec3> used{points, count};
    draw_polygon(sink, used, fill);
    debug::draw_outline(sink, used, stroke);
}

void draw_leg_line(const Leg& leg, const Sink& sink, const Stroke& stroke) {
    Vec3 points[kPointsMax];
    const int steps = std::min(steps_of(leg, turn_radius(leg), sink.point), kPointsMax - 1);
    for (int i = 0; i <= steps; ++i) points[i] = place_at(leg, static_cast<double>(i) / steps).position;
    draw_polyline(sink, std::span<const Vec3>{points, static_cast<std::size_t>(steps) + 1}, stroke);
}

}  // namespace fairlead::debug
