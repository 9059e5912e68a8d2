// Tiles and level meshes give the finder the walls that they have: the same places in both, floor by floor, and after edits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "scenes/level.h"
#include "support/grids.h"
#include "support/raster_walls.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

NarrowPlaces found(const PlacesOptions& options, const WallRows& rows) {
    PlaceFinder finder;
    Result<NarrowPlaces> places = finder.find(options, rows);
    EXPECT_TRUE(places.has_value());
    return std::move(*places);
}

TEST(TileWalls, AreTheTilesCutUp) {
    for (const CrowdPlace place : {CrowdPlace::corridor_a, CrowdPlace::tunnel, CrowdPlace::vestibule}) {
        const CrowdScene scene = make_crowd_scene(place, {.scale = 0.3, .quarters = 1});
        const Grid grid = crowd_grid(scene);
        const TileWalls tiles(grid, {.radius = scene.radius, .detail = 5.0});
        RasterWalls walls = walls_of_scene(scene, 5.0);
        EXPECT_TRUE(found(tiles.options(), tiles.rows()) ==
                    found(options_of_scene(scene, walls), walls.rows()));
    }
}

TEST(TileWalls, WidthsOfPassagesOfWholeTilesAreExact) {
    for (int across = 1; across <= 4; ++across) {
        // Two halls of 14 x 14 tiles, a corridor of 10 tiles between them.
        std::vector<std::string> rows(16, std::string(40, '#'));
        for (std::size_t y = 1; y < 15; ++y) {
            for (std::size_t x = 1; x < 15; ++x) rows[y][x] = rows[y][x + 24] = '.';
        }
        for (int i = 0; i < across; ++i) rows[static_cast<std::size_t>(5 + i)].replace(15, 10, 10, '.');
        const Grid grid = grid_of(rows);
        const TileWalls tiles(grid, {.radius = 0.45, .detail = 4.0});
        const NarrowPlaces places = found(tiles.options(), tiles.rows());
        if (across == 4) {
            EXPECT_TRUE(places.places().empty());
            continue;
        }
        ASSERT_EQ(places.places().size(), 1U) << across;
        EXPECT_EQ(places.places()[0].kind, across == 1 ? PlaceKind::token : PlaceKind::lanes);
        EXPECT_NEAR(places.places()[0].width, across, 1e-12);
        EXPECT_NEAR(places.places()[0].length, 10.0, 1.01);  // mouths lie on the inner side
    }
}

TEST(TileWalls, ARepairFollowsTheTiles) {
    Rng rng(2403);
    const auto tiles = random_tiles(rng, 60 * 50, 12);
    Result<Grid> grid = Grid::make({.width = 60, .height = 50, .cell_size = 0.5}, tiles);
    ASSERT_TRUE(grid.has_value());
    const TileWalls walls(*grid, {.radius = 0.3, .detail = 3.0});
    PlaceFinder finder;
    ASSERT_TRUE(finder.find(walls.options(), walls.rows()).has_value());
    for (int edit = 0; edit < 12; ++edit) {
        const RasterRect at = random_rect(rng, 60, 50, 8);
        const CellRect rect{{at.low.x, at.low.y}, {at.high.x, at.high.y}, 0};
        ASSERT_TRUE(grid->fill(rect, static_cast<std::uint8_t>(rng.below(2))).has_value());
        const Result<NarrowPlaces> mended = finder.repair(walls.rect(rect), walls.rows());
        ASSERT_TRUE(mended.has_value());
        EXPECT_GT(mended->places().size(), 0U);
        EXPECT_TRUE(*mended == found(walls.options(), walls.rows()));
    }
}

TEST(TileWalls, TooLargeAMapIsRefused) {
    Result<Grid> grid = Grid::make({.width = 8000, .height = 1});
    const TileWalls walls(*grid, {.radius = 0.5});
    PlaceFinder finder;
    EXPECT_EQ(finder.find(walls.options(), walls.rows()).error(),
              Error(ErrorCode::size_limit, Field::width, kPlaceSideMax));
}

/// The same places, up to a cell.
void expect_alike(const NarrowPlaces& a, const NarrowPlaces& b) {
    const double cell = a.cell();
    ASSERT_EQ(a.places().size(), b.places().size());
    for (std::uint32_t i = 0; i < a.places().size(); ++i) {
        // In which order may differ where first points are in one row.
        const std::uint32_t k = b.place_at(a.mouths(i)[0].middle + a.mouths(i)[0].outward * (-2.0 * cell));
        ASSERT_NE(k, kNoPlace);
        const NarrowPlace& one = a.places()[i];
        const NarrowPlace& other = b.places()[k];
        EXPECT_EQ(one.kind, other.kind);
        EXPECT_EQ(one.pockets, other.pockets);
        EXPECT_NEAR(one.width, other.width, 1.01 * cell);
        EXPECT_NEAR(one.length, other.length, 3.01 * cell);
        ASSERT_EQ(one.mouths, other.mouths);
        for (const PlaceMouth& mouth : a.mouths(i)) {
            double nearest = 1e9;
            for (const PlaceMouth& there : b.mouths(k)) {
                nearest = std::min(nearest, distance(there.middle, mouth.middle));
            }
            EXPECT_LT(nearest, 2.5 * cell);
        }
    }
    EXPECT_EQ(a.rooms().size(), b.rooms().size());
}

