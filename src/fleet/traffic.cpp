// Vehicles keep to their routes and know two answers to what is in the way: go on, or stop before it. A vehicle never goes on into a
// disc of the crowd, nor into the way to a stop of another vehicle; of two whose routes cross, the one that was added later waits.
//
// Why that holds. All ways are taken down before anyone moves. Then one after the other chooses a speed such that the frame's way and
// the way to a stop behind it end before what others have of theirs: of those added later the way to a stop that they came with; of
// those added earlier all that they could have chosen. Braking keeps to the way to a stop, and so is always there to choose.
//
// A walker too has its way to a stop, and the crowd is told of a vehicle's, in space with its bends: whoever of the two chooses next,
// the other one's is left free.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/base/digest.h>
#include <fairlead/math/trig.h>

#include "crowd/space/nearest_lines.h"
#include "crowd/unit.h"
#include "fleet/fleet_data.h"
#include "math/segment.h"

namespace fairlead::fleet {

namespace {

constexpr double kSample = 0.5;  // of the radius, between two places looked at
constexpr double kTouch = 0.1;   // of the radius
constexpr double kAhead = 6.0;   // radii beyond the way to a stop
constexpr double kPlacesMax = 512.0;
constexpr double kStands = 1e-9;           // moved less than this, a unit stands
constexpr double kNoNearer = 1.0 - 1e-12;  // rounding is none
constexpr double kLineOff =
    0.05;  // of the radius: from a way that flies to the lines that a crowd is told of
constexpr std::size_t kTold = crowd::kDrivenLinesMax;  // lines of a way on the ground
constexpr double kLineMore = 0.03;  // and more: what lies between two places that were looked at bends, too

double stop_of(double speed, double brake) { return brake < kNoLimit ? speed * speed / (2.0 * brake) : 0.0; }

struct WayMaker {
    FleetData& fleet;
    DrivenWay& way;

    bool add(const Place& along, double on) {
        const bool first = way.count == 0;
        const double near = first ? fleet.members[way.member]->at.position.z
                                  : fleet.way_places[fleet.way_places.size() - 1].z;
        const Place place = fleet.on_ground(along, near);
        const Vec2 at = ground(place.position);
        way.box.low = first ? at : Vec2{std::min(way.box.low.x, at.x), std::min(way.box.low.y, at.y)};
        way.box.high = first ? at : Vec2{std::max(way.box.high.x, at.x), std::max(way.box.high.y, at.y)};
        ++way.count;
        return fleet.way_places.push_back({at, place.position.z, place.layer, on});
    }

