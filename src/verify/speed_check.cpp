#include <algorithm>
#include <cmath>

#include <fairlead/verify/verify_speed.h>

namespace fairlead {

namespace {

constexpr double kSlack = 1e-9;

using Kind = SpeedViolationKind;

class SpeedCheck {
  public:
    SpeedCheck(const Route& route, std::span<const SpeedKnot> knots, const SpeedRules& rules)
        : route_(route), knots_(knots), rules_(rules) {
        if (rules_.reverse_speed_max <= 0.0) rules_.reverse_speed_max = rules_.speed_max;
        for (const Leg& leg : route.legs) length_ += leg.length;
        near_ = kSlack * length_;
        const double hardest = std::max(rules_.accel_max, rules_.brake_max);
        squared_slack_ = kSlack * rules_.speed_max * rules_.speed_max + 2.0 * hardest * near_;
    }

    SpeedViolation find() {
        if (!numbers() || !ends()) return found_;
        for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
            if (!part(i)) return found_;
        }
        if (!legs() || !cusps()) return found_;
        const double off = std::abs(route_.cost - knots_.back().time);
        if (rules_.cost_is_time && !(off <= kSlack * (1.0 + knots_.back().time)))
            report(Kind::cost, knots_.size() - 1, length_, off);
        return found_;
    }

  private:
    bool report(Kind kind, std::size_t knot, double distance, double depth) {
        found_ = {kind, static_cast<std::int64_t>(knot), distance, depth};
        return false;
    }

    bool numbers() {
        if (!std::isfinite(length_) || knots_.empty()) return report(Kind::ends, 0, 0.0, 0.0);
        for (std::size_t i = 0; i < knots_.size(); ++i) {
            const SpeedKnot& k = knots_[i];
            const bool good = std::isfinite(k.distance) && std::isfinite(k.time) && std::isfinite(k.speed) &&
                              std::isfinite(k.slowdown) && k.speed >= 0.0 && k.slowdown >= 1.0;
            const bool onward =
                i == 0 || (k.distance >= knots_[i - 1].distance && k.time >= knots_[i - 1].time);
            if (!good || !onward) return report(Kind::bad_number, i, k.distance, 0.0);
        }
        return true;
    }

    bool ends() {
        const SpeedKnot& first = knots_.front();
        const SpeedKnot& last = knots_.back();
        const double slack = kSlack * rules_.speed_max;
        if (first.distance != 0.0 || first.time != 0.0 || std::abs(first.speed - rules_.start_speed) > slack)
            return report(Kind::ends, 0, first.distance, std::abs(first.speed - rules_.start_speed));
        const bool any = rules_.goal_speed < 0.0;
        if (std::abs(last.distance - length_) > near_ ||
            (!any && std::abs(last.speed - rules_.goal_speed) > slack))
            return report(Kind::ends, knots_.size() - 1, last.distance, std::abs(last.distance - length_));
        return true;
    }

    // From one knot to the next: its acceleration and its time.
    bool part(std::size_t i) {
        const SpeedKnot& a = knots_[i];
        const SpeedKnot& b = knots_[i + 1];
        const double length = b.distance - a.distance;
        if (length == 0.0) {
            const bool waits = b.time > a.time;
            if (waits && (a.speed > 0.0 || b.speed > 0.0))
                return report(Kind::time, i, a.distance, b.time - a.time);
            if (a.speed != b.speed) return report(Kind::accel, i, a.distance, std::abs(b.speed - a.speed));
            return true;
        }
        const double gained = (b.speed - a.speed) * (b.speed + a.speed);
        const double limit = gained > 0.0 ? rules_.accel_max : rules_.brake_max;
        const double room = 2.0 * limit * (length * (1.0 + kSlack) + near_);
        if (std::abs(gained) > room + kSlack * rules_.speed_max * rules_.speed_max)
            return report(gained > 0.0 ? Kind::accel : Kind::brake, i, a.distance,
                          std::abs(gained) / (2.0 * length) - limit);
        const double sum = a.speed + b.speed;
        const double seconds = sum > 0.0 ? a.slowdown * 2.0 * length / sum : INFINITY;
        const double off = std::abs(b.time - a.time - seconds);
        if (!(off <= kSlack * (1.0 + seconds + b.time))) return report(Kind::time, i, a.distance, off);
        return true;
    }

