// VolumeArea: a region in which a way through space costs more than it is long, or more in one direction than in the other. For one
// query: the volume does not change.
//
//     const VolumeArea areas[] = {VolumeArea::danger(VolumeBlocker::ball(turret, 30), 5),
//                                   VolumeArea::current(VolumeBlocker::box({0, 0, 0}, {200, 8, 8}), {0.6, 0, 0})};
//     find_route(*space, VolumeQuery{.start = a, .goal = b, .areas = areas}, scratch);
//
// What a piece of a straight line costs: its length x a rate, which depends on where it is and where it leads.
//   * A danger of factor f adds f - 1 to the rate. Where dangers overlap they add up; more than 1,000 counts as 1,000.
//   * A current is a drift in units of the unit's own speed. The rate becomes the time that a unit of speed 1 takes for a unit of
//     length over ground: 1 / (c + sqrt(1 - |current|^2 + c^2)), c the share of the current along the way. So 1 / (1 + |current|) with it,
//     1 / (1 - |current|) against it, and drifting aside has to be held against. At 0.99 it is 100 against it and 0.5 with it: a one-way
//     current is a price, and no wall. Where currents overlap, the last of the list counts. Both together: multiplied.
// Outside of all regions the rate is 1. On a region's surface a line along it counts as inside at the low sides of a box.
//
// Source of the rate of currents: Zermelo 1931.
#pragma once

#include <fairlead/math/vec.h>
#include <fairlead/volume/blocker.h>

namespace fairlead {

inline constexpr double kDangerMost = 1000.0;  ///< factors above it, and sums of them, are not asked for
inline constexpr double kCurrentMost = 0.99;   ///< longest current

struct VolumeArea {
    VolumeBlocker region{};  ///< where: a ball or a box
    double factor = 1.0;     ///< 1 to kDangerMost
    Vec3 drift{};            ///< at most kCurrentMost long; 0: no current

    [[nodiscard]] static constexpr VolumeArea danger(const VolumeBlocker& region, double factor) {
        return {.region = region, .factor = factor};
    }
    [[nodiscard]] static constexpr VolumeArea current(const VolumeBlocker& region, Vec3 drift) {
        return {.region = region, .drift = drift};
    }
};

}  // namespace fairlead
