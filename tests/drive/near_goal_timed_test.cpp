// With `partial` a timed unit whose goal is blocked or cut off drives to the place nearest to it, the same as without speeds, and stands
// there; legal, and the same in slices.
#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>

#include "drive/timed_checks.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

TEST(NearGoalTimed, WhereItComesWithoutSpeeds) {
    Rng rng(978);
    Scratch scratch;
    int partial = 0;
    int stays = 0;
    int rolling = 0;
    for (int n = 0; n < trials(150); ++n) {
        const MapStyle style = static_cast<MapStyle>(rng.below(static_cast<std::uint32_t>(MapStyle::count_)));
        const DrivenWorld world(random_drive_map(rng, style, 20 + static_cast<int>(rng.below(10)), 18),
                                random_unit(rng));
        ASSERT_TRUE(world.map.has_value());
        const double brake = rng.between(0.5, 6.0);
        const Result<SpeedTable> speeds =
            SpeedTable::make(*world.table, {.speed_max = 6.0, .accel_max = 2.0, .brake_max = brake});
        ASSERT_TRUE(speeds.has_value());
        TimedQuery query{.start = random_pose(rng, world.tiles, rng.below(2) == 0),
                         .goal = random_pose(rng, world.tiles, rng.below(2) == 0),
                         .partial = true};
        if (!random_free_pose(rng, world.tiles, world.agent, rng.below(2) == 0, query.start)) continue;
        query.planner = rng.below(2) == 0 ? TimedPlanner::weighted : TimedPlanner::lattice;
        query.smooth = rng.below(2) == 0;
        if (rng.below(3) == 0) query.start_speed = 6.0 * rng.unit();
        if (rng.below(3) == 0) query.goal_speed = kAnySpeed;
        SCOPED_TRACE(n);
        const Result<Route> slow = find_route(
            *world.map, DriveQuery{.start = query.start, .goal = query.goal, .partial = true}, scratch);
        const Result<Route> way = find_route(*world.map, timed_by(*speeds, query), scratch);
        ASSERT_TRUE(slow.has_value() && way.has_value());
        TimedSearch sliced(*world.map, timed_by(*speeds, query), scratch);
        while (sliced.step(1 + rng.below(9))) {
        }
        EXPECT_EQ(sliced.has_route(),
                  way->status == PathStatus::complete || way->status == PathStatus::partial);
        Route parts;
        ASSERT_TRUE(sliced.take(parts).has_value());
        EXPECT_EQ(parts.status, way->status);
        EXPECT_EQ(parts.end, way->end);
        EXPECT_EQ(parts.cost, way->cost);
        if (slow->status != PathStatus::partial) {
            EXPECT_NE(way->status, PathStatus::partial);
            continue;
        }
        EXPECT_EQ(way->too_fast, way->status != PathStatus::partial);
        if (query.start_speed == 0.0) {
            ASSERT_EQ(way->status, PathStatus::partial);
            EXPECT_EQ(ground(way->end.position), ground(slow->end.position));
        }
        if (way->status != PathStatus::partial) continue;
        ++partial;
        stays += way->legs.empty() ? 1 : 0;
        rolling += query.start_speed > 0.0 && !way->legs.empty() ? 1 : 0;
        query.goal_speed = 0.0;
        if (!way->legs.empty()) expect_legal(*way, world.grid, *speeds, query);
        if (HasFatalFailure()) return;
    }
    if (!all_trials()) return;
    EXPECT_GT(partial, 30);
    EXPECT_GT(stays, 2);
    EXPECT_GT(rolling, 5);
}

TEST(NearGoalTimed, BesideAWall) {
    Tiles tiles = open_tiles(40, 20);
    fill(tiles, 20, 0, 4, 20, 0);
    const DrivenWorld world(tiles, {.radius = 0.4, .turning_radius = 2.0});
    const Result<SpeedTable> speeds =
        SpeedTable::make(*world.table, {.speed_max = 4.0, .accel_max = 2.0, .brake_max = 1.0});
    ASSERT_TRUE(speeds.has_value());
    Scratch scratch;
    for (const double x : {21.5, 30.5}) {
        TimedQuery query{.start = {{5.5, 10.5}, 0.0}, .goal = {{x, 10.5}, 0.0}, .goal_speed = 4.0};
        const Result<Route> none = find_route(*world.map, timed_by(*speeds, query), scratch);
        EXPECT_EQ(none->status, x < 24 ? PathStatus::goal_blocked : PathStatus::unreachable);
        query.partial = true;
        // 4 to gather 4 in 2 s, 8 to stop in 4 s, 2 between: it stands at the wall though it was to pass the goal at speed.
        const Result<Route> way = find_route(*world.map, timed_by(*speeds, query), scratch);
        ASSERT_TRUE(way.has_value());
        EXPECT_EQ(way->status, PathStatus::partial);
        EXPECT_EQ(ground(way->end.position), (Vec2{19.5, 10.5}));
        EXPECT_NEAR(way->cost, 2.0 + 0.5 + 4.0, 1e-6);
        EXPECT_EQ(way->speeds.back().speed, 0.0);
        // Too fast to stop at the wall in front.
        query.start = {{14.5, 10.5}, 0.0};
        query.start_speed = 4.0;
        const Result<Route> fast = find_route(*world.map, timed_by(*speeds, query), scratch);
        ASSERT_TRUE(fast.has_value());
        EXPECT_EQ(fast->status, none->status);
        EXPECT_TRUE(fast->too_fast);
        EXPECT_TRUE(fast->legs.empty());
    }
    // A budget spent on the way there.
    TimedQuery query{.start = {{5.5, 10.5}, 0.0}, .goal = {{21.5, 10.5}, 0.0}, .expansions_max = 1};
    query.partial = true;
    query.planner = TimedPlanner::lattice;
    const Result<Route> spent = find_route(*world.map, timed_by(*speeds, query), scratch);
    EXPECT_EQ(spent->status, PathStatus::budget_spent);
}

}  // namespace
}  // namespace fairlead::testing
