// With `partial` a turning unit whose goal is blocked or cut off drives to the place nearest to it that it can reach: the same places as
// are found by asking for each nearer one alone; legal, and the same in slices.

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

PathStatus status(const DrivenWorld& world, const DriveQuery& query, Scratch& scratch) {
    return find_route(*world.map, query, scratch).value().status;
}

double gap(const Route& route, const DriveQuery& query) {
    return length(ground(route.end.position) - query.goal.at.ground());
}

// Is there a place of the lattice nearer to the goal that the unit reaches in any heading?
bool comes_nearer(const DrivenWorld& world, const DriveQuery& asked, double than, Scratch& scratch) {
    DriveQuery query = asked;
    query.partial = query.smooth = false;
    const Vec2 goal = asked.goal.at.ground();
    const double reach = than + 1.0;
    for (double y = std::floor(goal.y - reach); y <= goal.y + reach; y += 0.5) {
        for (double x = std::floor(goal.x - reach); x <= goal.x + reach; x += 0.5) {
            const double offset = world.table->nodes() == DriveNodes::corners ? 0.0 : 0.5;
            const bool node = world.table->nodes() == DriveNodes::halves ||
                              (x - offset == std::floor(x) && y - offset == std::floor(y));
            if (!node || length(Vec2{x, y} - goal) >= than - 1e-9) continue;
            query.goal = Goal::within(Spot(Vec2{x, y}), 0.01);
            const Result<Route> way = find_route(*world.map, query, scratch);
            if (way.has_value() && way->status == PathStatus::complete) return true;
        }
    }
    return false;
}

void expect_same_in_slices(const DrivenWorld& world, const DriveQuery& query, const Route& way, Rng& rng,
                           Scratch& scratch) {
    DriveSearch sliced(*world.map, query, scratch);
    while (sliced.step(1 + rng.below(5))) {
    }
    Route parts;
    ASSERT_TRUE(sliced.take(parts).has_value());
    EXPECT_EQ(parts.status, way.status);
    EXPECT_EQ(parts.end, way.end);
    EXPECT_EQ(parts.stats.digest, way.stats.digest);
}

