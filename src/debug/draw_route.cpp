#include <algorithm>
#include <cmath>

#include <fairlead/debug/draw.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "debug/body_outline.h"

namespace fairlead::debug {
namespace {

constexpr int kChordsMax = 64;  // on a quarter of a circle or less

/// Chords for an arc of `angle` radians (at most a half circle) and a radius in points.
[[nodiscard]] int chords(double radius, double angle) {
    return std::clamp(static_cast<int>(std::ceil(std::abs(angle) / chord_angle(radius))), 1, kChordsMax);
}

[[nodiscard]] Vec3 lifted(const Place& place, double z) {
    return {place.position.x, place.position.y, place.position.z + z};
}

[[nodiscard]] bool is_arc(const Leg& leg) { return leg.kind == LegKind::drive && leg.curvature != 0.0; }

[[nodiscard]] bool moves(const Leg& leg) { return leg.kind == LegKind::drive && leg.length > 0.0; }

/// Points of a line, handed on in pieces that share a point. Each piece is one call of the sink.
class LineBatch {
  public:
    LineBatch(const Sink& sink, const Stroke& stroke) : sink_(sink), stroke_(stroke) {}
    LineBatch(const LineBatch&) = delete;
    LineBatch& operator=(const LineBatch&) = delete;
    ~LineBatch() { flush(); }

    void add(Vec3 p) {
        if (count_ > 0 && points_[count_ - 1] == p) return;
        if (count_ == kSize) {
            flush();
            points_[count_++] = points_[kSize - 1];
        }
        points_[count_++] = p;
    }
    /// The next point starts a new line.
    void lift() { flush(); }

  private:
    static constexpr std::size_t kSize = 256;

    void flush() {
        draw_polyline(sink_, std::span<const Vec3>{points_, count_}, stroke_);
        count_ = 0;
    }

    const Sink& sink_;
    Stroke stroke_;
    std::size_t count_ = 0;
    Vec3 points_[kSize];
};

struct RouteDrawing {
    const Route& route;
    const Agent& agent;
    const Sink& sink;
    const RouteDraw& options;

    [[nodiscard]] bool shown(const Place& place) const {
        return options.layer < 0 || place.layer == options.layer;
    }

    // ------------------------------------------------------------------ the ground swept by the body

    [[nodiscard]] Fill body_fill() const { return Fill{options.color, 0.2}; }

    /// A half circle from angle `from`, counter-clockwise, into `out`; returns the number of points.
    static int half_circle(Vec3 centre, double radius, double from, int count, Vec3* out) {
        for (int i = 0; i <= count; ++i) {
            const Vec2 way = math::direction(from + kPi * i / count);
            out[i] = {centre.x + radius * way.x, centre.y + radius * way.y, centre.z};
        }
        return count + 1;
    }

    void sweep_line(Vec3 a, Vec3 b, double radius) const {
        Vec3 points[2 * (kChordsMax + 1)];
        const double heading = math::atan2(b.y - a.y, b.x - a.x);
        const int count = chords(radius / sink.point, kPi);
        int size = half_circle(b, radius, heading - kHalfPi, count, points);
        size += half_circle(a, radius, heading + kHalfPi, count, points + size);
        draw_polygon(sink, std::span<const Vec3>{points, static_cast<std::size_t>(size)}, body_fill());
    }

    /// A piece of an arc, at most a quarter of a circle: a sector of a ring (a pie where the body reaches
    /// over the centre of the turn), and round ends.
    void sweep_arc(const Leg& leg, double from, double to, double radius) const {
        const Place first = place_on_leg(leg, from);
        const Place last = place_on_leg(leg, to);
        const double turn = 1.0 / leg.curvature;  // signed radius, positive to the left of travel
        const double travel = first.heading_rad + (leg.gear == Gear::forward ? 0.0 : kPi);
        const Vec2 left{-math::sin(travel), math::cos(travel)};
        const Vec2 centre = Vec2{first.position.x, first.position.y} + left * turn;
        const double size = std::abs(turn);
        const double angle = (to - from) * leg.curvature;
        const double start = travel + (turn > 0 ? -kHalfPi : kHalfPi);
        const double inner = std::max(0.0, size - radius);
        const int count = chords((size + radius) / sink.point, angle);
        Vec3 points[2 * (kChordsMax + 1)];
        std::size_t used = 0;
        const double z0 = first.position.z + options.z;
        const double z1 = last.position.z + options.z;
        const auto add = [&](int i, double reach) {
            const double share = static_cast<double>(i) / count;
            const Vec2 at = centre + math::direction(start + angle * share) * reach;
            points[used++] = {at.x, at.y, z0 + (z1 - z0) * share};
        };
        for (int i = 0; i <= count; ++i) add(i, size + radius);
        if (inner > 0.0) {
            for (int i = count; i >= 0; --i) add(i, inner);
        } else {
            points[used++] = {centre.x, centre.y, z0};
        }
        draw_polygon(sink, std::span<const Vec3>{points, used}, body_fill());
        sweep_disc(lifted(first, options.z), radius);
        sweep_disc(lifted(last, options.z), radius);
    }

