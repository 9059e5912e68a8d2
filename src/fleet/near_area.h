// Does a disc come nearer to an area of a floor than its reach?
#pragma once

#include <algorithm>

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

namespace fairlead::fleet {

[[nodiscard]] inline bool is_near(const Aabb& area, Vec2 p, double reach) {
    const double dx = std::max({area.low.x - p.x, p.x - area.high.x, 0.0});
    const double dy = std::max({area.low.y - p.y, p.y - area.high.y, 0.0});
    return dx * dx + dy * dy < reach * reach;
}

}  // namespace fairlead::fleet
