// HalfSpace: the velocities in space that one thing allows a unit: all u with dot(normal, u) >= offset.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead::crowd {

struct HalfSpace {
    Vec3 normal{};  ///< of length 1
    double offset = 0.0;

    /// How far a velocity is outside; negative inside.
    [[nodiscard]] double violation(Vec3 u) const { return offset - dot(normal, u); }
};

}  // namespace fairlead::crowd