    void sweep_disc(Vec3 centre, double radius) const {
        Vec3 points[2 * (kChordsMax + 1)];
        const int count = chords(radius / sink.point, kPi);
        int size = half_circle(centre, radius, 0.0, count, points);
        size += half_circle(centre, radius, kPi, count, points + size);
        draw_polygon(sink, std::span<const Vec3>{points, static_cast<std::size_t>(size)}, body_fill());
    }

    /// A square that does not turn, from a to b: the corners of both that lie outermost.
    void sweep_square(Vec3 a, Vec3 b, double half) const {
        const double sx = b.x >= a.x ? half : -half;
        const double sy = b.y >= a.y ? half : -half;
        const Vec3 points[6] = {{a.x - sx, a.y - sy, a.z}, {a.x + sx, a.y - sy, a.z},
                                {b.x + sx, b.y - sy, b.z}, {b.x + sx, b.y + sy, b.z},
                                {b.x - sx, b.y + sy, b.z}, {a.x - sx, a.y + sy, a.z}};
        draw_polygon(sink, std::span{points}, body_fill());
    }

    void sweep_leg(const Leg& leg, const Place& end) const {
        const Vec3 a = lifted(leg.start, options.z);
        const double half = 0.5 * agent.footprint * options.cell_size;
        if (!is_arc(leg)) {
            const Vec3 b = lifted(end, options.z);
            if (agent.footprint > 0) {
                sweep_square(a, b, half);
            } else {
                sweep_line(a, b, agent.radius);
            }
            return;
        }
        const double quarter = kHalfPi / std::abs(leg.curvature);
        const double piece = agent.footprint > 0 ? quarter / 16 : quarter;
        for (double from = 0; from < leg.length; from += piece) {
            const double to = std::min(from + piece, leg.length);
            if (agent.footprint > 0) {
                sweep_square(lifted(place_on_leg(leg, from), options.z),
                             lifted(place_on_leg(leg, to), options.z), half);
            } else {
                sweep_arc(leg, from, to, agent.radius);
            }
        }
    }

    void draw_body() const {
        if (!(agent.radius > 0.0) && agent.footprint <= 0) return;
        const Group group{sink, "body"};
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            if (moves(leg) && shown(leg.start)) sweep_leg(leg, leg_end(route, i));
        }
    }

    // ------------------------------------------------------------------ the line of the centre

    void trace_leg(const Leg& leg, const Place& end, LineBatch& line) const {
        line.add(lifted(leg.start, options.z));
        if (is_arc(leg)) {
            const double quarter = kHalfPi / std::abs(leg.curvature);
            const double radius = 1.0 / std::abs(leg.curvature) / sink.point;
            const int quarters = static_cast<int>(std::ceil(leg.length / quarter));
            const int count = std::max(1, quarters) * chords(radius, kHalfPi);
            for (int i = 1; i < count; ++i)
                line.add(lifted(place_on_leg(leg, leg.length * i / count), options.z));
        }
        line.add(lifted(end, options.z));
    }

    /// All legs of one gear; a leg of the other gear, a turn or a link interrupts the line.
    void draw_gear(Gear gear, const Stroke& stroke) const {
        LineBatch line{sink, stroke};
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            if (moves(leg) && leg.gear == gear && shown(leg.start)) {
                trace_leg(leg, leg_end(route, i), line);
            } else {
                line.lift();
            }
        }
    }

