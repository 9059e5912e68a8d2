// Turning units on level meshes: no route costs more than its bound says, and the anytime planner ends at 1.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "bridge/mesh_cars.h"
#include "support/bodies.h"
#include "support/driven_by.h"
#include "support/environment.h"
#include "support/levels.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::trials;

// Against the same search without a weight, which ends only when nothing can be cheaper.
TEST(MeshDrive, RandomWaysAreWithinTheirBound) {
    Rng rng(31);
    Scratch scratch;
    int both = 0, long_ones = 0;
    for (int i = 0; i < trials(24); ++i) {
        const Result<NavMesh> mesh = random_level(rng);
        ASSERT_TRUE(mesh);
        if (mesh->state().polygons() == 0) continue;
        Agent agent = random_agent(rng);
        agent.can_pivot = false;
        const Result<DriveTable> table = make_mesh_drive_table(agent);
        ASSERT_TRUE(table);
        for (int k = 0; k < 3; ++k) {
            MeshDriveQuery query;
            query.start = {random_point(*mesh, rng).position, rng.between(-4.0, 4.0)};
            query.goal = {random_point(*mesh, rng).position, rng.between(-4.0, 4.0)};
            query.smooth = false;
            query.epsilon = 1.0;
            query.expansions_max = 60000;
            const Result<Route> least = find_route(*mesh, driven_by(*table, query), scratch);
            query.epsilon = rng.between(1.05, 2.0);
            const Result<Route> way = find_route(*mesh, driven_by(*table, query), scratch);
            ASSERT_TRUE(least && way);
            if (least->status != PathStatus::complete || way->status != PathStatus::complete) continue;
            ++both;
            long_ones += way->stats.expanded > 500 ? 1 : 0;
            EXPECT_LE(way->bound, query.epsilon);
            EXPECT_LE(way->cost, least->cost * way->bound * (1.0 + 1e-6));
            EXPECT_LE(way->cost, least->cost * query.epsilon * (1.0 + 1e-6));
            EXPECT_LEGAL(verify(*way, *mesh, agent));
        }
    }
    if (trials(24) < 24) return;  // too few to ask for more
    EXPECT_GT(both, 10);
    EXPECT_GT(long_ones, 0);
}

// Ever better routes, each with its bound, down to the cheapest of the lattice; in slices, and cut short.
TEST(MeshDrive, AnytimeEndsWithTheLatticesOptimum) {
    Rng rng(32);
    Scratch scratch, other;
    int complete = 0, ended = 0, improved = 0, cut = 0;
    for (int i = 0; i < trials(16); ++i) {
        const Result<NavMesh> mesh = random_level(rng);
        ASSERT_TRUE(mesh);
        if (mesh->state().polygons() == 0) continue;
        const Agent agent = random_agent(rng);
        const Result<DriveTable> table = make_mesh_drive_table(agent);
        ASSERT_TRUE(table);
        MeshDriveQuery query;
        query.start = {random_point(*mesh, rng).position, rng.between(-4.0, 4.0)};
        query.goal = {random_point(*mesh, rng).position, rng.between(-4.0, 4.0)};
        query.smooth = i % 2 == 0;
        query.expansions_max = 60000;
        query.planner = DrivePlanner::lattice;
        const Result<Route> least = find_route(*mesh, driven_by(*table, query), other);
        ASSERT_TRUE(least);
        query.planner = DrivePlanner::anytime;
        query.epsilon = 3.0;
        MeshDriveSearch search(*mesh, driven_by(*table, query), scratch);
        Route best;
        double cost = 1e300, bound = 1e300;
        bool first = true;
        while (search.step(20)) {
            if (!search.has_route() || !search.running()) continue;
            ASSERT_TRUE(search.take(best));
            EXPECT_EQ(best.status, PathStatus::complete);
            EXPECT_LEGAL(verify(best, *mesh, agent));
            EXPECT_LE(best.cost, cost);
            EXPECT_LE(best.bound, bound);
            improved += !first && best.cost < cost ? 1 : 0;
            first = false;
            cost = best.cost;
            bound = best.bound;
        }
        ASSERT_TRUE(search.take(best));
        EXPECT_EQ(best.status == PathStatus::complete, least->status == PathStatus::complete);
        if (best.status != PathStatus::complete || least->status != PathStatus::complete) continue;
        ++complete;
        EXPECT_LE(best.cost, cost);
        const bool spent = best.stats.expanded >= query.expansions_max;
        if (!spent) {
            ++ended;
            EXPECT_EQ(best.bound, 1.0);
        }
        if (!query.smooth) {
            EXPECT_LE(best.cost, best.bound * least->cost * (1.0 + 1e-6));
        }
        EXPECT_LEGAL(verify(best, *mesh, agent));
        // With half the budget: the best route by then, with a bound that holds.
        query.expansions_max = best.stats.expanded / 2 + 1;
        const Result<Route> half = find_route(*mesh, driven_by(*table, query), other);
        ASSERT_TRUE(half);
        if (half->status != PathStatus::complete) continue;
        ++cut;
        EXPECT_GE(half->cost, best.cost);
        EXPECT_LEGAL(verify(*half, *mesh, agent));
        if (!query.smooth) {
            EXPECT_LE(half->cost, half->bound * least->cost * (1.0 + 1e-6));
        }
    }
    if (trials(16) < 16) return;  // too few to ask for more
    EXPECT_GT(complete, 6);
    EXPECT_GT(ended, 4);
    EXPECT_GT(improved, 0);
    EXPECT_GT(cut, 2);
}

}  // namespace
}  // namespace fairlead
