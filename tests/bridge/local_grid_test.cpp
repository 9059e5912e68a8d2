// A local grid over a mesh (technique W6): a crate that is only in the grid is gone round; what the cells say is checked against
// the mesh's own corners.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/bridge/local_grid.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/levels.h"
#include "support/plain_mesh.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::PlainMesh;
using testing::spiral_mesh;
using testing::trials;

const Agent kSoldier{.radius = 0.5};

NavMesh hall(double agent_radius = 0.5, double unit = 1.0) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20 * unit, 0, 0}, {20 * unit, 10 * unit, 0}, {0, 10 * unit, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    Result<NavMesh> mesh = NavMesh::make({.agent_radius = agent_radius, .tiles = {&tile, 1}});
    EXPECT_TRUE(mesh);
    return std::move(*mesh);
}

/// The smallest distance of the route's axle from a convex piece, by samples.
double sampled_gap(const Route& route, const MeshObstacle& piece, double from, double step = 0.01) {
    double least = 1e300;
    const auto look = [&](Vec2 p) {
        bool inside = true;
        for (std::uint32_t i = 0; i < piece.count; ++i) {
            const Vec2 a = piece.points[i], b = piece.points[(i + 1) % piece.count];
            const Vec2 d = b - a;
            const double t = std::min(1.0, std::max(0.0, dot(p - a, d) / dot(d, d)));
            least = std::min(least, distance(p, a + d * t));
            inside = inside && cross(d, p - a) >= 0.0;
        }
        if (inside) least = 0.0;
    };
    for (double at = from; at < route.length; at += step) look(ground(place_on_route(route, at).position));
    look(ground(route.end.position));
    return least;
}

TEST(LocalGrid, ACrateThatOnlyTheGridKnowsIsGoneRound) {
    const NavMesh mesh = hall();
    Scratch scratch;
    const Result<Route> route =
        find_route(mesh, MeshQuery{.start = {2, 5, 0}, .goal = Vec3{18, 5, 0}, .agent = kSoldier}, scratch);
    ASSERT_TRUE(route);
    Result<LocalGrid> window = LocalGrid::make();
    ASSERT_TRUE(window);
    ASSERT_TRUE(window->lay(mesh, {5, 5, 0}, kSoldier));
    Result<Detour> way = find_detour(*window, *route, 3.0, scratch);
    ASSERT_TRUE(way);
    EXPECT_FALSE(way->needed);
    EXPECT_NEAR(way->route.length, 13.0, 1e-9);

    const MeshObstacle crate = MeshObstacle::box({9, 5.2}, {1, 1}, 0.3, 0.0, 1.0);
    ASSERT_TRUE(window->set_clutter({&crate, 1}));
    way = find_detour(*window, *route, 3.0, scratch);
    ASSERT_TRUE(way);
    EXPECT_TRUE(way->needed);
    ASSERT_EQ(way->route.status, PathStatus::complete);
    EXPECT_LEGAL(verify(way->route, mesh, kSoldier));
    EXPECT_LT(sampled_gap(*route, crate, 0.0), 0.1);
    EXPECT_GE(sampled_gap(way->route, crate, 0.0), 0.5 - 1e-9);
    EXPECT_GT(way->route.length, 13.1);
    EXPECT_LT(way->route.length, 14.5);
    EXPECT_EQ(way->route.end.position, route->end.position);
    EXPECT_EQ(ground(way->route.legs[0].start.position), (Vec2{5, 5}));

    // The next frame it has moved on.
    const MeshObstacle gone = MeshObstacle::box({9, 8.5}, {1, 1}, 0.3, 0.0, 1.0);
    ASSERT_TRUE(window->set_clutter({&gone, 1}));
    way = find_detour(*window, *route, 3.0, scratch);
    ASSERT_TRUE(way);
    EXPECT_FALSE(way->needed);
    // From wall to wall: nothing is promised but to say so.
    const MeshObstacle barrier = MeshObstacle::box({9, 5}, {0.3, 6}, 0.0, 0.0, 1.0);
    ASSERT_TRUE(window->set_clutter({&barrier, 1}));
    EXPECT_EQ(find_detour(*window, *route, 3.0, scratch).value().route.status, PathStatus::unreachable);
    // Under the floor, or far above it.
    const MeshObstacle high = MeshObstacle::box({9, 5}, {0.3, 6}, 0.0, 2.5, 3.0);
    ASSERT_TRUE(window->set_clutter({&high, 1}));
    EXPECT_EQ(window->grid().state().tile({0, 0}), 0);
    EXPECT_EQ(window->grid().state().tile({48, 32}), 1);
}

