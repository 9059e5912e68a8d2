// The distance between an arc and a box.
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

namespace fairlead::route {

/// From a to b along a circle of this curvature (not 0; above 0 the arc bends to the left), by less than half a turn. 0 where they
/// meet. Within 1e-12 of the largest number given.
[[nodiscard]] double distance_arc_box(Vec2 a, Vec2 b, double curvature, const Aabb& box);

}  // namespace fairlead::route
