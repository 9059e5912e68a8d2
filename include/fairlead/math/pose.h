// A place and a heading on the ground plane.
#pragma once

#include <fairlead/math/vec.h>

namespace fairlead {

inline constexpr double kPi = 3.141592653589793238462643383279502884;
inline constexpr double kHalfPi = kPi / 2;
inline constexpr double kTwoPi = kPi * 2;

/// Heading in radians, counter-clockwise from +x. A unit in reverse gear moves against its heading.
struct Pose {
    Vec2 position{};
    double heading_rad = 0.0;

    friend constexpr bool operator==(const Pose&, const Pose&) = default;
};

}  // namespace fairlead
