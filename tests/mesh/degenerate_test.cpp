// The table of degenerate input: each row has its documented status for every planner, in one call and in slices.
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_mesh.h>

#include "support/mesh_tables.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {
namespace {

constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// What is the same for all planners.
struct Answer {
    PathStatus status = PathStatus::complete;
    Vec2 end{};
};

void expect_answer(const NavMesh& mesh, MeshQuery query, const Answer& wanted) {
    for (std::uint8_t p = 0; p < static_cast<std::uint8_t>(MeshPlanner::count_); ++p) {
        query.planner = static_cast<MeshPlanner>(p);
        SCOPED_TRACE(planner_name(query.planner));
        Scratch scratch;
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route) << error_name(route.error().code) << " " << route.error().index;
        EXPECT_EQ(route->status, wanted.status) << status_name(route->status);
        const bool somewhere = route->status == PathStatus::complete || route->status == PathStatus::partial;
        EXPECT_TRUE(somewhere || route->legs.empty());
        if (somewhere) {
            // Points whose distance squared is no number above 0 are one place.
            EXPECT_LE(distance(ground(route->end.position), wanted.end), 1e-150);
            const Violation bad = verify(*route, mesh, query.agent);
            EXPECT_FALSE(bad) << bad.text().c_str();
        }
        MeshSearch search(mesh, query, scratch);
        while (search.step(1)) {
        }
        Route sliced;
        ASSERT_TRUE(search.take(sliced));
        EXPECT_EQ(sliced.status, route->status);
        EXPECT_EQ(sliced.stats.digest, route->stats.digest);
    }
}

void expect_status(const NavMesh& mesh, Vec3 start, Vec3 goal, PathStatus status, Vec2 end = {}) {
    expect_answer(mesh, {.start = start, .goal = goal}, {status, end});
}

/// Two polygons side by side, and a room of area 1 that nothing leads to.
PlainMesh rooms() {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},   {5, 0, 0},  {5, 10, 0}, {0, 10, 0},  {10, 0, 0},
                      {10, 10, 0}, {20, 0, 0}, {30, 0, 0}, {30, 10, 0}, {20, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}, {1, 4, 5, 2}, {6, 7, 8, 9}};
    plain.areas = {0, 0, 1};
    return plain;
}

TEST(MeshDegenerate, StartIsGoal) {
    const NavMesh mesh = rooms().make();
    // Inside, on a side between polygons, on a wall, on a corner.
    for (const Vec3 at : {Vec3{1, 1, 0}, Vec3{5, 5, 0}, Vec3{0, 5, 0}, Vec3{0, 0, 0}, Vec3{5, 10, 0}}) {
        expect_status(mesh, at, at, PathStatus::complete, ground(at));
        Scratch scratch;
        const Result<Route> route = find_route(mesh, MeshQuery{.start = at, .goal = at}, scratch);
        ASSERT_TRUE(route);
        EXPECT_TRUE(route->legs.empty());
        EXPECT_EQ(route->length, 0.0);
        // Both are moved to the same place.
        expect_status(mesh, {at.x, at.y, 3.0}, {at.x, at.y, -3.0}, PathStatus::complete, ground(at));
    }
}

TEST(MeshDegenerate, VeryShortWays) {
    const NavMesh mesh = rooms().make();
    for (const Vec2 at : {Vec2{1, 1}, Vec2{5, 5}, Vec2{0, 5}, Vec2{0, 0}, Vec2{5, 0}}) {
        for (const double step : {kTiny, 1e-300, 1e-16, 1e-12, 1e-9, 1e-6}) {
            const Vec3 goal{at.x + step, at.y + step, 0.0};
            expect_status(mesh, {at.x, at.y, 0.0}, goal, PathStatus::complete, ground(goal));
            expect_status(mesh, goal, {at.x, at.y, 0.0}, PathStatus::complete, at);
        }
    }
}

TEST(MeshDegenerate, AlongWallsAndCorners) {
    const NavMesh mesh = rooms().make();
    const Vec3 corners[] = {{0, 0, 0}, {5, 0, 0}, {10, 0, 0}, {10, 10, 0}, {5, 10, 0}, {0, 10, 0}};
    for (const Vec3& start : corners) {
        for (const Vec3& goal : corners) {
            expect_status(mesh, start, goal, PathStatus::complete, ground(goal));
            Scratch scratch;
            const Result<Route> route = find_route(mesh, MeshQuery{.start = start, .goal = goal}, scratch);
            ASSERT_TRUE(route);
            EXPECT_DOUBLE_EQ(route->length, distance(ground(start), ground(goal)));
        }
    }
}

