// Knots and legs beside each other, by distance.

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>
#include <fairlead/verify/verify_speed.h>

namespace fairlead {

namespace {

constexpr double kSlack = 1e-9;
constexpr double kSameHeading = 1e-6;

using Kind = SpeedViolationKind;

class SpeedCheck {
  public:
    SpeedCheck(const Route& route, std::span<const SpeedKnot> knots, const SpeedRules& rules)
        : route_(route), knots_(knots), rules_(rules) {
        if (rules_.reverse_speed_max <= 0.0) rules_.reverse_speed_max = rules_.speed_max;
        for (const Leg& leg : route.legs) length_ += leg.length;
        near_ = kSlack * length_;
        const double hardest = std::max(rules_.accel_max, rules_.brake_max);
        squared_slack_ = kSlack * rules_.speed_max * rules_.speed_max;
        if (hardest < INFINITY) squared_slack_ += 2.0 * hardest * near_;
        corners_stop_ = rules_.turn_rate_max < INFINITY || rules_.lateral_accel_max < INFINITY;
    }

    SpeedViolation find() {
        if (!numbers() || !ends()) return found_;
        for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
            if (!part(i)) return found_;
        }
        if (!legs() || !stops()) return found_;
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

    // Length in space for each of ground length, the least of the legs between two distances.
    [[nodiscard]] double stretch(double from, double to) {
        double least = INFINITY;
        while (stretch_leg_ > 0 && stretch_begin_ > from)
            stretch_begin_ -= route_.legs[--stretch_leg_].length;
        double begin = stretch_begin_;
        for (std::size_t i = stretch_leg_; i < route_.legs.size() && begin < to - near_; ++i) {
            const Leg& leg = route_.legs[i];
            const double end = begin + leg.length;
            if (end > from + near_ && leg.length > 0.0) least = std::min(least, stretch_of(leg));
            if (end <= from + near_) {
                stretch_leg_ = i + 1;
                stretch_begin_ = end;
            }
            begin = end;
        }
        return least < INFINITY ? least : 1.0;
    }

    static double stretch_of(const Leg& leg) {
        return leg.rise == 0.0 ? 1.0 : std::sqrt(1.0 + (leg.rise / leg.length) * (leg.rise / leg.length));
    }

    // From one knot to the next: its acceleration and its time.
    bool part(std::size_t i) {
        const SpeedKnot& a = knots_[i];
        const SpeedKnot& b = knots_[i + 1];
        const double length = b.distance - a.distance;
        if (length == 0.0) return part_at_one_place(i);
        const double way = stretch(a.distance, b.distance);
        const double gained = (b.speed - a.speed) * (b.speed + a.speed);
        const double limit = gained > 0.0 ? rules_.accel_max : rules_.brake_max;
        const double room = 2.0 * limit * (length * way * (1.0 + kSlack) + near_);
        if (std::abs(gained) > room + kSlack * rules_.speed_max * rules_.speed_max)
            return report(gained > 0.0 ? Kind::accel : Kind::brake, i, a.distance,
                          std::abs(gained) / (2.0 * length) - limit);
        const double sum = a.speed + b.speed;
        const double seconds = sum > 0.0 ? a.slowdown * 2.0 * length / sum : INFINITY;
        const double off = std::abs(b.time - a.time - seconds);
        if (!(off <= kSlack * (1.0 + seconds + b.time)) || a.slowdown < way * (1.0 - kSlack))
            return report(Kind::time, i, a.distance, off);
        return true;
    }

    // A wait, a jump of the speed, or part of a climb (how high it is, stops() sees).
    bool part_at_one_place(std::size_t i) {
        const SpeedKnot& a = knots_[i];
        const SpeedKnot& b = knots_[i + 1];
        const double seconds = b.time - a.time;
        if (a.speed == 0.0 && b.speed == 0.0) return true;
        const double limit = b.speed > a.speed ? rules_.accel_max : rules_.brake_max;
        const Kind kind = b.speed > a.speed ? Kind::accel : Kind::brake;
        const double change = std::abs(b.speed - a.speed);
        if (seconds == 0.0) {
            const double room = limit < INFINITY ? 2.0 * limit * near_ + kSlack * rules_.speed_max : INFINITY;
            return change * (a.speed + b.speed) <= room || change == 0.0 ||
                   report(kind, i, a.distance, change);
        }
        climbed_ += 0.5 * (a.speed + b.speed) * seconds;
        if (a.slowdown != 1.0) return report(Kind::time, i, a.distance, seconds);
        if (change > limit * seconds * (1.0 + kSlack) + kSlack * rules_.speed_max)
            return report(kind, i, a.distance, change / seconds - limit);
        if (std::max(a.speed, b.speed) > rules_.speed_max * (1.0 + kSlack))
            return report(Kind::speed, i, a.distance, std::max(a.speed, b.speed) - rules_.speed_max);
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
        const double way = leg.length > 0.0 ? stretch_of(leg) : 1.0;
        const double aside = squared * bend / (way * way);
        if (aside > rules_.lateral_accel_max * (1.0 + kSlack) + squared_slack_ * bend)
            return report(Kind::lateral, knot, distance, aside - rules_.lateral_accel_max);
        const double rate = rules_.turn_rate_max * (1.0 + kSlack);
        if (squared * bend * bend / (way * way) > rate * rate + squared_slack_ * bend * bend)
            return report(Kind::turn, knot, distance, std::sqrt(squared) * bend / way - rules_.turn_rate_max);
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
                if (low + near_ < high && (!point(leg, knot, low) || !point(leg, knot, high))) return false;
                if (knots_[knot + 1].distance >= stops) break;
            }
            begins = stops;
        }
        return true;
    }

