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
    std::int32_t facings = 0;
    bool mesh = false;              ///< on the level mesh of the scene, else on its tiles
    double times_alone_max = 3.15;  ///< it ends after so many of the longest time alone, or 60 s
    double seconds_max = 0.0;       ///< above 0: then
    Jobs jobs{};
};

struct CrowdVerdict {
    int units = 0;
    int missing = 0;            ///< did not come within a radius of their goal
    int late = 0;               ///< came after more than 3 times their time alone
    double worst = 0.0;         ///< of those that came: time / time alone
    double mean = 0.0;          ///< of all; one that is missing counts as 5
    double nearest = 0.0;       ///< two centres, in radii
    double nearest_wall = 0.0;  ///< a centre and a wall, in radii
    double accel = 0.0;         ///< largest change of velocity a second, in the scene's scale
    double speed = 0.0;
    double aside =
        0.0;  ///< of units that face a way: the most that one moved aside of it or back in a step, in radii
    double turned = 0.0;      ///< the most that one turned a second
    bool off_facing = false;  ///< a heading was none of the facings
    int waited = 0;           ///< updates in which one was waiting
    double seconds = 0.0;
    std::uint64_t digest = 0;
};

[[nodiscard]] CrowdVerdict play_crowd(const CrowdTrial& trial);

}  // namespace fairlead::testing
