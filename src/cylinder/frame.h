// The tube's own axes: two across it, one along it.
#pragma once

#include <fairlead/cylinder/cylinder.h>
#include <fairlead/math/trig.h>

namespace fairlead::cylinder {

struct Local {
    Vec2 across{};
    double along = 0.0;
};

/// The world's axes, so that the tube's comes last and angles about it are counter-clockwise.
[[nodiscard]] inline Local turned(CylinderAxis axis, Vec3 v) {
    if (axis == CylinderAxis::x) return {{v.y, v.z}, v.x};
    if (axis == CylinderAxis::y) return {{v.z, v.x}, v.y};
    return {{v.x, v.y}, v.z};
}
[[nodiscard]] inline Vec3 turned_back(CylinderAxis axis, const Local& v) {
    if (axis == CylinderAxis::x) return {v.along, v.across.x, v.across.y};
    if (axis == CylinderAxis::y) return {v.across.y, v.along, v.across.x};
    return {v.across.x, v.across.y, v.along};
}

class Frame {
  public:
    explicit Frame(const Cylinder& shape)
        : axis_(shape.axis), origin_(shape.origin), per_length_(1.0 / shape.radius) {}

    [[nodiscard]] Local local(Vec3 place) const { return turned(axis_, place - origin_); }
    [[nodiscard]] Vec3 world(const Local& place) const { return origin_ + turned_back(axis_, place); }
    [[nodiscard]] Vec3 direction(const Local& way) const { return turned_back(axis_, way); }
    /// Away from the axis, at arc x.
    [[nodiscard]] Vec2 outward(double x) const { return math::direction(x * per_length_); }

  private:
    CylinderAxis axis_;
    Vec3 origin_;
    double per_length_;
};

}  // namespace fairlead::cylinder
