// Turning units on level meshes: goals in any heading and within a range, starts in any heading.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "bridge/mesh_cars.h"
#include "support/bodies.h"
#include "support/driven_by.h"
#include "support/environment.h"
#include "support/levels.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

TEST(MeshDrive, AnyHeadingAtTheGoal) {
    const NavMesh mesh = two_halls().make();
    Scratch scratch;
    MeshDriveQuery query{.start = {{5, 5, 0}, 0.0}, .goal = {{3, 5, 4}, 0.0}, .agent = kCar};
    const Result<Route> exact = find_route(mesh, query, scratch);
    query.goal = query.goal.at.any_heading();
    const Result<Route> any = find_route(mesh, query, scratch);
    ASSERT_TRUE(exact && any);
    ASSERT_EQ(any->status, PathStatus::complete);
    EXPECT_LT(any->cost, exact->cost);
    EXPECT_LEGAL(verify(*any, mesh, kCar));
    EXPECT_NEAR(std::abs(any->end.heading_rad), kPi, 0.8);  // it comes from the east
}

// In whichever heading it starts: no dearer than from any one of them, and the route begins in one that was allowed.
TEST(MeshDrive, AnyHeadingAtTheStart) {
    const NavMesh mesh = two_halls().make();
    const Result<DriveTable> table = make_mesh_drive_table(kCar);
    ASSERT_TRUE(table);
    Scratch scratch;
    const Pose off_lattice{{5.3, 5.2}, 0.0}, on_lattice = table->node(12, 12, 0);
    for (const Vec2 place : {off_lattice.position, on_lattice.position * table->lattice_size()}) {
        MeshDriveQuery query{.start = Vec3{place.x, place.y, 0}, .goal = {{3, 5, 4}, 0.0}, .epsilon = 1.0};
        const Result<Route> any = find_route(mesh, driven_by(*table, query), scratch);
        ASSERT_TRUE(any);
        ASSERT_EQ(any->status, PathStatus::complete);
        EXPECT_LEGAL(verify(*any, mesh, kCar));
        EXPECT_EQ(ground(any->legs[0].start.position), place);
        double least = 1e300;
        for (int h = 0; h < table->headings(); ++h) {
            query.start = query.start.facing(heading_rad(table->headings(), h));
            const Result<Route> one = find_route(mesh, driven_by(*table, query), scratch);
            ASSERT_TRUE(one);
            if (one->status == PathStatus::complete) least = std::min(least, one->cost);
        }
        EXPECT_LE(any->cost, least * 1.02);  // pulled taut, either one
        // Only east, more or less.
        query.start = query.start.facing(0.0, 0.1);
        const Result<Route> east = find_route(mesh, driven_by(*table, query), scratch);
        ASSERT_TRUE(east);
        ASSERT_EQ(east->status, PathStatus::complete);
        EXPECT_EQ(east->legs[0].start.heading_rad, 0.0);
        EXPECT_LEGAL(verify(*east, mesh, kCar));
        EXPECT_LE(any->cost, east->cost * 1.02);
        // In slices the same.
        MeshDriveSearch sliced(mesh, driven_by(*table, query), scratch);
        while (sliced.step(1)) {
        }
        Route parts;
        ASSERT_TRUE(sliced.take(parts));
        EXPECT_EQ(parts.cost, east->cost);
        EXPECT_EQ(parts.end, east->end);
    }
}

// Within a range over the surface: a walker's way from the end to the goal is no longer, and the route no dearer than to the goal.
TEST(MeshDrive, AGoalWithinARange) {
    const NavMesh mesh = two_halls().make();
    const Result<DriveTable> table = make_mesh_drive_table(kCar);
    ASSERT_TRUE(table);
    Scratch scratch;
    const Spot chest = Vec3{3, 5, 4};
    MeshDriveQuery query{.start = {{5, 5, 0}, 0.0}, .goal = chest, .epsilon = 1.0, .smooth = false};
    const Result<Route> there = find_route(mesh, driven_by(*table, query), scratch);
    ASSERT_TRUE(there);
    // A wide goal is come to at a pose of the lattice, the goal itself by a curve of its own: a narrow range may be dearer.
    double before = there->cost + table->lattice_size();
    for (const double range : {0.3, 1.5, 8.0, 20.0, 45.0}) {
        query.goal = Goal::within(chest, range);
        const Result<Route> near = find_route(mesh, driven_by(*table, query), scratch);
        ASSERT_TRUE(near) << range;
        ASSERT_EQ(near->status, PathStatus::complete) << range;
        EXPECT_LEGAL(verify(*near, mesh, kCar));
        EXPECT_LT(near->cost, before) << range;
        EXPECT_EQ(near->bound, 1.0);
        before = near->cost;
        // The start lies 4 below the goal and 2 beside it: no part of the range, which is as long as the ramp.
        const Result<Route> rest =
            find_route(mesh, MeshQuery{.start = near->end.position, .goal = chest}, scratch);
        ASSERT_TRUE(rest);
        ASSERT_EQ(rest->status, PathStatus::complete);
        EXPECT_LE(rest->length, range + 1e-6) << range;
        EXPECT_GT(rest->length, range - 2.5) << range;  // and no farther in than a move is long
        MeshDriveSearch sliced(mesh, driven_by(*table, query), scratch);
        while (sliced.step(3)) {
        }
        Route parts;
        ASSERT_TRUE(sliced.take(parts));
        EXPECT_EQ(parts.cost, near->cost);
        EXPECT_EQ(parts.end, near->end);
    }
    // In a heading.
    query.goal = Goal::within(chest.facing(0.0), 8.0);
    const Result<Route> east = find_route(mesh, driven_by(*table, query), scratch);
    ASSERT_TRUE(east);
    ASSERT_EQ(east->status, PathStatus::complete);
    EXPECT_EQ(east->end.heading_rad, 0.0);
    EXPECT_LEGAL(verify(*east, mesh, kCar));
    // Where it stands already.
    query.goal = Goal::within(Vec3{6, 5, 0}, 3.0);
    const Result<Route> here = find_route(mesh, driven_by(*table, query), scratch);
    ASSERT_TRUE(here);
    EXPECT_EQ(here->status, PathStatus::complete);
    EXPECT_LT(here->length, 1.0);
    EXPECT_LEGAL(verify(*here, mesh, kCar));
}

}  // namespace
}  // namespace fairlead