TEST(MeshDegenerate, NowhereAndOffTheMap) {
    const NavMesh mesh = rooms().make();
    const Vec3 good{1, 1, 0}, between{15, 5, 0}, far{1000, 1000, 0}, edge{2e9, -2e9, 2e9};
    expect_status(mesh, between, good, PathStatus::start_blocked);
    expect_status(mesh, good, between, PathStatus::goal_blocked);
    expect_status(mesh, between, between, PathStatus::start_blocked);
    expect_status(mesh, far, good, PathStatus::off_world);
    expect_status(mesh, good, far, PathStatus::off_world);
    expect_status(mesh, edge, edge, PathStatus::off_world);
    expect_status(mesh, good, edge, PathStatus::off_world);
    // Over the floor, but on no floor within reach.
    expect_status(mesh, {1, 1, 50}, good, PathStatus::start_blocked);
    expect_status(mesh, good, {1, 1, -50}, PathStatus::goal_blocked);
    // Another room.
    expect_status(mesh, good, {25, 5, 0}, PathStatus::unreachable);
    expect_status(mesh, {25, 5, 0}, good, PathStatus::unreachable);
    expect_answer(mesh, {.start = good, .goal = Vec3{25, 5, 0}, .partial = true},
                  {PathStatus::partial, {10, 5}});
    // A reach of nothing: only what lies on the surface.
    expect_answer(mesh, {.start = good, .goal = Vec3{2, 2, 0}, .reach = {0, 0, 0}},
                  {PathStatus::complete, {2, 2}});
    expect_answer(mesh, {.start = good, .goal = Vec3{2, 2, 0.1}, .reach = {0, 0, 0}},
                  {PathStatus::goal_blocked, {}});
}

TEST(MeshDegenerate, EverythingIsClosed) {
    const NavMesh mesh = rooms().make();
    const Vec3 start{1, 1, 0}, goal{9, 9, 0};
    expect_answer(mesh, {.start = start, .goal = goal, .filter = {.areas = {.closed = KindSet::of_mask(1)}}},
                  {PathStatus::start_blocked, {}});
    const std::vector<double> none(kAreasMax, 0.0);
    expect_answer(mesh, {.start = start, .goal = goal, .filter = {.areas = {.factors = none}}},
                  {PathStatus::start_blocked, {}});
    expect_answer(
        mesh, {.start = start, .goal = Vec3{25, 5, 0}, .filter = {.areas = {.closed = KindSet::of_mask(2)}}},
        {PathStatus::goal_blocked, {}});
    expect_answer(
        mesh,
        {.start = start, .goal = goal, .filter = {.areas = {.closed = KindSet::of_mask(~std::uint64_t{1})}}},
        {PathStatus::complete, {9, 9}});
}

TEST(MeshDegenerate, NoPolygons) {
    const NavMeshTile empty{};
    for (const NavMeshOptions& options :
         {NavMeshOptions{}, NavMeshOptions{.tiles = {&empty, 1}},
          NavMeshOptions{.tile_size = 10.0, .radius_max = 2.0, .tiles = {&empty, 1}}}) {
        Result<NavMesh> mesh = NavMesh::make(options);
        ASSERT_TRUE(mesh) << error_name(mesh.error().code);
        EXPECT_EQ(mesh->state().polygons(), 0U);
        EXPECT_TRUE(mesh->state().bounds().empty());
        expect_status(*mesh, {0, 0, 0}, {1, 1, 0}, PathStatus::off_world);
        Rng rng(1);
        EXPECT_FALSE(random_point(*mesh, rng).polygon.valid());
        const MeshEdit edit = MeshEdit::add(1, MeshObstacle::box({1, 1}, {1, 1}, 0.0, -1.0, 1.0));
        EXPECT_TRUE(mesh->apply({&edit, 1}));
        EXPECT_TRUE(mesh->measure_landmarks());
        expect_status(*mesh, {0, 0, 0}, {0, 0, 0}, PathStatus::off_world);
    }
}

