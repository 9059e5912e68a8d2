// Lengths in sides: a voxel's shortest side is 1. The unit of all searches in volumes.
#pragma once

#include <algorithm>
#include <cmath>

#include <fairlead/math/vec.h>
#include <fairlead/search/cost.h>

#include "volume/data/state.h"

namespace fairlead::volume {

[[nodiscard]] inline double side_of(const StateData& state) {
    return std::min({state.scale.x, state.scale.y, state.scale.z});
}
/// Sides a voxel on each axis.
[[nodiscard]] inline Vec3 metric_of(const StateData& state) { return state.scale / side_of(state); }
[[nodiscard]] FAIRLEAD_INLINE double metric_length(Vec3 metric, Vec3 d) {
    const double x = d.x * metric.x, y = d.y * metric.y, z = d.z * metric.z;
    return std::sqrt(x * x + y * y + z * z);
}
/// As the open lists want it.
[[nodiscard]] FAIRLEAD_INLINE Cost as_cost(double sides) {
    return static_cast<Cost>(std::min(sides, 1e9) * 0x1p32);
}

}  // namespace fairlead::volume
