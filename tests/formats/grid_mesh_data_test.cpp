// A few published maps as level meshes, with their queries; all of them are in ./run campaign grid_mesh.

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/scenario.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

Grid load_grid(const std::string& path) {
    const Result<std::string> text = formats::load_file(path);
    FAIRLEAD_ASSERT(text.has_value());
    const Result<formats::TileMap> map = formats::load_tile_map(*text);
    FAIRLEAD_ASSERT(map.has_value());
    const Result<std::vector<std::uint8_t>> tiles = formats::make_tiles(*map, formats::TileTable::movingai());
    FAIRLEAD_ASSERT(tiles.has_value());
    Result<Grid> grid = Grid::make({.width = map->width, .height = map->height}, *tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

Route walk(const NavMesh& mesh, Vec2 from, Vec2 to, Scratch& scratch) {
    const MeshQuery query{
        .start = {from.x, from.y, 0}, .goal = Vec3{to.x, to.y, 0}, .reach = {0.25, 1.0, 1.0}};
    Result<Route> route = find_route(mesh, query, scratch);
    FAIRLEAD_ASSERT(route.has_value());
    const Violation bad = verify(*route, mesh, {});
    EXPECT_FALSE(bad) << bad.text().c_str();
    return std::move(*route);
}

TEST(GridMeshData, PublishedMapsAreNeverLongerThanTiles) {
    FAIRLEAD_REQUIRE_DATA(maps, "maps");
    Scratch scratch;
    for (const char* name : {"dao/arena2", "mazes/maze512-32-0", "cities/Berlin_0_256", "bg512/AR0405SR"}) {
        const std::string path = maps + "/" + name + ".map";
        const Grid grid = load_grid(path);
        const GridState& state = grid.state();
        const Result<std::string> text = formats::load_file(path + ".scen");
        ASSERT_TRUE(text.has_value()) << name;
        const Result<formats::Scenario> scenario = formats::load_scenario(*text);
        ASSERT_TRUE(scenario.has_value()) << name;
        const Result<NavMesh> mesh = make_grid_mesh(state), tiled = make_grid_mesh(state, {.tile_cells = 64});
        ASSERT_TRUE(mesh.has_value() && tiled.has_value()) << name;
        const auto& queries = scenario->queries;
        ASSERT_GT(queries.size(), 100U);
        for (std::size_t i = 0; i < queries.size(); i += 1 + queries.size() / 60) {
            const Vec2 from = state.cell_centre(queries[i].start), to = state.cell_centre(queries[i].goal);
            const Result<Route> tiles = find_route(state, GridQuery{.start = from, .goal = to}, scratch);
            ASSERT_TRUE(tiles.has_value());
            const Route route = walk(*mesh, from, to, scratch), other = walk(*tiled, from, to, scratch);
            ASSERT_EQ(route.status, tiles->status) << name << ' ' << i;
            EXPECT_LE(route.length, tiles->length * (1 + 1e-12)) << name << ' ' << i;
            EXPECT_NEAR(route.length, other.length, 1e-9 * (1 + route.length)) << name << ' ' << i;
            const Violation bad = verify(route, state, {}, {.check_revision = false});
            EXPECT_FALSE(bad) << name << ' ' << i << ": " << bad.text().c_str();
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
