// A unit on foot, as most of these fleets have.
#pragma once

#include <fairlead/fleet/fleet.h>

namespace fairlead::testing {

inline FleetUnit soldier(double radius = 0.4) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits.speed_max = 2.0;
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    return unit;
}

}  // namespace fairlead::testing
