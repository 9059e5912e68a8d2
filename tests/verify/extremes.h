// Numbers that a route must not hold, and the largest that it may.
#pragma once

#include <limits>

namespace fairlead::testing {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kHuge = std::numeric_limits<double>::max();

}  // namespace fairlead::testing
