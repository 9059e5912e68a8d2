// A judge of each tick of a unit that drives a route: written apart from the library's motion, by the definitions of route.h and
// speed_limits.h and the standard library's trigonometry.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <fairlead/motion/route_driver.h>

#include "support/random_motion.h"

namespace fairlead::testing {

/// Each tick of a driver on a route.
class MotionJudge {
  public:
    MotionJudge(const Route& route, const SpeedLimits& limits, const RouteDriver& unit)
        : route_(route), limits_(limits), place_(unit.place()), speed_(unit.speed()) {}

    void tick(const RouteDriver& unit, double dt) {
        const Place now = unit.place();
        const double speed = unit.speed();
        const bool linked = passed_link(unit);
        check_speed(unit, speed, dt);
        if (!linked) check_turning(now, dt);
        const double moved = distance(now.position, place_.position);
        if (!linked && moved > limits_.speed_max * dt * (1.0 + kSlack) + kSlack)
            blame("moved too far", moved);
        check_on_route(unit, now);
        place_ = now;
        speed_ = speed;
        leg_ = unit.leg_index();
    }

    /// The first thing that was wrong; empty: none.
    [[nodiscard]] const std::string& fault() const { return fault_; }

  private:
    static constexpr double kSlack = 1e-9;

    void blame(const char* what, double by) {
        if (fault_.empty()) fault_ = std::string(what) + " " + std::to_string(by);
    }

    // A link between the leg that it was on and the one it is on.
    [[nodiscard]] bool passed_link(const RouteDriver& unit) const {
        for (std::size_t i = leg_; i <= unit.leg_index() && i < route_.legs.size(); ++i) {
            if (route_.legs[i].kind == LegKind::link) return true;
        }
        return false;
    }

    void check_speed(const RouteDriver& unit, double speed, double dt) {
        const Leg& leg = route_.legs[unit.leg_index()];
        const bool back = leg.gear == Gear::reverse && limits_.reverse_speed_max > 0.0;
        double most = back ? limits_.reverse_speed_max : limits_.speed_max;
        if (leg.speed_max >= 0.0) most = std::min(most, leg.speed_max);
        const bool drives = leg.kind == LegKind::drive;
        if (drives && speed > most + kSlack) blame("speed", speed - most);
        const double up = speed - speed_ - limits_.accel_max * dt * (1.0 + kSlack);
        const double down = speed_ - speed - limits_.brake_max * dt * (1.0 + kSlack);
        if (up > kSlack) blame("accel", up);
        if (down > kSlack) blame("brake", down);
        if (!drives || leg.length <= 0.0) return;
        const double share = leg.length / std::hypot(leg.length, leg.rise);
        const double aside = speed * share * speed * share * std::abs(leg.curvature);
        const double rate = speed * share * std::abs(leg.curvature);
        if (aside > limits_.lateral_accel_max * (1.0 + kSlack)) blame("lateral", aside);
        if (rate > limits_.turn_rate_max * (1.0 + kSlack)) blame("turn rate on a curve", rate);
    }

    void check_turning(const Place& now, double dt) {
        const double turn = std::abs(std::remainder(now.heading_rad - place_.heading_rad, kTwoPi));
        if (turn > limits_.turn_rate_max * dt * (1.0 + kSlack) + kSlack) blame("turn rate", turn / dt);
    }

    // On the leg's own line, arc or upright, by the definition.
    void check_on_route(const RouteDriver& unit, const Place& now) {
        if (unit.state() == DriverState::arrived) {
            if (!(now == route_.end)) blame("not at the end", 0.0);
            return;
        }
        const std::size_t i = unit.leg_index();
        const Leg& leg = route_.legs[i];
        double begin = 0.0;
        for (std::size_t k = 0; k < i; ++k) begin += route_.legs[k].length;
        const double on = unit.distance() - begin;
        if (on < -1e-9 || on > leg.length + 1e-9) blame("off the leg", on);
        Vec3 at = leg.start.position;
        const double way = leg.start.heading_rad + (leg.gear == Gear::reverse ? kPi : 0.0);
        if (leg.kind == LegKind::drive && leg.length > 0.0) {
            if (leg.curvature == 0.0) {
                at.x += on * std::cos(way);
                at.y += on * std::sin(way);
            } else {
                const double turned = way + leg.curvature * on;
                at.x += (std::sin(turned) - std::sin(way)) / leg.curvature;
                at.y += (std::cos(way) - std::cos(turned)) / leg.curvature;
            }
            at.z += leg.rise * on / leg.length;
        }
        if (leg.kind == LegKind::drive && leg.length == 0.0) {
            at.z =
                std::clamp(now.position.z, std::min(at.z, at.z + leg.rise), std::max(at.z, at.z + leg.rise));
        }
        // Behind the last leg, turning.
        if (i + 1 == route_.legs.size() && distance(now.position, route_.end.position) < 1e-6) return;
        if (distance(at, now.position) > 1e-6) blame("off the route", distance(at, now.position));
    }

    const Route& route_;
    SpeedLimits limits_;
    Place place_{};
    double speed_ = 0.0;
    std::size_t leg_ = 0;
    std::string fault_;
};

}  // namespace fairlead::testing
