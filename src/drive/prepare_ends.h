// Where a query's exact poses join the lattice.
#pragma once

#include <fairlead/drive/find_drive.h>

#include "drive/drive_work.h"

namespace fairlead::drive {

/// Short curves join an exact pose off the lattice to the poses around it: those to cells within the primitives' reach that
/// turn by no more than this.
inline constexpr double kEndTurnMax = kHalfPi + 0.1;

/// Fills starts and goal of `work` and begins its ground distance. `status`: complete if there is something to search.
/// False: out of memory.
[[nodiscard]] bool prepare_ends(const DriveMap& map, const DriveQuery& query, DriveWork& work,
                                PathStatus& status);

/// A pose of the world in cells of the map.
[[nodiscard]] Pose in_cells(const DriveMap& map, const Pose& world);

}  // namespace fairlead::drive
