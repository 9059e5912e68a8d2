// VolumeBlocker: something in a unit's way for one query only: another unit, a door, a reservation. The volume does not change.
//
//     const VolumeBlocker others[] = {VolumeBlocker::ball(shark, 1.5), VolumeBlocker::box({4, 4, 0}, {6, 6, 3})};
//     find_route(*space, VolumeQuery{.start = a, .goal = b, .blockers = others}, scratch);
//
// The unit's body must not overlap it; touching is legal (math/contact.h). A ball, or a box if `low` is above `high` on no axis.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead {

struct VolumeBlocker {
    Vec3 centre{};        ///< of a ball, world units
    double radius = 0.0;  ///< >= 0
    Vec3 low{0, 0, 0};    ///< of a box; low <= high on each axis: the box counts
    Vec3 high{-1, -1, -1};

    [[nodiscard]] static constexpr VolumeBlocker ball(Vec3 centre, double radius) {
        return {.centre = centre, .radius = radius};
    }
    [[nodiscard]] static constexpr VolumeBlocker box(Vec3 low, Vec3 high) {
        return {.low = low, .high = high};
    }
    [[nodiscard]] constexpr bool is_box() const {
        return low.x <= high.x && low.y <= high.y && low.z <= high.z;
    }
};

}  // namespace fairlead
