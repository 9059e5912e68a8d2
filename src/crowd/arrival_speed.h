// How fast a unit may still be before the place where it wants to stand.
#pragma once

#include <cmath>

#include <fairlead/math/vec.h>

#include "crowd/unit.h"

namespace fairlead::crowd {

/// `left`: the way to there; `step`: seconds of an update.
[[nodiscard]] inline double arrival_speed(const Unit& unit, double left, double step) {
    double speed = unit.speed_max();
    if (left < speed * step) speed = left / step;
    const double brake = unit.body.limits.brake_max;
    if (left < 1e6 * unit.body.radius && brake < 1e300) {
        // what can be braked in steps: a step at speed v, then v^2 / 2b
        const double drop = brake * step;
        const double most = std::sqrt(drop * drop * 0.25 + 2.0 * brake * left) - 0.5 * drop;
        if (most < speed) speed = most > 0.0 ? most : 0.0;
    }
    return speed;
}

/// How fast it may be to hit a place so far off and beside it, as hard and as fast as it can turn: faster it would circle around it for
/// ever.
[[nodiscard]] inline double turning_speed(const Unit& unit, Vec2 to) {
    const double lateral = unit.body.limits.lateral_accel_max;
    const double rate = unit.body.limits.turn_rate_max;
    const double speed = length(unit.velocity);
    const double left = length(to);
    if (!(speed > 0.0 && left > 0.0 && (lateral < 1e300 || rate < 1e300))) return unit.speed_max();
    const bool before = dot(unit.velocity, to) > 0.0;
    const double off = before ? cross(unit.velocity, to) / (speed * left) : 1.0;
    const double sine = off < 0.0 ? -off : off;
    // the circle through both places has the radius left / (2 sine)
    double most = unit.speed_max();
    if (2.0 * sine * speed * speed > lateral * left) most = std::sqrt(lateral * left / (2.0 * sine));
    if (2.0 * sine * speed > rate * left) {
        const double turns = rate * left / (2.0 * sine);
        if (turns < most) most = turns;
    }
    return most;
}

}  // namespace fairlead::crowd
