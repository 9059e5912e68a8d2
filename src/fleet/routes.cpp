// Requests for routes, and what is done with those that come.
#include <algorithm>
#include <limits>

#include "crowd/sight.h"
#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr double kLooksAround = 10.0;  // of both radii
constexpr double kStandsAbout = 2.0;   // seconds
constexpr std::size_t kJointsMost = 4;
constexpr double kSamePlace = 1e-6;
constexpr double kBallMore = 1.1;  // so that traffic finds a way along it clear

/// The same in space. None is so large that the one that asks would be within it.
Result<void> gather_balls(FleetData& d, const Member& asks) {
    d.balls.clear();
    const double own = d.kinds[asks.kind.value].agent.radius;
    const Vec3 from = d.ask_of(asks).from.position;
    for (const Member* other : d.members) {
        if (!other->used || other == &asks || !other->driver || other->speed > 0.0) continue;
        const double radius = d.kinds[other->kind.value].agent.radius;
        const double gap = vehicle_gap(true, radius, own) * kBallMore;
        const double room = (distance(from, other->at.position) - own) * (1.0 - 1e-9);
        const double least = std::min(radius + gap, room);
        if (least > 0.0 && !d.balls.push_back(VolumeBlocker::ball(other->at.position, least)))
            return Error{ErrorCode::out_of_memory};
    }
    return {};
}

/// It is where it was and will not go soon: a vehicle that stands; a walker that has no way, or that has come no nearer for a while,
/// often because of the very vehicle that asks.
bool stands_about(const Member& member) {
    if (member.driver) return !(member.speed > 0.0);
    const bool goes = member.state == FleetState::moving || member.state == FleetState::waiting ||
                      member.state == FleetState::link;
    return !goes || member.best_for > kStandsAbout;
}

/// How far a vehicle is to keep from another unit, so that traffic finds the way clear.
double gap_beside(const FleetData& d, const Member& vehicle, const Member& other) {
    const auto round = [&](const Member& one) {
        return d.kinds[one.kind.value].agent.shape == BodyShape::disc;
    };
    const double own = d.radius_of(vehicle);
    if (!other.driver) return kVehicleGap * own * kBallMore;
    return vehicle_gap(round(vehicle) && round(other), own, d.radius_of(other)) * kBallMore;
}

