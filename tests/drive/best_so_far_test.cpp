// With `partial` a search whose budget is spent gives the way to the best pose so far: legal, the same in slices, and with more budget
// never farther from the goal.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

DriveQuery far_query(Rng& rng, const DrivenWorld& world) {
    DriveQuery query{.start = random_pose(rng, world.tiles, rng.below(2) == 0),
                     .goal = random_pose(rng, world.tiles, rng.below(2) == 0),
                     .agent = world.agent};
    constexpr DrivePlanner kPlanners[] = {DrivePlanner::weighted, DrivePlanner::lattice,
                                          DrivePlanner::anytime};
    query.planner = kPlanners[rng.below(3)];
    query.smooth = rng.below(2) == 0;
    query.partial = true;
    if (rng.below(3) == 0) query.goal.at = query.goal.at.any_heading();
    return query;
}

TEST(BestSoFar, IsLegalTheSameInSlicesAndNeverFartherWithMore) {
    Rng rng(331);
    Rng slices(7);  // how many units there are must not change what is drawn
    Scratch scratch;
    int ways = 0;
    int nearer = 0;
    for (int n = 0; n < trials(150); ++n) {
        const DrivenWorld world(random_tiles(rng), random_unit(rng));
        ASSERT_TRUE(world.map.has_value());
        const DriveQuery all = far_query(rng, world);
        double before = std::numeric_limits<double>::infinity();
        for (const std::uint64_t budget : {0, 1, 3, 10, 40, 200, 1000}) {
            DriveQuery query = all;
            query.expansions_max = budget;
            const Result<Route> way = find_route(*world.map, query, scratch);
            ASSERT_TRUE(way.has_value());
            const Violation bad = verify(*way, world.grid, world.agent);
            EXPECT_FALSE(bad) << bad.text().c_str();
            DriveSearch sliced(*world.map, query, scratch);
            while (sliced.step(1 + slices.below(5))) {
            }
            Route parts;
            ASSERT_TRUE(sliced.take(parts).has_value());
            EXPECT_EQ(parts.status, way->status);
            EXPECT_EQ(parts.cost, way->cost);
            EXPECT_EQ(parts.end, way->end);
            ASSERT_EQ(parts.legs.size(), way->legs.size());
            if (way->status != PathStatus::budget_spent) {
                EXPECT_TRUE(way->status == PathStatus::complete || way->status == PathStatus::partial ||
                            way->legs.empty());
                break;
            }
            query.partial = false;
            // Without `partial` the weighted planner may keep to a corridor, where it meets fewer poses and may be done sooner.
            if (query.planner == DrivePlanner::weighted) query.planner = DrivePlanner::anytime;
            const Result<Route> without = find_route(*world.map, query, scratch);
            // Spent on the way to the nearest place: near_goal_test.cpp.
            if (without->status == PathStatus::unreachable || without->status == PathStatus::goal_blocked)
                continue;
            EXPECT_EQ(without->status, PathStatus::budget_spent);
            EXPECT_TRUE(without->legs.empty());
            EXPECT_EQ(without->stats.expanded, way->stats.expanded);
            EXPECT_EQ(without->stats.generated, way->stats.generated);
            EXPECT_EQ(way->bound, kNoBound);
            if (budget == 0) {
                EXPECT_TRUE(way->legs.empty());
            }
            if (way->legs.empty()) continue;
            ++ways;
            EXPECT_EQ(ground(way->legs[0].start.position), query.start.ground());
            // Never farther by the planner's estimate; as the crow flies mostly.
            const Vec2 gap = ground(way->end.position) - query.goal.at.ground();
            nearer += length(gap) <= before ? 1 : 0;
            before = length(gap);
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(ways, 150);
    EXPECT_GT(nearer, ways * 8 / 10);
}

// On open ground what is left is the length of a curve: the end comes nearer and nearer.
TEST(BestSoFar, ComesNearerOnOpenGround) {
    const DrivenWorld world(open_tiles(120, 40), {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    DriveQuery query{
        .start = {{5.5, 20.5}, 0.0}, .goal = {{110.5, 20.5}, 0.0}, .goal_curves = false, .partial = true};
    double before = length(query.goal.at.ground() - query.start.ground());
    for (std::uint64_t budget = 2; budget < 60; budget += 3) {
        query.expansions_max = budget;
        const Result<Route> way = find_route(*world.map, query, scratch);
        ASSERT_TRUE(way.has_value());
        if (way->status == PathStatus::complete) return;
        ASSERT_FALSE(way->legs.empty());
        const double rest = length(query.goal.at.ground() - ground(way->end.position));
        EXPECT_LE(rest, before);
        EXPECT_NEAR(way->length + rest, 105.0, 1.0);
        before = rest;
    }
    EXPECT_LT(before, 90.0);
}

TEST(BestSoFar, OfACancelledSearch) {
    const DrivenWorld world(open_tiles(120, 40), {.radius = 0.4, .turning_radius = 2.0, .can_reverse = true});
    Scratch scratch;
    std::atomic<bool> cancel{false};
    const DriveQuery query{.start = {{5.5, 20.5}, 0.0},
                           .goal = {{110.5, 20.5}, kHalfPi},
                           .planner = DrivePlanner::lattice,
                           .goal_curves = false,
                           .partial = true};
    DriveSearch search(*world.map, query, scratch, {.cancel = &cancel});
    search.step(200);
    ASSERT_TRUE(search.running());
    EXPECT_FALSE(search.has_route());
    cancel = true;
    while (search.step(1000)) {
    }
    Route way;
    ASSERT_TRUE(search.take(way).has_value());
    EXPECT_EQ(way.status, PathStatus::budget_spent);
    ASSERT_FALSE(way.legs.empty());
    EXPECT_FALSE(verify(way, world.grid, world.agent));
    EXPECT_FALSE(search.has_route());
}

// Where there is no search there is no best pose, also not the last query's.
TEST(BestSoFar, NotThatOfTheQueryBefore) {
    Tiles tiles = open_tiles(60, 30);
    fill(tiles, 30, 0, 1, 30, 0);
    const DrivenWorld world(tiles, {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    DriveQuery query{
        .start = {{5.5, 20.5}, 0.0}, .goal = {{25.5, 5.5}, 0.0}, .expansions_max = 3, .partial = true};
    ASSERT_FALSE(find_route(*world.map, query, scratch).value().legs.empty());
    query.goal.at.position.x = 90.5;  // not on the map
    query.off_lattice_max = 1000;
    const Result<Route> none = find_route(*world.map, query, scratch);
    EXPECT_TRUE(none->legs.empty());
    EXPECT_NE(none->status, PathStatus::complete);
}

}  // namespace
}  // namespace fairlead::testing