// Obstacles that leave nothing.
TEST(MeshDegenerate, AllBlocked) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 20, 0}, {0, 20, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    for (const double radius_max : {0.0, 3.0}) {
        NavMesh mesh = plain.make_tiled(20.0, 2, {}, radius_max);
        const MeshEdit edit = MeshEdit::add(1, MeshObstacle::box({10, 10}, {20, 20}, 0.3, -1.0, 1.0));
        ASSERT_TRUE(mesh.apply({&edit, 1}));
        EXPECT_EQ(mesh.state().polygons(), 0U);
        expect_status(mesh, {1, 1, 0}, {9, 9, 0}, PathStatus::off_world);
        const MeshEdit gone = MeshEdit::remove(1);
        ASSERT_TRUE(mesh.apply({&gone, 1}));
        expect_status(mesh, {1, 1, 0}, {9, 9, 0}, PathStatus::complete, {9, 9});
    }
}

TEST(MeshDegenerate, TheSmallestAndTheLargestTriangle) {
    for (const double size : {1e-9, 1e-6, 1.0, 1e6, 9e8}) {
        SCOPED_TRACE(size);
        PlainMesh plain;
        plain.vertices = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}};
        plain.polygons = {{0, 1, 2}};
        const NavMesh mesh = plain.make();
        const Vec3 start{size / 4, size / 4, 0}, goal{size / 8, size / 2, 0};
        expect_status(mesh, start, goal, PathStatus::complete, ground(goal));
        const MeshTable table = make_table(mesh);
        Scratch scratch;
        expect_same(mesh, table, {.start = start, .goal = goal}, scratch);
        expect_same(mesh, table, {.start = start, .goal = start}, scratch);
        expect_same(mesh, table, {.start = start, .goal = Vec3{1.9e9, 1.9e9, 0}}, scratch);
    }
}

// Wider than every room: no place to stand; as wide as the room to the last bit: the middle or nothing, never a wall.
TEST(MeshDegenerate, RadiusLargerThanTheMap) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    const NavMesh mesh = plain.make(4, {}, 1e6);
    Scratch scratch;
    for (const double radius : {2.1, 4.0, 100.0, 1e6}) {
        const Result<Route> route = find_route(
            mesh, MeshQuery{.start = {1, 2, 0}, .goal = Vec3{3, 2, 0}, .agent = {.radius = radius}}, scratch);
        ASSERT_TRUE(route);
        EXPECT_EQ(route->status, PathStatus::start_blocked) << radius;
    }
    for (const double radius : {1.0, 1.9999, std::nextafter(2.0, 0.0), 2.0}) {
        const MeshQuery query{.start = {1, 2, 0}, .goal = Vec3{3, 2, 0}, .agent = {.radius = radius}};
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route);
        const Violation bad = verify(*route, mesh, query.agent);
        EXPECT_FALSE(bad) << radius << " " << bad.text().c_str();
        EXPECT_TRUE(route->status == PathStatus::complete || radius > 1.9) << radius;
    }
}

// Every portal has the same point, and paths start, end and bend there: funnels with portals of one point.
TEST(MeshDegenerate, PortalsThatShareAPoint) {
    PlainMesh plain;
    plain.vertices.push_back({0, 0, 0});
    constexpr std::uint32_t kCount = 12;
    for (std::uint32_t i = 0; i <= kCount; ++i) {
        // Three quarters of a circle, near enough: the hub is a corner.
        const double x[] = {8, 7, 4, 1, -1, -4, -7, -8, -7, -4, -2, -1, 0};
        const double y[] = {0, 4, 7, 8, 8, 7, 4, 0, -4, -7, -8, -9, -10};
        plain.vertices.push_back({x[i], y[i], 0});
    }
    for (std::uint32_t i = 0; i < kCount; ++i) plain.polygons.push_back({0, i + 1, i + 2});
    const NavMesh mesh = plain.make();
    expect_status(mesh, {0, 0, 0}, {0, 0, 0}, PathStatus::complete, {0, 0});
    for (std::uint32_t i = 1; i <= kCount + 1; ++i) {
        const Vec3 rim = plain.vertices[i];
        expect_status(mesh, {0, 0, 0}, rim, PathStatus::complete, ground(rim));
        expect_status(mesh, rim, {0, 0, 0}, PathStatus::complete, {0, 0});
        for (std::uint32_t k = 1; k <= kCount + 1; ++k)
            expect_status(mesh, rim, plain.vertices[k], PathStatus::complete, ground(plain.vertices[k]));
    }
    // From the first spoke to the last, round the hub.
    Scratch scratch;
    const Result<Route> route =
        find_route(mesh, MeshQuery{.start = {8, 0, 0}, .goal = Vec3{0, -10, 0}}, scratch);
    ASSERT_TRUE(route);
    EXPECT_DOUBLE_EQ(route->length, 18.0);
    EXPECT_EQ(route->legs.size(), 2U);
}

}  // namespace
}  // namespace fairlead::testing