TEST(LocalGrid, ATurningUnitGoesRoundInArcs) {
    const NavMesh mesh = hall();
    const Agent car{.shape = BodyShape::box,
                    .length = 2.4,
                    .width = 1.2,
                    .axle_offset = 0.6,
                    .turning_radius = 1.8,
                    .can_reverse = true};
    Scratch scratch;
    const Result<Route> route = find_route(
        mesh, MeshDriveQuery{.start = {{2, 5, 0}, 0.0}, .goal = {{17, 5, 0}, 0.0}, .agent = car}, scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->status, PathStatus::complete);
    Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.3});
    ASSERT_TRUE(window && window->lay(mesh, {8, 5, 0}, car));
    const MeshObstacle crate = MeshObstacle::box({9, 4.6}, {0.7, 0.7}, 0.3, 0.0, 1.0);
    ASSERT_TRUE(window->set_clutter({&crate, 1}));
    const Result<Detour> way = find_detour(*window, *route, 0.0, scratch);
    ASSERT_TRUE(way);
    ASSERT_EQ(way->route.status, PathStatus::complete);
    EXPECT_TRUE(way->needed);
    EXPECT_LEGAL(verify(way->route, mesh, car));
    // The car's inner disc at least keeps away; the rest of its body is verify's, on a mesh with the crate in it.
    EXPECT_GT(sampled_gap(way->route, crate, 0.0), 0.6 - 1e-9);
    NavMesh with = hall();
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::box({9, 4.6}, {0.2, 0.2}, 0.3, 0.0, 1.0))};
    ASSERT_TRUE(with.apply(put));
    EXPECT_LEGAL(verify(way->route, with, car, {.check_revision = false}));
    EXPECT_KIND(verify(*route, with, car, {.check_revision = false}), wall);
}

// What a change of gear costs goes by the cells, whatever world units are.
TEST(LocalGrid, ATurningUnitGoesRoundInUnitsOfAnySize) {
    double detour = 0.0;
    for (const double unit : {1.0, 256.0, 1.0 / 1024.0}) {
        const NavMesh mesh = hall(0.5 * unit, unit);
        const Agent car{.radius = 0.6 * unit, .turning_radius = 1.8 * unit, .can_reverse = true};
        Route route;
        ASSERT_TRUE(route.legs.resize(1));
        route.legs[0].start = {{2 * unit, 5 * unit, 0}, 0.0};
        route.legs[0].length = route.length = 15 * unit;
        route.end = {{17 * unit, 5 * unit, 0}, 0.0};
        route.revision = mesh.state().revision();
        Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.3 * unit});
        ASSERT_TRUE(window && window->lay(mesh, {8 * unit, 5 * unit, 0}, car));
        const MeshObstacle crate =
            MeshObstacle::box({9 * unit, 4.6 * unit}, {0.7 * unit, 0.7 * unit}, 0.3, -unit, unit);
        ASSERT_TRUE(window->set_clutter({&crate, 1}));
        Scratch scratch;
        const Result<Detour> way = find_detour(*window, route, 0.0, scratch);
        ASSERT_TRUE(way) << error_text(way.error()).c_str();
        ASSERT_EQ(way->route.status, PathStatus::complete);
        EXPECT_TRUE(way->needed);
        EXPECT_LEGAL(verify(way->route, mesh, car));
        if (detour == 0.0) detour = way->route.length;
        EXPECT_NEAR(way->route.length, detour * unit, 1e-6 * unit);
    }
}

TEST(LocalGrid, FloorsAboveDoNotCount) {
    const NavMesh mesh = spiral_mesh(12, 3, 0.5).make();
    Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.5, .cells = 48});
    ASSERT_TRUE(window);
    const double angle = kTwoPi * 13.5 / 12.0;
    const Vec3 middle{6.5 * math::cos(angle), 6.5 * math::sin(angle), 0.5 * 13.5};
    ASSERT_TRUE(window->lay(mesh, middle, {.radius = 0.2}, {.above = 0.6, .below = 0.6}));
    // Heights go up and down with the ramp from there, without a jump between cells that are side by side.
    const Grid& grid = window->grid();
    int free = 0;
    for (std::int32_t y = 0; y + 1 < 48; ++y) {
        for (std::int32_t x = 0; x + 1 < 48; ++x) {
            const auto middle_of = [&](std::int32_t i, std::int32_t k) {
                return grid.state().origin() + Vec2{(i + 0.5) * 0.5, (k + 0.5) * 0.5};
            };
            if (!window->on_sheet(middle_of(x, y))) continue;
            ++free;
            const double z = window->height(middle_of(x, y));
            for (const Vec2 beside : {middle_of(x + 1, y), middle_of(x, y + 1)}) {
                if (!window->on_sheet(beside)) continue;
                EXPECT_LT(std::abs(window->height(beside) - z), 0.5);
            }
        }
    }
    EXPECT_GT(free, 250);
    EXPECT_NEAR(window->height(ground(middle)), middle.z, 0.1);
}

