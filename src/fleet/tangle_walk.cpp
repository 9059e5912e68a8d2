// How those in a tangle walk: a stretch at a time, all together, within the limits of each, and clear of everyone else.
#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "fleet/fleet_data.h"
#include "fleet/tangles.h"
#include "math/segment.h"

namespace fairlead::fleet {

namespace {

constexpr double kWalkSlack = 1e-9;

struct Pace {
    double speed_max = kNoLimit;
    double accel = kNoLimit;
    double brake = kNoLimit;
};

Pace pace_of(const FleetData& fleet, const Tangle& tangle) {
    Pace pace;
    const CrowdWorld world = fleet.port.crowd(fleet.port.user);
    for (const TangleUnit& unit : tangle.units) {
        if (unit.from == unit.to) continue;
        const Member& member = *fleet.members[unit.member];
        const SpeedLimits& limits = fleet.kinds[member.kind.value].limits;
        pace.speed_max = std::min(pace.speed_max, limits.speed_max);
        if (world.speed_max != nullptr)
            pace.speed_max = std::min(pace.speed_max, world.speed_max(member.at, world.user));
        pace.accel = std::min(pace.accel, limits.accel_max);
        pace.brake = std::min(pace.brake, limits.brake_max);
    }
    return pace;
}

/// The next frame may be so much shorter than this one: who stands at the end of this frame must have been no faster than what can be
/// braked in that one.
constexpr double kShorter = 1.0 / 16.0;

/// The fastest speed for a frame from which it can still stand at the end of what is left.
double fastest_to_stop(double left, double brake, double seconds) {
    const double frame = brake * seconds;
    if (!(brake < kNoLimit) || left <= kShorter * frame * seconds) return left / seconds;
    return -frame + std::sqrt(frame * frame + 2.0 * brake * left);
}

/// So far along their stretch they stand, if they brake from a place on it.
double stops_at(const Tangle& tangle, double on, double speed, double brake) {
    return std::min(on + (brake < kNoLimit ? 0.5 * speed * speed / brake : 0.0), tangle.length);
}

/// Where a unit is when who goes farthest has come so far.
Vec2 place_on(const Tangle& tangle, const TangleUnit& unit, double on) {
    return on == tangle.length ? unit.to : unit.from + (unit.to - unit.from) * (on / tangle.length);
}

/// Does a walker's way from a to b keep clear of somebody's from p to q? What it is near already it may leave.
bool keeps_clear(Vec2 a, Vec2 b, Vec2 p, Vec2 q, double apart) {
    const double asked = std::min(apart, std::sqrt(math::segments_squared(a, a, p, q))) * (1.0 - kWalkSlack);
    return !(math::segments_squared(a, b, p, q) < asked * asked);
}

/// Of all that another one can still do before it stands.
bool keeps_clear_of(const FleetData& fleet, Vec2 a, Vec2 b, const Member& other, double apart) {
    Vec2 p = ground(other.at.position);
    if (!other.driver) return keeps_clear(a, b, p, p + ground(plan_of(fleet, other)), apart);
    bool clear = keeps_clear(a, b, p, p, apart);
    for (std::uint32_t i = 0; clear && i < other.told.lines; ++i) {
        clear = keeps_clear(a, b, p, other.told.to[i], apart + other.told.off);
        p = other.told.to[i];
    }
    return clear;
}

/// With this speed in this frame, and braking after it: does everyone keep clear of all others?
bool is_way_free(const FleetData& fleet, Tangle& tangle, double speed, double brake, double seconds) {
    const double stop = stops_at(tangle, tangle.done + speed * seconds, speed, brake);
    for (const TangleUnit& unit : tangle.units) {
        if (unit.from == unit.to) continue;
        const Place& at = fleet.members[unit.member]->at;
        const Vec2 a = ground(at.position);
        const Vec2 b = place_on(tangle, unit, stop);
        for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
            const Member& other = *fleet.members[m];
            if (!other.used || !same_floor(fleet, at, other.at)) continue;
            const double apart = unit.radius + fleet.radius_of(other);
            if (distance(a, ground(other.at.position)) > apart + 4.0 * tangle.length + 8.0) continue;
            if (is_in(fleet, tangle, other) || keeps_clear_of(fleet, a, b, other, apart)) continue;
            tangle.waits_for = m;
            tangle.waits = static_cast<std::uint32_t>(&unit - tangle.units.data());
            return false;
        }
    }
    return true;
}

}  // namespace

