// With `partial` a flyer whose goal is blocked or cut off flies to the place nearest to it: the same as a walker of its size is led to.
#include <gtest/gtest.h>

#include <fairlead/fly/find_fly.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

#include "support/environment.h"
#include "support/fly_worlds.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

constexpr FlyWorld kKinds[] = {FlyWorld::asteroids, FlyWorld::tunnels};

TEST(NearGoalFly, IsTheNearestPlaceOfItsPart) {
    Rng rng(61);
    Scratch scratch;
    int partial = 0, given_up = 0;
    for (int i = 0; i < trials(80); ++i) {
        const VolumeDense world = fly_world(rng, kKinds[i % 2], nullptr, 28);
        FlyQuery query;
        const double radius = rng.below(3) == 0 ? 0.0 : rng.between(0.05, 0.9);
        if (!draw_flight(rng, world, radius, rng.between(1.0, 3.0), query)) continue;
        query.goal.at.position = {rng.between(0.5, 27.5), rng.between(0.5, 27.5), rng.between(0.5, 27.5)};
        query.expansions_max = 1500;
        const Volume volume = make_volume(world);
        const Result<Route> none = find_route(volume, query, scratch);
        query.partial = true;
        Result<Route> way = find_route(volume, query, scratch);
        ASSERT_TRUE(none && way);
        const Violation bad = verify(*way, volume, query.agent);
        ASSERT_FALSE(bad) << bad.text().c_str();
        if (none->status != PathStatus::goal_blocked && none->status != PathStatus::unreachable) {
            EXPECT_EQ(way->status, none->status);
            continue;
        }
        if (way->status != PathStatus::partial) {
            EXPECT_EQ(way->status, PathStatus::budget_spent);
            ++given_up;
            continue;
        }
        ++partial;
        const Vec3 goal = query.goal.at.position;
        const Result<Route> walker = find_route(volume,
                                                VolumeQuery{.start = Spot(query.start.position),
                                                            .goal = Spot(goal),
                                                            .agent = {.radius = radius},
                                                            .partial = true},
                                                scratch);
        ASSERT_TRUE(walker);
        EXPECT_NEAR(length(way->end.position - goal), length(walker->end.position - goal), 1e-9);
        FlySearch search(volume.acquire(), query, scratch);
        while (search.running()) search.step(1 + rng.below(30));
        EXPECT_TRUE(search.has_route());
        Route sliced;
        ASSERT_TRUE(search.take(sliced));
        EXPECT_EQ(sliced.stats, way->stats);
        EXPECT_EQ(sliced.status, way->status);
        EXPECT_EQ(sliced.end, way->end);
        if (way->legs.empty()) continue;
        FlyQuery to = query;
        to.goal.at = Spot(way->end.position, way->end.heading_rad);
        way->status = PathStatus::complete;
        EXPECT_EQ(wrong_flight(to, *way), "");
    }
    if (!all_trials()) return;
    EXPECT_GT(partial, 10);
    EXPECT_LT(given_up, partial);
}

TEST(NearGoalFly, BeforeAWall) {
    VolumeDense world({24, 24, 24});
    for (std::int32_t y = 0; y < 24; ++y) {
        for (std::int32_t z = 0; z < 24; ++z) world.set({12, y, z}, true);
    }
    const Volume cut = make_volume(world);
    Scratch scratch;
    FlyQuery query{.start = Spot({4, 12.5, 12.5}, 0.0),
                   .goal = Spot({20, 12.5, 12.5}, 0.0),
                   .agent = {.radius = 0.5, .turning_radius = 2.0},
                   .partial = true};
    for (const double x : {20.0, 12.5}) {
        query.goal.at.position.x = x;
        const Result<Route> way = find_route(cut, query, scratch);
        ASSERT_TRUE(way);
        ASSERT_EQ(way->status, PathStatus::partial);
        EXPECT_EQ(way->end.position, (Vec3{11.5, 12.5, 12.5}));
        EXPECT_EQ(way->end.heading_rad, 0.0);
        EXPECT_NEAR(way->length, 7.5, 1e-9);
        EXPECT_FALSE(verify(*way, cut, query.agent));
    }
    // A blocker on that place: to the next one.
    const VolumeBlocker ball = VolumeBlocker::ball({11.5, 12.5, 12.5}, 0.6);
    query.blockers = {&ball, 1};
    const Result<Route> past = find_route(cut, query, scratch);
    ASSERT_TRUE(past);
    EXPECT_EQ(past->status, PathStatus::partial);
    EXPECT_GT(length(past->end.position - ball.centre), 1.1 - 1e-9);
    EXPECT_FALSE(verify(*past, cut, query.agent, {.blockers = query.blockers}));
    query.blockers = {};
    // There already, and no place at all.
    query.start = Spot({11.5, 12.5, 12.5}, 0.0);
    const Result<Route> stays = find_route(cut, query, scratch);
    ASSERT_TRUE(stays);
    EXPECT_EQ(stays->status, PathStatus::partial);
    EXPECT_TRUE(stays->legs.empty());
    EXPECT_EQ(stays->end.position, query.start.position);
    query.start = Spot({12.5, 12.5, 12.5}, 0.0);
    EXPECT_EQ(find_route(cut, query, scratch).value().status, PathStatus::start_blocked);
}

}  // namespace
}  // namespace fairlead::testing
