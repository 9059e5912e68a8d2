// A frame of a knot: its plans are driven against a clock of its own, which slows down for walkers, and the crowd is told of them.
#include <algorithm>
#include <cmath>

#include "crowd/unit.h"
#include "fleet/fleet_data.h"
#include "fleet/knots.h"
#include "math/segment.h"

namespace fairlead::fleet {

namespace {

constexpr double kPausedSeconds = 4.0;
constexpr double kAsksBelow = 0.5;  // of the clock's rate: slower than that walkers are asked to step aside
constexpr double kRunSeconds = 120.0;
constexpr double kClockStep = 0.5;   // of the radius, between two places looked at
constexpr double kAheadRadii = 6.0;  // beyond the way to a stop

// How fast the clock may go for the walkers: their places are looked at along the plans, to where the clock can stand and beyond. Who
// stands there is asked to step aside.
double free_rate(FleetData& fleet, const Knot& knot, double seconds) {
    double rate = 1.0;
    const double stop = knot.rate * (seconds + knot.rate / (2.0 * knot.slow_down));
    for (const KnotUnit& unit : knot.units) {
        if (unit.role == KnotRole::wall) continue;
        Member& member = *fleet.members[unit.member];
        member.asks_way = {};
        const double speed = fleet.kinds[member.kind.value].limits.speed_max;
        const double until = stop + kAheadRadii * unit.radius / speed;
        const double step = kClockStep * unit.radius / speed;
        for (const Member* other : fleet.members) {
            if (!other->used || other->driver || other->at.layer != knot.layer) continue;
            if (std::abs(other->at.position.z - member.at.position.z) > fleet.options.crowd.height) continue;
            const double both = unit.radius * (1.0 + kKnotGap) + fleet.kinds[other->kind.value].agent.radius;
            const Vec2 there = ground(other->at.position);
            const Vec2 plan = ground(plan_of(fleet, *other));
            const Vec2 here = ground(member.at.position);
            const double now = distance(here, math::nearest_along(there, plan, here));
            if (now > both + until * speed) continue;
            for (double at = step; at <= until; at += step) {
                const Vec2 place = knot.convoy->pose_in(unit.id, at).position;
                const double apart = distance(place, math::nearest_along(there, plan, place));
                if (apart >= both || apart >= now) continue;
                if (member.asks_way == Vec2{}) member.asks_way = place - ground(member.at.position);
                rate = std::min(rate, std::sqrt(2.0 * knot.slow_down * (at - step)));
                break;
            }
        }
    }
    return rate;
}

void move_unit(FleetData& fleet, const Knot& knot, const KnotUnit& unit) {
    Member& member = *fleet.members[unit.member];
    const ConvoyView view = knot.convoy->unit(unit.id);
    if (unit.role == KnotRole::wall) return;
    member.at.position.x = view.pose.position.x;
    member.at.position.y = view.pose.position.y;
    member.at.heading_rad = view.pose.heading_rad;
    member.at = fleet.on_ground(member.at, member.at.position.z);
    member.speed = view.speed * knot.rate;
    member.knot_gear = view.gear;
    const bool goes_there = unit.role == KnotRole::comes || unit.arrived;
    const bool there = goes_there && view.state == ConvoyState::arrived;
    if (member.state == FleetState::moving || member.state == FleetState::arrived)
        member.state = there ? FleetState::arrived : FleetState::moving;
}

/// Whether all are where they were to go, or some never will be.
void look_at(FleetData& fleet, Knot& knot, double seconds) {
    bool all_there = true;
    bool all_stopped = true;
    bool hopeless = false;
    for (const KnotUnit& unit : knot.units) {
        if (unit.role == KnotRole::wall) continue;
        const ConvoyView view = knot.convoy->unit(unit.id);
        all_there =
            all_there && (view.state == ConvoyState::arrived || view.state == ConvoyState::unreachable);
        hopeless = hopeless || view.state == ConvoyState::unreachable;
        knot.broken = knot.broken || view.state == ConvoyState::stuck;
        all_stopped = all_stopped && fleet.members[unit.member]->speed == 0.0;
    }
    knot.paused = knot.rate == 0.0 ? knot.paused + seconds : 0.0;
    knot.broken = knot.broken || knot.age > kRunSeconds || knot.paused > kPausedSeconds;
    if (knot.broken) knot.stage = KnotStage::ending;
    if (all_there && !knot.broken) {
        knot.broken = hopeless;
        knot.stage = KnotStage::over;
    }
    if (knot.stage == KnotStage::ending && all_stopped) knot.stage = KnotStage::over;
}

// How much of its rate the clock can lose in so many seconds at the speeds that the units have now: each may lose what its plan leaves it
// of its brakes. Where all stand, as at the beginning, any rate will do.
double most_slower(FleetData& fleet, const Knot& knot, double seconds) {
    double most = 1.0;
    for (const KnotUnit& unit : knot.units) {
        if (unit.role == KnotRole::wall) continue;
        const FleetKind kind = fleet.members[unit.member]->kind;
        const double speed = knot.convoy->unit(unit.id).speed;
        const double room =
            knot_kind(fleet, kind).slow_down * fleet.kinds[kind.value].limits.speed_max * seconds;
        if (speed * most > room) most = room / speed;
    }
    return std::max(most, knot.slow_down * seconds);
}

// The rate at the end of the next frame: known a frame ahead, so that walkers know each vehicle's next step.
void set_next_rate(FleetData& fleet, Knot& knot, double seconds) {
    const double wanted = knot.stage == KnotStage::running ? free_rate(fleet, knot, seconds) : 0.0;
    knot.next_rate = wanted < knot.rate ? std::max(wanted, knot.rate - most_slower(fleet, knot, seconds))
                                        : std::min(wanted, knot.rate + knot.speed_up * seconds);
}

/// Tells the crowd where a vehicle comes to a stand `stopping` seconds of the plan from now.
void tell_stop(FleetData& fleet, const Knot& knot, const KnotUnit& unit, Vec3 velocity, double stopping) {
    constexpr std::size_t kLines = crowd::kDrivenLinesMax;
    Member& member = *fleet.members[unit.member];
    if (!(stopping > 0.0)) {
        tell_way(fleet, member, velocity, {}, 0.0);
        return;
    }
    Vec3 way[kLines];
    double longest = 0.0;
    Vec2 from = ground(member.at.position);
    for (std::size_t i = 0; i < kLines; ++i) {
        const double after = stopping * static_cast<double>(i + 1) / kLines;
        const Vec2 place = knot.convoy->pose_in(unit.id, after).position;
        way[i] = {place.x, place.y, member.at.position.z};
        longest = std::max(longest, distance(from, place));
        from = place;
    }
    // of an arc above its chord, which is shorter than the arc
    const double turning_radius = fleet.kinds[member.kind.value].agent.turning_radius;
    const double half = std::min(0.5 * longest, turning_radius);
    const double off = turning_radius - std::sqrt(turning_radius * turning_radius - half * half);
    tell_way(fleet, member, velocity, way, off);
}

/// The next step of each, and its way to a stop behind it.
void tell_walkers(FleetData& fleet, const Knot& knot, double seconds) {
    const double coming = 0.5 * (knot.rate + knot.next_rate) * seconds;
    // The clock brakes less than a vehicle can: walkers are told where that one comes to a stand.
    const double stopping = coming + 0.5 * knot.next_rate * knot.next_rate / knot.slow_down;
    for (const KnotUnit& unit : knot.units) {
        const Member& member = *fleet.members[unit.member];
        const bool stands = unit.role == KnotRole::wall || knot.stage == KnotStage::over;
        const Vec2 at = ground(member.at.position);
        const Vec2 next = stands ? at : knot.convoy->pose_in(unit.id, coming).position;
        const Vec2 velocity = (next - at) * (1.0 / seconds);
        tell_stop(fleet, knot, unit, {velocity.x, velocity.y, 0.0}, stands ? 0.0 : stopping);
        if (!stands && knot.next_rate < kAsksBelow && member.asks_way != Vec2{})
            (void)fleet.crowd.ask_way(member.body, member.asks_way);
    }
}

}  // namespace

void begin_clock(FleetData& fleet, Knot& knot, double seconds) {
    knot.rate = knot.next_rate = 1.0;
    knot.rate = knot.next_rate = free_rate(fleet, knot, seconds);  // any rate will do: everyone stands
    tell_walkers(fleet, knot, seconds);
}

Result<void> run_knot(FleetData& fleet, Knot& knot, double seconds, std::uint64_t& units) {
    // It was thought of for a frame as long as the one before.
    knot.next_rate = std::clamp(knot.next_rate, knot.rate - most_slower(fleet, knot, seconds),
                                knot.rate + knot.speed_up * seconds);
    const double passed = 0.5 * (knot.rate + knot.next_rate) * seconds;
    knot.rate = knot.next_rate;
    if (passed > 0.0) {
        const std::uint64_t worked = knot.convoy->report().units;
        if (const Result<void> done = knot.convoy->update(passed, units); !done) return done;
        const std::uint64_t spent = knot.convoy->report().units - worked;
        units -= std::min(units, spent);
        fleet.knot_report.units += spent;
    }
    for (const KnotUnit& unit : knot.units) move_unit(fleet, knot, unit);
    look_at(fleet, knot, seconds);
    set_next_rate(fleet, knot, seconds);
    tell_walkers(fleet, knot, seconds);
    return {};
}

}  // namespace fairlead::fleet
