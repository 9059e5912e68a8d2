// Builds routes leg by leg for tests. Each leg starts where the one before it ends.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include <fairlead/base/assert.h>
#include <fairlead/math/trig.h>
#include <fairlead/route/route.h>

namespace fairlead::testing {

class RouteMaker {
  public:
    explicit RouteMaker(Vec2 start, double heading_rad = 0.0, std::int32_t layer = 0) {
        route_.status = PathStatus::complete;
        at_.position = {start.x, start.y, 0.0};
        at_.heading_rad = heading_rad;
        at_.layer = layer;
    }

    /// Straight to a point.
    RouteMaker& line_to(Vec2 to) {
        const Vec2 step = to - ground(at_.position);
        at_.heading_rad = math::atan2(step.y, step.x);
        Leg leg;
        leg.length = length(step);
        add(leg);
        at_.position = {to.x, to.y, at_.position.z};
        return *this;
    }

    /// As a planner of turns stores it: the heading and the curvature decide where it ends.
    RouteMaker& drive(double ground_length, double curvature = 0.0, Gear gear = Gear::forward) {
        Leg leg;
        leg.length = ground_length;
        leg.curvature = curvature;
        leg.gear = gear;
        add(leg);
        at_ = place_on_leg(back(), ground_length);
        return *this;
    }

    RouteMaker& turn(double angle) {
        Leg leg;
        leg.kind = LegKind::turn;
        leg.turn_rad = angle;
        add(leg);
        at_.heading_rad += angle;
        return *this;
    }

    RouteMaker& link(std::uint32_t id, Vec2 to, std::int32_t layer) {
        Leg leg;
        leg.kind = LegKind::link;
        leg.link_id = id;
        add(leg);
        at_.position = {to.x, to.y, at_.position.z};
        at_.layer = layer;
        return *this;
    }

    /// Straight up or down.
    RouteMaker& climb(double rise) {
        Leg leg;
        leg.rise = rise;
        add(leg);
        at_.position.z += rise;
        return *this;
    }

    /// Of the last leg: as a limit of speed, and rising.
    RouteMaker& limit(double speed) {
        back().speed_max = speed;
        return *this;
    }
    RouteMaker& rise(double by) {
        back().rise = by;
        at_.position.z += by;
        return *this;
    }

    /// Of the last leg.
    RouteMaker& claim(double clearance) {
        back().clearance = clearance;
        return *this;
    }

    [[nodiscard]] Route take() {
        route_.end = at_;
        route_.cost = route_.line_cost = route_.length;
        return std::move(route_);
    }

  private:
    void add(Leg leg) {
        leg.start = at_;
        route_.length += leg.length;
        const bool added = route_.legs.push_back(leg);
        FAIRLEAD_ASSERT(added);
    }
    [[nodiscard]] Leg& back() { return route_.legs[route_.legs.size() - 1]; }

    Route route_;
    Place at_{};
};

/// Straight legs through the points.
[[nodiscard]] inline Route polyline(std::initializer_list<Vec2> points) {
    RouteMaker maker(*points.begin());
    for (const Vec2* p = points.begin() + 1; p != points.end(); ++p) maker.line_to(*p);
    return maker.take();
}

}  // namespace fairlead::testing