/// The next stretch: to the places one by one; then as many steps of the plan as everyone goes straight on.
bool next_stretch(FleetData& fleet, Tangle& tangle) {
    for (TangleUnit& unit : tangle.units)
        unit.from = unit.to = ground(fleet.members[unit.member]->at.position);
    tangle.length = tangle.done = tangle.speed = 0.0;
    while (tangle.next_step < tangle.steps.size() && tangle.length == 0.0) {
        const TangleStep& step = tangle.steps[tangle.next_step++];
        tangle.units[step.unit].to = step.to;
        tangle.length = distance(tangle.units[step.unit].from, step.to);
    }
    if (tangle.length > 0.0) return true;
    const auto moves = [&](std::uint32_t state, std::uint32_t i) {
        return tangle.plan.place(tangle.plan.place_of(state + 1, i)) -
               tangle.plan.place(tangle.plan.place_of(state, i));
    };
    while (tangle.length == 0.0 && tangle.state + 1 < tangle.plan.state_count()) {
        const std::uint32_t first = tangle.state;
        for (bool same = true; same && tangle.state + 1 < tangle.plan.state_count();) {
            ++tangle.state;
            same = tangle.state + 1 < tangle.plan.state_count();
            for (std::uint32_t i = 0; same && i < tangle.units.size(); ++i) {
                const Vec2 off = moves(tangle.state, i) - moves(first, i);
                same = dot(off, off) < kWalkSlack;
            }
        }
        for (std::uint32_t i = 0; i < tangle.units.size(); ++i) {
            TangleUnit& unit = tangle.units[i];
            unit.to = tangle.plan.place(tangle.plan.place_of(tangle.state, i));
            tangle.length = std::max(tangle.length, distance(unit.from, unit.to));
        }
    }
    return tangle.length > 0.0;
}

void walk_tangle(FleetData& fleet, Tangle& tangle, double seconds) {
    const Pace pace = pace_of(fleet, tangle);
    const double gained = pace.accel < kNoLimit ? tangle.speed + pace.accel * seconds : pace.speed_max;
    const double lost = pace.brake < kNoLimit ? std::max(tangle.speed - pace.brake * seconds, 0.0) : 0.0;
    const double most = fastest_to_stop(tangle.length - tangle.done, pace.brake, seconds);
    const double speed = std::min(std::min(gained, pace.speed_max), most);
    const bool free = !tangle.broken && is_way_free(fleet, tangle, speed, pace.brake, seconds);
    tangle.waited = free || tangle.broken ? 0.0 : tangle.waited + seconds;
    tangle.speed = free ? speed : std::min(lost, most);
    tangle.done = std::min(tangle.done + tangle.speed * seconds, tangle.length);
    if (tangle.length - tangle.done < kWalkSlack * tangle.length) tangle.done = tangle.length;
    for (const TangleUnit& unit : tangle.units) {
        Member& member = *fleet.members[unit.member];
        const Vec2 at = place_on(tangle, unit, tangle.done);
        const Vec2 moved = unit.to - unit.from;
        const double share = tangle.speed / tangle.length;
        member.at.position = {at.x, at.y, member.at.position.z};
        member.at = fleet.on_ground(member.at, member.at.position.z);
        member.velocity = {moved.x * share, moved.y * share, 0.0};
        member.speed = length(member.velocity);
        if (member.speed > 0.0) member.at.heading_rad = math::atan2(moved.y, moved.x);
        // slower than all others it brakes slower too: its way to a stop is not that of its own limits
        const Vec2 stop = place_on(tangle, unit, stops_at(tangle, tangle.done, tangle.speed, pace.brake));
        member.stops = {stop.x - at.x, stop.y - at.y, 0.0};
        const Vec3 way[] = {{stop.x, stop.y, member.at.position.z}};
        (void)fleet.crowd.drive(member.body, member.at, member.velocity, way, 0.0);
    }
}

/// A frame at rest between two stretches: nobody turns at once.
void stand_tangle(FleetData& fleet, Tangle& tangle) {
    tangle.speed = 0.0;
    for (const TangleUnit& unit : tangle.units) {
        Member& member = *fleet.members[unit.member];
        member.velocity = member.stops = {};
        member.speed = 0.0;
        (void)fleet.crowd.drive(member.body, member.at, {});
    }
}

}  // namespace fairlead::fleet