    // What is due at one distance: standing, so long, and climbing so high.
    struct Due {
        bool stands = false;
        double seconds = 0.0;
        double climb = 0.0;
        double most = -1.0;  // the greatest of the times
        Kind kind = Kind::cusp;

        void add(Kind of, double time) {
            stands = true;
            seconds += time;
            if (time > most) kind = of;
            most = std::max(most, time);
        }
    };

    void add_turn(Due& due, double angle) const {
        const double turn = std::abs(math::wrap_pi(angle));
        if (turn > kSameHeading && corners_stop_) due.add(Kind::turn, turn / rules_.turn_rate_max);
    }

    // Where the gear changes, and at turns, links, corners and upright legs, the unit stands, for as long as it must.
    bool stops() {
        double at = 0.0;
        Due due;
        double heading = route_.legs.empty() ? 0.0 : route_.legs[0].start.heading_rad;
        bool moved = false;
        Gear gear = Gear::forward;
        for (std::size_t i = 0; i < route_.legs.size(); ++i) {
            const Leg& leg = route_.legs[i];
            add_turn(due, leg.start.heading_rad - heading);
            heading = leg.start.heading_rad;
            if (leg.kind == LegKind::link) {
                due.add(Kind::link, i < rules_.link_seconds.size() ? rules_.link_seconds[i] : 0.0);
                heading = i + 1 < route_.legs.size() ? route_.legs[i + 1].start.heading_rad
                                                     : route_.end.heading_rad;
            } else if (leg.kind == LegKind::turn) {
                due.add(Kind::turn, std::abs(leg.turn_rad) / rules_.turn_rate_max);
                heading += leg.turn_rad;
            } else {
                if (moved && leg.gear != gear) due.add(Kind::cusp, rules_.cusp_seconds);
                if (leg.length == 0.0 && leg.rise != 0.0) due.add(Kind::climb, 0.0);
                if (leg.length == 0.0) due.climb += std::abs(leg.rise);
                moved = moved || leg.length > 0.0 || leg.rise != 0.0;
                gear = leg.gear;
                heading += leg.curvature * leg.length;
            }
            if (leg.length == 0.0) continue;
            if (!stands_at(at, due)) return false;
            due = {};
            at += leg.length;
        }
        if (!route_.legs.empty()) add_turn(due, route_.end.heading_rad - heading);
        if (!stands_at(at, due)) return false;
        // What is climbed elsewhere is no leg's.
        double rises = 0.0;
        for (const Leg& leg : route_.legs) rises += leg.length == 0.0 ? std::abs(leg.rise) : 0.0;
        if (std::abs(climbed_ - rises) > kSlack * (1.0 + rises))
            return report(Kind::climb, knots_.size() - 1, at, std::abs(climbed_ - rises));
        return true;
    }

    bool stands_at(double at, const Due& due) {
        if (!due.stands) return true;
        std::size_t& knot = stop_knot_;
        while (knot + 2 < knots_.size() && knots_[knot + 1].distance < at - near_) ++knot;
        double stands = -1.0;
        double climbed = 0.0;
        for (std::size_t k = knot; k < knots_.size() && knots_[k].distance <= at + near_; ++k) {
            if (std::abs(knots_[k].distance - at) > near_) continue;
            if (knots_[k].speed == 0.0) stands = std::max(stands, 0.0);
            if (k + 1 == knots_.size() || knots_[k + 1].distance != knots_[k].distance) continue;
            const double seconds = knots_[k + 1].time - knots_[k].time;
            const double sum = knots_[k].speed + knots_[k + 1].speed;
            if (sum == 0.0) stands += seconds;
            climbed += 0.5 * sum * seconds;
        }
        if (stands < 0.0)
            return report(due.kind, knot, at,
                          knots_.size() > 1 ? std::sqrt(squared_at(knot, at)) : knots_[0].speed);
        const double missing = due.seconds - stands;
        if (missing > kSlack * (1.0 + knots_.back().time)) return report(due.kind, knot, at, missing);
        if (std::abs(climbed - due.climb) > kSlack * (1.0 + due.climb))
            return report(Kind::climb, knot, at, std::abs(climbed - due.climb));
        return true;
    }

    const Route& route_;
    std::span<const SpeedKnot> knots_;
    SpeedRules rules_;
    double length_ = 0.0;
    double near_ = 0.0;
    double squared_slack_ = 0.0;
    double stretch_begin_ = 0.0;   // of stretch_leg_
    std::size_t stretch_leg_ = 0;  // where stretch() goes on
    std::size_t stop_knot_ = 0;    // where stands_at() does
    double climbed_ = 0.0;         // by knots at one place
    bool corners_stop_ = false;
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
        case Kind::turn: return "turn";
        case Kind::link: return "link";
        case Kind::climb: return "climb";
        case Kind::cost: return "cost";
        case Kind::count_: break;
    }
    return "";
}

SpeedViolation verify_speed(const Route& route, std::span<const SpeedKnot> knots, const SpeedRules& rules) {
    return SpeedCheck(route, knots, rules).find();
}

}  // namespace fairlead
