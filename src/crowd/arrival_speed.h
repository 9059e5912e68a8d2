// How fast a unit may still be before the place where it wants to stand.
#pragma once

#include <cmath>

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

}  // namespace fairlead::crowd