TEST(LocalGrid, AWallOfNoWidthIsAWall) {
    PlainMesh plain;
    // Two rooms that only touch along x = 10, and a passage in the north.
    plain.vertices = {{0, 0, 0},  {10, 0, 0}, {10, 8, 0}, {0, 8, 0},  {10, 0, 0},
                      {20, 0, 0}, {20, 8, 0}, {10, 8, 0}, {0, 12, 0}, {20, 12, 0}};
    plain.polygons = {{0, 1, 2, 3}, {4, 5, 6, 2}, {3, 2, 6, 9, 8}};
    const NavMesh mesh = plain.make();
    Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.5, .cells = 33});
    ASSERT_TRUE(window);
    // Cells' borders lie on the wall.
    ASSERT_TRUE(window->lay(mesh, {9.75, 7.25, 0}, {.radius = 0.2}));
    Scratch scratch;
    const Result<Route> way =
        find_route(window->grid(),
                   GridQuery{.start = {9.2, 4.2}, .goal = Vec2{10.8, 4.2}, .agent = window->body()}, scratch);
    ASSERT_TRUE(way);
    ASSERT_EQ(way->status, PathStatus::complete);
    EXPECT_GT(way->length, 7.0);
}

TEST(LocalGrid, RandomLevelsDetoursAreLegalAndClear) {
    Rng rng(3);
    Scratch scratch;
    int needed = 0, found = 0;
    for (int i = 0; i < trials(60); ++i) {
        const testing::Level level = testing::random_blocks(rng, 24.0, 8);
        const Result<NavMesh> mesh = bake::navmesh(level.soup(), {.cell_size = 0.25, .agent_radius = 0.4});
        ASSERT_TRUE(mesh);
        if (mesh->state().polygons() == 0) continue;
        const Agent agent{.radius = rng.below(2) == 0 ? 0.4 : 0.3};
        Result<LocalGrid> window = LocalGrid::make({.cell_size = rng.between(0.15, 0.4)});
        ASSERT_TRUE(window);
        for (int k = 0; k < 4; ++k) {
            const Vec3 start = random_point(*mesh, rng).position, goal = random_point(*mesh, rng).position;
            const Result<Route> route =
                find_route(*mesh, MeshQuery{.start = start, .goal = goal, .agent = agent}, scratch);
            ASSERT_TRUE(route);
            if (route->status != PathStatus::complete || route->length < 6.0) continue;
            const double at = rng.between(0.0, route->length * 0.5);
            ASSERT_TRUE(window->lay(*mesh, place_on_route(*route, at).position, agent));
            std::vector<MeshObstacle> clutter;
            for (int n = 0; n < 3; ++n) {
                const Vec3 on = place_on_route(*route, at + 2.0 + rng.between(0.0, 4.0)).position;
                const Vec2 place = ground(on) + Vec2{rng.between(-0.5, 0.5), rng.between(-0.5, 0.5)};
                clutter.push_back(MeshObstacle::box(place, {rng.between(0.1, 0.5), rng.between(0.1, 0.5)},
                                                    rng.between(0.0, 3.0), on.z - 0.5, on.z + 1.0));
            }
            ASSERT_TRUE(window->set_clutter(clutter));
            const Result<Detour> way = find_detour(*window, *route, at, scratch);
            ASSERT_TRUE(way);
            needed += way->needed ? 1 : 0;
            if (way->route.status != PathStatus::complete) continue;
            EXPECT_LEGAL(verify(way->route, *mesh, agent, {.height_slack = 0.3}));
            EXPECT_NEAR(way->route.end.position.x, route->end.position.x, 1e-9);
            if (!way->needed) continue;
            ++found;
            // In the part that the window covers.
            for (const MeshObstacle& piece : clutter) {
                for (double s = 0.0; s < way->route.length; s += 0.02) {
                    const Place place = place_on_route(way->route, s);
                    if (!window->bounds().contains(ground(place.position))) break;
                    Route here;
                    here.end = place;
                    EXPECT_GE(sampled_gap(here, piece, 0.0), agent.radius - 1e-6);
                }
            }
        }
    }
    EXPECT_GT(needed, trials(60) / 2);
    EXPECT_GT(found, needed / 2);
}

TEST(LocalGrid, Errors) {
    const NavMesh mesh = hall();
    EXPECT_EQ(LocalGrid::make({.cell_size = std::nan("")}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(LocalGrid::make({.cells = 4}).error().field, Field::cells);
    Result<LocalGrid> window = LocalGrid::make();
    ASSERT_TRUE(window);
    EXPECT_EQ(window->lay(mesh, {100, 5, 0}, kSoldier).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(window->lay(mesh, {5, 5, INFINITY}, kSoldier).error().code, ErrorCode::not_finite);
    EXPECT_EQ(window->lay(mesh, {5, 5, 0}, {.radius = -1.0}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(window->lay(mesh, {5, 5, 0}, {.footprint = 2}).error().code, ErrorCode::unsupported);
    Scratch scratch;
    Route route;
    EXPECT_EQ(find_detour(*window, route, 0.0, scratch).error().code, ErrorCode::stale_revision);
    ASSERT_TRUE(window->lay(mesh, {5, 5, 0}, kSoldier));
    EXPECT_EQ(find_detour(*window, route, -1.0, scratch).error().field, Field::distance);
    MeshObstacle dent = MeshObstacle::box({5, 5}, {1, 1}, 0.0, 0.0, 1.0);
    dent.points[0] = {5, 5.5};
    EXPECT_EQ(window->set_clutter({&dent, 1}).error().code, ErrorCode::incompatible);
    dent.count = 2;
    EXPECT_EQ(window->set_clutter({&dent, 1}).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace fairlead
