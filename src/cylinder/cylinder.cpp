// Cylindrical numbers: angle, way along the axis, distance from it. The axes of the cross-section are those that follow
// the tube's axis, in turn, so that angles are counter-clockwise about it.

#include <fairlead/cylinder/cylinder.h>

#include <cmath>

#include <fairlead/math/trig.h>

#include "cylinder/frame.h"

namespace fairlead {

namespace {

constexpr std::int32_t kTilesMax = 16384;  // as grids have

}  // namespace

double Cylinder::cell_size() const { return kTwoPi * radius / around; }

Result<void> check_cylinder(const Cylinder& shape) {
    if (!is_finite(shape.origin)) return Error{ErrorCode::not_finite, Field::origin};
    if (!std::isfinite(shape.radius)) return Error{ErrorCode::not_finite, Field::radius_max};
    if (!(shape.radius >= 1e-6) || shape.radius > 1e9)
        return Error{ErrorCode::out_of_range, Field::radius_max};
    if (shape.axis >= CylinderAxis::count_) return Error{ErrorCode::out_of_range, Field::none};
    if (shape.around < kCylinderAroundMin || shape.around > kTilesMax)
        return Error{ErrorCode::out_of_range, Field::cell_size, shape.around};
    if (shape.along < 1 || shape.along > kTilesMax)
        return Error{ErrorCode::out_of_range, Field::height, shape.along};
    const bool thick = std::isfinite(shape.thickness) && shape.thickness >= 1e-6 * shape.radius;
    if (shape.slices < 1 || shape.slices > kCylinderSlicesMax || !thick ||
        !(shape.inner_radius() >= 1e-3 * shape.radius))
        return Error{ErrorCode::out_of_range, Field::layers, shape.slices};
    return {};
}

CylinderPlace cylinder_place(const Cylinder& shape, Vec3 place) {
    const cylinder::Frame frame(shape);
    const cylinder::Local p = frame.local(place);
    CylinderPlace out;
    out.radius = length(p.across);
    out.y = p.along;
    const double lap = shape.lap();
    const double turn = math::atan2(p.across.y, p.across.x);
    out.x = (turn < 0.0 ? turn + kTwoPi : turn) / kTwoPi * lap;
    if (out.x >= lap) out.x = 0.0;
    return out;
}

Vec3 in_space(const Cylinder& shape, const CylinderPlace& place) {
    const cylinder::Frame frame(shape);
    return frame.world({frame.outward(place.x) * place.radius, place.y});
}

std::int32_t slice_at(const Cylinder& shape, double radius) {
    const double depth = (shape.radius - radius) / shape.thickness;
    if (!(depth > 0.0)) return -1;
    if (depth >= shape.slices + 1.0) return shape.slices;
    return static_cast<std::int32_t>(std::ceil(depth)) - 1;
}

Spot unroll(const Cylinder& shape, Vec3 place) {
    const CylinderPlace at = cylinder_place(shape, place);
    const std::int32_t slice = slice_at(shape, at.radius);
    if (slice >= 0 && slice < shape.slices) return Spot(at.x, at.y).on_layer(slice);
    return Spot(at.x, -1.0 - shape.lap()).on_layer(0);  // off the grid, whose y does not wrap
}

Agent unrolled(const Cylinder& shape, const Agent& agent) {
    Agent out = agent;
    out.radius = agent.radius * (shape.radius / shape.inner_radius());
    return out;
}

Vec3 direction_in_space(const Cylinder& shape, double x, double heading_rad) {
    const cylinder::Frame frame(shape);
    const Vec2 out = frame.outward(x);
    const math::SinCos h = math::sin_cos(heading_rad);
    return frame.direction({Vec2{-out.y, out.x} * h.cos, h.sin});
}

Vec3 up_in_space(const Cylinder& shape, double x) {
    const cylinder::Frame frame(shape);
    return frame.direction({frame.outward(x) * -1.0, 0.0});
}

}  // namespace fairlead
