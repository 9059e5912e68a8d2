// With `partial` a turning unit on a mesh whose goal is blocked or cut off drives to the place nearest to it that it comes to.

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/drive_worlds.h"
#include "support/driven_by.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr Agent kVan{.radius = 0.4, .turning_radius = 1.2, .can_reverse = true};

double gap(const Route& route, const MeshDriveQuery& query) {
    return length(ground(route.end.position) - query.goal.at.ground());
}

// Does the unit come to a place that is a cell nearer to the goal, in any heading?
bool comes_nearer(const NavMeshState& mesh, const MeshDriveQuery& asked, double than, Scratch& scratch) {
    MeshDriveQuery query = asked;
    query.partial = query.smooth = false;
    const double cell = asked.table->options().cell_size;
    const Vec2 goal = asked.goal.at.ground();
    const int far = static_cast<int>(than / cell) + 1;
    for (int i = -far; i <= far; ++i) {
        for (int j = -far; j <= far; ++j) {
            const Vec2 at = goal + Vec2{i * cell, j * cell};
            if (length(at - goal) >= than - cell) continue;
            query.goal = Goal(Spot(Vec3{at.x, at.y, 0.0}));
            const Result<Route> way = find_route(mesh, query, scratch);
            if (way.has_value() && way->status == PathStatus::complete) return true;
        }
    }
    return false;
}

// But for a cell of the lattice.
TEST(NearGoalMesh, IsTheNearestPlaceThatIsReached) {
    Rng rng(61);
    Scratch scratch;
    const Result<DriveTable> table = make_mesh_drive_table(kVan);
    ASSERT_TRUE(table);
    int blocked = 0;
    int cut_off = 0;
    for (int n = 0; n < trials(80); ++n) {
        const Tiles tiles = random_drive_map(rng, static_cast<MapStyle>(rng.below(4)), 10, 9);
        const Grid grid = grid_of(tiles);
        const Result<NavMesh> mesh = make_grid_mesh(grid, {.radius_max = 0.0, .landmarks = 2});
        if (!mesh) continue;
        Pose start;
        Pose goal{{0.1 * rng.below(100), 0.1 * rng.below(90)}, 0.3 * rng.below(20)};
        if (!random_free_pose(rng, tiles, kVan, true, start)) continue;
        MeshDriveQuery query{.goal = Place{{goal.position.x, goal.position.y, 0}, goal.heading_rad},
                             .agent = kVan};
        query.start = Place{{start.position.x, start.position.y, 0}, start.heading_rad};
        if (rng.below(2) == 0) query.goal.at = query.goal.at.any_heading();
        query = driven_by(*table, query);
        const Result<Route> plain = find_route(*mesh, query, scratch);
        query.partial = true;
        const Result<Route> way = find_route(*mesh, query, scratch);
        ASSERT_TRUE(plain && way);
        EXPECT_FALSE(verify(*way, *mesh, kVan));
        MeshDriveSearch sliced(*mesh, query, scratch);
        while (sliced.step(1 + rng.below(5))) {
        }
        Route parts;
        ASSERT_TRUE(sliced.take(parts));
        EXPECT_EQ(parts.status, way->status);
        EXPECT_EQ(parts.end, way->end);
        EXPECT_EQ(parts.stats.digest, way->stats.digest);
        if (plain->status == PathStatus::complete || plain->status == PathStatus::start_blocked) {
            EXPECT_EQ(way->status, plain->status);
            continue;
        }
        if (way->status != PathStatus::partial) {
            EXPECT_EQ(way->status, plain->status);
            EXPECT_NE(way->status, PathStatus::unreachable);  // there is no surface, or it is beside the mesh
            continue;
        }
        ++(plain->status == PathStatus::goal_blocked ? blocked : cut_off);
        const double from = length(query.start.ground() - query.goal.at.ground());
        EXPECT_TRUE(gap(*way, query) < from || (way->legs.empty() && gap(*way, query) == from));
        if (n % 4 == 0) {
            EXPECT_FALSE(comes_nearer(*mesh, query, gap(*way, query), scratch)) << n;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(blocked, 10);
    EXPECT_GT(cut_off, 2);
}

// A goal too near a wall is come near to after few poses, however large the level is; one behind a wall as well. The one call too.
TEST(NearGoalMesh, BesideAWall) {
    Tiles tiles = open_tiles(60, 40);
    fill(tiles, 40, 0, 1, 40, 0);
    const Grid grid = grid_of(tiles);
    const Result<NavMesh> mesh = make_grid_mesh(grid, {.radius_max = 0.0, .landmarks = 2});
    ASSERT_TRUE(mesh);
    Scratch scratch;
    MeshDriveQuery query{
        .start = Place{{5.0, 20.0, 0}, 0.0}, .goal = Place{{39.9, 20.0, 0}, 0.0}, .agent = kVan};
    EXPECT_EQ(find_route(*mesh, query, scratch).value().status, PathStatus::goal_blocked);
    query.partial = true;
    for (const double x : {39.9, 45.0}) {
        query.goal.at.position.x = x;
        const Result<Route> way = find_route(*mesh, query, scratch);
        ASSERT_TRUE(way);
        EXPECT_EQ(way->status, PathStatus::partial);
        EXPECT_FALSE(verify(*way, *mesh, kVan));
        EXPECT_GT(way->end.position.x, 39.6 - 0.45);
        EXPECT_LT(way->length, 37.0);
        EXPECT_EQ(way->bound, kNoBound);
        if (x < 40.0) {
            EXPECT_LT(way->stats.expanded, 3000U);
        }
    }
    // Before that the budget may be spent: as near as it came, never farther with more.
    double before = 1e300;
    int ways = 0;
    for (std::uint64_t budget = 2;; budget += 3) {
        query.expansions_max = budget;
        const Result<Route> way = find_route(*mesh, query, scratch);
        ASSERT_TRUE(way);
        if (way->status == PathStatus::partial) break;
        ASSERT_EQ(way->status, PathStatus::budget_spent);
        EXPECT_FALSE(verify(*way, *mesh, kVan));
        if (way->legs.empty()) continue;
        ++ways;
        EXPECT_LE(gap(*way, query), before);
        before = gap(*way, query);
    }
    EXPECT_GE(ways, 2);
    // No surface at all: blocked, as for walkers.
    query.expansions_max = UINT64_MAX;
    query.goal.at.position = {40.5, 20.0, 0.0};
    EXPECT_EQ(find_route(*mesh, query, scratch).value().status, PathStatus::goal_blocked);
}

}  // namespace
}  // namespace fairlead::testing
