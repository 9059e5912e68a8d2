// Vehicles keep to their routes and know two answers to what is in the way: go on, or stop before it. A vehicle never goes on into a
// disc of the crowd, nor into the way to a stop of another vehicle; of two whose routes cross, the one that was added later waits.
#include <fairlead/base/digest.h>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr double kSample = 0.5;  // of the radius, between two places looked at
constexpr double kGap = 0.4;     // of the radius, kept from others
constexpr double kTouch = 0.1;   // of the radius
constexpr double kAhead = 6.0;   // radii beyond the way to a stop

DrivenWay way_of(const FleetData& fleet, std::uint32_t m) {
    const Member& member = *fleet.members[m];
    DrivenWay way;
    way.member = m;
    way.radius = circumscribed_radius(fleet.kinds[member.kind.value].agent);
    way.round = fleet.kinds[member.kind.value].agent.shape == BodyShape::disc;
    const RouteDriver& driver = *member.driver;
    const double brake = fleet.kinds[member.kind.value].limits.brake_max;
    const double speed = driver.speed();
    const double stop = driver.stopping_distance() + (brake < 1e300 ? speed * 0.1 : 0.0);
    const double reach = stop + kAhead * way.radius;
    way.step = kSample * way.radius;
    const double least = reach / static_cast<double>(DrivenWay::kPlacesMax - 1);
    if (way.step < least) way.step = least;
    way.at[0] = ground(driver.place().position);
    way.layer[0] = driver.place().layer;
    way.count = way.stop = 1;
    if (driver.route() == nullptr) return way;
    RouteCursor cursor(*driver.route());  // the places lie one behind the other: the legs are passed once
    const double from = driver.distance();
    for (std::size_t i = 1; i < DrivenWay::kPlacesMax; ++i) {
        const double on = static_cast<double>(i) * way.step;
        if (on > reach || from + on > driver.route()->length) break;
        cursor.seek(from + on);
        const Place place = cursor.place();
        way.at[i] = ground(place.position);
        way.layer[i] = place.layer;
        way.count = i + 1;
        if (on <= stop) way.stop = i + 1;
    }
    return way;
}

/// How far a vehicle can go before it comes near a disc; `reach` if it does not.
double free_way(const DrivenWay& way, Vec2 other, double radius, bool round, double reach) {
    const double both = way.radius + radius + kGap * way.radius;
    const double now = distance(way.at[0], other);
    // so near that it must not come nearer on the way to the next place either
    const bool touching = now < way.radius + radius + kTouch * way.radius;
    if (touching && way.count > 1 && dot(way.at[1] - way.at[0], other - way.at[0]) > 0.0) return 0.0;
    for (std::size_t i = 1; i < way.count; ++i) {
        const double apart = distance(way.at[i], other);
        // what it touches already it may leave; of boxes nobody knows that it does
        const bool nearer = apart < now || (!round && now < way.radius + radius);
        if (apart < both && nearer) {
            const double before = static_cast<double>(i - 1) * way.step;
            return before < reach ? before : reach;
        }
    }
    return reach;
}

double cap_of(const FleetData& fleet, const DrivenWay& way, Member& member) {
    member.waits_for = kNoMember;
    double clear = static_cast<double>(DrivenWay::kPlacesMax) * way.step;
    const double all = clear;
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        const Member& other = *fleet.members[m];
        if (!other.used || m == way.member || fleet.is_vehicle(other)) continue;
        clear = free_way(way, ground(other.at.position), fleet.kinds[other.kind.value].agent.radius,
                         way.round, clear);
    }
    for (const DrivenWay& other : fleet.ways) {
        if (other.member == way.member) continue;
        const std::size_t count = other.member < way.member ? other.count : other.stop;
        const double before = clear;
        const bool round = way.round && other.round;
        for (std::size_t i = 0; i < count; ++i)
            clear = free_way(way, other.at[i], other.radius, round, clear);
        if (clear < before) member.waits_for = other.member;
    }
    const double others = clear;
    clear = free_of_knots(fleet, way, clear);
    member.before_window = clear < others;
    if (member.before_window) member.waits_for = kNoMember;
    if (clear == all) return kNoLimit;
    const SpeedLimits& limits = fleet.kinds[member.kind.value].limits;
    if (!(limits.brake_max < 1e300)) return clear > 0.0 ? kNoLimit : 0.0;
    return std::sqrt(2.0 * limits.brake_max * clear);
}

void drive_one(FleetData& fleet, Member& member, double seconds, double cap) {
    RouteDriver& driver = *member.driver;
    double left = seconds;
    for (int i = 0; i < 64 && left > 0.0; ++i) {
        const RouteEvent event = driver.update(left, cap);
        if (!event.happened()) break;
    }
    const Place before = member.at;
    member.at = driver.place();
    member.has_heading = true;
    member.speed = driver.speed();
    const bool stands = member.speed == 0.0 && cap < kNoLimit && driver.state() == DriverState::driving;
    // before a knot's window it only waits
    member.blocked_for = stands && !member.before_window ? member.blocked_for + seconds : 0.0;
    member.held_for = stands ? member.held_for + seconds : 0.0;
    const Vec3 velocity = (member.at.position - before.position) / seconds;
    if (member.body.valid()) (void)fleet.crowd.drive(member.body, member.at, velocity);
}

}  // namespace

Result<void> drive_all(FleetData& fleet, double seconds) {
    fleet.ways.clear();
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        const Member& member = *fleet.members[m];
        if (!member.used || !member.driver || member.in_knot) continue;
        if (!fleet.ways.push_back(way_of(fleet, m))) return Error{ErrorCode::out_of_memory};
    }
    for (const DrivenWay& way : fleet.ways) {
        Member& member = *fleet.members[way.member];
        const double cap = fleet.options.avoid ? cap_of(fleet, way, member) : kNoLimit;
        drive_one(fleet, member, seconds, cap);
    }
    return {};
}

}  // namespace fairlead::fleet
