// The query's blockers as obstacles.
#pragma once

#include <fairlead/grid/query.h>

#include "verify/contact.h"
#include "verify/scale.h"

namespace fairlead::witness {

/// Beyond every coordinate that is judged; the outside of the map reaches from its edge to there.
inline constexpr double kOutside = 0x1p28;

/// A blocker in cells. Sides beyond all that is judged are moved to kOutside, so that no number overflows.
[[nodiscard]] Obstacle blocker_obstacle(const Blocker& blocker, const Scale& scale);

}  // namespace fairlead::witness
