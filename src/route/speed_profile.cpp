// Between two knots in closed form.

#include <fairlead/route/speed_profile.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "route/leg_speed.h"

namespace fairlead {

namespace {

// Speed after `part` (0 to 1) of the length between two knots.
double speed_after(const SpeedKnot& from, const SpeedKnot& to, double part) {
    const double squared = from.speed * from.speed * (1.0 - part) + to.speed * to.speed * part;
    return std::sqrt(std::max(squared, 0.0));
}

// The knot that the time lies behind, with one after it; knots.size() > 1.
std::size_t interval_of_time(std::span<const SpeedKnot> knots, double time) {
    const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, time,
                                        [](double t, const SpeedKnot& knot) { return t < knot.time; });
    return static_cast<std::size_t>(after - knots.begin()) - 1;
}

// Seconds since a knot, without the slowdown of terrain.
double seconds_since(const SpeedKnot& knot, const SpeedKnot& next, double time) {
    return (std::clamp(time, knot.time, next.time) - knot.time) / knot.slowdown;
}

// Without the slowdown of terrain. Where there is no distance: up an upright leg.
double acceleration(const SpeedKnot& knot, const SpeedKnot& next) {
    const double length = next.distance - knot.distance;
    const double seconds = (next.time - knot.time) / knot.slowdown;
    if (length > 0.0) return (next.speed - knot.speed) * (next.speed + knot.speed) / (2.0 * length);
    return seconds > 0.0 ? (next.speed - knot.speed) / seconds : 0.0;
}

}  // namespace

double time_at(std::span<const SpeedKnot> knots, double distance) {
    if (knots.empty()) return 0.0;
    const auto next = std::lower_bound(knots.begin(), knots.end(), distance,
                                       [](const SpeedKnot& knot, double d) { return knot.distance < d; });
    if (next == knots.end()) return knots.back().time;
    if (next == knots.begin()) return next->time;
    const SpeedKnot& from = *(next - 1);
    const double length = next->distance - from.distance;
    const double gone = distance - from.distance;
    const double mean = 0.5 * (from.speed + speed_after(from, *next, gone / length));
    return mean > 0.0 ? std::min(next->time, from.time + from.slowdown * gone / mean) : from.time;
}

double distance_at(std::span<const SpeedKnot> knots, double time) {
    if (knots.size() < 2) return 0.0;
    const std::size_t i = interval_of_time(knots, time);
    const SpeedKnot& knot = knots[i];
    const SpeedKnot& next = knots[i + 1];
    if (time >= next.time) return next.distance;
    const double t = seconds_since(knot, next, time);
    const double gone = (knot.speed + 0.5 * acceleration(knot, next) * t) * t;
    return std::clamp(knot.distance + gone, knot.distance, next.distance);
}

double speed_at(std::span<const SpeedKnot> knots, double time) {
    if (knots.empty()) return 0.0;
    if (knots.size() == 1) return knots[0].speed;
    const std::size_t i = interval_of_time(knots, time);
    if (time >= knots[i + 1].time) return knots[i + 1].speed;
    const double gained = acceleration(knots[i], knots[i + 1]) * seconds_since(knots[i], knots[i + 1], time);
    return std::max(0.0, knots[i].speed + gained);
}

namespace {

// Up to a time in the interval behind knot i: how far since the first of the knots with its leg, by `length_of` each interval.
template <typename LengthOf>
double gone_on_leg(std::span<const SpeedKnot> knots, std::size_t i, double time, LengthOf length_of) {
    double sum = length_of(knots[i], knots[i + 1], time);
    for (std::size_t k = i; k > 0 && knots[k - 1].leg == knots[i].leg; --k)
        sum += length_of(knots[k - 1], knots[k], knots[k].time);
    return sum;
}

double gone_between(const SpeedKnot& knot, const SpeedKnot& next, double time) {
    const double t = seconds_since(knot, next, time);
    return std::max(0.0, (knot.speed + 0.5 * acceleration(knot, next) * t) * t);
}

double gone_on_ground(const SpeedKnot& knot, const SpeedKnot& next, double time) {
    return std::min(gone_between(knot, next, time), next.distance - knot.distance);
}

bool stands(const SpeedKnot& knot, const SpeedKnot& next) {
    return !(next.distance > knot.distance) && knot.speed == 0.0 && next.speed == 0.0;
}

// Before a leg, or in it (a turn or link) if it is under way `itself`, after a share of the time that this takes.
Place standing_place(const Route& route, std::size_t leg, bool itself, double share) {
    Place at = leg < route.legs.size() ? route.legs[leg].start : route.end;
    const bool spot = leg < route.legs.size() && route.legs[leg].kind != LegKind::drive;
    if (spot && itself) {
        if (route.legs[leg].kind == LegKind::turn) at.heading_rad += route.legs[leg].turn_rad * share;
    } else if (leg > 0) {
        const double from = route::heading_at_end(route, leg - 1);
        at.heading_rad -= math::wrap_pi(at.heading_rad - from) * (1.0 - share);
    }
    return at;
}

}  // namespace

Place place_at(const Route& route, std::span<const SpeedKnot> knots, double time) {
    if (knots.size() < 2) return place_on_route(route, 0.0);
    const std::size_t i = interval_of_time(knots, time);
    const SpeedKnot& knot = knots[i];
    const SpeedKnot& next = knots[i + 1];
    if (knot.leg > route.legs.size()) return place_on_route(route, distance_at(knots, time));
    if (i + 2 == knots.size() && time >= next.time) return route.end;
    if (stands(knot, next) || knot.leg == route.legs.size()) {
        const double all = next.time - knot.time;
        const bool itself = i + 2 == knots.size() || next.leg != knot.leg;
        return standing_place(route, knot.leg, itself,
                              all > 0.0 ? std::clamp((time - knot.time) / all, 0.0, 1.0) : 1.0);
    }
    const Leg& leg = route.legs[knot.leg];
    if (!route::is_upright(leg)) return place_on_leg(leg, gone_on_leg(knots, i, time, gone_on_ground));
    Place at = leg.start;
    const double climbed = std::min(gone_on_leg(knots, i, time, gone_between), std::abs(leg.rise));
    at.position.z += leg.rise < 0.0 ? -climbed : climbed;
    return at;
}

}  // namespace fairlead
