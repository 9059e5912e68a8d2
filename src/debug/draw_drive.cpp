#include <fairlead/debug/draw_drive.h>

#include <algorithm>
#include <cmath>

#include <fairlead/debug/draw.h>
#include <fairlead/math/trig.h>

#include "debug/body_outline.h"
#include "debug/drive_pieces.h"

namespace fairlead::debug {

namespace {

struct DriveDrawing {
    const Route& route;
    const Agent& agent;
    const Sink& sink;
    const DriveDraw& options;
    BodyCore body = body_core(agent);
    double reach = circumscribed_radius(agent);

    [[nodiscard]] bool shown(const Leg& leg) const {
        return leg.kind != LegKind::link && (options.layer < 0 || leg.start.layer == options.layer);
    }
    [[nodiscard]] Color color_of(Gear gear) const {
        return gear == Gear::forward ? options.color : options.reverse;
    }

    // All legs of one gear are one shape.
    void draw_swept() const {
        const Group group{sink, "swept"};
        for (const Gear gear : {Gear::forward, Gear::reverse}) {
            for (const Leg& leg : route.legs) {
                if (shown(leg) && leg.gear == gear)
                    sweep_leg(body, reach, leg, sink, Fill{color_of(gear), 0.22});
            }
        }
    }

    void draw_one(const Place& place, Color color) const {
        draw_body(place, agent, sink, kNoFill, Stroke{color, 0.9, 0.0, 0.75});
        const double tick = std::clamp(0.5 * reach, 4.0 * sink.point, 9.0 * sink.point);
        draw_tick(place, tick, sink, Stroke{color, 1.4});
    }

    void draw_bodies() const {
        const Group group{sink, "bodies"};
        const double spacing =
            options.spacing > 0.0 ? options.spacing : std::max(1.5 * reach, 14.0 * sink.point);
        double to_next = spacing;
        for (const Leg& leg : route.legs) {
            double at = to_next;
            for (; at < leg.length; at += spacing) {
                if (shown(leg)) draw_one(place_on_leg(leg, at), color_of(leg.gear));
            }
            to_next = at - leg.length;
        }
    }

    [[nodiscard]] bool near_end(Vec3 at) const {
        if (!options.ends) return false;
        const Vec2 p = ground(at);
        const double near = 7.0 * sink.point;
        return distance(p, ground(route.legs[0].start.position)) < near ||
               distance(p, ground(route.end.position)) < near;
    }

    void draw_cusps() const {
        const Group group{sink, "cusps"};
        for (std::size_t i = 1; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            if (!shown(leg) || leg.gear == route.legs[i - 1].gear) continue;
            // Around the mark of an end that it would hide, or be hidden by.
            if (near_end(leg.start.position)) {
                draw_circle(sink, leg.start.position, 9.5 * sink.point, kNoFill,
                            Stroke{palette::kWarning, 2.0});
                continue;
            }
            draw_circle(sink, leg.start.position, 4.2 * sink.point, Fill{palette::kPaper},
                        Stroke{palette::kWarning, 2.0});
        }
    }

    void draw_ends() const {
        const Group group{sink, "ends"};
        const Place& start = route.legs.empty() ? route.end : route.legs[0].start;
        // A ring around a dot would look like a goal: discs stay pale.
        const Stroke edge =
            agent.shape == BodyShape::disc ? Stroke{options.color, 1.2} : Stroke{palette::kInk, 1.6};
        const auto shows = [&](const Place& place) {
            return options.layer < 0 || place.layer == options.layer;
        };
        for (const Place* place : {&start, &route.end}) {
            if (!shows(*place)) continue;
            draw_body(*place, agent, sink, kNoFill, edge);
            const double tick = std::max(std::max(agent.radius, 0.0) + 7.0 * sink.point, 0.7 * reach);
            const Vec2 way = math::direction(place->heading_rad) * tick;
            const Vec3 p = place->position;
            draw_arrow(sink, p, {p.x + way.x, p.y + way.y, p.z}, Stroke{palette::kInk, 1.5});
        }
        if (shows(start)) {
            draw_circle(sink, start.position, 4.0 * sink.point, Fill{palette::kInk},
                        Stroke{palette::kPaper, 1.2});
        }
        if (!shows(route.end)) return;
        draw_circle(sink, route.end.position, 5.2 * sink.point, Fill{palette::kPaper},
                    Stroke{palette::kInk, 1.8});
        draw_circle(sink, route.end.position, 2.4 * sink.point, Fill{palette::kInk}, kNoStroke);
    }
};

}  // namespace

void draw_body(const Place& place, const Agent& agent, const Sink& sink, const Fill& fill,
               const Stroke& stroke) {
    const Pose pose{ground(place.position), place.heading_rad};
    draw_outline_of(outline_of(body_core(agent), pose, sink.point), place.position.z, sink, fill, stroke);
}

void draw_drive(const Route& route, const Agent& agent, const Sink& sink, const DriveDraw& options) {
    if (route.status != PathStatus::complete && route.status != PathStatus::partial && route.legs.empty())
        return;
    const Group group{sink, "drive"};
    const DriveDrawing drawing{route, agent, sink, options};
    if (options.swept) drawing.draw_swept();
    if (options.bodies) drawing.draw_bodies();
    draw(route, Agent{}, sink,
         {.color = options.color,
          .width = options.width,
          .body = false,
          .waypoints = false,
          .ends = false,
          .layer = options.layer});
    if (options.cusps) drawing.draw_cusps();
    if (options.ends) drawing.draw_ends();
}

}  // namespace fairlead::debug