    void draw_links() const {
        const Stroke stroke{.color = palette::kPortal, .width = options.width, .dash = 2.0 * options.width};
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            const Place& end = leg_end(route, i);
            if (leg.kind == LegKind::link && shown(leg.start) && shown(end)) {
                draw_line(sink, lifted(leg.start, options.z), lifted(end, options.z), stroke);
            }
        }
    }

    void draw_centre_line() const {
        if (!(options.width > 0.0)) return;
        const Group group{sink, "line"};
        if (options.casing) {
            const Stroke rim{.color = palette::kPaper, .width = options.width + 2.5, .opacity = 0.85};
            draw_gear(Gear::forward, rim);
            draw_gear(Gear::reverse, rim);
        }
        draw_links();
        draw_gear(Gear::forward,
                  Stroke{.color = options.color, .width = options.width, .dash = options.dash});
        const double dash = options.dash > 0.0 ? options.dash : 2.5 * options.width;
        draw_gear(Gear::reverse, Stroke{.color = palette::kOther, .width = options.width, .dash = dash});
    }

    // ------------------------------------------------------------------ marks

    [[nodiscard]] static bool bends(const Leg& before, const Leg& after) {
        constexpr double kSmall = 1e-6;
        if (before.kind != LegKind::drive || after.kind != LegKind::drive || before.gear != after.gear)
            return true;
        if (std::abs(before.curvature - after.curvature) > kSmall) return true;
        const double heading =
            is_arc(before) ? place_on_leg(before, before.length).heading_rad : before.start.heading_rad;
        return std::abs(math::wrap_pi(after.start.heading_rad - heading)) > kSmall;
    }

    void draw_waypoints() const {
        const double radius = sink.point * (0.55 * options.width + 0.9);
        for (std::size_t i = 1; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            if (!shown(leg.start) || !bends(route.legs[i - 1], leg)) continue;
            const Stroke rim{.color = options.color, .width = 1.2};
            draw_circle(sink, lifted(leg.start, options.z), radius, Fill{palette::kPaper}, rim);
        }
    }

    void draw_outline_at(const Place& place) const {
        const Stroke stroke{.color = options.color, .width = 1.2};
        const Vec3 at = lifted(place, options.z);
        if (agent.footprint > 0) {
            const double half = 0.5 * agent.footprint * options.cell_size;
            const Vec3 corners[4] = {{at.x - half, at.y - half, at.z},
                                     {at.x + half, at.y - half, at.z},
                                     {at.x + half, at.y + half, at.z},
                                     {at.x - half, at.y + half, at.z}};
            debug::draw_outline(sink, std::span{corners}, stroke);
        } else {
            draw_circle(sink, at, agent.radius, kNoFill, stroke);
        }
    }

    void draw_heading(const Place& place) const {
        const double reach =
            std::max(agent.radius, 0.5 * agent.footprint * options.cell_size) + 12.0 * sink.point;
        const Vec2 way = math::direction(place.heading_rad) * reach;
        const Vec3 at = lifted(place, options.z);
        draw_arrow(sink, at, {at.x + way.x, at.y + way.y, at.z},
                   Stroke{.color = palette::kInk, .width = 1.6});
    }

    void draw_start(const Place& place) const {
        const Stroke rim{.color = palette::kPaper, .width = 1.5};
        draw_circle(sink, lifted(place, options.z), 5.0 * sink.point, Fill{palette::kInk}, rim);
    }

    void draw_end(const Place& place) const {
        const Vec3 at = lifted(place, options.z);
        draw_circle(sink, at, 6.5 * sink.point, Fill{palette::kPaper},
                    Stroke{.color = palette::kInk, .width = 2.0});
        draw_circle(sink, at, 3.0 * sink.point, Fill{palette::kInk}, kNoStroke);
    }

    void draw_ends() const {
        const Group group{sink, "ends"};
        const Place& start = route.legs.empty() ? route.end : route.legs[0].start;
        for (const Place* place : {&start, &route.end}) {
            if (!shown(*place)) continue;
            draw_outline_at(*place);
            if (options.headings) draw_heading(*place);
        }
        if (shown(start)) draw_start(start);
        if (shown(route.end)) draw_end(route.end);
    }
};

}  // namespace

void draw(const Route& route, const Agent& agent, const Sink& sink, const RouteDraw& options) {
    if (route.status != PathStatus::complete && route.status != PathStatus::partial && route.legs.empty())
        return;
    const Group group{sink, "route"};
    const RouteDrawing drawing{route, agent, sink, options};
    if (options.body) drawing.draw_body();
    drawing.draw_centre_line();
    if (options.waypoints) drawing.draw_waypoints();
    if (options.ends) drawing.draw_ends();
}

}  // namespace fairlead::debug
