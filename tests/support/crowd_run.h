// A scene of crowd_scenes.h played to its end, and judged: bodies against the boxes of the walls, every pair, limits, arrivals.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/jobs.h>
#include <fairlead/crowd/crowd.h>

#include "support/crowd_scenes.h"

namespace fairlead::testing {

struct CrowdTrial {
    CrowdPlace place = CrowdPlace::doorway;
    CrowdPose pose{};
    std::uint64_t seed = 0;
    SpeedLimits limits = SpeedLimits::only(1.5);  ///< in the scene's own scale: all are multiplied by it
    bool mesh = false;                            ///< on the level mesh of the scene, else on its tiles
    double seconds_max = 0.0;                     ///< 0: 3.15 x the longest time alone, at least 60
    Jobs jobs{};
};

struct CrowdVerdict {
    int units = 0;
    int missing = 0;            ///< did not come within a radius of their goal
    double worst = 0.0;         ///< of those that came: time / time alone
    double nearest = 0.0;       ///< two centres, in radii
    double nearest_wall = 0.0;  ///< a centre and a wall, in radii
    double accel = 0.0;         ///< largest change of velocity a second, in the scene's scale
    double speed = 0.0;
    double seconds = 0.0;
    std::uint64_t digest = 0;
};

[[nodiscard]] CrowdVerdict play_crowd(const CrowdTrial& trial);

}  // namespace fairlead::testing
