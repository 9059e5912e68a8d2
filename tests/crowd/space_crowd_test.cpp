// Crowds in space in the scenes that they are judged by: no two spheres touch, no move enters a solid voxel, limits hold at each step.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/volume/find_route.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/space_scenes.h"
#include "support/threads.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

SpeedLimits limited(double accel) {
    SpeedLimits limits = SpeedLimits::only(1.5);
    limits.accel_max = limits.brake_max = limits.lateral_accel_max = accel;
    return limits;
}

SpaceVerdict judge(const SpaceTrial& trial, double worst_max = 3.0) {
    const SpaceVerdict verdict = play_space(trial);
    SCOPED_TRACE(::testing::Message() << "seed " << trial.seed);
    EXPECT_EQ(verdict.missing, 0);
    EXPECT_LE(verdict.worst, worst_max);
    EXPECT_GE(verdict.nearest, 1.0 - 1e-9);
    EXPECT_EQ(verdict.in_walls, 0);
    EXPECT_LE(verdict.speed, trial.limits.speed_max * (1.0 + 1e-9));
    EXPECT_LE(verdict.accel, trial.limits.accel_max * (1.0 + 1e-9));
    return verdict;
}

TEST(SpaceCrowd, SwarmsCross) {
    SpaceTrial trial = crossing_swarms(1, 15);
    judge(trial, 1.5);
    trial.limits = limited(3.0);
    judge(trial, 1.5);
}

TEST(SpaceCrowd, ThroughTheMiddle) {
    SpaceTrial trial = through_the_middle(2, 40);
    judge(trial, 2.0);
    trial.limits = limited(2.0);
    judge(trial, 2.5);
}

TEST(SpaceCrowd, TwoHundredToOnePlace) {
    SpaceTrial trial = converging(3, 200);
    trial.limits = limited(3.0);
    const SpaceVerdict verdict = judge(trial, 2.0);
    // who starts at the rim needs 13 s to the middle: nobody waits long, and nobody stopped on the way
    EXPECT_LT(verdict.seconds, 20.0);
    EXPECT_GT(verdict.seconds, 6.0);
}

TEST(SpaceCrowd, TwoWayThroughADoorOfOneSphere) {
    const Volume halls = two_halls(1);
    SpaceTrial trial = through_the_hole(halls, 1, 4, 12);
    judge(trial, 3.5);
    trial.limits = limited(4.0);
    judge(trial, 3.5);
}

TEST(SpaceCrowd, TwoWayThroughAShaftOfOneSphere) {
    const Volume halls = two_halls(8);
    SpaceTrial trial = through_the_hole(halls, 8, 5, 10);
    trial.limits = limited(4.0);
    judge(trial, 3.5);
}

TEST(SpaceCrowd, HeadOnTheyPassEachOther) {
    for (const Vec3 along : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, -1, 0}}) {
        SpaceTrial trial;
        trial.trips = {{along * 8.0, along * -8.0, 0.5, 0}, {along * -8.0, along * 8.0, 0.5, 0}};
        judge(trial, 1.3);
    }
}

TEST(SpaceCrowd, RandomWorldsKeepThemOutOfWallsAndEachOther) {
    Rng rng(77);
    int moved = 0;
    for (int round = 0; round < trials(12); ++round) {
        const auto kind = static_cast<VolumeKind>(round % static_cast<int>(VolumeKind::count_));
        const oracle::VolumeDense world = random_volume(rng, kind, {20, 18, 16});
        const Volume volume = make_volume(world);
        SpaceTrial trial;
        trial.volume = &volume;
        trial.seconds_max = 8.0;
        trial.step = round % 2 == 0 ? 1.0 / 30.0 : 0.1;
        if (round % 3 != 0) trial.limits = limited(1.0 + round);
        Scratch scratch;
        for (int i = 0; i < 60 && trial.trips.size() < 10; ++i) {
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) break;
            SpaceTrip trip{volume.state().centre(from), volume.state().centre(to), 0.45, 0};
            if (i % 3 == 0) trip.radius = 0.25;
            bool free = true;
            for (const SpaceTrip& other : trial.trips) {
                free = free && distance(other.from, trip.from) > other.radius + trip.radius;
            }
            VolumeQuery query;
            query.start = trip.from;
            query.goal = trip.to;
            query.agent.radius = trip.radius;
            const Result<Route> route = find_route(volume.state(), query, scratch);
            if (free && route && route->status == PathStatus::complete) trial.trips.push_back(trip);
        }
        SCOPED_TRACE(::testing::Message() << "round " << round << ", " << volume_kind_name(kind));
        const SpaceVerdict verdict = play_space(trial);
        EXPECT_EQ(verdict.in_walls, 0);
        EXPECT_GE(verdict.nearest, 1.0 - 1e-9);
        EXPECT_LE(verdict.accel, trial.limits.accel_max * (1.0 + 1e-9));
        moved += static_cast<int>(trial.trips.size()) - verdict.missing;
    }
    if (all_trials()) {
        EXPECT_GT(moved, 40);
    }
}

TEST(SpaceCrowd, ThreadsChangeNothing) {
    const Volume halls = two_halls(1);
    SpaceTrial trial = through_the_hole(halls, 1, 6, 12);
    trial.seconds_max = 15.0;
    trial.limits = limited(4.0);
    const std::uint64_t alone = play_space(trial).digest;
    for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
        Threads threads{count};
        trial.jobs = {&Threads::run, &threads};
        EXPECT_EQ(play_space(trial).digest, alone) << count;
    }
}

TEST(SpaceCrowd, AWarmUpdateAllocatesNothing) {
    const Volume halls = two_halls(1);
    const SpaceTrial trial = through_the_hole(halls, 1, 7, 12);
    CrowdOptions options;
    options.space = true;
    Crowd crowd = *Crowd::make(options);
    Scratch scratch;
    for (const SpaceTrip& trip : trial.trips) {
        VolumeQuery query;
        query.start = trip.from;
        query.goal = trip.to;
        query.agent.radius = trip.radius;
        fairlead::CrowdUnit body;
        body.radius = trip.radius;
        Place at;
        at.position = trip.from;
        const UnitId id = *crowd.add(body, at);
        ASSERT_TRUE(crowd.send(id, *find_route(halls.state(), query, scratch)));
    }
    const VolumeCrowd over(halls.state());
    // long enough for all to have looked their ways through
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(crowd.update(1.0 / 30.0, over.world()));
    const std::uint64_t before = heap_calls();
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(crowd.update(1.0 / 30.0, over.world()));
    EXPECT_EQ(heap_calls(), before);
}

TEST(SpaceCrowd, WhoIsDrivenIsAvoided) {
    CrowdOptions options;
    options.space = true;
    Crowd crowd = *Crowd::make(options);
    fairlead::CrowdUnit big;
    big.radius = 2.0;
    big.driven = true;
    Place at;
    at.position = {-10, 0, 0};
    const UnitId ship = *crowd.add(big, at);
    Place small_at;
    const UnitId fish = *crowd.add({}, small_at);
    for (int i = 0; i < 600; ++i) {
        const Vec3 now{-10.0 + i / 30.0, 0.1, 0.2};
        at.position = now;
        ASSERT_TRUE(crowd.drive(ship, at, {1, 0, 0}));
        ASSERT_TRUE(crowd.update(1.0 / 30.0, {}));
        EXPECT_GE(distance(crowd.unit(fish).place.position, now + Vec3{1.0 / 30.0, 0, 0}), 2.5 - 1e-9);
    }
}

}  // namespace
}  // namespace fairlead::testing
