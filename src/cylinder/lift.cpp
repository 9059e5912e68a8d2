// Each leg of the tiles is cut into chords. A chord of angle a lies r (1 - cos(a / 2)) <= r a^2 / 8 off its arc, which
// gives the number of them; a curve in the slice is cut by the same rule.

#include <fairlead/cylinder/lift.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"

namespace fairlead {

namespace {

class Lifter {
  public:
    Lifter(const Cylinder& shape, const Route& route, const LiftOptions& options, Route& out)
        : shape_(shape), route_(route), options_(options), out_(out) {
        const double deviation = options.deviation > 0.0 ? options.deviation : 0.01 * shape.cell_size();
        turn_max_ = std::min(std::sqrt(8.0 * deviation / shape.radius), kHalfPi / 2);
        deviation_ = deviation;
    }

    bool run() {
        const std::size_t count = route_.legs.size();
        if (count == 0) return end_at(route_.end, options_.start_radius);
        radius_ = radius_or_middle(options_.start_radius, route_.legs[0].start.layer);
        at_ = lifted(route_.legs[0].start.position, radius_);
        for (std::size_t first = 0; first < count;) {
            if (route_.legs[first].kind == LegKind::link) {
                if (!change_depth(first)) return false;
                ++first;
                continue;
            }
            std::size_t last = first;
            while (last < count && route_.legs[last].kind != LegKind::link) ++last;
            if (!fly_along(first, last)) return false;
            first = last;
        }
        out_.end = {at_, heading_, route_.end.layer};
        out_.line_cost = line_cost_;
        return true;
    }

  private:
    [[nodiscard]] double radius_or_middle(double radius, std::int32_t slice) const {
        return radius > 0.0 ? radius : shape_.slice_radius(slice);
    }
    [[nodiscard]] Vec3 lifted(Vec3 tile, double radius) const {
        return in_space(shape_, {tile.x, tile.y, radius});
    }
    bool end_at(const Place& end, double radius) {
        out_.end = {lifted(end.position, radius_or_middle(radius, end.layer)), end.heading_rad, end.layer};
        return true;
    }

    // Along the radius, to the middle of the next slice, or to the goal if it ends the route.
    bool change_depth(std::size_t i) {
        const Place& to = leg_end(route_, i);
        const bool last = i + 1 == route_.legs.size();
        radius_ = radius_or_middle(last ? options_.goal_radius : 0.0, to.layer);
        return fly(lifted(to.position, radius_), route_.legs[i].start.layer);
    }

    // The legs [first, last) in one slice; the radius runs evenly to that of the end.
    bool fly_along(std::size_t first, std::size_t last) {
        double all = 0.0;
        for (std::size_t i = first; i < last; ++i) all += route_.legs[i].length;
        const bool ends = last == route_.legs.size();
        const std::int32_t slice = route_.legs[first].start.layer;
        const double begin = radius_;
        const double end = radius_or_middle(ends ? options_.goal_radius : 0.0, slice);
        double done = 0.0;
        for (std::size_t i = first; i < last; ++i) {
            const Leg& leg = route_.legs[i];
            const double pieces = pieces_of(leg, leg_end(route_, i).position);
            for (double k = 1.0; k <= pieces; k += 1.0) {
                const Place to =
                    k == pieces ? leg_end(route_, i) : place_on_leg(leg, leg.length * (k / pieces));
                const double part = all > 0.0 ? (done + leg.length * (k / pieces)) / all : 1.0;
                radius_ = begin + (end - begin) * part;
                if (!fly(lifted(to.position, radius_), slice, leg)) return false;
            }
            done += leg.length;
        }
        radius_ = end;
        return true;
    }

    [[nodiscard]] double pieces_of(const Leg& leg, Vec3 end) const {
        const double curve = std::abs(leg.curvature);
        const double angle =
            (curve > 0.0 ? leg.length : std::abs(end.x - leg.start.position.x)) / shape_.radius;
        const double bent = curve > 0.0 ? leg.length / std::sqrt(8.0 * deviation_ / curve) : 0.0;
        const double turned = leg.length * curve / (kHalfPi / 2);
        return std::max(1.0, std::ceil(std::max(angle / turn_max_, std::max(bent, turned))));
    }

    bool fly(Vec3 to, std::int32_t slice, const Leg& from = {}) {
        const Vec3 way = to - at_;
        const double on_ground = length(ground(way)), in_all = length(way);
        if (in_all == 0.0) return true;
        const double back = from.gear == Gear::reverse ? -1.0 : 1.0;  // it faces against its motion
        if (on_ground > 0.0) heading_ = math::atan2(way.y * back, way.x * back);
        Leg leg;
        leg.start = {at_, heading_, slice};
        leg.length = on_ground;
        leg.rise = way.z;
        leg.gear = from.gear;
        leg.speed_max = from.speed_max;
        out_.length += on_ground;
        line_cost_ += in_all;
        at_ = to;
        return out_.legs.push_back(leg);
    }

    const Cylinder& shape_;
    const Route& route_;
    const LiftOptions& options_;
    Route& out_;
    double deviation_ = 0.0;
    double turn_max_ = 0.0;  // radians in one chord
    double line_cost_ = 0.0;
    double radius_ = 0.0;
    double heading_ = 0.0;
    Vec3 at_{};
};

Result<void> check_lift(const Cylinder& shape, const LiftOptions& options) {
    if (const Result<void> good = check_cylinder(shape); !good) return good;
    if (!std::isfinite(options.deviation)) return Error{ErrorCode::not_finite, Field::accuracy};
    if (options.deviation < 0.0 || (options.deviation > 0.0 && options.deviation < 1e-9 * shape.radius))
        return Error{ErrorCode::out_of_range, Field::accuracy};
    for (const double radius : {options.start_radius, options.goal_radius}) {
        if (!std::isfinite(radius)) return Error{ErrorCode::not_finite, Field::radius_max};
        if (radius < 0.0 || radius > shape.radius) return Error{ErrorCode::out_of_range, Field::radius_max};
    }
    return {};
}

}  // namespace

Result<void> lift_route(const Cylinder& shape, const Route& route, const LiftOptions& options, Route& out) {
    FAIRLEAD_ASSERT(&route != &out && "the route in space is another one");
    out.clear();
    if (const Result<void> good = check_lift(shape, options); !good) return good;
    out.status = route.status;
    out.cost = route.cost;
    out.bound = route.bound;
    out.planner = route.planner;
    out.revision = route.revision;
    out.stats = route.stats;
    if (Lifter(shape, route, options, out).run()) return {};
    out.clear();
    return kNoMemory;
}

}  // namespace fairlead
