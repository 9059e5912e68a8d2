// Legs as stretches with a limit of speed, and the stops between them.

#include "route/leg_speed.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::route {

double way_of(const Leg& leg) {
    if (leg.rise == 0.0) return leg.length;
    return std::sqrt(leg.length * leg.length + leg.rise * leg.rise);
}

double speed_on_leg(const SpeedLimits& limits, const Leg& leg) {
    // What counts in a curve is the speed on the ground; that in space is greater.
    const double way = way_of(leg);
    const double share = way > 0.0 ? leg.length / way : 1.0;
    const double most = speed_on(limits, 0.0, leg.gear);
    const double bend = share < 1.0 ? leg.curvature * share * share : leg.curvature;
    double out = std::min(most, speed_on(limits, bend, leg.gear));
    if (share < 1.0 && share > 0.0 && leg.curvature != 0.0)
        out = std::min(out, limits.turn_rate_max / (std::abs(leg.curvature) * share));
    return leg.speed_max >= 0.0 ? std::min(out, leg.speed_max) : out;
}

double heading_at_end(const Route& route, std::size_t i) {
    const Leg& leg = route.legs[i];
    if (leg.kind == LegKind::drive) return leg.start.heading_rad + leg.curvature * leg.length;
    if (leg.kind == LegKind::turn) return leg.start.heading_rad + leg.turn_rad;
    return leg_end(route, i).heading_rad;
}

Stop stop_before(const SpeedLimits& limits, const Leg* before, double heading_rad, const Leg& leg) {
    Stop out{.turn_rad = math::wrap_pi(leg.start.heading_rad - heading_rad)};
    if (std::abs(out.turn_rad) <= kSameHeading) out.turn_rad = 0.0;
    if (out.turn_rad != 0.0 && stops_at_corners(limits)) {
        out.stops = true;
        out.seconds = turn_seconds(limits, out.turn_rad);
    }
    if (leg.kind != LegKind::drive || is_upright(leg)) out.stops = true;
    if (before == nullptr) return out;
    if (before->kind != LegKind::drive || is_upright(*before)) out.stops = true;
    if (before->kind == LegKind::drive && leg.kind == LegKind::drive && before->gear != leg.gear)
        out.stops = true;
    return out;
}

SpeedPiece stretch_of(const SpeedLimits& limits, const LegTimes& times, const Leg& leg, double from) {
    SpeedPiece out;
    const double most = speed_on_leg(limits, leg);
    out.cap = most * most;
    if (is_upright(leg)) {
        out.length = std::abs(leg.rise) - from;
        out.ground_share = 0.0;
        return out;
    }
    double ground = leg.length - from;
    if (times.slowdown != nullptr && ground > 0.0) {
        const Slowdown here = times.slowdown(leg, from, times.user);
        out.slowdown = here.factor;
        if (here.until < leg.length) ground = here.until - from;
    }
    if (leg.rise != 0.0) out.ground_share = leg.length / way_of(leg);
    out.length = ground / out.ground_share;
    return out;
}

}  // namespace fairlead::route
