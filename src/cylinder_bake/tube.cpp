// A convex polygon is farthest from the axis at a corner, and nearest on a side unless the axis goes through it.

#include "cylinder_bake/tube.h"

#include <algorithm>
#include <cmath>

#include "math/segment.h"

namespace fairlead::bake {

namespace {

double square(Vec2 v) { return dot(v, v); }

// From the axis to a side.
double side_square(Vec2 a, Vec2 b) { return square(math::nearest_along(a, b - a, Vec2{})); }

}  // namespace

TubeFault tube_fault(const TriangleSoup& soup, std::size_t index) {
    const std::uint32_t* corners = soup.triangles.data() + 3 * index;
    for (int k = 0; k < 3; ++k) {
        if (corners[k] >= soup.vertices.size()) return TubeFault::bad_index;
    }
    for (int k = 0; k < 3; ++k) {
        if (!is_finite(soup.vertices[corners[k]])) return TubeFault::not_finite;
    }
    for (int k = 0; k < 3; ++k) {
        const Vec3 p = soup.vertices[corners[k]];
        if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > kTubeReach) return TubeFault::too_far;
    }
    return TubeFault::none;
}

RadiusRange radius_range(const TubePoint* points, int count) {
    double low = square(points[0].across), high = low;
    int left = 0, right = 0;
    for (int i = 0; i < count; ++i) {
        const Vec2 a = points[i].across;
        const Vec2 b = points[i + 1 == count ? 0 : i + 1].across;
        high = std::max(high, square(a));
        low = std::min(low, side_square(a, b));
        const double turn = cross(a, b);
        left += turn > 0.0 ? 1 : 0;
        right += turn < 0.0 ? 1 : 0;
    }
    if (count > 2 && (left == count || right == count)) low = 0.0;
    return {std::sqrt(low), std::sqrt(high)};
}

}  // namespace fairlead::bake
