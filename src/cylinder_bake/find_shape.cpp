// Centre from the box of the triangles; radius from those that make up the wall; depth from the highest obstacle.

#include <algorithm>
#include <cmath>

#include "cylinder_bake/tube.h"

namespace fairlead::bake {

namespace {

constexpr double kOnWall = 1e-4;      // of the radius: how far a corner of the wall may lie inside
constexpr double kHexagon = 0.86;     // a wall of six sides or more: its triangles come no nearer, in radii
constexpr double kDepthMost = 0.75;   // of the radius, where the depth is found
constexpr double kDepthPlain = 0.25;  // where nothing stands on the wall
constexpr std::int32_t kTilesMax = 16384;

struct Triangle {
    TubePoint corners[3];
};

// Calls visit(triangle) for the good ones.
template <class Visit>
void each_good(const TriangleSoup& soup, CylinderAxis axis, Vec3 origin, const Visit& visit) {
    for (std::size_t i = 0; i < soup.triangles.size() / 3; ++i) {
        if (tube_fault(soup, i) != TubeFault::none) continue;
        Triangle t;
        for (std::size_t k = 0; k < 3; ++k)
            t.corners[k] = cylinder::turned(axis, soup.vertices[soup.triangles[3 * i + k]] - origin);
        visit(t);
    }
}

struct Box {
    bool any = false;
    TubePoint low{}, high{};

    void add(const TubePoint& p) {
        if (!any) low = high = p;
        any = true;
        low.across = {std::min(low.across.x, p.across.x), std::min(low.across.y, p.across.y)};
        high.across = {std::max(high.across.x, p.across.x), std::max(high.across.y, p.across.y)};
        low.along = std::min(low.along, p.along);
        high.along = std::max(high.along, p.along);
    }
};

// Does it lie along the wall, and not across it as the lid of an end does?
bool faces_axis(const Triangle& t) {
    const auto whole = [](const TubePoint& p) { return Vec3{p.across.x, p.across.y, p.along}; };
    const Vec3 a = whole(t.corners[0]);
    const Vec3 normal = cross(whole(t.corners[1]) - a, whole(t.corners[2]) - a);
    return std::abs(normal.z) <= 0.5 * length(normal);
}

bool is_wall(const Triangle& t, RadiusRange range, double outermost) {
    for (const TubePoint& p : t.corners) {
        if (length(p.across) < outermost * (1.0 - kOnWall)) return false;
    }
    return range.low >= kHexagon * outermost && faces_axis(t);
}

double find_radius(const TriangleSoup& soup, CylinderAxis axis, Vec3 origin) {
    double outermost = 0.0;
    each_good(soup, axis, origin,
              [&](const Triangle& t) { outermost = std::max(outermost, radius_range(t.corners, 3).high); });
    double radius = outermost;
    each_good(soup, axis, origin, [&](const Triangle& t) {
        const RadiusRange range = radius_range(t.corners, 3);
        if (is_wall(t, range, outermost)) radius = std::min(radius, range.low);
    });
    return radius;
}

double find_depth(const TriangleSoup& soup, CylinderAxis axis, Vec3 origin, double radius,
                  std::int32_t slices) {
    double low = radius;
    each_good(soup, axis, origin,
              [&](const Triangle& t) { low = std::min(low, radius_range(t.corners, 3).low); });
    const double height = radius - low;
    if (!(height > 1e-6 * radius)) return kDepthPlain * radius;
    const double over = slices > 1 ? static_cast<double>(slices) / (slices - 1) : 1.0;
    return std::min(height * over, kDepthMost * radius);
}

Result<void> check_options(const CylinderBakeOptions& o) {
    if (o.axis >= CylinderAxis::count_) return Error{ErrorCode::out_of_range, Field::none};
    if (!std::isfinite(o.cell_size)) return Error{ErrorCode::not_finite, Field::cell_size};
    if (!(o.cell_size > 0.0)) return Error{ErrorCode::out_of_range, Field::cell_size};
    if (o.slices < 1 || o.slices > kCylinderSlicesMax)
        return Error{ErrorCode::out_of_range, Field::layers, o.slices};
    if (o.give_centre && !is_finite(o.centre)) return Error{ErrorCode::not_finite, Field::origin};
    if (!std::isfinite(o.radius)) return Error{ErrorCode::not_finite, Field::radius_max};
    if (o.radius < 0.0) return Error{ErrorCode::out_of_range, Field::radius_max};
    if (!std::isfinite(o.depth)) return Error{ErrorCode::not_finite, Field::distance};
    if (o.depth < 0.0) return Error{ErrorCode::out_of_range, Field::distance};
    return {};
}

// Whole tiles of about the size that is asked for.
Result<void> set_tiles(const CylinderBakeOptions& o, double length_along, Cylinder& shape) {
    const double around = std::floor(kTwoPi * shape.radius / o.cell_size + 0.5);
    if (!(around >= kCylinderAroundMin)) return Error{ErrorCode::out_of_range, Field::cell_size};
    if (around > kTilesMax) return Error{ErrorCode::size_limit, Field::width, kTilesMax};
    shape.around = static_cast<std::int32_t>(around);
    const double along = std::ceil(length_along / shape.cell_size() - 1e-6);
    if (along > kTilesMax) return Error{ErrorCode::size_limit, Field::height, kTilesMax};
    shape.along = std::max(static_cast<std::int32_t>(along), 1);
    return {};
}

}  // namespace

Result<Cylinder> find_shape(const TriangleSoup& soup, const CylinderBakeOptions& o) {
    if (const Result<void> good = check_options(o); !good) return good.error();
    Box box;
    each_good(soup, o.axis, {}, [&](const Triangle& t) {
        for (const TubePoint& p : t.corners) box.add(p);
    });
    if (!box.any) return Error{ErrorCode::size_zero, Field::triangles};
    TubePoint begin{(box.low.across + box.high.across) * 0.5, box.low.along};
    if (o.give_centre) begin.across = cylinder::turned(o.axis, o.centre).across;
    Cylinder shape;
    shape.axis = o.axis;
    shape.slices = o.slices;
    shape.origin = cylinder::turned_back(o.axis, begin);
    shape.radius = o.radius > 0.0 ? o.radius : find_radius(soup, o.axis, shape.origin);
    if (!(shape.radius > 0.0)) return Error{ErrorCode::out_of_range, Field::radius_max};
    const double depth =
        o.depth > 0.0 ? o.depth : find_depth(soup, o.axis, shape.origin, shape.radius, o.slices);
    if (!(depth < shape.radius)) return Error{ErrorCode::out_of_range, Field::distance};
    shape.thickness = depth / o.slices;
    const Result<void> tiles = set_tiles(o, box.high.along - box.low.along, shape);
    if (!tiles) return tiles.error();
    if (const Result<void> good = check_cylinder(shape); !good) return good.error();
    return shape;
}

}  // namespace fairlead::bake
