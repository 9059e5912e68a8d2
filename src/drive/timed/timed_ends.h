// Where a timed query's ends join the lattice with speeds.
#pragma once

#include "drive/timed/timed_work.h"

namespace fairlead::drive {

/// Fills TimedWork::starts from DriveWork::starts for TimedWork::space, whose costs they are in. False: out of memory.
[[nodiscard]] bool fill_timed_starts(const MapData& map, const SpeedTable& times, const DriveWork& ends,
                                     TimedWork& work);

/// Seconds for the curve from start to goal, or kNever. `failed`: set when out of memory.
[[nodiscard]] double seconds_direct(const MapData& map, const SpeedTable& times, const DriveWork& ends,
                                    TimedWork& work, bool& failed);

}  // namespace fairlead::drive
