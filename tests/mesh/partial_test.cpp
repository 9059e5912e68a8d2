// Where there is no way to the goal, the way to the place nearest to it: over closed areas, narrow gaps and gaps between parts.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/mesh_oracle.h"
#include "support/cell_mesh.h"
#include "support/environment.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::MeshOracle;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::trials;

double polygon_distance(const OracleMesh& mesh, std::uint32_t polygon, Vec2 p) {
    const std::vector<std::uint32_t>& ring = mesh.polygons[polygon];
    double least = INFINITY;
    bool inside = true;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = mesh.vertices[ring[i]], b = mesh.vertices[ring[(i + 1) % ring.size()]];
        const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
        least = std::min(least, distance(p, a + (b - a) * t));
        inside = inside && cross(b - a, p - a) >= 0.0;
    }
    return inside ? 0.0 : least;
}

Vec2 middle_of(const OracleMesh& mesh, std::uint32_t polygon) {
    Vec2 sum{};
    for (const std::uint32_t v : mesh.polygons[polygon]) sum = sum + mesh.vertices[v];
    return sum * (1.0 / static_cast<double>(mesh.polygons[polygon].size()));
}

TEST(MeshPartial, LeadsToTheNearestPlaceThatCanBeReached) {
    Rng rng(411);
    Scratch scratch;
    int partial = 0;
    for (int world = 0; world < trials(300); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 3 + static_cast<std::int32_t>(rng.below(7)),
                                            .height = 3 + static_cast<std::int32_t>(rng.below(7)),
                                            .blocked_percent = rng.below(40),
                                            .slanted = rng.below(2) == 0,
                                            .areas = 3});
        if (plain.polygons.empty()) continue;
        const std::uint64_t closed = rng.below(7);
        const OracleMesh shape = oracle_mesh(plain, closed);
        if (shape.polygons.empty()) continue;
        const MeshOracle oracle(shape);
        const NavMesh mesh = plain.make();
        for (int i = 0; i < 20; ++i) {
            const auto from = rng.below(static_cast<std::uint32_t>(shape.polygons.size())),
                       to = rng.below(static_cast<std::uint32_t>(shape.polygons.size()));
            const MeshOracle::Point start{middle_of(shape, from), from}, goal{middle_of(shape, to), to};
            const MeshQuery query{.start = on_floor(start.at),
                                  .goal = on_floor(goal.at),
                                  .filter = {.areas = {.closed = KindSet::of_mask(closed)}},
                                  .partial = true};
            const Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            if (!std::isinf(oracle.shortest(start, goal))) {
                ASSERT_EQ(route->status, PathStatus::complete) << "world " << world << " query " << i;
                continue;
            }
            ASSERT_EQ(route->status, PathStatus::partial)
                << "world " << world << " query " << i << " closed " << closed << " from " << start.at.x
                << " " << start.at.y << " to " << goal.at.x << " " << goal.at.y;
            ++partial;
            double least = INFINITY;
            for (std::uint32_t p = 0; p < shape.polygons.size(); ++p) {
                if (std::isinf(oracle.shortest(start, {middle_of(shape, p), p}))) continue;
                least = std::min(least, polygon_distance(shape, p, goal.at));
            }
            ASSERT_NEAR(distance(ground(route->end.position), goal.at), least, 1e-9)
                << "world " << world << " query " << i;
            const Violation bad = verify(*route, mesh, query.agent, {.filter = query.filter});
            ASSERT_FALSE(bad) << bad.text().c_str() << ", world " << world << " query " << i;
        }
    }
    EXPECT_GT(partial, trials(300));
}

// A link that leads to a closed area is not taken, neither by the search nor to find the nearest place.
TEST(MeshPartial, ALinkToAClosedAreaIsNoWay) {
    const MeshLink links[] = {{.id = 1, .from = {1.5, 0.5, 0.0}, .to = {4.5, 0.5, 0.0}, .reach = 0.25}};
    PlainMesh plain = testing::cell_mesh({"...#11..."});
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}, .links = links});
    ASSERT_TRUE(mesh);
    Scratch scratch;
    const MeshQuery query{.start = {0.5, 0.5, 0.0},
                          .goal = Vec3{8.5, 0.5, 0.0},
                          .filter = {.areas = {.closed = {1}}},
                          .partial = true};
    const Result<Route> route = find_route(*mesh, query, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::partial);
    EXPECT_EQ(route->end.position, (Vec3{3.0, 0.5, 0.0}));
}

// Wide units end where they have room.
TEST(MeshPartial, WideUnits) {
    Rng rng(412);
    Scratch scratch;
    int partial = 0;
    for (int world = 0; world < trials(150); ++world) {
        PlainMesh plain =
            random_mesh(rng, {.width = 6, .height = 6, .blocked_percent = 30, .join_percent = 0});
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make_tiled(8.0, 4, {}, 3.0);
        for (int i = 0; i < 10; ++i) {
            MeshQuery query{.start = random_point(mesh, rng).position,
                            .goal = random_point(mesh, rng).position,
                            .agent = {.radius = rng.between(0.1, 3.0)},
                            .partial = true};
            const Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::partial) continue;
            ++partial;
            const Violation bad = verify(*route, mesh, query.agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << ", world " << world << " query " << i;
            if (route->legs.empty()) continue;
            const Vec2 start = ground(route->legs[0].start.position), goal = query.goal.at.ground();
            // The goal has been moved to where there is room, by as much as the radius or the reach.
            const double moved = std::max(query.agent.radius, query.reach.across);
            EXPECT_LE(distance(ground(route->end.position), goal), distance(start, goal) + 2.0 * moved);
        }
    }
    EXPECT_GT(partial, trials(150) / 2);
}

}  // namespace
}  // namespace fairlead
