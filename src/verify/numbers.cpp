#include "verify/numbers.h"

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

namespace fairlead::witness {

namespace {

constexpr std::int32_t kFootprintMax = 64;

/// Finite and >= 0.
bool is_size(double v) { return std::isfinite(v) && v >= 0.0; }

/// Not negative, or the one negative number that says "not known".
bool is_size_or_unknown(double v) { return v >= 0.0 || v == kUnknown; }

/// The numbers that the shape has, before anything is computed from them.
bool shape_fits(const Agent& agent) {
    const bool long_enough = std::isfinite(agent.length) && std::fabs(agent.axle_offset) <= agent.length;
    switch (agent.shape) {
        case BodyShape::disc: return is_size(agent.radius);
        case BodyShape::box:
            return long_enough && agent.length > 0.0 && is_size(agent.width) && agent.width > 0.0;
        case BodyShape::capsule:
            return long_enough && is_size(agent.radius) && agent.length >= 2.0 * agent.radius;
    }
    return false;
}

bool agent_fits(const Agent& agent, const Scale& scale) {
    if (agent.footprint < 0 || agent.footprint > kFootprintMax || !is_size(agent.turning_radius))
        return false;
    if (agent.height != 0.0) return false;
    if (agent.footprint > 0) return 0.5 * static_cast<double>(agent.footprint) <= scale.reach_max();
    const double reach_max = agent.shape == BodyShape::disc ? scale.reach_max() : scale.rigid_max();
    return shape_fits(agent) && circumscribed_radius(agent) / scale.cell <= reach_max;
}

bool in_laps(double v, double far, bool wrap) { return !wrap || std::fabs(v) <= far; }

bool blocker_fits(const Blocker& blocker, const Scale& scale, bool wrap_x, bool wrap_y) {
    if (!is_finite(blocker.box.low) || !is_finite(blocker.box.high)) return false;
    const auto reachable = [&](Vec2 p) {
        const Vec2 at = scale.to_cells(p);
        return in_laps(at.x, scale.reach_max(), wrap_x) && in_laps(at.y, scale.reach_max(), wrap_y);
    };
    if (!blocker.box.empty()) return reachable(blocker.box.low) && reachable(blocker.box.high);
    return is_finite(blocker.centre) && is_size(blocker.radius) &&
           blocker.radius / scale.cell <= scale.reach_max() && reachable(blocker.centre);
}

}  // namespace

bool arguments_fit(const Agent& agent, const VerifyOptions& options, const Scale& scale, bool wrap_x,
                   bool wrap_y) {
    if (!agent_fits(agent, scale) || options.facings < 0) return false;
    if (options.terrain.factors.size() > KindSet::kKindsMax) return false;
    for (const Blocker& blocker : options.blockers) {
        if (!blocker_fits(blocker, scale, wrap_x, wrap_y)) return false;
    }
    return true;
}

ViolationKind place_numbers(const Place& place, std::int32_t layers) {
    if (!is_finite(place.position) || !std::isfinite(place.heading_rad)) return ViolationKind::not_finite;
    if (std::fabs(place.heading_rad) > kAngleMax) return ViolationKind::bad_number;
    if (place.layer < 0 || place.layer >= layers) return ViolationKind::bad_layer;
    return ViolationKind::none;
}

ViolationKind leg_numbers(const Leg& leg, std::int32_t layers) {
    const ViolationKind start = place_numbers(leg.start, layers);
    if (start != ViolationKind::none) return start;
    for (const double v : {leg.length, leg.rise, leg.curvature, leg.turn_rad, leg.clearance, leg.speed_max}) {
        if (!std::isfinite(v)) return ViolationKind::not_finite;
    }
    const bool kinds_fit = leg.kind <= LegKind::link && leg.gear <= Gear::reverse;
    const bool sizes_fit =
        leg.length >= 0.0 && is_size_or_unknown(leg.clearance) && is_size_or_unknown(leg.speed_max);
    const bool turn_fits =
        leg.kind != LegKind::turn || (leg.length == 0.0 && std::fabs(leg.turn_rad) <= kAngleMax);
    return kinds_fit && sizes_fit && turn_fits ? ViolationKind::none : ViolationKind::bad_number;
}

bool turns_to(const Leg& leg, const Place& next) {
    const double size = larger(std::fabs(leg.start.heading_rad), std::fabs(leg.turn_rad));
    const double off = math::wrap_pi(next.heading_rad - leg.start.heading_rad - leg.turn_rad);
    return std::fabs(off) <= kHeadingSlack + 8.0 * kRound * size;
}

bool has_way(const Route& route) {
    const PathStatus status = route.status;
    return status == PathStatus::complete || status == PathStatus::partial ||
           (status == PathStatus::budget_spent && !route.legs.empty());
}

ViolationKind route_numbers(const Route& route) {
    if (route.status >= PathStatus::count_) return ViolationKind::bad_status;
    if (!has_way(route) && !route.legs.empty()) return ViolationKind::bad_status;
    if (!std::isfinite(route.length) || !std::isfinite(route.cost) || !std::isfinite(route.line_cost) ||
        std::isnan(route.bound)) {
        return ViolationKind::not_finite;
    }
    if (route.length < 0.0 || route.cost < 0.0 || route.line_cost < 0.0 || route.bound < 1.0)
        return ViolationKind::bad_number;
    return ViolationKind::none;
}

double length_error(const Route& route) {
    // Summed in two parts (Neumaier 1974), so that only the route's own rounding is left: up to one rounding
    // an addition and a few for each leg's length.
    double sum = 0.0;
    double lost = 0.0;
    for (const Leg& leg : route.legs) {
        const double next = sum + leg.length;
        lost += sum >= leg.length ? (sum - next) + leg.length : (leg.length - next) + sum;
        sum = next;
    }
    sum += lost;
    const double allowed = 8.0 * kRound * sum * static_cast<double>(route.legs.size() + 1);
    const double error = std::fabs(route.length - sum);
    return error <= allowed ? 0.0 : error;
}

}  // namespace fairlead::witness
