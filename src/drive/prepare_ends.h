// Where a query's exact poses join the lattice.
#pragma once

#include <fairlead/drive/find_drive.h>

#include "drive/drive_work.h"

namespace fairlead::drive {

/// Fills starts and goal of `work` and begins its ground distance. `status`: complete if there is something to search.
/// False: out of memory.
[[nodiscard]] bool prepare_ends(const DriveMap& map, const DriveQuery& query, DriveWork& work,
                                PathStatus& status);

/// A pose of the world in cells of the map.
[[nodiscard]] Pose in_cells(const DriveMap& map, const Pose& world);

}  // namespace fairlead::drive
