// After the crowd has moved: what became of each unit, and what it does next. Who is lost asks again, links are crossed, who comes no
// nearer is
// stuck.
#include <fairlead/math/trig.h>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr double kNearer = 0.5;         // radii: progress that counts
constexpr double kBlocked = 2.0;        // seconds that who is held waits before it looks for a way around
constexpr double kBesideVehicle = 1.3;  // of both radii

}  // namespace

void watch_progress(FleetData& d, Member& member, double remaining, double seconds) {
    const double radius = d.kinds[member.kind.value].agent.radius;
    if (remaining < member.best - kNearer * (radius > 0.0 ? radius : 0.5)) {
        member.best = remaining;
        member.best_for = 0.0;
        if (member.state == FleetState::stuck) member.state = FleetState::moving;
        return;
    }
    member.best_for += seconds;
    if (member.best_for > d.options.stuck_seconds && member.state == FleetState::moving) {
        member.state = FleetState::stuck;
    }
}

namespace {

/// In the crowd it moves the way that it faces.
bool faces(const FleetData& d, const Member& member) {
    const FleetUnit& unit = d.kinds[member.kind.value];
    return !d.port.space && (unit.facings != 0 || unit.limits.turn_rate_max < kNoLimit);
}

/// Faces where it goes, as fast as it can turn.
void turn_towards(const FleetData& d, Member& member, double heading, double seconds) {
    const double most = d.kinds[member.kind.value].limits.turn_rate_max * seconds;
    const double turn = math::wrap_pi(heading - member.at.heading_rad);
    const double now = turn > most ? most : turn < -most ? -most : turn;
    member.at.heading_rad = now == turn ? heading : math::wrap_pi(member.at.heading_rad + now);
}

/// Does a vehicle stand beside it? The crowd goes round a disc, but not where that leaves no room on the side that its route is on.
bool is_beside_vehicle(const FleetData& d, const Member& member) {
    const double radius = d.kinds[member.kind.value].agent.radius;
    for (const DrivenWay& way : d.ways) {
        const Member& vehicle = *d.members[way.member];
        const double both = kBesideVehicle * (radius + way.radius);
        if (vehicle.speed > 0.0 || vehicle.at.layer != member.at.layer) continue;
        if (distance(vehicle.at.position, member.at.position) < both) return true;
    }
    return false;
}

/// A walker that comes no nearer beside a vehicle that stands looks for a way around, every now and then.
Result<void> look_around(FleetData& d, Member& member, double seconds) {
    const bool held = member.best_for > kBlocked && !member.request.valid() && !member.lined_up &&
                      !d.port.space && is_beside_vehicle(d, member);
    member.blocked_for = held ? member.blocked_for + seconds : 0.0;
    if (!(member.blocked_for > kBlocked)) return {};
    member.blocked_for = 0.0;
    return ask(d, member, true, true);
}

Result<void> follow_walker(FleetData& d, Member& member, double seconds) {
    if (member.in_knot) {
        follow_tangled(d, member);
        return {};
    }
    const UnitView view = d.crowd.unit(member.body);
    const Vec3 moved = view.place.position - member.at.position;
    member.at.position = view.place.position;
    member.at.layer = view.place.layer;
    if (faces(d, member)) {
        member.at.heading_rad = view.place.heading_rad;
    } else if (length(ground(moved)) > 1e-9) {
        turn_towards(d, member, math::atan2(moved.y, moved.x), seconds);
    }
    member.speed = length(view.velocity);
    member.velocity = view.velocity;
    if (member.state == FleetState::link) {
        // Until then it stands at this end, and steps aside like anybody who stands.
        member.link_left -= seconds;
        if (member.link_left > 0.0) return {};
        if (member.edited && !d.port.legal(member.route(), d.ask_of(member), d.port.user))
            return ask(d, member, false);  // the other end may be in a wall now
        member.leg = member.next_leg + 1;
        const Place& to = leg_end(member.route(), member.next_leg);
        member.at = to;
        member.speed = 0.0;
        member.velocity = {};
        (void)d.crowd.relocate(member.body, to);
        return walk_on(d, member);
    }
    if (member.squad != kNoSquad && !member.alone) return follow_squad(d, member, seconds);
    // also while it waits for the answer, which is then that of a place where it is no more
    const bool none = member.why == PathStatus::start_blocked || member.state == FleetState::unreachable;
    if (moved != Vec3{} && (member.request.valid() || none)) member.pushed = true;
    const bool out = member.state == FleetState::invalid && member.why == PathStatus::start_blocked;
    const bool elsewhere = member.state == FleetState::unreachable && moved == Vec3{};
    if (member.pushed && (out || elsewhere) && d.frame - member.asked_at > kAskAgain)
        return ask(d, member, false);
    if (member.state != FleetState::moving && member.state != FleetState::stuck) return {};
    if (view.state == UnitState::arrived && member.first_leg) {
        member.state = FleetState::waiting;  // for the route
        return {};
    }
    if (view.state == UnitState::arrived) {
        const bool link = member.next_leg < member.route().legs.size();
        member.state = link ? FleetState::link : FleetState::arrived;
        if (!link) leave_field(d, member);
        if (link) {
            member.speed = 0.0;
            member.velocity = {};
            (void)d.crowd.relocate(member.body, view.place);  // to a stand
        }
        member.link_left = d.options.link_seconds;
        return {};
    }
    watch_progress(d, member, view.remaining, seconds);
    if (view.lost && !member.request.valid() && !member.lined_up && d.frame - member.asked_at > kAskAgain)
        return ask(d, member, true);
    return look_around(d, member, seconds);
}

Result<void> follow_vehicle(FleetData& d, Member& member, double seconds) {
    // No way to its goal says whether it comes nearer.
    const bool between = member.in_knot || member.waits_after_knot();
    if (between && member.speed == 0.0) member.best_for += seconds;
    if (member.in_knot) return {};
    const bool goes = member.state == FleetState::moving || member.state == FleetState::stuck ||
                      member.state == FleetState::link;
    if (!goes) return {};
    if (member.refused) {
        const bool later = !member.request.valid() && d.frame - member.asked_at > kAskAgain;
        return later ? ask(d, member, true) : Result<void>();
    }
    const DriverState state = member.driver->state();
    if (state == DriverState::arrived || (state == DriverState::idle && member.state == FleetState::moving)) {
        member.state = FleetState::arrived;
    } else if (state == DriverState::in_link) {
        member.state = FleetState::link;
    } else if (member.state == FleetState::link) {
        member.state = FleetState::moving;
    }
    if (member.state == FleetState::moving || member.state == FleetState::stuck) {
        watch_progress(d, member, member.route().length - member.driver->distance(), seconds);
        if (member.blocked_for > kBlocked && !member.request.valid()) {
            member.blocked_for = 0.0;
            return ask(d, member, true, true);
        }
    }
    return {};
}

}  // namespace

Result<void> follow(FleetData& d, Member& member, double seconds) {
    return member.driver ? follow_vehicle(d, member, seconds) : follow_walker(d, member, seconds);
}

}  // namespace fairlead::fleet
