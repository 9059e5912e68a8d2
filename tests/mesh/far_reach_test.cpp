// Reaches and boxes of any size, where tiles are empty or an obstacle covers them (FAULT-2: the box of such a tile, with its corners the
// wrong way round, was taken for one that meets them; memory beyond its buckets was read, or 2^32 of them gone through).
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/nav_mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::grid_of;
using testing::MeshRecipe;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_recipe;
using testing::trials;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kReaches[] = {0.5,          8.0,          1e3,   1e6, 9.9e8, 1.0e9, 1.1e9, 1.5e9,
                               2147483648.0, 2999999999.0, 3.9e9, 4e9, 1e12,  1e100, 1e300, kInf};

void cover(NavMesh& mesh, Vec2 centre, Vec2 half) {
    const MeshEdit edit = MeshEdit::add(1, MeshObstacle::box(centre, half, 0, -1, 3));
    ASSERT_TRUE(mesh.apply({&edit, 1}));
}

std::vector<std::uint32_t> polygons_in(const NavMesh& mesh, const Aabb& box) {
    std::vector<std::uint32_t> out;
    mesh.state().each_polygon(
        box,
        [](PolygonId polygon, void* user) {
            static_cast<std::vector<std::uint32_t>*>(user)->push_back(polygon.value);
        },
        &out);
    return out;
}

TEST(MeshFarReach, NothingIsLeftOfTheWholeMesh) {
    for (const int side : {1, 2, 5, 16}) {
        const std::vector<std::string> rows(static_cast<std::size_t>(side),
                                            std::string(static_cast<std::size_t>(side), '.'));
        const Grid grid = grid_of(rows, {.cell_size = 0.1453344976633924});
        Result<NavMesh> mesh = make_grid_mesh(grid, {.tile_cells = side});
        ASSERT_TRUE(mesh);
        cover(*mesh, {0.5, 0.5}, {5, 5});
        ASSERT_EQ(mesh->state().polygons(), 0U);
        Scratch scratch;
        for (const double across : kReaches) {
            EXPECT_FALSE(mesh->state().nearest({0, 0, 0}, {.across = across}).polygon.valid());
            EXPECT_TRUE(polygons_in(*mesh, {{-across, -across}, {across, across}}).empty());
            if (across > 4e9) continue;
            const MeshQuery query{.start = {0.031, -0.0157, 0},
                                  .goal = Vec3{0.2, 1.2, 0},
                                  .reach = {.across = across},
                                  .expansions_max = 13};
            const Result<Route> route = find_route(*mesh, query, scratch);
            ASSERT_TRUE(route);
            EXPECT_TRUE(route->status == PathStatus::start_blocked || route->status == PathStatus::off_world);
        }
        // Another obstacle over a tile that has nothing.
        const MeshEdit edit = MeshEdit::add(2, MeshObstacle::box({0, 0}, {6, 6}, 0, -1, 3));
        EXPECT_TRUE(mesh->apply({&edit, 1}));
        EXPECT_EQ(mesh->state().polygons(), 0U);
    }
}

TEST(MeshFarReach, OneTileOfManyIsCovered) {
    const Grid grid = grid_of({"1#111111"});
    Result<NavMesh> mesh = make_grid_mesh(grid, {.tile_cells = 1});
    ASSERT_TRUE(mesh);
    cover(*mesh, {4.5, 0.5}, {0.6, 0.6});
    Scratch scratch;
    const std::size_t all = mesh->state().polygons();
    for (const double across : kReaches) {
        const MeshPoint at = mesh->state().nearest({4.45, -0.1, 0}, {.across = across});
        ASSERT_EQ(at.polygon.valid(), across > 0.6);
        if (at.polygon.valid()) {
            EXPECT_NEAR(at.position.x, 3.9, 1e-4);
            EXPECT_EQ(at.position.y, 0.0);
        }
        if (across >= 8.0) {
            EXPECT_EQ(polygons_in(*mesh, {{-across, -across}, {across, across}}).size(), all);
        }
        // Only one corner far away, and a box that is none.
        EXPECT_EQ(polygons_in(*mesh, {{4.0, 0.0}, {across, across}}).size(), across > 5.1 ? 3U : 0U);
        EXPECT_TRUE(polygons_in(*mesh, {{across, across}, {-across, -across}}).empty());
        if (across > 4e9) continue;
        const Result<Route> route = find_route(*mesh,
                                               MeshQuery{.start = {4.45, -0.1, 0},
                                                         .goal = Vec3{6.5, 0.5, 0},
                                                         .reach = {.across = across},
                                                         .expansions_max = 100},
                                               scratch);
        ASSERT_TRUE(route);
        EXPECT_EQ(route->status, across > 0.6 ? PathStatus::unreachable : PathStatus::start_blocked);
    }
}

