// Builds routes through space leg by leg for tests. Each leg starts where the one before it ends.
#pragma once

#include <initializer_list>
#include <span>

#include <fairlead/base/assert.h>
#include <fairlead/math/trig.h>
#include <fairlead/route/route.h>

namespace fairlead::testing {

class SpaceRoute {
  public:
    explicit SpaceRoute(Vec3 start, double heading_rad = 0.0) {
        route_.status = PathStatus::complete;
        route_.revision = 1;
        at_.position = start;
        at_.heading_rad = heading_rad;
    }

    /// Straight to a point; straight up or down it keeps its heading.
    SpaceRoute& to(Vec3 next) {
        const Vec2 step = ground(next) - ground(at_.position);
        if (!(step == Vec2{})) at_.heading_rad = math::atan2(step.y, step.x);
        Leg leg;
        leg.length = length(step);
        leg.rise = next.z - at_.position.z;
        add(leg);
        at_.position = next;
        return *this;
    }

    /// As it is stored: heading, curvature and rise decide where it ends.
    SpaceRoute& drive(double ground_length, double curvature = 0.0, double rise = 0.0,
                      Gear gear = Gear::forward) {
        Leg leg;
        leg.length = ground_length;
        leg.curvature = curvature;
        leg.rise = rise;
        leg.gear = gear;
        add(leg);
        at_ = place_on_leg(back(), ground_length);
        if (ground_length == 0.0) at_.position.z += rise;
        return *this;
    }

    SpaceRoute& turn(double angle) {
        Leg leg;
        leg.kind = LegKind::turn;
        leg.turn_rad = angle;
        add(leg);
        at_.heading_rad += angle;
        return *this;
    }

    /// Of the last leg.
    SpaceRoute& claim(double clearance) {
        back().clearance = clearance;
        return *this;
    }

    [[nodiscard]] Route take() {
        route_.end = at_;
        route_.cost = route_.line_cost;
        return std::move(route_);
    }

  private:
    void add(Leg leg) {
        leg.start = at_;
        route_.length += leg.length;
        route_.line_cost += length(Vec2{leg.length, leg.rise});
        const bool added = route_.legs.push_back(leg);
        FAIRLEAD_ASSERT(added);
    }
    [[nodiscard]] Leg& back() { return route_.legs[route_.legs.size() - 1]; }

    Route route_;
    Place at_{};
};

/// Straight legs through the points.
[[nodiscard]] inline Route space_line(std::span<const Vec3> points) {
    SpaceRoute maker(points.front());
    for (const Vec3& p : points.subspan(1)) maker.to(p);
    return maker.take();
}
[[nodiscard]] inline Route space_line(std::initializer_list<Vec3> points) {
    return space_line(std::span<const Vec3>(points.begin(), points.size()));
}

}  // namespace fairlead::testing
