// Crowds in the scenes that they are judged by: nobody touches a wall or another one, limits hold at each step, everyone arrives.
#include <gtest/gtest.h>

#include "crowd/crowd_run.h"
#include "support/environment.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

constexpr double kTouching = 2.0 * (1.0 - 1e-9);

SpeedLimits walker() {
    SpeedLimits limits = SpeedLimits::only(1.5);
    limits.accel_max = 8.0;
    limits.brake_max = 8.0;
    limits.lateral_accel_max = 8.0;
    return limits;
}

void judge(const CrowdTrial& trial, double worst_max = 3.0) {
    const CrowdVerdict verdict = play_crowd(trial);
    SCOPED_TRACE(::testing::Message() << crowd_place_name(trial.place) << " seed " << trial.seed);
    EXPECT_EQ(verdict.missing, 0);
    EXPECT_LE(verdict.worst, worst_max);
    EXPECT_GE(verdict.nearest, kTouching);
    EXPECT_GE(verdict.nearest_wall, 1.0 - 1e-9);
    EXPECT_LE(verdict.speed, trial.limits.speed_max * (1.0 + 1e-9));
    EXPECT_LE(verdict.accel, trial.limits.accel_max * (1.0 + 1e-9));
}

TEST(Crowd, DoorwayLetsEveryoneThrough) { judge({.place = CrowdPlace::doorway, .seed = 1}); }

TEST(Crowd, CorridorLetsEveryoneThrough) { judge({.place = CrowdPlace::corridor_a, .seed = 2}); }

TEST(Crowd, HeadOnInACorridor) { judge({.place = CrowdPlace::corridor_b, .seed = 3}); }

TEST(Crowd, VestibuleLetsEveryoneThrough) { judge({.place = CrowdPlace::vestibule, .seed = 4}); }

TEST(Crowd, CrossingInTheOpen) { judge({.place = CrowdPlace::crossing_open, .seed = 5}); }

TEST(Crowd, LimitsOfAccelerationHoldAndNothingTouches) {
    judge({.place = CrowdPlace::crossing_open, .seed = 6, .limits = walker()});
    judge({.place = CrowdPlace::vestibule, .seed = 6, .limits = walker()}, 3.5);
}

TEST(Crowd, SmallMirroredAndTurned) {
    judge({.place = CrowdPlace::vestibule, .pose = {.scale = 0.3, .quarters = 1, .mirrored = true}, .seed = 7});
}

TEST(Crowd, OnALevelMesh) { judge({.place = CrowdPlace::vestibule, .seed = 8, .mesh = true}); }

TEST(Crowd, ThreadsChangeNothing) {
    CrowdTrial trial{.place = CrowdPlace::vestibule, .seed = 9, .limits = walker(), .seconds_max = 12.0};
    const std::uint64_t alone = play_crowd(trial).digest;
    for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
        Threads threads{count};
        trial.jobs = {&Threads::run, &threads};
        EXPECT_EQ(play_crowd(trial).digest, alone) << count;
    }
}

}  // namespace
}  // namespace fairlead::testing
