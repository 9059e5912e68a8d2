// Places and events of a route from their definitions, leg by leg from the start.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/math/trig.h>
#include <fairlead/route/route_cursor.h>

namespace fairlead::testing {

/// The first place at that distance.
inline Place plain_place(const Route& route, double distance) {
    if (route.legs.empty()) return route.end;
    if (!(distance > 0.0)) return route.legs[0].start;
    long double begin = 0.0L;
    for (const Leg& leg : route.legs) {
        const long double end = begin + leg.length;
        if (leg.length > 0.0 && distance <= end && distance < route.length)
            return place_on_leg(leg, static_cast<double>(distance - begin));
        begin = end;
    }
    return route.end;
}

inline void expect_near(const Place& a, const Place& b, double error) {
    EXPECT_NEAR(a.position.x, b.position.x, error);
    EXPECT_NEAR(a.position.y, b.position.y, error);
    EXPECT_NEAR(a.position.z, b.position.z, error);
    EXPECT_NEAR(math::wrap_pi(a.heading_rad - b.heading_rad), 0.0, error);
    EXPECT_EQ(a.layer, b.layer);
}

/// In the order of the route, the goal last.
inline std::vector<RouteEvent> plain_events(const Route& route) {
    std::vector<RouteEvent> out;
    const auto tell = [&](RouteEventKind kind, std::size_t leg, const Place& from, const Place& to) {
        RouteEvent e;
        e.kind = kind;
        e.leg = leg;
        e.from = from;
        e.to = to;
        if (leg < route.legs.size() && route.legs[leg].kind == LegKind::link)
            e.link_id = route.legs[leg].link_id;
        out.push_back(e);
    };
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Place& next = leg_end(route, i);
        if (leg.kind == LegKind::turn) tell(RouteEventKind::pivot, i, leg.start, next);
        if (leg.kind == LegKind::link) {
            tell(RouteEventKind::link_enter, i, leg.start, next);
            tell(RouteEventKind::link_leave, i, leg.start, next);
        }
        if (leg.kind != LegKind::drive || i + 1 == route.legs.size()) continue;
        const Leg& after = route.legs[i + 1];
        if (after.kind == LegKind::link) continue;
        const Place end = place_on_leg(leg, leg.length);
        const Vec3 gap = next.position - end.position;
        const double far = std::sqrt(gap.x * gap.x + gap.y * gap.y + gap.z * gap.z);
        if (far > 1e-4 || end.layer != next.layer) {
            tell(RouteEventKind::jump, i + 1, end, next);
        } else if (after.kind == LegKind::drive && after.gear != leg.gear) {
            tell(RouteEventKind::gear, i + 1, end, next);
        } else if (std::fabs(math::wrap_pi(next.heading_rad - end.heading_rad)) > 1e-6) {
            tell(RouteEventKind::corner, i + 1, end, next);
        }
    }
    tell(RouteEventKind::goal, route.legs.size(), route.end, route.end);
    return out;
}

inline void expect_same_event(const RouteEvent& a, const RouteEvent& b) {
    EXPECT_EQ(a.kind, b.kind) << route_event_name(a.kind) << " " << route_event_name(b.kind) << " leg "
                              << b.leg;
    EXPECT_EQ(a.leg, b.leg);
    EXPECT_EQ(a.link_id, b.link_id);
    expect_near(a.from, b.from, 1e-9);
    expect_near(a.to, b.to, 1e-9);
}

/// Going back: a link is entered at its end.
inline void expect_mirrored(const RouteEvent& back, const RouteEvent& b) {
    RouteEventKind kind = b.kind;
    if (kind == RouteEventKind::link_enter) {
        kind = RouteEventKind::link_leave;
    } else if (kind == RouteEventKind::link_leave) {
        kind = RouteEventKind::link_enter;
    }
    EXPECT_EQ(back.kind, kind);
    EXPECT_EQ(back.link_id, b.link_id);
    expect_near(back.from, b.to, 1e-9);
    expect_near(back.to, b.from, 1e-9);
}

}  // namespace fairlead::testing
