// An axis-aligned box on the ground plane: closed, low <= high on both axes unless empty.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead {

struct Aabb {
    Vec2 low{};
    Vec2 high{};

    [[nodiscard]] constexpr bool empty() const { return !(low.x <= high.x && low.y <= high.y); }
    [[nodiscard]] constexpr bool contains(Vec2 p) const {
        return low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y;
    }
    friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

[[nodiscard]] constexpr bool overlaps(const Aabb& a, const Aabb& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

}  // namespace fairlead
