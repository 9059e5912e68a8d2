// A crowd in a volume, judged at each step: every pair's distance, every move by the exact checker of volumes, speed and change of speed.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/jobs.h>
#include <fairlead/crowd/crowd.h>
#include <fairlead/volume/volume.h>

namespace fairlead::testing {

struct SpaceTrip {
    Vec3 from{};
    Vec3 to{};
    double radius = 0.5;
    std::uint32_t group = 0;
};

struct SpaceTrial {
    const Volume* volume = nullptr;  ///< null: no walls, straight ways
    std::vector<SpaceTrip> trips{};
    SpeedLimits limits = SpeedLimits::only(1.5);
    double step = 1.0 / 30.0;
    double seconds_max = 120.0;
    std::uint64_t seed = 1;
    Jobs jobs{};
};

struct SpaceVerdict {
    int missing = 0;         ///< not arrived
    int late = 0;            ///< not within three times their time alone
    double worst = 0.0;      ///< arrival time / time alone
    double nearest = 1e300;  ///< of centres, in sums of radii
    int in_walls = 0;        ///< moves that the checker refuses
    double speed = 0.0;      ///< largest
    double accel = 0.0;      ///< largest change of velocity a second
    double seconds = 0.0;    ///< until the last one arrived
    std::uint64_t digest = 0;
};

[[nodiscard]] SpaceVerdict play_space(const SpaceTrial& trial);

}  // namespace fairlead::testing
