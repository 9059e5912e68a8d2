// What the parts of carving share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fairlead/math/aabb.h>

#include "mesh/data/tile.h"

namespace fairlead::mesh {

inline constexpr std::uint32_t kSideLabel = 1;  ///< labels of constraints
inline constexpr std::uint32_t kFootprintLabel = 2;
inline constexpr std::uint32_t kGateLabel = 4;
inline constexpr std::uint32_t kSeveral = kNone - 1;  ///< one point is several vertices
inline constexpr float kNoGap = std::numeric_limits<float>::infinity();

[[nodiscard]] inline bool lesser(Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

[[nodiscard]] inline Aabb box_of(Vec2 a, Vec2 b) {
    return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

}  // namespace fairlead::mesh
