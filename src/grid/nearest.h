// Nearest: the reachable cell nearest to a goal that cannot be reached, for partial routes.
#pragma once

#include "grid/work.h"

namespace fairlead::grid {

enum class NearestProgress : std::uint8_t { running, found, none };

/// Starts looking around the goal of work.query, which the connectivity index knows to be unreachable.
void begin_nearest(GridWork& work);

/// Looks at the cells of square rings around the goal, a ring at a time; 16 cells count as one unit of budget. On
/// found the goal of work.query is that cell's stand point. Nearest is by straight distance to the goal point; of
/// equals the one met first.
[[nodiscard]] NearestProgress step_nearest(GridWork& work, std::uint64_t& budget);

}  // namespace fairlead::grid
