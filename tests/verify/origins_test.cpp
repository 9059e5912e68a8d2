// A planner's route passes verify, wherever the world lies: at 0, at 1e5, at UTM coordinates and at the largest that a mesh may have. And
// worlds in which no coordinate tells any more on which side of a wall it is are refused.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/contact.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/plain_mesh.h"
#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::random_tiles;
using testing::trials;

constexpr double kOrigins[] = {0.0, 1e5, 5e6, 1e9};
constexpr std::int32_t kSide = 12;

Vec2 origin_of(double far, int round) {
    const Vec2 signs[] = {{1, 1}, {-1, 1}, {0, -1}, {1, 0.37}};
    return signs[round % 4] * far;
}

Grid random_grid(Rng& rng, Vec2 origin) {
    const double cells[] = {1.0, 0.37, 2.5};
    const std::vector<std::uint8_t> tiles = random_tiles(rng, kSide * kSide, 10 + rng.below(20));
    Result<Grid> grid = Grid::make(
        {.width = kSide, .height = kSide, .origin = origin, .cell_size = cells[rng.below(3)]}, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

Vec2 random_place(Rng& rng, const GridState& grid) {
    const double x = rng.between(0.0, 1.0), y = rng.between(0.0, 1.0);
    return grid.origin() + Vec2{x * grid.width(), y * grid.height()} * grid.cell_size();
}

TEST(Origins, RoutesOverTiles) {
    for (const double far : kOrigins) {
        Rng rng(71);
        Scratch scratch;
        int complete = 0;
        for (int round = 0; round < trials(300); ++round) {
            const Grid grid = random_grid(rng, origin_of(far, round));
            const double cell = grid.state().cell_size();
            for (int i = 0; i < 10; ++i) {
                std::vector<Blocker> blockers(rng.below(3));
                for (Blocker& b : blockers) {
                    b.centre = random_place(rng, grid);
                    b.radius = rng.between(0.0, 1.0) * cell;
                    if (rng.below(2) != 0) b.box = {b.centre, b.centre + Vec2{cell, 0.3 * cell}};
                }
                GridQuery query{.start = random_place(rng, grid), .goal = random_place(rng, grid)};
                query.agent.radius = rng.below(3) == 0 ? 0.0 : rng.between(0.01, 1.2) * cell;
                query.smoothing = static_cast<Smoothing>(rng.below(4));
                query.certify = rng.below(2) == 0;
                query.blockers = blockers;
                const Result<Route> route = find_route(grid, query, scratch);
                ASSERT_TRUE(route) << error_name(route.error().code);
                complete += route->status == PathStatus::complete ? 1 : 0;
                const Violation bad = verify(*route, grid, query.agent, {.blockers = blockers});
                ASSERT_FALSE(bad) << far << ", " << round << ", " << i << ": " << bad.text().c_str();
            }
        }
        EXPECT_GT(complete, trials(300)) << far;
    }
}

TEST(Origins, RoutesOfTurningUnits) {
    for (const double far : kOrigins) {
        Rng rng(72);
        Scratch scratch;
        int complete = 0;
        for (int round = 0; round < trials(60); ++round) {
            const Grid grid = random_grid(rng, origin_of(far, round));
            const double cell = grid.state().cell_size();
            DriveQuery query;
            query.agent = {.radius = rng.between(0.1, 0.5) * cell,
                           .turning_radius = rng.between(1.0, 2.0) * cell,
                           .can_reverse = rng.below(2) == 0};
            for (int i = 0; i < 6; ++i) {
                query.start = {random_place(rng, grid), rng.between(-kPi, kPi)};
                query.goal = {random_place(rng, grid), rng.between(-kPi, kPi)};
                const Result<Route> route = find_route(grid, query, scratch);
                ASSERT_TRUE(route) << error_name(route.error().code) << " " << route.error().index;
                complete += route->status == PathStatus::complete ? 1 : 0;
                const Violation bad = verify(*route, grid, query.agent);
                ASSERT_FALSE(bad) << far << ", " << round << ", " << i << ": " << bad.text().c_str();
            }
        }
        EXPECT_GT(complete, trials(60) / 2) << far;
    }
}

// FAULT-13: 37 of 5,627 routes at 5e6, 3,441 at 1e9 were deeper in walls than verify allows.
TEST(Origins, RoutesOnMeshes) {
    for (const double far : kOrigins) {
        Rng rng(73);
        Scratch scratch;
        int complete = 0;
        for (int round = 0; round < trials(300); ++round) {
            const Vec2 origin = far < 1e9 ? origin_of(far, round) : origin_of(far - 1e3, round);
            const Grid grid = random_grid(rng, origin);
            const double cell = grid.state().cell_size();
            const Result<NavMesh> mesh = make_grid_mesh(
                grid, {.tile_cells = static_cast<std::int32_t>(rng.below(2)) * 5, .radius_max = 0.6 * cell});
            ASSERT_TRUE(mesh) << error_name(mesh.error().code);
            for (int i = 0; i < 20; ++i) {
                const Vec2 start = random_place(rng, grid), goal = random_place(rng, grid);
                MeshQuery query{.start = {start.x, start.y, 0}, .goal = Vec3{goal.x, goal.y, 0}};
                query.agent.radius = rng.between(0.02, 0.55) * cell;
                query.partial = rng.below(2) == 0;
                const Result<Route> route = find_route(*mesh, query, scratch);
                ASSERT_TRUE(route) << error_name(route.error().code);
                complete += route->status == PathStatus::complete ? 1 : 0;
                const Violation bad = verify(*route, *mesh, query.agent);
                ASSERT_FALSE(bad) << far << ", " << round << ", " << i << ": " << bad.text().c_str();
            }
        }
        EXPECT_GT(complete, trials(300) * 5) << far;
    }
}

TEST(Origins, RoutesOverRoadmaps) {
    for (const double far : kOrigins) {
        Rng rng(74);
        Scratch scratch;
        int complete = 0;
        for (int round = 0; round < trials(300); ++round) {
            const Vec2 origin = origin_of(far, round);
            testing::PlainRoadmap plain = testing::random_roadmap(rng, {.nodes = 40, .size = 60.0});
            for (std::uint32_t i = 0; i < rng.below(12); ++i) {
                const Vec2 at{rng.between(0.0, 60.0), rng.between(0.0, 60.0)};
                std::vector<Vec2> points;
                for (std::uint32_t k = 0; k < 3 + rng.below(3); ++k)
                    points.push_back(origin + at + Vec2{rng.between(-8.0, 8.0), rng.between(-8.0, 8.0)});
                plain.wall(points, rng.below(2) == 0);
            }
            for (Waypoint& node : plain.nodes) node.position = node.position + Vec3{origin.x, origin.y, 0.0};
            const Roadmap roads = plain.make();
            for (int i = 0; i < 10; ++i) {
                const auto place = [&] {
                    return origin + Vec2{rng.between(-5.0, 65.0), rng.between(-5.0, 65.0)};
                };
                RoadmapQuery query{.start = place(), .goal = place()};
                query.agent.radius = rng.below(3) == 0 ? 0.0 : rng.between(0.01, 2.0);
                const Result<Route> route = find_route(roads, query, scratch);
                ASSERT_TRUE(route) << error_name(route.error().code);
                complete += route->status == PathStatus::complete ? 1 : 0;
                const Violation bad = verify(*route, roads, query.agent);
                ASSERT_FALSE(bad) << far << ", " << round << ", " << i << ": " << bad.text().c_str();
            }
        }
        EXPECT_GT(complete, trials(300)) << far;
    }
}

// FAULT-14: in tiles far larger than the mesh the lattice of new vertices is wide; links began and ended beside their sides by more than
// the slack.
TEST(Origins, LinksInHugeTiles) {
    Rng rng(75);
    Scratch scratch;
    int used = 0;
    for (int round = 0; round < trials(400); ++round) {
        testing::PlainMesh plain =
            testing::random_mesh(rng, {.width = 6, .height = 6, .slanted = rng.below(2) == 0});
        if (plain.polygons.size() < 4) continue;
        plain.flatten();
        for (Vec3& v : plain.vertices) v = v + Vec3{100, 100, 0};
        const NavMeshTile tile = plain.tile();
        const double tile_size = rng.below(2) == 0 ? 16384.0 : 1024.0 * 1024.0;
        const Vec3 origin{rng.below(2) * 5e6, 0, 0};
        Result<NavMesh> mesh =
            NavMesh::make({.origin = origin, .tile_size = tile_size, .radius_max = 2.0, .tiles = {&tile, 1}});
        ASSERT_TRUE(mesh) << error_name(mesh.error().code);
        const auto place = [&] {
            const auto i = rng.below(static_cast<std::uint32_t>(plain.vertices.size()));
            return origin + plain.vertices[i] + Vec3{rng.between(-3.0, 3.0), rng.between(-3.0, 3.0), 0};
        };
        std::vector<MeshEdit> edits;
        for (std::uint32_t id = 0; id < 1 + rng.below(6); ++id) {
            const Vec3 at = place();
            edits.push_back(MeshEdit::add(
                id, MeshObstacle::box(ground(at), {rng.between(0.1, 2.0), rng.between(0.1, 2.0)},
                                      rng.between(0.0, 3.0), -1, 3)));
        }
        for (std::uint32_t id = 0; id < 1 + rng.below(4); ++id) {
            MeshLink link;
            link.id = id;
            link.from = place();
            link.to = place();
            link.extent = rng.below(3) == 0 ? 0.0 : rng.between(0.1, 4.0);
            link.cost = rng.between(0.1, 5.0);
            edits.push_back(MeshEdit::add_link(link));
        }
        ASSERT_TRUE(mesh->apply(edits));
        for (int i = 0; i < 20; ++i) {
            MeshQuery query{.start = place(), .goal = place()};
            query.agent.radius = rng.below(2) == 0 ? 0.0 : rng.between(0.0, 1.0);
            const Result<Route> route = find_route(*mesh, query, scratch);
            ASSERT_TRUE(route) << error_name(route.error().code);
            for (const Leg& leg : route->legs) used += leg.kind == LegKind::link ? 1 : 0;
            const Violation bad = verify(*route, *mesh, query.agent);
            ASSERT_FALSE(bad) << round << ", " << i << ": " << bad.text().c_str();
        }
    }
    EXPECT_GT(used, trials(400) / 4);
}

// FAULT-13: grids at 1e18 gave routes that are complete and illegal.
TEST(Origins, GridsTooFarAwayAreRefused) {
    const double far_max = 1e-3 * 0x1p44;  // cells, less what the map's width takes
    for (const double cell : {1e-6, 0.01, 1.0, 250.0}) {
        for (const double share : {0.0, 0.5, 0.99}) {
            EXPECT_TRUE(Grid::make(
                {.width = 8, .height = 8, .origin = {0.0, -share * far_max * cell}, .cell_size = cell}));
        }
        for (const double far : {1.01 * far_max * cell, 1e18, 1e300, std::numeric_limits<double>::max()}) {
            for (const Vec2 origin : {Vec2{far, 0}, Vec2{0, far}, Vec2{-far, far}}) {
                const Result<Grid> grid =
                    Grid::make({.width = 8, .height = 8, .origin = origin, .cell_size = cell});
                ASSERT_FALSE(grid);
                EXPECT_EQ(grid.error(), (Error{ErrorCode::out_of_range, Field::origin}));
            }
        }
    }
    EXPECT_TRUE(Grid::make({.width = 16384, .height = 1, .origin = {1e10, 0}}));
}

// A mesh knows for which radii it was made; one for points alone may be of any size.
TEST(Origins, MeshesTooFarAwayForTheirRadiiAreRefused) {
    testing::PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const auto make = [&](double far, double agent_radius, double radius_max) {
        return NavMesh::make({.origin = {far, 0, 0},
                              .agent_radius = agent_radius,
                              .radius_max = radius_max,
                              .tiles = {&tile, 1}});
    };
    const Error refused{ErrorCode::out_of_range, -1, 0};
    EXPECT_TRUE(make(1e9 - 10, 0.0, 0.0));
    EXPECT_TRUE(make(1e9 - 10, 0.1, 0.0));
    EXPECT_TRUE(make(1e9 - 10, 0.0, 0.1));
    for (const auto& [agent_radius, radius_max] : {std::pair(0.05, 0.0), std::pair(0.0, 0.05)}) {
        const Result<NavMesh> mesh = make(1e9 - 10, agent_radius, radius_max);
        ASSERT_FALSE(mesh);
        EXPECT_EQ(mesh.error(), refused);
        EXPECT_TRUE(make(8e8, agent_radius, radius_max));
    }
}

// FAULT-14: where floors lie over each other nearer than verify tells heights apart, it judged the wrong one.
TEST(Origins, FloorsThatCoincideAreRefused) {
    const Grid two = testing::grid_of({"...", ".#.", "...", "...", "...", "..."}, {.layers = 2});
    for (const double height : {1e-9, 0.05, 0.1}) {
        const Result<NavMesh> mesh = make_grid_mesh(two, {.layer_height = height});
        ASSERT_FALSE(mesh);
        EXPECT_EQ(mesh.error(), (Error{ErrorCode::out_of_range, Field::layer_height}));
    }
    EXPECT_TRUE(make_grid_mesh(two, {.layer_height = 0.11}));
    const Grid one = testing::grid_of({"...", ".#.", "..."});
    EXPECT_TRUE(make_grid_mesh(one, {.layer_height = 1e-9}));
}

}  // namespace
}  // namespace fairlead
