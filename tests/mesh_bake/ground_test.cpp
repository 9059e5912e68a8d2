// Heights of the ground inside level meshes: those of the triangles, to the stated error, also around obstacles.
#include <fairlead/mesh_bake/navmesh.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/levels.h"
#include "support/saved_meshes.h"

namespace fairlead::testing {
namespace {

constexpr double kCell = 0.25;
constexpr double kCellHeight = 0.1;
constexpr int kHills = 16;

/// Hills whose heights are known everywhere: from the triangles, one after the other, without any grid.
struct Hills {
    Level level;
    explicit Hills(std::uint64_t seed, double rough) {
        Rng rng(seed);
        level = random_hills(rng, kHills, rough);
    }
    /// NaN: no triangle there.
    [[nodiscard]] double at(Vec2 p) const {
        double high = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t i = 0; i < level.triangles.size(); i += 3) {
            const Vec3 a = level.vertices[level.triangles[i]], b = level.vertices[level.triangles[i + 1]],
                       c = level.vertices[level.triangles[i + 2]];
            const Vec2 u = ground(b) - ground(a), v = ground(c) - ground(a), w = p - ground(a);
            const double area = cross(u, v), s = cross(w, v) / area, t = cross(u, w) / area;
            if (s < 0.0 || t < 0.0 || s + t > 1.0) continue;
            const double z = a.z + s * (b.z - a.z) + t * (c.z - a.z);
            high = std::isnan(high) ? z : std::max(high, z);
        }
        return high;
    }
    /// The least and the most within some cells.
    void around(Vec2 p, double cells, double& low, double& high) const {
        low = std::numeric_limits<double>::infinity();
        high = -low;
        for (int i = -6; i <= 6; ++i) {
            for (int k = -6; k <= 6; ++k) {
                const double z = at(p + Vec2{i * kCell * cells / 6, k * kCell * cells / 6});
                if (std::isnan(z)) continue;
                low = std::min(low, z);
                high = std::max(high, z);
            }
        }
    }
};

NavMesh bake_hills(const Hills& hills, std::uint32_t tile_cells, double radius_max = 0.0) {
    Result<NavMesh> mesh = bake::navmesh(hills.level.soup(),
                                         {.cell_size = kCell,
                                          .cell_height = kCellHeight,
                                          .agent_radius = 0.3,
                                          .climb = 0.5,
                                          .edge_error = 1.3,
                                          .tile_cells = tile_cells},
                                         {.radius_max = radius_max, .landmarks = 0});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

/// height_field.h: within 1.75 cell heights and the rise of a cell; where the border was straightened over cells that cannot be
/// walked on, up to edge_error (1.3) cells from those that can.
void expect_ground(const Hills& hills, Vec3 at) {
    double low = 0.0, high = 0.0;
    hills.around(ground(at), 1.5 + 1.3, low, high);
    EXPECT_GE(at.z, low - 1.75 * kCellHeight) << at.x << " " << at.y;
    EXPECT_LE(at.z, high + 1.75 * kCellHeight) << at.x << " " << at.y;
}

TEST(Ground, NearestPointsAndRoutesLieOnTheTriangles) {
    for (const std::uint32_t tile_cells : {0U, 24U}) {
        const Hills hills(5, 0.9);
        const NavMesh mesh = bake_hills(hills, tile_cells);
        ASSERT_TRUE(mesh.state().has_heights());
        Rng rng(6);
        Scratch scratch;
        double worst_polygon = 0.0;
        for (int i = 0; i < trials(150); ++i) {
            const MeshPoint at = random_point(mesh, rng);
            expect_ground(hills, at.position);
            const MeshPoint same = mesh.state().nearest(at.position);
            EXPECT_NEAR(same.position.z, mesh.state().ground_height(same.polygon, ground(same.position)),
                        1e-12);
            // What the polygons alone would have said.
            const Vec3 corner = mesh.state().corner(at.polygon, 0);
            worst_polygon = std::max(worst_polygon, std::fabs(corner.z - at.position.z));
            const MeshPoint to = random_point(mesh, rng);
            Result<Route> route =
                find_route(mesh, MeshQuery{.start = at.position, .goal = Goal(to.position)}, scratch);
            ASSERT_TRUE(route.has_value());
            if (route->status != PathStatus::complete) continue;
            EXPECT_FALSE(verify(*route, mesh, {})) << verify(*route, mesh, {}).text().c_str();
            ASSERT_TRUE(follow_surface(mesh, 0.15, *route).has_value());
            for (const Leg& leg : route->legs) expect_ground(hills, leg.start.position);
            EXPECT_FALSE(verify(*route, mesh, {})) << verify(*route, mesh, {}).text().c_str();
        }
        EXPECT_GT(worst_polygon, 0.25);  // it is not flat
    }
}

TEST(Ground, UnitsWithARadiusToo) {
    const Hills hills(7, 0.7);
    Rng rng(8);
    Scratch scratch;
    NavMesh mesh = bake_hills(hills, 24, 1.0);
    for (int i = 0; i < 6; ++i) {
        const double x = rng.between(2.0, 14.0), y = rng.between(2.0, 14.0);
        const MeshEdit edit = MeshEdit::add(i, MeshObstacle::box({x, y}, {0.8, 0.4}, 0.7, -5.0, 9.0));
        ASSERT_TRUE(mesh.apply({&edit, 1}).has_value());
    }
    int complete = 0;
    for (int i = 0; i < trials(300); ++i) {
        const MeshPoint at = random_point(mesh, rng), to = random_point(mesh, rng);
        const MeshQuery query{
            .start = at.position, .goal = Goal(to.position), .agent = {.radius = rng.between(0.3, 1.0)}};
        const Result<Route> route = find_route(mesh, query, scratch);
        ASSERT_TRUE(route.has_value());
        const Violation bad = verify(*route, mesh, query.agent);
        EXPECT_FALSE(bad) << i << " " << bad.text().c_str();
        complete += route->status == PathStatus::complete ? 1 : 0;
        for (const Leg& leg : route->legs) expect_ground(hills, leg.start.position);
    }
    EXPECT_GT(complete, trials(300) / 3);
}

TEST(Ground, ObstaclesLeaveItAsItIs) {
    const Hills hills(9, 0.9);
    for (const std::uint32_t tile_cells : {0U, 24U}) {
        NavMesh mesh = bake_hills(hills, tile_cells);
        const NavMeshSnapshot before = mesh.acquire();
        Rng rng(10);
        for (int i = 0; i < 12; ++i) {
            const double x = rng.between(1.0, 15.0), y = rng.between(1.0, 15.0);
            const MeshEdit edit = MeshEdit::add(i, MeshObstacle::pillar({x, y}, 0.7, -5.0, 9.0));
            ASSERT_TRUE(mesh.apply({&edit, 1}).has_value());
        }
        int compared = 0;
        for (int i = 0; i < 2000; ++i) {
            const MeshPoint at = random_point(mesh, rng);
            const MeshPoint old = before->nearest(at.position, {.across = 0.0});
            if (!old.polygon.valid()) continue;
            EXPECT_EQ(old.position.z, at.position.z);
            ++compared;
        }
        EXPECT_GT(compared, 1900);
    }
}

// Two floors in one tile, and a step between cells that polygons do not know of.
TEST(Ground, FloorsAboveEachOtherKeepTheirOwn) {
    const NavMesh mesh = small_baked(0);
    const MeshPoint low = mesh.state().nearest({16.8, 12.0, 0.0}),
                    high = mesh.state().nearest({16.8, 12.0, 2.4});
    ASSERT_TRUE(high.polygon.valid());
    EXPECT_NEAR(high.position.z, 2.4, 0.11);
    EXPECT_TRUE(!low.polygon.valid() || low.position.z > 2.0 || low.position.z < 1.0);
}

// Ten storeys and their stairs: borders are straightened over cells of the stairs below.
TEST(Ground, NoCornerStandsOnAnotherStorey) {
    FAIRLEAD_REQUIRE_DATA(path, "meshes/made/tower_10.obj");
    const Level level = read_obj(path);
    for (const std::uint32_t tile_cells : {0U, 64U}) {
        const Result<NavMesh> mesh =
            bake::navmesh(level.soup(), {.tile_cells = tile_cells}, {.landmarks = 0});
        ASSERT_TRUE(mesh.has_value());
        const NavMeshState& state = mesh->state();
        for (std::uint32_t p = 0; p < state.polygons(); ++p) {
            const PolygonId polygon = state.polygon(p);
            for (std::uint32_t i = 0; i < state.corners(polygon); ++i) {
                const Vec3 corner = state.corner(polygon, i);
                EXPECT_NEAR(state.ground_height(polygon, ground(corner)), corner.z, 1.1);
            }
        }
    }
}

// A route whose heights are wrong is told so, by the ground and not by the polygons.
TEST(Ground, VerifySeesHeightsThatAreOff) {
    const Hills hills(11, 0.9);
    const NavMesh mesh = bake_hills(hills, 0);
    Scratch scratch;
    Result<Route> route =
        find_route(mesh, MeshQuery{.start = {3, 3, 0.5}, .goal = Vec3{12, 12, 0.5}}, scratch);
    ASSERT_TRUE(route.has_value());
    ASSERT_EQ(route->status, PathStatus::complete);
    ASSERT_FALSE(verify(*route, mesh, {}));
    route->legs[0].start.position.z += 0.3;
    EXPECT_EQ(verify(*route, mesh, {}).kind, ViolationKind::surface);
}

TEST(Ground, ErrorsOfHeights) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    plain.flatten();
    const HeightLayer layer{0, 1, 0};
    const HeightRow row{0, 1, 0};
    const HeightBlock block{.base = 7, .fraction = 0};
    const std::uint32_t of_polygon[] = {0}, wrong[] = {1}, two[] = {0, 0};
    NavMeshTile tile = plain.tile();
    tile.heights = {.field = {{&layer, 1}, {&row, 1}, {&block, 1}, {}},
                    .polygon_layers = of_polygon,
                    .cell_size = 0.5,
                    .cell_height = 0.25};
    const auto error = [](const NavMeshTile& from) {
        const Result<NavMesh> mesh = NavMesh::make({.tiles = {&from, 1}});
        return mesh ? Error{ErrorCode::count_, 0, 0} : mesh.error();
    };
    const Result<NavMesh> good = NavMesh::make({.origin = {0, 0, 10}, .tiles = {&tile, 1}});
    ASSERT_TRUE(good.has_value());
    EXPECT_EQ(good->state().nearest({1, 1, 11}).position, (Vec3{1, 1, 11.75}));
    EXPECT_EQ(good->state().corner(good->state().polygon(0), 0).z, 10.0);
    NavMeshTile bad = tile;
    bad.heights.cell_size = 0.0;
    EXPECT_EQ(error(bad).code, ErrorCode::out_of_range);
    bad = tile;
    bad.heights.cell_height = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(error(bad).code, ErrorCode::out_of_range);
    bad = tile;
    bad.heights.polygon_layers = wrong;
    EXPECT_EQ(error(bad).code, ErrorCode::out_of_range);
    EXPECT_EQ(error(bad).index, 0);
    bad.heights.polygon_layers = two;
    EXPECT_EQ(error(bad).code, ErrorCode::size_mismatch);
    bad = tile;
    bad.heights.field.blocks = {};
    EXPECT_EQ(error(bad).code, ErrorCode::baked_value);
}

}  // namespace
}  // namespace fairlead::testing
