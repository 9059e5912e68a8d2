#include <fairlead/debug/sink.h>

#include <array>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

namespace fairlead::debug {
namespace {

constexpr int kCircleSides = 48;

[[nodiscard]] bool seen(const Fill& fill) { return fill.opacity > 0.0; }
[[nodiscard]] bool seen(const Stroke& stroke) { return stroke.width > 0.0 && stroke.opacity > 0.0; }

[[nodiscard]] std::array<Vec3, kCircleSides> circle_points(Vec3 centre, double radius) {
    std::array<Vec3, kCircleSides> points;
    for (int i = 0; i < kCircleSides; ++i) {
        const Vec2 way = math::direction(kTwoPi * i / kCircleSides);
        points[static_cast<std::size_t>(i)] = {centre.x + radius * way.x, centre.y + radius * way.y,
                                               centre.z};
    }
    return points;
}

}  // namespace

void draw_line(const Sink& sink, Vec3 a, Vec3 b, const Stroke& stroke) {
    if (!seen(stroke)) return;
    if (sink.line != nullptr) {
        sink.line(a, b, stroke, sink.user);
    } else if (sink.polyline != nullptr) {
        const std::array<Vec3, 2> points = {a, b};
        sink.polyline(points, stroke, sink.user);
    }
}

void draw_polyline(const Sink& sink, std::span<const Vec3> points, const Stroke& stroke) {
    if (!seen(stroke) || points.size() < 2) return;
    if (sink.polyline != nullptr) {
        sink.polyline(points, stroke, sink.user);
    } else if (sink.line != nullptr) {
        for (std::size_t i = 1; i < points.size(); ++i)
            sink.line(points[i - 1], points[i], stroke, sink.user);
    }
}

void draw_outline(const Sink& sink, std::span<const Vec3> points, const Stroke& stroke) {
    if (points.size() < 2) return;
    draw_polyline(sink, points, stroke);
    draw_line(sink, points.back(), points.front(), stroke);
}

void draw_polygon(const Sink& sink, std::span<const Vec3> points, const Fill& fill) {
    if (!seen(fill) || points.size() < 3 || sink.polygon == nullptr) return;
    sink.polygon(points, fill, sink.user);
}

void draw_boxes(const Sink& sink, std::span<const Aabb> boxes, double z, const Fill& fill) {
    if (!seen(fill) || boxes.empty()) return;
    if (sink.boxes != nullptr) {
        sink.boxes(boxes, z, fill, sink.user);
    } else if (sink.polygon != nullptr) {
        for (const Aabb& box : boxes) {
            const std::array<Vec3, 4> corners = {{{box.low.x, box.low.y, z},
                                                  {box.high.x, box.low.y, z},
                                                  {box.high.x, box.high.y, z},
                                                  {box.low.x, box.high.y, z}}};
            sink.polygon(corners, fill, sink.user);
        }
    }
}

void draw_circle(const Sink& sink, Vec3 centre, double radius, const Fill& fill, const Stroke& stroke) {
    if (!(radius > 0.0) || (!seen(fill) && !seen(stroke))) return;
    if (sink.circle != nullptr) {
        sink.circle(centre, radius, fill, stroke, sink.user);
    } else {
        const auto points = circle_points(centre, radius);
        draw_polygon(sink, points, fill);
        draw_outline(sink, points, stroke);
    }
}

void draw_text(const Sink& sink, Vec3 at, const char* text, const TextStyle& style) {
    if (sink.text == nullptr || text == nullptr || *text == '\0' || !(style.size > 0.0)) return;
    sink.text(at, text, style, sink.user);
}

void draw_arrow(const Sink& sink, Vec3 a, Vec3 b, const Stroke& stroke) {
    const Vec2 along = ground(b) - ground(a);
    const double size = length(along);
    if (!(size > 0.0)) return;
    const double head = sink.point * (4.0 + 2.0 * stroke.width);
    const Vec2 unit = along * (1.0 / size);
    const Vec2 back = unit * (head < size ? -head : -size);
    const Vec2 side = Vec2{-unit.y, unit.x} * (0.5 * length(back));
    const Vec3 tips[] = {{b.x + back.x + side.x, b.y + back.y + side.y, b.z},
                         b,
                         {b.x + back.x - side.x, b.y + back.y - side.y, b.z}};
    draw_line(sink, a, b, stroke);
    draw_polyline(sink, tips, Stroke{stroke.color, stroke.width, 0.0, stroke.opacity});
}

Sink Tee::sink() {
    Sink sink;
    sink.line = [](Vec3 a, Vec3 b, const Stroke& stroke, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) draw_line(to, a, b, stroke);
    };
    sink.polyline = [](std::span<const Vec3> points, const Stroke& stroke, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) draw_polyline(to, points, stroke);
    };
    sink.polygon = [](std::span<const Vec3> points, const Fill& fill, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) draw_polygon(to, points, fill);
    };
    sink.boxes = [](std::span<const Aabb> boxes, double z, const Fill& fill, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) draw_boxes(to, boxes, z, fill);
    };
    sink.circle = [](Vec3 centre, double radius, const Fill& fill, const Stroke& stroke, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) draw_circle(to, centre, radius, fill, stroke);
    };
    sink.text = [](Vec3 at, const char* text, const TextStyle& style, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) draw_text(to, at, text, style);
    };
    sink.begin_group = [](const GroupStyle& group, void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) {
            if (to.begin_group != nullptr) to.begin_group(group, to.user);
        }
    };
    sink.end_group = [](void* user) {
        for (const Sink& to : static_cast<Tee*>(user)->sinks) {
            if (to.end_group != nullptr) to.end_group(to.user);
        }
    };
    sink.user = this;
    if (!sinks.empty()) sink.point = sinks.front().point;
    return sink;
}

}  // namespace fairlead::debug
