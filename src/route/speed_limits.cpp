// What limits of speed mean on a line, an arc and on the spot.

#include <fairlead/route/speed_limits.h>

#include <algorithm>
#include <cmath>

namespace fairlead {

namespace {

bool in_range(double value) { return value >= 1e-9 && (value <= 1e12 || value == kNoLimit); }

}  // namespace

Result<void> check_speed_limits(const SpeedLimits& limits) {
    const auto wrong = [](Field field) { return Error{ErrorCode::out_of_range, field}; };
    const double finite[] = {limits.speed_max, limits.reverse_speed_max, limits.cusp_seconds};
    constexpr Field kFinite[] = {Field::speed_max, Field::reverse_speed_max, Field::cusp_seconds};
    for (int i = 0; i < 3; ++i) {
        if (!std::isfinite(finite[i])) return Error{ErrorCode::not_finite, kFinite[i]};
    }
    const double rates[] = {limits.accel_max, limits.brake_max, limits.lateral_accel_max,
                            limits.turn_rate_max};
    constexpr Field kRates[] = {Field::accel_max, Field::brake_max, Field::lateral_accel_max,
                                Field::turn_rate_max};
    for (int i = 0; i < 4; ++i) {
        if (std::isnan(rates[i])) return Error{ErrorCode::not_finite, kRates[i]};
        if (!in_range(rates[i])) return wrong(kRates[i]);
    }
    if (!(limits.speed_max >= 1e-6 && limits.speed_max <= 1e9)) return wrong(Field::speed_max);
    if (!(limits.reverse_speed_max >= 0.0 && limits.reverse_speed_max <= limits.speed_max))
        return wrong(Field::reverse_speed_max);
    if (!(limits.cusp_seconds >= 0.0 && limits.cusp_seconds <= 1e6)) return wrong(Field::cusp_seconds);
    return {};
}

double speed_on(const SpeedLimits& limits, double curvature, Gear gear) {
    const bool back = gear == Gear::reverse && limits.reverse_speed_max > 0.0;
    const double most = back ? limits.reverse_speed_max : limits.speed_max;
    const double bend = std::abs(curvature);
    if (bend == 0.0) return most;
    return std::min({most, std::sqrt(limits.lateral_accel_max / bend), limits.turn_rate_max / bend});
}

double turning_radius_at(const SpeedLimits& limits, double speed) {
    return std::max(speed * speed / limits.lateral_accel_max, std::abs(speed) / limits.turn_rate_max);
}

double turn_seconds(const SpeedLimits& limits, double angle_rad) {
    return std::abs(angle_rad) / limits.turn_rate_max;
}

bool stops_at_corners(const SpeedLimits& limits) {
    return limits.turn_rate_max < kNoLimit || limits.lateral_accel_max < kNoLimit;
}

}  // namespace fairlead