TEST(MeshWalls, HaveThePlacesOfTheTiles) {
    for (const CrowdPlace place : all_crowd_places()) {
        const CrowdScene scene = make_crowd_scene(place, {.scale = 0.3, .mirrored = true});
        SCOPED_TRACE(scene.name);
        const NavMesh mesh = crowd_mesh(scene);
        const Result<MeshWalls> walls = MeshWalls::make(mesh, {.radius = scene.radius});
        ASSERT_TRUE(walls.has_value());
        ASSERT_EQ(walls->floors(), 1U);
        RasterWalls tiles = walls_of_scene(scene, 5.0);
        expect_alike(found(walls->options(0), walls->rows(0)),
                     found(options_of_scene(scene, tiles), tiles.rows()));
    }
}

TEST(MeshWalls, FloorsAboveEachOtherAreApart) {
    // Below a door, above none.
    std::vector<std::string> rows;
    for (int y = 0; y < 20; ++y) rows.push_back(std::string(20, '.') + "#" + std::string(20, '.'));
    rows[10][20] = '.';
    for (int y = 0; y < 20; ++y) rows.push_back(std::string(41, '.'));
    const Grid grid = grid_of(rows, {.layers = 2});
    const Result<NavMesh> mesh = make_grid_mesh(grid, {.layer_height = 3.0});
    ASSERT_TRUE(mesh.has_value());
    const Result<MeshWalls> walls = MeshWalls::make(*mesh, {.radius = 0.4});
    ASSERT_TRUE(walls.has_value());
    ASSERT_EQ(walls->floors(), 2U);
    const MeshPoint below = mesh->state().nearest({20.5, 10.5, 0.0});
    const MeshPoint above = mesh->state().nearest({20.5, 10.5, 3.0});
    ASSERT_NE(walls->floor_of(below.polygon), walls->floor_of(above.polygon));
    const std::uint32_t lower = walls->floor_of(below.polygon);
    const std::uint32_t upper = walls->floor_of(above.polygon);
    const NarrowPlaces in_lower = found(walls->options(lower), walls->rows(lower));
    ASSERT_EQ(in_lower.places().size(), 1U);
    EXPECT_EQ(in_lower.place_at({20.5, 10.5}), 0U);
    EXPECT_NEAR(in_lower.places()[0].width, 1.0, 0.081);
    EXPECT_TRUE(found(walls->options(upper), walls->rows(upper)).places().empty());
    EXPECT_EQ(walls->floor_of(PolygonId{}), kNoFloor);
}

TEST(MeshWalls, AHouseOfThreeStoreys) {
    const scenes::Level house = scenes::stair_house();
    const Result<NavMesh> mesh =
        bake::navmesh(house.soup(), {.cell_size = 0.1, .cell_height = 0.1, .agent_radius = 0.3});
    ASSERT_TRUE(mesh.has_value());
    const Result<MeshWalls> walls = MeshWalls::make(*mesh, {.radius = 0.3});
    ASSERT_TRUE(walls.has_value());
    EXPECT_GE(walls->floors(), 3U);
    EXPECT_LE(walls->floors(), 8U);
    std::size_t places = 0;
    for (std::uint32_t floor = 0; floor < walls->floors(); ++floor) {
        places += found(walls->options(floor), walls->rows(floor)).places().size();
    }
    EXPECT_GE(places, 3U);  // the doors
    // Every polygon has one floor, and each of its middles is free there.
    for (std::uint32_t i = 0; i < mesh->state().polygons(); ++i) {
        const PolygonId polygon = mesh->state().polygon(i);
        const std::uint32_t floor = walls->floor_of(polygon);
        ASSERT_LT(floor, walls->floors());
        Vec2 middle{};
        const std::uint32_t corners = mesh->state().corners(polygon);
        for (std::uint32_t c = 0; c < corners; ++c)
            middle += ground(mesh->state().corner(polygon, c)) / corners;
        const PlacesOptions options = walls->options(floor);
        const Vec2 at = (middle - options.origin) / options.cell;
        std::uint8_t blocked = 1;
        const WallRows rows = walls->rows(floor);
        rows.row(static_cast<std::int32_t>(at.y), static_cast<std::int32_t>(at.x), {&blocked, 1}, rows.user);
        EXPECT_EQ(blocked, 0) << i;
    }
}

TEST(MeshWalls, WhatIsRefused) {
    const CrowdScene scene = make_crowd_scene(CrowdPlace::tunnel);
    const NavMesh mesh = crowd_mesh(scene);
    EXPECT_EQ(MeshWalls::make(mesh, {.radius = 0.0}).error(),
              Error(ErrorCode::out_of_range, Field::agent_radius));
    EXPECT_EQ(MeshWalls::make(mesh, {.radius = std::numeric_limits<double>::quiet_NaN()}).error(),
              Error(ErrorCode::not_finite, Field::agent_radius));
    EXPECT_EQ(MeshWalls::make(mesh, {.detail = 1.0}).error(),
              Error(ErrorCode::out_of_range, Field::distance));
    EXPECT_EQ(MeshWalls::make(mesh, {.radius = 1e-4}).error(),
              Error(ErrorCode::size_limit, Field::cells, kPlaceCellsMax));
    TestAllocator memory;
    for (const bool once : kOnceAndForEver) {
        starve(
            memory, once, [&] { return MeshWalls::make(mesh, {.allocator = memory.allocator()}); },
            [](const auto&) {});
        EXPECT_EQ(memory.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
