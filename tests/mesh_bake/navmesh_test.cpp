// From triangles to routes.
#include <fairlead/mesh_bake/navmesh.h>

#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>

#include "support/environment.h"

namespace fairlead {
namespace {

/// A house of boxes: floors, walls and a ramp.
struct House {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;

    void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        vertices.insert(vertices.end(), {a, b, c, d});
        for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) triangles.push_back(first + i);
    }
    void box(Vec3 low, Vec3 high) {
        const Vec3 a{low.x, low.y, high.z}, b{high.x, low.y, high.z}, c{high.x, high.y, high.z},
            d{low.x, high.y, high.z};
        const auto down = [&](Vec3 p) { return Vec3{p.x, p.y, low.z}; };
        quad(a, b, c, d);
        quad(down(a), down(b), b, a);
        quad(down(b), down(c), c, b);
        quad(down(c), down(d), d, c);
        quad(down(d), down(a), a, d);
    }
    [[nodiscard]] TriangleSoup soup() const { return {.vertices = vertices, .triangles = triangles}; }
};

House two_floors() {
    House house;
    house.quad({0, 0, 0}, {20, 0, 0}, {20, 12, 0}, {0, 12, 0});
    house.box({9.5, 0, 0}, {10.5, 8, 3});                          // a wall with a way round its end
    house.quad({12, 9, 0}, {18, 9, 3}, {18, 12, 3}, {12, 12, 0});  // a ramp up
    house.quad({18, 0, 3}, {24, 0, 3}, {24, 12, 3}, {18, 12, 3});  // a balcony, partly above the floor
    return house;
}

TEST(BakeNavMesh, FindsWaysThroughAHouse) {
    const House house = two_floors();
    Scratch scratch;
    for (const std::uint32_t tile_cells : {0U, 16U, 40U}) {
        const Result<NavMesh> mesh = bake::navmesh(house.soup(),
                                                   {.cell_size = 0.2,
                                                    .cell_height = 0.1,
                                                    .agent_radius = 0.4,
                                                    .climb = 0.3,
                                                    .tile_cells = tile_cells},
                                                   {.radius_max = 1.0});
        ASSERT_TRUE(mesh) << error_text(mesh.error().code) << " " << mesh.error().index << " "
                          << mesh.error().detail;
        Result<Route> round =
            find_route(*mesh, MeshQuery{.start = {5, 3, 0}, .goal = Vec3{15, 3, 0}}, scratch);
        ASSERT_TRUE(round);
        ASSERT_EQ(round->status, PathStatus::complete);
        EXPECT_NEAR(round->length, 2.0 * std::hypot(4.5 - 0.4, 5.0) + 1.8, 1.0);
        EXPECT_TRUE(revalidate(*mesh, *round, MeshQuery{}, scratch).value().legal);
        const Result<Route> up =
            find_route(*mesh, MeshQuery{.start = {5, 3, 0}, .goal = Vec3{21, 3, 3}}, scratch);
        ASSERT_TRUE(up);
        ASSERT_EQ(up->status, PathStatus::complete) << tile_cells;
        EXPECT_NEAR(up->end.position.z, 3.0, 0.25);
        const Result<Route> wide = find_route(
            *mesh, MeshQuery{.start = {5, 3, 0}, .goal = Vec3{15, 3, 0}, .agent = {.radius = 1.0}}, scratch);
        ASSERT_TRUE(wide);
        ASSERT_EQ(wide->status, PathStatus::complete) << tile_cells;
        EXPECT_GT(wide->length, round->length);
    }
}

TEST(BakeNavMesh, ATileBakedAnewFitsItsPlace) {
    const House house = two_floors();
    House later = two_floors();
    later.box({2, 2, 0}, {4, 4, 2});
    const bake::BakeOptions options{.cell_size = 0.2,
                                    .cell_height = 0.1,
                                    .agent_radius = 0.4,
                                    .climb = 0.3,
                                    .island_cells_min = 0,
                                    .tile_cells = 32,
                                    .give_origin = true};
    Result<NavMesh> mesh = bake::navmesh(house.soup(), options);
    ASSERT_TRUE(mesh);
    const Result<NavMesh> wanted = bake::navmesh(later.soup(), options);
    ASSERT_TRUE(wanted);
    const Result<bake::BakedMesh> tile = bake::bake_tile(later.soup(), options, 0, 0);
    ASSERT_TRUE(tile);
    ASSERT_EQ(tile->tiles.size(), 1U);
    const Result<bake::TileForm> form = bake::tile_of(*tile, 0);
    ASSERT_TRUE(form);
    ASSERT_TRUE(mesh->set_tile(form->tile));
    Scratch scratch;
    const MeshQuery query{.start = {1, 3, 0}, .goal = Vec3{5.5, 3, 0}};
    Result<Route> a = find_route(*mesh, query, scratch), b = find_route(*wanted, query, scratch);
    ASSERT_TRUE(a && b);
    ASSERT_EQ(a->status, PathStatus::complete);
    EXPECT_EQ(a->length, b->length);
    EXPECT_GT(a->length, 5.0);
}

TEST(BakeNavMesh, AreasBeyondTheMeshAreRefused) {
    House house;
    house.quad({0, 0, 0}, {20, 0, 0}, {20, 12, 0}, {0, 12, 0});
    const std::vector<std::uint8_t> areas(2, 200);
    TriangleSoup soup = house.soup();
    soup.areas = areas;
    const Result<NavMesh> mesh = bake::navmesh(soup);
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(mesh.error().detail, 200);
}

}  // namespace
}  // namespace fairlead