    [[nodiscard]] double squared_at(std::size_t i, double distance) const {
        const SpeedKnot& a = knots_[i];
        const SpeedKnot& b = knots_[i + 1];
        const double length = b.distance - a.distance;
        const double part = length > 0.0 ? std::clamp((distance - a.distance) / length, 0.0, 1.0) : 0.0;
        return a.speed * a.speed + part * (b.speed * b.speed - a.speed * a.speed);
    }

    // Limits at one point: of a leg that it is on.
    bool point(const Leg& leg, std::size_t knot, double distance) {
        const double squared = squared_at(knot, distance);
        const double most = leg.gear == Gear::reverse ? rules_.reverse_speed_max : rules_.speed_max;
        if (squared > most * most + squared_slack_)
            return report(Kind::speed, knot, distance, std::sqrt(squared) - most);
        const double bend = std::abs(leg.curvature);
        const double aside = squared * bend;
        if (aside > rules_.lateral_accel_max * (1.0 + kSlack) + squared_slack_ * bend)
            return report(Kind::lateral, knot, distance, aside - rules_.lateral_accel_max);
        if (leg.speed_max >= 0.0 && squared > leg.speed_max * leg.speed_max + squared_slack_)
            return report(Kind::leg, knot, distance, std::sqrt(squared) - leg.speed_max);
        return true;
    }

    bool legs() {
        double begins = 0.0;
        std::size_t knot = 0;
        for (const Leg& leg : route_.legs) {
            const double stops = begins + leg.length;
            while (knot > 0 && knots_[knot].distance > begins) --knot;
            for (; knot + 1 < knots_.size(); ++knot) {
                const double low = std::max(begins, knots_[knot].distance);
                const double high = std::min(stops, knots_[knot + 1].distance);
                if (low < high && (!point(leg, knot, low) || !point(leg, knot, high))) return false;
                if (knots_[knot + 1].distance >= stops) break;
            }
            begins = stops;
        }
        return true;
    }

    // Where the gear changes the unit stands, for as long as it must.
    bool cusps() {
        double at = 0.0;
        for (std::size_t i = 0; i + 1 < route_.legs.size(); ++i) {
            at += route_.legs[i].length;
            if (route_.legs[i].gear == route_.legs[i + 1].gear) continue;
            std::size_t knot = 0;
            while (knot + 2 < knots_.size() && knots_[knot + 1].distance < at - near_) ++knot;
            double stands = -1.0;
            for (std::size_t k = knot; k < knots_.size() && knots_[k].distance <= at + near_; ++k) {
                if (std::abs(knots_[k].distance - at) > near_ || knots_[k].speed > 0.0) continue;
                stands = std::max(stands, 0.0);
                const bool waits = k + 1 < knots_.size() && knots_[k + 1].distance == knots_[k].distance;
                if (waits) stands = std::max(stands, knots_[k + 1].time - knots_[k].time);
            }
            if (stands < 0.0) return report(Kind::cusp, knot, at, std::sqrt(squared_at(knot, at)));
            const double missing = rules_.cusp_seconds - stands;
            if (missing > kSlack * (1.0 + knots_.back().time)) return report(Kind::cusp, knot, at, missing);
        }
        return true;
    }

    const Route& route_;
    std::span<const SpeedKnot> knots_;
    SpeedRules rules_;
    double length_ = 0.0;
    double near_ = 0.0;
    double squared_slack_ = 0.0;
    SpeedViolation found_;
};

}  // namespace

const char* speed_violation_name(SpeedViolationKind kind) {
    switch (kind) {
        case Kind::none: return "none";
        case Kind::bad_number: return "bad_number";
        case Kind::ends: return "ends";
        case Kind::speed: return "speed";
        case Kind::lateral: return "lateral";
        case Kind::leg: return "leg";
        case Kind::accel: return "accel";
        case Kind::brake: return "brake";
        case Kind::time: return "time";
        case Kind::cusp: return "cusp";
        case Kind::cost: return "cost";
        case Kind::count_: break;
    }
    return "";
}

SpeedViolation verify_speed(const Route& route, std::span<const SpeedKnot> knots, const SpeedRules& rules) {
    return SpeedCheck(route, knots, rules).find();
}

}  // namespace fairlead
