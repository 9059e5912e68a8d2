// HalfPlane: the velocities that one thing allows a unit: all u with dot(normal, u) >= offset.
#pragma once

#include <cstddef>

#include <fairlead/math/vec.h>

namespace fairlead::crowd {

/// Of one unit and update.
inline constexpr std::size_t kPlanesMax = 112;

struct HalfPlane {
    Vec2 normal{};  ///< of length 1
    double offset = 0.0;

    /// How far a velocity is outside; negative inside.
    [[nodiscard]] double violation(Vec2 u) const { return offset - dot(normal, u); }
};

}  // namespace fairlead::crowd
