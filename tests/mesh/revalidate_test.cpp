// Old routes on a mesh that changes: revalidate and verify say the same of them.
#include <fairlead/mesh/repair.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/mesh_obstacles.h"

namespace fairlead {
namespace {

using testing::PlainMesh;
using testing::random_mesh;
using testing::random_obstacle;
using testing::trials;

struct OldRoute {
    MeshQuery query{};
    Route route{};
};

// The way runs along one obstacle, and another one comes to stand on it where the first one ends.
TEST(MeshRevalidate, AlongOneWallAndIntoTheNext) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    NavMesh mesh = plain.make();
    const MeshEdit first[] = {MeshEdit::add(1, MeshObstacle::box({6, 4}, {4, 1}, 0.0, -1.0, 1.0))};
    ASSERT_TRUE(mesh.apply(first));
    Scratch scratch;
    Result<Route> route = find_route(mesh, MeshQuery{.start = {0.5, 5, 0}, .goal = Vec3{15, 5, 0}}, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->length, 14.5);
    EXPECT_TRUE(revalidate(mesh, *route, MeshQuery{}, scratch).value().legal);
    const MeshEdit second[] = {MeshEdit::add(2, MeshObstacle::box({10.5, 6}, {1.5, 2}, 0.0, -1.0, 1.0))};
    ASSERT_TRUE(mesh.apply(second));
    EXPECT_FALSE(revalidate(mesh, *route, MeshQuery{}, scratch).value().legal);
}

// FAULT-7: an obstacle is put on a route without legs, or so near that the disc has no room.
TEST(MeshRevalidate, ARouteWithoutLegsIsBlockedByAnObstacle) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    for (const double radius : {0.0, 0.5}) {
        NavMesh mesh = plain.make_tiled(20.0, 1, {}, 2.0);
        Scratch scratch;
        const MeshQuery query{.start = {5, 5, 0}, .goal = Vec3{5, 5, 0}, .agent = {.radius = radius}};
        Route route = *find_route(mesh, query, scratch);
        ASSERT_EQ(route.status, PathStatus::complete);
        ASSERT_TRUE(route.legs.empty());
        EXPECT_TRUE(revalidate(mesh, route, MeshQuery{}, scratch).value().legal);
        EXPECT_TRUE(revalidate(mesh, route, query, scratch).value().legal);
        const MeshEdit beside[] = {MeshEdit::add(1, MeshObstacle::box({6.25, 5}, {1, 1}, 0.0, -1.0, 1.0))};
        ASSERT_TRUE(mesh.apply(beside));
        EXPECT_TRUE(revalidate(mesh, route, MeshQuery{}, scratch).value().legal);
        EXPECT_EQ(revalidate(mesh, route, query, scratch).value().legal, radius < 0.25);
        const MeshEdit on[] = {MeshEdit::add(2, MeshObstacle::box({5, 5}, {1, 1}, 0.0, -1.0, 1.0))};
        ASSERT_TRUE(mesh.apply(on));
        EXPECT_EQ(revalidate(mesh, route, MeshQuery{}, scratch).value(), (Revalidation{false, -1, -1}));
        EXPECT_EQ(revalidate(mesh, route, query, scratch).value(), (Revalidation{false, -1, -1}));
    }
}

// Of units of all radii, after each of 1,000 changes.
TEST(MeshRevalidate, SaysWhatVerifySays) {
    Rng rng(431);
    Scratch scratch;
    PlainMesh plain = random_mesh(
        rng, {.width = 15, .height = 15, .blocked_percent = 15, .split_percent = 20, .join_percent = 0});
    NavMesh mesh = plain.make_tiled(12.0, 4, {}, 2.0);
    std::vector<OldRoute> routes(12);
    std::vector<bool> there(40, false);
    int legal = 0, illegal = 0, arcs = 0;
    for (int step = 0; step < trials(1000); ++step) {
        const std::uint32_t id = rng.below(static_cast<std::uint32_t>(there.size()));
        const MeshEdit edit[] = {there[id] ? MeshEdit::remove(id)
                                           : MeshEdit::add(id, random_obstacle(rng, 60.0))};
        ASSERT_TRUE(mesh.apply(edit));
        there[id] = !there[id];
        for (OldRoute& old : routes) {
            if (old.route.status == PathStatus::complete) {
                const Result<Revalidation> still = revalidate(mesh, old.route, old.query, scratch);
                ASSERT_TRUE(still);
                const Violation bad = verify(old.route, mesh, old.query.agent, {.check_revision = false});
                ASSERT_EQ(still->legal, !bad)
                    << "step " << step << " radius " << old.query.agent.radius << " " << bad.text().c_str();
                ++(still->legal ? legal : illegal);
                for (const Leg& leg : old.route.legs) arcs += leg.curvature != 0.0 ? 1 : 0;
                if (still->legal) continue;
            }
            old.query = {.start = random_point(mesh, rng).position,
                         .goal = random_point(mesh, rng).position,
                         .agent = {.radius = rng.below(3) == 0 ? 0.0 : rng.between(0.1, 2.0)}};
            const Result<void> found = find_route_into(mesh, old.query, scratch, old.route);
            ASSERT_TRUE(found);
            if (old.route.status != PathStatus::complete) {
                old.route.clear();
                continue;
            }
            const Result<Revalidation> now = revalidate(mesh, old.route, old.query, scratch);
            ASSERT_TRUE(now && now->legal) << "step " << step << " radius " << old.query.agent.radius;
        }
    }
    EXPECT_GT(legal, trials(1000));
    EXPECT_GT(illegal, trials(1000) / 10);
    EXPECT_GT(arcs, trials(1000));
}

}  // namespace
}  // namespace fairlead