    /// The places of a route from where its driver is, and where it turns back or jumps. False: no memory.
    bool along(const RouteDriver& driver, double step, double stop, double reach) {
        RouteCursor cursor(*driver.route());  // the places lie one behind the other: the legs are passed once
        const double from = driver.distance();
        cursor.seek(from);
        double on = 0.0;
        while (on < reach && !cursor.at_end()) {
            double left = step;
            for (bool happened = true; happened;) {
                const double before = left;
                const RouteEvent event = cursor.advance(left);
                happened = event.happened();
                if (on < stop) way.stop = way.count + 1;
                on += before - left;
                if (!add(happened ? event.to : cursor.place(), on)) return false;
            }
        }
        way.ends = cursor.at_end();
        return true;
    }
};

/// Else it only brakes to a stand.
bool goes_on(const Member& member) {
    const bool goes = member.state == FleetState::moving || member.state == FleetState::stuck ||
                      member.state == FleetState::link;
    return goes && !member.request.valid() && !member.refused;
}

/// Of a step: how much of it is on the ground at the steepest.
double level_share(const FleetData& fleet, const FleetUnit& unit) {
    return fleet.port.space ? math::cos(std::max(unit.climb.up_rad, unit.climb.down_rad)) : 1.0;
}

/// What flies goes forward only. So far before another of its size it stands that a turn away from it is clear: the turn's circle, a
/// turning radius to its side, passes it by the gap.
double room_to_turn(const Agent& agent) {
    const double both = (2.0 + kVehicleGap) * agent.radius;
    return std::sqrt(both * (both + 2.0 * agent.turning_radius)) - both;
}

Result<void> add_way(FleetData& fleet, std::uint32_t m, double seconds) {
    const Member& member = *fleet.members[m];
    const FleetUnit& unit = fleet.kinds[member.kind.value];
    const RouteDriver& driver = *member.driver;
    DrivenWay way;
    way.member = m;
    way.radius = circumscribed_radius(unit.agent);
    way.round = unit.agent.shape == BodyShape::disc;
    way.first = fleet.way_places.size();
    way.room = fleet.port.space ? room_to_turn(unit.agent) : 0.0;
    WayMaker maker{fleet, way};
    bool good = maker.add(driver.place(), 0.0);
    way.stop = 1;
    if (driver.state() == DriverState::in_link) {
        good = good && maker.add(driver.stopping_place(), 0.0);
        way.stop = 2;
    } else if (driver.route() != nullptr) {
        const double stop = driver.stopping_distance();
        double fastest = driver.speed() + unit.limits.accel_max * seconds;
        if (!(fastest < unit.limits.speed_max)) fastest = unit.limits.speed_max;
        const double reach = !goes_on(member) ? stop
                                              : fastest * seconds + stop_of(fastest, unit.limits.brake_max) +
                                                    kAhead * way.radius + way.room;
        // on the ground; places of one that climbs lie farther apart
        const double step = std::max(kSample * way.radius * level_share(fleet, unit), reach / kPlacesMax);
        good = good && maker.along(driver, step, stop, reach);
    }
    if (!good || !fleet.ways.push_back(way)) return Error{ErrorCode::out_of_memory};
    return {};
}

/// What a way may meet: a disc.
struct Standing {
    Vec2 at{};
    double z = 0.0;
    std::int32_t layer = 0;
    double radius = 0.0;
    double gap = 0.0;
    bool round = true;
    Vec3 plan{};  ///< a walker's way to a stop
};

bool same_floor(const FleetData& fleet, const WayPlace& a, const Standing& b) {
    if (fleet.port.space) return true;
    return a.layer == b.layer && std::abs(a.z - b.z) <= fleet.options.crowd.height;
}

Vec3 in_space(const WayPlace& place) { return {place.at.x, place.at.y, place.z}; }

/// At a place; in space all the way there from the place before it, and to all of the other one's way to a stop.
double apart_of(const FleetData& fleet, const WayPlace& before, const WayPlace& a, const Standing& b) {
    if (!fleet.port.space) return distance(a.at, math::nearest_along(b.at, ground(b.plan), a.at));
    const Vec3 there{b.at.x, b.at.y, b.z};
    const crowd::NearestInSpace pair =
        crowd::nearest_lines(in_space(before), in_space(a), there, there + b.plan);
    return distance(pair.on_way, pair.on_other);
}

/// Does the way from one place to another lead towards a disc?
bool leads_to(const FleetData& fleet, const WayPlace& from, const WayPlace& to, const Standing& b) {
    const double level = dot(to.at - from.at, b.at - from.at);
    return level + (fleet.port.space ? (to.z - from.z) * (b.z - from.z) : 0.0) > 0.0;
}

/// How far a vehicle can go before it comes near a disc; `clear` if it does not before.
double free_way(const FleetData& fleet, const DrivenWay& way, const Standing& other, double clear) {
    const WayPlace* places = &fleet.way_places[way.first];
    const double both = way.radius + other.radius + other.gap;
    const double now =
        same_floor(fleet, places[0], other) ? apart_of(fleet, places[0], places[0], other) : 2.0 * both;
    const double before = fleet.port.space ? now * kNoNearer : now;
    // so near that it must not come nearer on the way to the next place either
    const bool touching = now < way.radius + other.radius + kTouch * way.radius;
    std::size_t next = 1;
    while (touching && next + 1 < way.count && places[next].on == 0.0) ++next;
    if (touching && next < way.count && leads_to(fleet, places[0], places[next], other)) return 0.0;
    for (std::size_t i = 1; i < way.count && places[i - 1].on < clear; ++i) {
        if (!same_floor(fleet, places[i], other)) continue;
        const double apart = apart_of(fleet, places[i - 1], places[i], other);
        // what it touches already it may leave; of boxes nobody knows that it does
        const bool nearer = apart < before || (!other.round && now < way.radius + other.radius);
        if (apart < both && nearer) return std::min(places[i - 1].on, clear);
    }
    return clear;
}

bool are_apart(const Aabb& a, const Aabb& b, double gap) {
    return a.low.x > b.high.x + gap || b.low.x > a.high.x + gap || a.low.y > b.high.y + gap ||
           b.low.y > a.high.y + gap;
}

double free_of_walkers(const FleetData& fleet, const DrivenWay& way, double clear) {
    for (const Member* other : fleet.members) {
        if (!other->used || other->driver) continue;
        Standing disc;
        disc.at = ground(other->at.position);
        disc.radius = fleet.kinds[other->kind.value].agent.radius;
        disc.gap = kVehicleGap * way.radius;
        disc.round = way.round;
        disc.plan = plan_of(fleet, *other);
        const double reach = way.radius + disc.radius + disc.gap + length(disc.plan);
        if (are_apart(way.box, {disc.at, disc.at}, reach)) continue;
        disc.z = other->at.position.z;
        disc.layer = other->at.layer;
        clear = free_way(fleet, way, disc, clear);
    }
    return clear;
}

double free_of_vehicles(const FleetData& fleet, const DrivenWay& way, double clear,
                        std::uint32_t& waits_for) {
    for (const DrivenWay& other : fleet.ways) {
        if (other.member == way.member) continue;
        Standing disc;
        disc.radius = other.radius;
        disc.round = way.round && other.round;
        disc.gap = vehicle_gap(disc.round, way.radius, other.radius);
        if (are_apart(way.box, other.box, way.radius + disc.radius + disc.gap)) continue;
        const std::size_t count = other.member < way.member ? other.count : other.stop;
        const double before = clear;
        for (std::size_t i = 0; i < count; ++i) {
            const WayPlace& place = fleet.way_places[other.first + i];
            disc.at = place.at;
            disc.z = place.z;
            disc.layer = place.layer;
            clear = free_way(fleet, way, disc, clear);
        }
        if (clear >= before) continue;
        waits_for = other.member;
        clear = std::max(clear - way.room, 0.0);
    }
    return clear;
}

/// The most speed at which a frame's way, and the stop behind it, take no more than `clear`.
double speed_within(double clear, double speed, double brake, double seconds) {
    if (!(brake < kNoLimit)) return clear / seconds;
    const double lost = brake * seconds;
    const double held = std::sqrt(lost * lost + 2.0 * brake * clear) - lost;
    if (held >= speed) return held;
    // it brakes to a speed and holds that for the rest of the frame
    const double least = speed - lost;
    const double rest = least * least - 2.0 * speed * speed + 4.0 * brake * clear;
    const double kept = rest > 0.0 ? 0.5 * (least + std::sqrt(rest)) : 0.0;
    return std::clamp(kept, 0.0, speed);
}

/// Where it goes beyond the place that is clear.
Vec2 goes_on_to(const FleetData& fleet, const DrivenWay& way, double clear) {
    const WayPlace* places = &fleet.way_places[way.first];
    std::size_t i = 0;
    while (i + 1 < way.count && places[i].on < clear + way.radius) ++i;
    return places[i].at - places[0].at;
}

double cap_of(const FleetData& fleet, const DrivenWay& way, Member& member, double seconds) {
    member.waits_for = kNoMember;
    const double all =
        way.ends ? std::numeric_limits<double>::infinity() : fleet.way_places[way.first + way.count - 1].on;
    double clear = free_of_walkers(fleet, way, all);
    const double before_walkers = clear;
    clear = free_of_vehicles(fleet, way, clear, member.waits_for);
    const double others = clear;
    clear = free_of_knots(fleet, way, clear);
    member.before_window = clear < others;
    if (member.before_window) member.waits_for = kNoMember;
    member.asks_way = clear == before_walkers && clear < all ? goes_on_to(fleet, way, clear) : Vec2{};
    if (clear == std::numeric_limits<double>::infinity()) return kNoLimit;
    const double speed = member.driver->speed();
    return speed_within(clear, speed, fleet.kinds[member.kind.value].limits.brake_max, seconds);
}

/// Its next step and the way to a stop behind it; its velocity does not tell them: that is the mean of a frame.
void tell_on_ground(FleetData& fleet, Member& member, Vec3 velocity, double seconds) {
    const RouteDriver& driver = *member.driver;
    const bool goes = driver.route() != nullptr && driver.speed() > 0.0;
    if (!goes || driver.state() == DriverState::in_link) {
        tell_way(fleet, member, velocity, {}, 0.0);
        return;
    }
    const double goes_on = driver.speed() * seconds + driver.stopping_distance();
    RouteCursor cursor(*driver.route());
    Vec3 way[kTold];
    for (std::size_t i = 0; i < kTold; ++i) {
        cursor.seek(driver.distance() + goes_on * static_cast<double>(i + 1) / kTold);
        way[i] = cursor.place().position;
    }
    const double line = goes_on / kTold;
    const double off = line * line / (8.0 * fleet.kinds[member.kind.value].agent.turning_radius);
    tell_way(fleet, member, velocity, way, off);
}

/// Where a vehicle is, and its way to a stop; in space in as many lines as its bends need.
void tell_crowd(FleetData& fleet, Member& member, Vec3 velocity, double seconds) {
    const RouteDriver& driver = *member.driver;
    if (!fleet.port.space) {
        tell_on_ground(fleet, member, velocity, seconds);
        return;
    }
    const Agent& agent = fleet.kinds[member.kind.value].agent;
    const double stop = driver.route() != nullptr ? driver.stopping_distance() : 0.0;
    std::size_t count = 1;
    double off = 0.0;
    for (;; ++count) {
        const double line = stop / static_cast<double>(count);
        off = line * line / (8.0 * agent.turning_radius);
        if (off <= kLineOff * agent.radius || count == kDrivenWayMax) break;
    }
    Vec3 way[kDrivenWayMax] = {member.at.position};
    if (stop > 0.0) {
        RouteCursor cursor(*driver.route());
        for (std::size_t i = 0; i < count; ++i) {
            cursor.seek(driver.distance() + stop * static_cast<double>(i + 1) / static_cast<double>(count));
            way[i] = cursor.place().position;
        }
    }
    (void)fleet.crowd.drive(member.body, member.at, velocity, {way, count}, off + kLineMore * agent.radius);
}

/// Who has facings looks along its motion of this frame, also if it has come to where it is to turn. While it stands it keeps
/// its facing, unless a turn takes it time; what rounding moves it does not count.
void face_motion(const SpeedLimits& limits, const Place& before, Place& now) {
    const Vec2 moved = ground(now.position) - ground(before.position);
    if (dot(moved, moved) <= kStands * kStands) {
        if (!(limits.turn_rate_max < kNoLimit)) now.heading_rad = before.heading_rad;
        return;
    }
    const Vec2 faced = math::direction(now.heading_rad);
    const bool back = dot(moved, faced) < 0.0;
    now.heading_rad = back ? math::atan2(-moved.y, -moved.x) : math::atan2(moved.y, moved.x);
}

void drive_one(FleetData& fleet, Member& member, double seconds, double cap) {
    RouteDriver& driver = *member.driver;
    const bool drawn = fleet.kinds[member.kind.value].facings != 0;
    double left = seconds;
    for (int i = 0; i < 64 && left > 0.0; ++i) {
        const RouteEvent event = driver.update(left, cap);
        if (!event.happened()) break;
        if (drawn && ground(driver.place().position) != ground(member.at.position))
            break;  // one facing a frame
    }
    const Place before = member.at;
    member.at = fleet.on_ground(driver.place(), before.position.z);
    if (drawn) face_motion(fleet.kinds[member.kind.value].limits, before, member.at);
    member.has_heading = true;
    member.speed = driver.speed();
    const bool stands = member.speed == 0.0 && cap < kNoLimit && driver.state() == DriverState::driving;
    // before a knot's window it only waits
    member.blocked_for = stands && !member.before_window ? member.blocked_for + seconds : 0.0;
    member.held_for = stands ? member.held_for + seconds : 0.0;
    const Vec3 velocity = (member.at.position - before.position) / seconds;
    if (!member.body.valid()) return;
    tell_crowd(fleet, member, velocity, seconds);
    if (stands && member.asks_way != Vec2{}) (void)fleet.crowd.ask_way(member.body, member.asks_way);
}

}  // namespace

void tell_way(FleetData& fleet, Member& member, Vec3 velocity, std::span<const Vec3> way, double off) {
    member.told = {};
    for (const Vec3& place : way) member.told.to[member.told.lines++] = ground(place);
    member.told.off = off;
    (void)fleet.crowd.drive(member.body, member.at, velocity, way, off);
}

Result<void> drive_all(FleetData& fleet, double seconds) {
    fleet.ways.clear();
    fleet.way_places.clear();
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        const Member& member = *fleet.members[m];
        if (!member.used || !member.driver || member.in_knot) continue;
        if (const Result<void> added = add_way(fleet, m, seconds); !added) return added;
    }
    for (const DrivenWay& way : fleet.ways) {
        Member& member = *fleet.members[way.member];
        const double cap = fleet.options.avoid ? cap_of(fleet, way, member, seconds) : kNoLimit;
        drive_one(fleet, member, seconds, cap);
    }
    return {};
}

}  // namespace fairlead::fleet
