// The article's simple smoothing with curves (techniques P3 and B3, step 8).
#pragma once

#include <span>

#include <fairlead/base/array.h>

#include "drive/body/leg_check.h"

namespace fairlead::drive {

/// `legs`, each a line or an arc, of a way that ends in `end`; world units. Writes to `out` a way from the same start to the same end,
/// nowhere longer. False: out of memory.
[[nodiscard]] bool smooth_simply(const LegCheck& check, double radius, std::span<const Leg> legs,
                                 const Pose& end, Array<Leg>& out);

}  // namespace fairlead::drive