TEST(NearGoal, IsTheNearestPlaceThatIsReached) {
    Rng rng(977);
    Scratch scratch;
    int blocked = 0;
    int cut_off = 0;
    int stays = 0;
    for (int n = 0; n < trials(400); ++n) {
        const MapStyle style = static_cast<MapStyle>(rng.below(static_cast<std::uint32_t>(MapStyle::count_)));
        const DrivenWorld world(random_drive_map(rng, style, 20 + static_cast<int>(rng.below(10)), 18),
                                random_unit(rng));
        ASSERT_TRUE(world.map.has_value());
        DriveQuery query{.start = random_pose(rng, world.tiles, rng.below(2) == 0),
                         .goal = random_pose(rng, world.tiles, rng.below(2) == 0),
                         .agent = world.agent};
        if (!random_free_pose(rng, world.tiles, world.agent, rng.below(2) == 0, query.start)) continue;
        constexpr DrivePlanner kPlanners[] = {DrivePlanner::weighted, DrivePlanner::lattice,
                                              DrivePlanner::anytime};
        query.planner = kPlanners[rng.below(3)];
        if (rng.below(3) == 0) query.goal.at = query.goal.at.any_heading();
        if (rng.below(8) == 0) query.goal = Goal::within(query.goal.at, 0.25 * rng.below(8));
        const Result<Route> plain = find_route(*world.map, query, scratch);
        query.partial = true;
        const Result<Route> way = find_route(*world.map, query, scratch);
        ASSERT_TRUE(plain.has_value() && way.has_value());
        const bool none =
            plain->status == PathStatus::goal_blocked || plain->status == PathStatus::unreachable;
        EXPECT_EQ(way->status, none ? PathStatus::partial : plain->status);
        const Violation bad = verify(*way, world.grid, world.agent);
        EXPECT_FALSE(bad) << bad.text().c_str();
        expect_same_in_slices(world, query, *way, rng, scratch);
        if (!none || way->status != PathStatus::partial) continue;
        ++(plain->status == PathStatus::goal_blocked ? blocked : cut_off);
        stays += way->legs.empty() ? 1 : 0;
        const double start = length(query.start.ground() - query.goal.at.ground());
        EXPECT_TRUE(gap(*way, query) < start || (way->legs.empty() && gap(*way, query) == start));
        if (n % 4 == 0) {
            EXPECT_FALSE(comes_nearer(world, query, gap(*way, query), scratch)) << n;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(blocked, 60);
    EXPECT_GT(cut_off, 20);
    EXPECT_GT(stays, 5);
}

// A goal in a wall: the unit comes to stand beside it, and one behind the wall is come near to, not driven to.
TEST(NearGoal, BesideAWall) {
    Tiles tiles = open_tiles(40, 20);
    fill(tiles, 20, 0, 4, 20, 0);
    const DrivenWorld world(tiles, {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    DriveQuery query{.start = {{5.5, 10.5}, 0.0}, .goal = {{21.5, 10.5}, 0.0}};
    EXPECT_EQ(status(world, query, scratch), PathStatus::goal_blocked);
    for (const double x : {21.5, 30.5}) {
        query.goal.at.position.x = x;
        query.partial = true;
        const Result<Route> way = find_route(*world.map, query, scratch);
        ASSERT_TRUE(way.has_value());
        EXPECT_EQ(way->status, PathStatus::partial);
        EXPECT_EQ(ground(way->end.position), (Vec2{19.5, 10.5}));
        EXPECT_NEAR(way->length, 14.0, 1e-6);
        EXPECT_LE(way->bound, 1.4);
        EXPECT_FALSE(verify(*way, world.grid, world.agent));
    }
    // There already.
    query.start = {{19.5, 10.5}, 0.0};
    const Result<Route> there = find_route(*world.map, query, scratch);
    EXPECT_EQ(there->status, PathStatus::partial);
    EXPECT_TRUE(there->legs.empty());
    EXPECT_EQ(ground(there->end.position), (Vec2{19.5, 10.5}));
    // Not on the map, and a start that is blocked: as without.
    query.goal.at.position.x = 50.5;
    EXPECT_EQ(status(world, query, scratch), PathStatus::off_world);
    query = {.start = {{21.5, 10.5}, 0.0}, .goal = {{30.5, 10.5}, 0.0}, .partial = true};
    EXPECT_EQ(status(world, query, scratch), PathStatus::start_blocked);
}

// One that may start in any heading and stays does so in one that it fits in: found by the simulator (drive, seed 5100020).
TEST(NearGoal, StaysInAHeadingThatItFitsIn) {
    Tiles tiles = open_tiles(9, 30, 0);
    fill(tiles, 4, 0, 1, 20, 1);
    Agent van = box_body(2.4, 0.8, 0.0);
    van.turning_radius = 2.0;
    const DrivenWorld world(tiles, van);
    ASSERT_TRUE(world.map.has_value());
    Scratch scratch;
    const DriveQuery query{
        .start = Spot(Vec2{4.5, 18.5}), .goal = {{4.5, 25.5}, 0.0}, .agent = van, .partial = true};
    const Result<Route> way = find_route(*world.map, query, scratch);
    ASSERT_TRUE(way.has_value());
    EXPECT_EQ(way->status, PathStatus::partial);
    EXPECT_TRUE(way->legs.empty());
    EXPECT_NEAR(std::abs(way->end.heading_rad), kHalfPi, 1e-12);
    const Violation bad = verify(*way, world.grid, van);
    EXPECT_FALSE(bad) << bad.text().c_str();
}

// The budget is spent on the way there: as far as it got.
TEST(NearGoal, ABudgetSpentOnTheWay) {
    Tiles tiles = open_tiles(60, 30);
    fill(tiles, 40, 0, 4, 30, 0);
    const DrivenWorld world(tiles, {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    DriveQuery query{.start = {{5.3, 10.5}, 0.3}, .goal = {{41.5, 20.5}, 0.0}, .partial = true};
    int ways = 0;
    double before = 1e300;
    for (std::uint64_t budget = 0;; ++budget) {
        query.expansions_max = budget;
        const Result<Route> way = find_route(*world.map, query, scratch);
        ASSERT_TRUE(way.has_value());
        EXPECT_FALSE(verify(*way, world.grid, world.agent));
        if (way->status == PathStatus::partial) break;
        ASSERT_EQ(way->status, PathStatus::budget_spent);
        if (way->legs.empty()) continue;
        ++ways;
        EXPECT_LE(gap(*way, query), before + 1.0);
        before = gap(*way, query);
    }
    EXPECT_GT(ways, 3);
}

}  // namespace
}  // namespace fairlead::testing
