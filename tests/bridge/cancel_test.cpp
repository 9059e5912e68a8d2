// FAULT-9: a cancel is seen within 64 units by every search of turning units, on tiles, with speeds and on meshes.
#include <atomic>
#include <string_view>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>

#include "support/drive_worlds.h"
#include "support/driven_by.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {
namespace {

constexpr Agent kBuggy{.radius = 0.4, .turning_radius = 1.5, .can_reverse = true};

/// A comb of walls, so that every search opens thousands of poses.
Tiles comb() {
    Tiles tiles = open_tiles(60, 40);
    for (std::int32_t x = 6; x < 56; x += 6) fill(tiles, x, x % 12 == 0 ? 0 : 4, 1, 36, 0);
    return tiles;
}

const Pose kFrom{{2.5, 20.5}, 0.0}, kTo{{57.5, 20.5}, 0.0};

TEST(CancelDrive, IsSeenWithin64Units) {
    const DrivenWorld world(comb(), kBuggy);
    ASSERT_TRUE(world.map);
    Scratch scratch;
    for (const DrivePlanner planner :
         {DrivePlanner::weighted, DrivePlanner::lattice, DrivePlanner::anytime}) {
        const DriveQuery query{.start = kFrom, .goal = kTo, .planner = planner};
        std::atomic<bool> cancel{false};
        DriveSearch search(*world.map, query, scratch, {.cancel = &cancel});
        while (search.stats().expanded < 100) search.step(1);
        ASSERT_TRUE(search.running());
        cancel = true;
        search.step(UINT64_MAX);
        EXPECT_FALSE(search.running());
        Route route;
        ASSERT_TRUE(search.take(route));
        EXPECT_EQ(route.status, PathStatus::budget_spent);
        EXPECT_TRUE(route.legs.empty());
        EXPECT_GT(route.stats.expanded, 90U);
        EXPECT_LE(route.stats.expanded, 100U);
        // Set before the call: nothing is opened.
        ASSERT_TRUE(find_route_into(*world.map, query, scratch, route, {.cancel = &cancel}));
        EXPECT_EQ(route.status, PathStatus::budget_spent);
        EXPECT_EQ(route.stats.expanded, 0U);
        // A flag that stays down changes nothing.
        cancel = false;
        Route other;
        ASSERT_TRUE(find_route_into(*world.map, query, scratch, route, {.cancel = &cancel}));
        ASSERT_TRUE(find_route_into(*world.map, query, scratch, other));
        EXPECT_EQ(route.status, PathStatus::complete);
        EXPECT_EQ(route.stats.digest, other.stats.digest);
        EXPECT_EQ(route.cost, other.cost);
    }
}

TEST(CancelDrive, TheAnytimePlannerKeepsItsBestRoute) {
    const DrivenWorld world(comb(), kBuggy);
    ASSERT_TRUE(world.map);
    Scratch scratch;
    std::atomic<bool> cancel{false};
    const DriveQuery query{.start = kFrom, .goal = kTo, .epsilon = 4.0, .planner = DrivePlanner::anytime};
    DriveSearch search(*world.map, query, scratch, {.cancel = &cancel});
    while (!search.has_route()) search.step(16);
    ASSERT_TRUE(search.running());
    cancel = true;
    search.step(1);
    EXPECT_FALSE(search.running());
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_GT(route.bound, 1.0);
}

TEST(CancelDrive, OnTheOneCallOverAGrid) {
    const Grid grid = grid_of(comb());
    Scratch scratch;
    std::atomic<bool> cancel{true};
    const DriveQuery query{.start = kFrom, .goal = kTo, .agent = kBuggy};
    const Result<Route> route = find_route(grid, query, scratch, GridDriveSetup{}, {.cancel = &cancel});
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::budget_spent);
}

TEST(CancelTimed, IsSeenWithin64Units) {
    const DrivenWorld world(comb(), kBuggy);
    ASSERT_TRUE(world.map);
    const Result<SpeedTable> table = SpeedTable::make(
        *world.table, {.speed_max = 8.0, .accel_max = 2.0, .brake_max = 4.0, .lateral_accel_max = 4.0});
    ASSERT_TRUE(table);
    Scratch scratch;
    for (const TimedPlanner planner : {TimedPlanner::weighted, TimedPlanner::lattice}) {
        const TimedQuery query{.start = kFrom, .goal = kTo, .planner = planner, .times = &*table};
        std::atomic<bool> cancel{false};
        TimedSearch search(*world.map, query, scratch, {.cancel = &cancel});
        search.step(100);
        ASSERT_TRUE(search.running());
        cancel = true;
        search.step(UINT64_MAX);
        EXPECT_FALSE(search.running());
        Route out;
        ASSERT_TRUE(search.take(out));
        EXPECT_EQ(out.status, PathStatus::budget_spent);
        EXPECT_TRUE(out.legs.empty());
        EXPECT_LE(out.stats.expanded, 100U);
        ASSERT_TRUE(find_route_into(*world.map, query, scratch, out, {.cancel = &cancel}));
        EXPECT_EQ(out.status, PathStatus::budget_spent);
        EXPECT_EQ(out.stats.expanded, 0U);
    }
}

TEST(CancelMeshDrive, IsSeenWithin64Units) {
    Rng rng(5);
    PlainMesh plain = random_mesh(rng, {.width = 40, .height = 40, .blocked_percent = 12});
    const NavMesh mesh = plain.make();
    const Result<DriveTable> table = make_mesh_drive_table(kBuggy);
    ASSERT_TRUE(table);
    Scratch scratch;
    int cancelled = 0;
    for (int i = 0; i < 40; ++i) {
        const MeshDriveQuery query{.start = {{rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0.0}, 0.0},
                                   .goal = {{rng.between(0.0, 40.0), rng.between(0.0, 40.0), 0.0}, 0.0}};
        std::atomic<bool> cancel{false};
        MeshDriveSearch search(mesh, driven_by(*table, query), scratch, {.cancel = &cancel});
        search.step(40);
        if (!search.running()) continue;
        cancel = true;
        search.step(UINT64_MAX);
        EXPECT_FALSE(search.running());
        Route route;
        ASSERT_TRUE(search.take(route));
        EXPECT_EQ(route.status, PathStatus::budget_spent);
        EXPECT_LE(route.stats.expanded, 40U);
        ++cancelled;
    }
    EXPECT_GT(cancelled, 5);
}

}  // namespace
}  // namespace fairlead::testing
