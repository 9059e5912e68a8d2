// One walk over the legs, with the direction in which the last one ended.
#include <fairlead/route/shape.h>

#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

constexpr double kCornerRad = 1e-6;

double leg_size(const Leg& leg) { return std::sqrt(leg.length * leg.length + leg.rise * leg.rise); }

// Of travel, a unit vector.
Vec3 direction_on(const Leg& leg, double along) {
    const double size = leg_size(leg);
    const double flat = leg.length / size;
    const double facing = leg.start.heading_rad + leg.curvature * along;
    const double sign = leg.gear == Gear::reverse ? -1.0 : 1.0;
    return {sign * flat * math::cos(facing), sign * flat * math::sin(facing), leg.rise / size};
}

double angle_between(const Vec3& a, const Vec3& b) {
    const Vec3 across{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    const double sine = std::sqrt(across.x * across.x + across.y * across.y + across.z * across.z);
    return math::atan2(sine, a.x * b.x + a.y * b.y + a.z * b.z);
}

double gap_between(const Vec3& a, const Vec3& b) {
    const Vec3 d{b.x - a.x, b.y - a.y, b.z - a.z};
    return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

int side_of(double turn) { return turn > kCornerRad ? 1 : turn < -kCornerRad ? -1 : 0; }

class ShapeWalk {
  public:
    explicit ShapeWalk(const Route& route) : route_(route) {}

    RouteShape run() {
        if (!route_.legs.empty()) part_start_ = route_.legs[0].start.position;
        for (std::size_t i = 0; i < route_.legs.size(); ++i) add(route_.legs[i], leg_end(route_, i));
        if (!route_.legs.empty()) straight_ += gap_between(part_start_, route_.end.position);
        if (size_ > 0.0) shape_.straightness = straight_ < size_ ? straight_ / size_ : 1.0;
        return shape_;
    }

  private:
    void add(const Leg& leg, const Place& end) {
        if (leg.kind == LegKind::link) {
            straight_ += gap_between(part_start_, leg.start.position);
            part_start_ = end.position;
            has_direction_ = false;
            side_ = 0;
        }
        const double size = leg_size(leg);
        if (leg.kind != LegKind::drive || !(size > 0.0)) return;
        size_ += size;
        meet(direction_on(leg, 0.0), leg.gear);
        const double bend = leg.curvature * leg.length;
        bend_by(bend);
        direction_ = direction_on(leg, leg.length);
        gear_ = leg.gear;
        has_direction_ = true;
    }

    // The corner before a leg.
    void meet(const Vec3& direction, Gear gear) {
        if (!has_direction_) return;
        if (gear != gear_) {
            ++shape_.cusps;
            side_ = 0;
            return;
        }
        const double angle = angle_between(direction_, direction);
        const double left = direction_.x * direction.y - direction_.y * direction.x;
        const int side = angle <= kCornerRad ? 0 : left < 0.0 ? -1 : 1;
        shape_.turned_rad += angle;
        if (side != 0 && side != side_) ++shape_.turns;
        if (side != 0) side_ = side;
    }

    // The leg itself; a straight one ends a run of arcs.
    void bend_by(double bend) {
        const int side = side_of(bend);
        shape_.turned_rad += bend < 0.0 ? -bend : bend;
        if (side != 0 && side != side_) ++shape_.turns;
        side_ = side;
    }

    const Route& route_;
    RouteShape shape_{};
    Vec3 part_start_{};
    Vec3 direction_{};
    Gear gear_ = Gear::forward;
    bool has_direction_ = false;
    int side_ = 0;  ///< of the run of arcs that the walk is in
    double straight_ = 0.0;
    double size_ = 0.0;
};

}  // namespace

RouteShape route_shape(const Route& route) { return ShapeWalk(route).run(); }

}  // namespace fairlead
