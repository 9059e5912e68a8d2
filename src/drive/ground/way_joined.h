// Is there a way from a query's starts to its goal?
#pragma once

#include "drive/lattice/drive_work.h"

namespace fairlead::drive {

/// Does some of DriveWork::starts reach a pose of the lattice from which the goal is reached at once? First by the cores; where
/// they do not tell, by what the starts reach and what reaches such poses, in turn, until one of the two ends: the smaller one.
/// False: out of memory.
[[nodiscard]] bool find_way_joined(const DriveMap& map, DriveWork& work, bool& joined);

}  // namespace fairlead::drive
