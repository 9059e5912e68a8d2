// Requests for routes, and what is done with those that come.
#include <limits>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

/// The vehicles that stand, but for one.
Result<void> gather_standing(FleetData& d, const Member& but) {
    d.around.clear();
    for (const Member* other : d.members) {
        if (!other->used || other == &but || !other->driver || other->speed > 0.0) continue;
        Blocker blocker;
        blocker.centre = ground(other->at.position);
        blocker.radius = circumscribed_radius(d.kinds[other->kind.value].agent);
        blocker.layer = other->at.layer;
        if (!d.around.push_back(blocker)) return Error{ErrorCode::out_of_memory};
    }
    return {};
}

/// A walker's goal that lies within a wall, on a mesh that takes the nearest place instead: that is not where it was sent.
bool ends_short(const FleetData& d, const Member& member) {
    if (d.is_vehicle(member) || member.goal.kind != Spot::Kind::position) return false;
    const Route& route = member.routes[1 - member.on];
    const double radius = d.kinds[member.kind.value].agent.radius;
    return route.status == PathStatus::complete &&
           distance(ground(route.end.position), ground(member.goal.position)) > radius + 1e-6;
}

}  // namespace

Result<void> ask(FleetData& d, Member& member, bool again, bool around) {
    RequestOptions options;
    options.on_edit = OnEdit::restart;
    FleetAsk asked = d.ask_of(member);
    if (around) {
        if (const Result<void> found = gather_standing(d, member); !found) return found;
        asked.around = d.around.span();
    }
    const Result<RequestId> id = d.port.ask(d.scheduler, asked, options, d.port.user);
    if (!id) return id.error();
    if (member.request.valid()) (void)d.scheduler.cancel(member.request);
    member.request = *id;
    member.again = again;
    member.edited = member.refused = member.pushed = false;
    member.asked_at = d.frame;
    if (member.driver) member.driver->stop();  // the new route begins where it stands then
    if (!again) member.state = FleetState::waiting;
    return {};
}

Result<void> walk_on(FleetData& d, Member& member) {
    const Array<Leg>& legs = member.route().legs;
    std::size_t end = member.leg;
    while (end < legs.size() && legs[end].kind != LegKind::link) ++end;
    member.next_leg = end;
    const Place& to = end < legs.size() ? legs[end].start : member.route().end;
    const std::span<const Leg> part = legs.span().subspan(member.leg, end - member.leg);
    CrowdGoal group = member.group;
    if (end < legs.size()) group = {};
    const Result<void> sent = d.crowd.send(member.body, part, to, group);
    if (!sent) return sent.error();
    member.state = FleetState::moving;
    return {};
}

bool stands(const RouteDriver& driver) {
    const DriverState state = driver.state();
    return driver.speed() == 0.0 && state != DriverState::turning && state != DriverState::shifting &&
           state != DriverState::in_link;
}

namespace {

/// There is no better one: it keeps what it has, unless that leads through a wall.
bool keeps_route(FleetData& d, Member& member) {
    if (!member.again || !member.to_goal) return false;
    if (!d.port.legal(member.route(), d.ask_of(member), d.port.user)) return false;
    if (member.driver) member.driver->resume();
    return true;
}

}  // namespace

Result<void> take_route(FleetData& d, Member& member) {
    const Result<void> taken = d.scheduler.take(member.request, member.coming());
    member.request = {};
    member.asked_frames = d.frame - member.asked_at;
    if (!member.again && !member.keeps_best) {
        member.best_for = 0.0;
        member.best = std::numeric_limits<double>::infinity();
    }
    member.keeps_best = false;
    const PathStatus status = !taken                  ? PathStatus::start_blocked
                              : ends_short(d, member) ? PathStatus::goal_blocked
                                                      : member.coming().status;
    member.why = status;
    const bool goes = taken && (status == PathStatus::complete || status == PathStatus::partial);
    if (goes && member.edited && !d.port.legal(member.coming(), d.ask_of(member), d.port.user)) {
        return ask(d, member, member.again);
    }
    if (!goes) {
        if (taken && keeps_route(d, member)) return {};
        member.state = status == PathStatus::unreachable ? FleetState::unreachable : FleetState::invalid;
        (void)d.crowd.stop(member.body);
        return {};
    }
    if (!d.is_vehicle(member)) {
        member.on = 1 - member.on;
        member.leg = 0;
        member.to_goal = true;
        return walk_on(d, member);
    }
    if (d.kinds[member.kind.value].facings != 0) {
        const Result<bool> drawn = d.port.draw(member.coming(), member.kind, d.port.user);
        if (!drawn.has_value() && drawn.error().code == ErrorCode::out_of_memory) return drawn.error();
        if (!drawn.has_value() || !*drawn) {  // it would slide
            if (keeps_route(d, member)) return {};
            member.state = FleetState::unreachable;
            member.why = PathStatus::unreachable;
            return {};
        }
    }
    member.blocked_for = 0.0;
    member.driver->resume();
    RouteTaken driven = member.driver->take(member.coming());
    if (driven == RouteTaken::elsewhere && !member.has_heading) {
        const Place& start =
            member.coming().legs.empty() ? member.coming().end : member.coming().legs[0].start;
        Result<RouteDriver> fresh = RouteDriver::make(member.driver->options(), start);
        if (!fresh) return fresh.error();
        member.driver.emplace(std::move(*fresh));
        member.at = start;
        driven = member.driver->take(member.coming());
    }
    if (driven != RouteTaken::taken) {
        member.driver->stop();
        member.refused = true;
        member.state = FleetState::stuck;
        return {};
    }
    member.on = 1 - member.on;
    member.to_goal = true;
    if (!member.again || member.state != FleetState::stuck) member.state = FleetState::moving;
    return {};
}

}  // namespace fairlead::fleet
