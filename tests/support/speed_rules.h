// The rules of verify_speed for a profile made by these limits.
#pragma once

#include <vector>

#include <fairlead/route/speed_limits.h>
#include <fairlead/verify/verify_speed.h>

namespace fairlead::testing {

inline std::vector<double> link_seconds_of(const Route& route, double seconds) {
    return std::vector<double>(route.legs.size(), seconds);
}

inline SpeedRules rules_of(const SpeedLimits& limits, const std::vector<double>& link_seconds) {
    return {.speed_max = limits.speed_max,
            .reverse_speed_max = limits.reverse_speed_max,
            .accel_max = limits.accel_max,
            .brake_max = limits.brake_max,
            .lateral_accel_max = limits.lateral_accel_max,
            .turn_rate_max = limits.turn_rate_max,
            .cusp_seconds = limits.cusp_seconds,
            .link_seconds = link_seconds,
            .cost_is_time = false};
}

}  // namespace fairlead::testing