/// All who stand about, but for one. A walker asks for vehicles alone, and for those close by: others of its kind step aside. None is so
/// large that it would be within it.
Result<void> gather_standing(FleetData& d, const Member& but) {
    d.around.clear();
    const bool walks = !but.driver;
    const double own = d.radius_of(but);
    for (const Member* other : d.members) {
        if (!other->used || other == &but || !stands_about(*other)) continue;
        if (walks && !other->driver) continue;
        Blocker blocker;
        blocker.centre = ground(other->at.position);
        blocker.radius = d.radius_of(*other);
        const double apart = distance(blocker.centre, ground(but.at.position));
        if (walks && apart > kLooksAround * (own + blocker.radius)) continue;
        if (!walks) blocker.radius += gap_beside(d, but, *other);
        blocker.radius = std::min(blocker.radius, (apart - own) * (1.0 - 1e-9));
        if (!(blocker.radius > 0.0)) continue;
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
    if (around || !ask_field(d, member)) return ask_alone(d, member, again, around);
    if (member.request.valid()) (void)d.scheduler.cancel(member.request);
    member.request = {};
    member.again = again;
    member.asked_at = d.frame;
    if (again) return {};
    member.first_leg = false;
    member.state = FleetState::waiting;
    return {};
}

Result<void> ask_alone(FleetData& d, Member& member, bool again, bool around) {
    RequestOptions options;
    const bool walks = !d.is_vehicle(member);
    // In space a search takes microseconds, and who goes round an edge on a first leg may not see its whole way from there.
    const bool first = walks && !again && !member.waits_for_all && !d.port.space;
    if (first) options.first_leg_units = d.options.first_leg_units;
    FleetAsk asked = d.ask_of(member);
    if (around) {
        const Result<void> found = d.port.space ? gather_balls(d, member) : gather_standing(d, member);
        if (!found) return found;
        if (d.port.space) asked.balls = d.balls.span();
        if (!d.port.space) asked.around = d.around.span();
    }
    const Result<RequestId> id = d.port.ask(d.scheduler, asked, options, d.port.user);
    if (!id) return id.error();
    if (member.request.valid()) (void)d.scheduler.cancel(member.request);
    member.request = *id;
    member.again = again;
    member.edited = member.refused = member.pushed = member.looked = false;
    member.asked_at = d.frame;
    if (member.driver) member.driver->stop();  // the new route begins where it stands then
    if (!again) {
        member.first_leg = false;
        member.state = FleetState::waiting;
    }
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
    if (end < legs.size() || member.first_leg) group = {};
    const Result<void> sent = d.crowd.send(member.body, part, to, group);
    if (!sent) return sent.error();
    member.state = FleetState::moving;
    return {};
}

namespace {

/// Of the first few legs of the route that has come, and before the first link: the last one whose end the unit sees.
bool find_joint(FleetData& d, const Member& member, std::size_t& leg) {
    const CrowdWorld world = d.port.crowd(d.port.user);
    if (world.clear == nullptr) return true;
    const Route& route = member.routes[1 - member.on];
    const double body = crowd::kSeesWith * d.kinds[member.kind.value].agent.radius;
    bool any = false;
    for (std::size_t i = 0; i < route.legs.size() && i < kJointsMost; ++i) {
        if (route.legs[i].kind == LegKind::link) break;
        if (!world.clear(member.at, leg_end(route, i).position, body, world.user)) continue;
        leg = i;
        any = true;
    }
    return any;
}

/// A unit that has gone on since it asked, along its first leg, may see nothing of the route that has come. Then it stands, and asks once
/// more from there.
Result<void> join_route(FleetData& d, Member& member) {
    std::size_t leg = 0;
    const bool went = member.first_leg && !member.coming().legs.empty() &&
                      member.at.position != member.coming().legs[0].start.position;
    if (went && !find_joint(d, member, leg)) {
        (void)d.crowd.stop(member.body);
        member.first_leg = false;
        member.waits_for_all = true;
        return ask(d, member, false);
    }
    member.on = 1 - member.on;
    member.leg = leg;
    member.to_goal = true;
    member.first_leg = member.waits_for_all = false;
    return walk_on(d, member);
}

}  // namespace

bool stands(const RouteDriver& driver) {
    const DriverState state = driver.state();
    return driver.speed() == 0.0 && state != DriverState::turning && state != DriverState::shifting &&
           state != DriverState::in_link;
}

Result<void> take_first_leg(FleetData& d, Member& member) {
    const bool waits = member.state == FleetState::waiting && !member.driver && !member.again;
    if (!waits || member.looked || !d.scheduler.info(member.request).has_route) return {};
    member.looked = true;
    Route& leg = member.coming();
    if (const Result<void> seen = d.scheduler.peek(member.request, leg); !seen) {
        return seen.error().code == ErrorCode::out_of_memory ? seen : Result<void>{};
    }
    if (leg.legs.empty() || leg.legs[0].kind == LegKind::link) return {};
    if (member.edited && !d.port.legal(leg, d.ask_of(member), d.port.user)) return {};
    member.on = 1 - member.on;
    member.leg = 0;
    member.first_leg = true;
    member.best_for = 0.0;
    member.best = std::numeric_limits<double>::infinity();
    if (member.lined_up) {  // its field has the rest
        (void)d.scheduler.cancel(member.request);
        member.request = {};
    }
    return walk_on(d, member);
}

namespace {

/// There is no better one: it keeps what it has, unless that leads through a wall.
bool keeps_route(FleetData& d, Member& member) {
    if (!member.again || !member.to_goal) return false;
    if (!d.port.legal(member.route(), d.ask_of(member), d.port.user)) return false;
    if (member.driver) member.driver->resume();
    return true;
}

[[nodiscard]] Result<void> use_route(FleetData& d, Member& member, bool taken);

}  // namespace

Result<void> take_route(FleetData& d, Member& member) {
    const Result<void> taken = d.scheduler.take(member.request, member.coming());
    if (member.lined_up) leave_field(d, member);  // its own search was the first
    member.request = {};
    return use_route(d, member, taken.has_value());
}

Result<void> take_field_route(FleetData& d, Member& member) {
    if (member.request.valid()) (void)d.scheduler.cancel(member.request);
    member.request = {};
    member.edited = member.has_field_route = member.lined_up = false;
    if (member.field_failed) return Error{ErrorCode::out_of_memory};
    const Result<void> used = use_route(d, member, true);
    const bool goes = member.state == FleetState::moving || member.state == FleetState::waiting;
    if (!goes) leave_field(d, member);
    return used;
}

namespace {

/// A vehicle that stands where its new route begins but for the height: a leg on slopes is straight, the surface is not.
bool is_above(const FleetData& d, const Member& member, const Place& start) {
    const Place now = member.driver->place();
    const Vec2 gap = ground(start.position) - ground(now.position);
    return !d.port.space && stands(*member.driver) && now.layer == start.layer &&
           dot(gap, gap) <= kSamePlace * kSamePlace;
}

Result<void> use_route(FleetData& d, Member& member, bool taken) {
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
    // found in the world before an edit
    if (member.edited && !(goes && d.port.legal(member.coming(), d.ask_of(member), d.port.user)))
        return ask(d, member, member.again);
    if (!goes) {
        member.first_leg = member.waits_for_all = false;
        if (taken && keeps_route(d, member)) return {};
        const bool none = status == PathStatus::unreachable || status == PathStatus::budget_spent;
        member.state = none ? FleetState::unreachable : FleetState::invalid;
        (void)d.crowd.stop(member.body);
        return {};
    }
    if (!d.is_vehicle(member)) return join_route(d, member);
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
    const Place& start = member.coming().legs.empty() ? member.coming().end : member.coming().legs[0].start;
    if (driven == RouteTaken::elsewhere && (!member.has_heading || is_above(d, member, start))) {
        Place begin = start;
        if (member.has_heading) begin.heading_rad = member.driver->place().heading_rad;
        Result<RouteDriver> fresh = RouteDriver::make(member.driver->options(), begin);
        if (!fresh) return fresh.error();
        member.driver.emplace(std::move(*fresh));
        member.at = begin;
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

}  // namespace

}  // namespace fairlead::fleet
