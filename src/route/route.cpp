#include <fairlead/route/route.h>

#include <fairlead/math/trig.h>

namespace fairlead {

const char* status_name(PathStatus status) {
    switch (status) {
        case PathStatus::complete: return "complete";
        case PathStatus::partial: return "partial";
        case PathStatus::unreachable: return "unreachable";
        case PathStatus::start_blocked: return "start_blocked";
        case PathStatus::goal_blocked: return "goal_blocked";
        case PathStatus::off_world: return "off_world";
        case PathStatus::budget_spent: return "budget_spent";
        case PathStatus::window: return "window";
        case PathStatus::count_: break;
    }
    return "unknown";
}

const char* leg_kind_name(LegKind kind) {
    switch (kind) {
        case LegKind::drive: return "drive";
        case LegKind::turn: return "turn";
        case LegKind::link: return "link";
    }
    return "unknown";
}

const char* gear_name(Gear gear) { return gear == Gear::forward ? "forward" : "reverse"; }

void Route::clear() {
    status = PathStatus::unreachable;
    length = 0.0;
    cost = 0.0;
    line_cost = 0.0;
    bound = kNoBound;
    planner = "";
    revision = 0;
    legs.clear();
    end = {};
    stats = {};
}

Place place_on_leg(const Leg& leg, double distance) {
    Place at = leg.start;
    if (leg.kind != LegKind::drive) return at;
    const double s = distance < 0.0 ? 0.0 : (distance > leg.length ? leg.length : distance);
    if (leg.length > 0.0) at.position.z += leg.rise * (s / leg.length);
    const double travel = leg.gear == Gear::forward ? leg.start.heading_rad : leg.start.heading_rad + kPi;
    if (leg.curvature == 0.0) {
        const Vec2 along = math::direction(travel) * s;
        at.position.x += along.x;
        at.position.y += along.y;
        return at;
    }
    // The chord of an arc of angle a has length 2 sin(a/2) / curvature and leaves at half the angle: exact for
    // short arcs too, where the difference of two sines would cancel.
    const double angle = leg.curvature * s;
    const double chord = 2.0 * math::sin(0.5 * angle) / leg.curvature;
    const Vec2 along = math::direction(travel + 0.5 * angle) * chord;
    at.position.x += along.x;
    at.position.y += along.y;
    at.heading_rad += angle;
    return at;
}

const Place& leg_end(const Route& route, std::size_t i) {
    FAIRLEAD_ASSERT(i < route.legs.size());
    return i + 1 < route.legs.size() ? route.legs[i + 1].start : route.end;
}

Place place_on_route(const Route& route, double distance) {
    double left = distance;
    for (const Leg& leg : route.legs) {
        if (left <= leg.length && leg.kind == LegKind::drive) return place_on_leg(leg, left);
        left -= leg.length;
    }
    return route.end;
}

}  // namespace fairlead