TEST(MeshFarReach, ATileThatIsPutInEmpty) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {5, 0, 0}, {5, 5, 0}, {0, 5, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    NavMesh mesh = plain.make_tiled(5.0, 0);
    ASSERT_TRUE(mesh.set_tile({.x = 1, .y = 0}));
    for (const double across : kReaches) {
        const MeshPoint at = mesh.state().nearest({7.5, 2.5, 0}, {.across = across});
        EXPECT_EQ(at.polygon.valid(), across >= 2.5);
        if (at.polygon.valid()) {
            EXPECT_EQ(ground(at.position), (Vec2{5, 2.5}));
        }
        EXPECT_EQ(polygons_in(mesh, {{-across, -across}, {across, across}}).size(), 1U);
    }
    ASSERT_TRUE(mesh.remove_tile(0, 0));
    EXPECT_FALSE(mesh.state().nearest({7.5, 2.5, 0}, {kInf, kInf, kInf}).polygon.valid());
}

// The nearest within any reach is the nearest within one that is just far enough, and anywhere else there is nothing nearer: looked for
// polygon by polygon.
TEST(MeshFarReach, AnywhereIsTheNearestOfAll) {
    Rng rng(433);
    for (int world = 0; world < trials(200); ++world) {
        MeshRecipe recipe = random_recipe(rng);
        recipe.join_percent = rng.below(2) == 0 ? 0 : 60;
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        const NavMesh mesh =
            recipe.join_percent == 0 && !recipe.slanted ? plain.make_tiled(8, 0) : plain.make(0);
        const NavMeshState& state = mesh.state();
        for (int i = 0; i < 20; ++i) {
            const double far = i % 4 == 0 ? 1e7 : 60.0;
            const Vec2 p{rng.between(-0.3, 0.7) * far, rng.between(-0.3, 0.7) * far};
            double least = kInf;
            for (std::uint32_t k = 0; k < state.polygons(); ++k) {
                const PolygonId polygon = state.polygon(k);
                const std::uint32_t corners = state.corners(polygon);
                bool inside = true;
                for (std::uint32_t c = 0; c < corners; ++c) {
                    const Vec2 a = ground(state.corner(polygon, c));
                    const Vec2 b = ground(state.corner(polygon, (c + 1) % corners));
                    inside = inside && cross(b - a, p - a) >= 0.0;
                    const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
                    least = std::min(least, length(a + (b - a) * t - p));
                }
                if (inside) least = 0.0;
            }
            const MeshPoint any = state.nearest({p.x, p.y, 0}, {kInf, kInf, kInf});
            ASSERT_TRUE(any.polygon.valid());
            ASSERT_NEAR(length(ground(any.position) - p), least, 1e-9 * (1.0 + least));
            ASSERT_EQ(state.nearest({p.x, p.y, 0}, {least * 1.001 + 1e-6, 4, 4}), any);
            if (least > 1e-3) {
                ASSERT_FALSE(state.nearest({p.x, p.y, 0}, {least * 0.999, 4, 4}).polygon.valid());
            }
        }
    }
}

}  // namespace
}  // namespace fairlead
