// A level mesh of a tile world: the same ground as the tiles, and the shortest ways there are.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/any_angle.h"
#include "support/environment.h"
#include "support/grids.h"
#include "support/random_worlds.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

struct RandomTown {
    std::int32_t width, height;
    std::vector<std::uint8_t> tiles;

    [[nodiscard]] Grid make(GridOptions options = {}) const {
        options.width = width;
        options.height = height;
        Result<Grid> grid = Grid::make(options, tiles);
        FAIRLEAD_ASSERT(grid.has_value());
        return std::move(*grid);
    }
    [[nodiscard]] Cell free_cell(Rng& rng) const {
        for (int i = 0; i < 1000; ++i) {
            const auto at = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(tiles.size())));
            const auto place = static_cast<std::int32_t>(at);
            if (tiles[at] != 0) return {place % width, place / width, 0};
        }
        return {};
    }
};

RandomTown random_town(Rng& rng, std::int32_t side_max) {
    RandomTown town{1 + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(side_max))),
                    1 + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(side_max))),
                    {}};
    town.tiles = random_map(rng, town.width, town.height);
    for (std::uint8_t& tile : town.tiles) tile = tile != 0 ? 1 : 0;
    return town;
}

NavMesh mesh_of(const GridState& grid, const GridMeshOptions& options = {}) {
    Result<NavMesh> mesh = make_grid_mesh(grid, options);
    EXPECT_TRUE(mesh.has_value()) << error_text(mesh.error()).c_str();
    return std::move(*mesh);
}

Vec3 at_cell(const GridState& grid, Cell cell) {
    const Vec2 p = grid.cell_centre(cell);
    return {p.x, p.y, 0.0};
}

Route walk(const NavMesh& mesh, Vec3 from, Vec3 to, double radius = 0.0) {
    Scratch scratch;
    const MeshQuery query{.start = from, .goal = to, .agent = {.radius = radius}, .reach = {0.25, 1.0, 1.0}};
    Result<Route> route = find_route(mesh, query, scratch);
    EXPECT_TRUE(route.has_value());
    const Violation bad = verify(*route, mesh, query.agent);
    EXPECT_FALSE(bad) << bad.text().c_str();
    return std::move(*route);
}

double area_of(const NavMeshState& mesh, PolygonId id) {
    double twice = 0.0;
    const std::uint32_t count = mesh.corners(id);
    const Vec3 first = mesh.corner(id, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3 a = mesh.corner(id, i) - first, b = mesh.corner(id, (i + 1) % count) - first;
        twice += a.x * b.y - b.x * a.y;
    }
    return 0.5 * twice;
}

// Polygons lie in free cells of their area, hang together as the cells do, and have the area of all free cells together.
void expect_same_ground(const Grid& grid, const NavMesh& made, const char* what) {
    const GridState& state = grid.state();
    const NavMeshState& mesh = made.state();
    const double cell = grid_mesh_cell_size(state);
    double area = 0.0;
    for (std::uint32_t i = 0; i < mesh.polygons(); ++i) area += area_of(mesh, mesh.polygon(i));
    const double all = static_cast<double>(state.free_cells()) * cell * cell;
    EXPECT_NEAR(area, all, 1e-9 * (1 + all)) << what;
    std::vector<Cell> seen;
    std::vector<std::uint32_t> parts;
    for (std::int32_t y = 0; y < state.height(); ++y) {
        for (std::int32_t x = 0; x < state.width(); ++x) {
            const MeshPoint at = mesh.nearest(at_cell(state, {x, y, 0}), {0.3 * cell, 0.5, 0.5});
            ASSERT_EQ(at.polygon.valid(), !state.blocked({x, y, 0})) << what << ' ' << x << ' ' << y;
            if (!at.polygon.valid()) continue;
            EXPECT_EQ(mesh.area(at.polygon), state.tile({x, y, 0}) - 1) << what;
            seen.push_back({x, y, 0});
            parts.push_back(mesh.component(at.polygon));
        }
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const std::size_t j = (i * 7919 + 13) % seen.size();
        EXPECT_EQ(parts[i] == parts[j], *state.connected(seen[i], seen[j], {})) << what;
    }
}

TEST(GridMesh, IsTheFreeCellsAndNothingElse) {
    Rng rng(9001);
    for (int round = 0; round < trials(120); ++round) {
        RandomTown town = random_town(rng, round % 10 == 0 ? 150 : 24);
        const bool rough = round % 3 == 0;
        for (std::uint8_t& tile : town.tiles) {
            if (rough && tile != 0) tile = static_cast<std::uint8_t>(1 + rng.below(4));
        }
        const Grid grid = town.make({.origin = {-7.5, 1e5}, .cell_size = round % 2 == 0 ? 1.0 : 0.3});
        for (const std::int32_t side : {0, 5, 64}) {
            const NavMesh mesh = mesh_of(grid.state(), {.tile_cells = side});
            expect_same_ground(
                grid, mesh,
                ("round " + std::to_string(round) + ", tiles of " + std::to_string(side)).c_str());
        }
        if (HasFailure()) return;
    }
}

TEST(GridMesh, RoutesAreTheShortestOfAllAngles) {
    Rng rng(9002);
    int found = 0, shorter = 0;
    for (int round = 0; round < trials(300); ++round) {
        const RandomTown town = random_town(rng, 20);
        const Grid grid = town.make();
        const NavMesh mesh = mesh_of(grid.state());
        const NavMesh tiled = mesh_of(grid.state(), {.tile_cells = 6});
        DenseSight sight;
        sight.grid = &grid.state();
        const AnyAngle oracle(sight);
        Scratch scratch;
        for (int i = 0; i < 8; ++i) {
            const Cell from = town.free_cell(rng), to = town.free_cell(rng);
            if (grid.state().blocked(from) || grid.state().blocked(to)) continue;
            const Route route = walk(mesh, at_cell(grid.state(), from), at_cell(grid.state(), to));
            const Route other = walk(tiled, at_cell(grid.state(), from), at_cell(grid.state(), to));
            const AnyAngle::Way way =
                oracle.shortest(grid.state().cell_centre(from), grid.state().cell_centre(to));
            ASSERT_EQ(route.status == PathStatus::complete, way.length >= 0) << "round " << round;
            ASSERT_EQ(route.status, other.status) << "round " << round;
            const Result<Route> tiles = find_route(
                grid.state(),
                GridQuery{.start = grid.state().cell_centre(from), .goal = {grid.state().cell_centre(to)}},
                scratch);
            ASSERT_TRUE(tiles.has_value());
            ASSERT_EQ(route.status, tiles->status) << "round " << round;
            if (way.length < 0) continue;
            EXPECT_NEAR(route.length, way.length, 1e-9 * (1 + way.length)) << "round " << round;
            EXPECT_NEAR(other.length, way.length, 1e-9 * (1 + way.length)) << "round " << round;
            EXPECT_LE(route.length, tiles->length * (1 + 1e-12)) << "round " << round;
            const Violation bad = verify(route, grid.state(), {}, {.check_revision = false});
            EXPECT_FALSE(bad) << "round " << round << ": " << bad.text().c_str();
            ++found;
            shorter += route.length < tiles->length - 1e-9 ? 1 : 0;
        }
        if (HasFailure()) return;
    }
    EXPECT_GT(found, 2 * trials(300));
    EXPECT_GT(shorter, 0);
}

// Discs: what the mesh lets through, the cells let through, judged tile by tile; and what the oracle gets through, the mesh does.
TEST(GridMesh, OneMeshForEveryRadius) {
    Rng rng(9003);
    int found = 0;
    for (int round = 0; round < trials(150); ++round) {
        const RandomTown town = random_town(rng, 16);
        const Grid grid = town.make();
        const NavMesh mesh = mesh_of(grid.state(), {.radius_max = 2.0});
        const double radius = 0.05 + 1.4 * rng.unit();
        DenseSight sight;
        sight.grid = &grid.state();
        sight.radius = radius;
        const AnyAngle oracle(sight);
        for (int i = 0; i < 6; ++i) {
            const Cell from = town.free_cell(rng), to = town.free_cell(rng);
            const Agent disc{.radius = radius};
            if (grid.state().clearance(from, 9) < radius || grid.state().clearance(to, 9) < radius) continue;
            const Route route = walk(mesh, at_cell(grid.state(), from), at_cell(grid.state(), to), radius);
            const AnyAngle::Way way =
                oracle.shortest(grid.state().cell_centre(from), grid.state().cell_centre(to));
            ASSERT_EQ(route.status == PathStatus::complete, way.length >= 0) << "round " << round;
            if (way.length < 0) continue;
            const Violation bad = verify(route, grid.state(), disc, {.check_revision = false});
            EXPECT_FALSE(bad) << "round " << round << ": " << bad.text().c_str();
            EXPECT_GE(route.length, way.length * (1 - AnyAngle::kArcExcess) - 1e-9) << "round " << round;
            EXPECT_LE(route.length, way.length * 1.1 + 1e-9) << "round " << round;
            ++found;
        }
        if (HasFailure()) return;
    }
    EXPECT_GT(found, trials(150) / 2);
}

// Both were found by `./run campaign mesh_radius_gap`: a route that clipped a wall, and one that was not found.
TEST(GridMesh, WallsBesideTheBandAreSeen) {
    const auto blocked = [](std::int32_t width, std::int32_t height, std::initializer_list<Cell> walls) {
        RandomTown town{width, height, {}};
        town.tiles.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 1);
        for (const Cell wall : walls) town.tiles[static_cast<std::size_t>(wall.y * width + wall.x)] = 0;
        return town.make();
    };
    // Two corners as far along the point's way as each other: one on it, the other found beside the band.
    const Grid first =
        blocked(11, 36, {{8, 26}, {9, 27}, {4, 28}, {9, 28}, {5, 29}, {4, 31}, {7, 31}, {4, 33}, {1, 35}});
    // The point's way touches a corner, and what led to the point abreast of a wall's end was rounded into it.
    const Grid second = blocked(18, 17, {{14, 1}, {15, 8}, {17, 13}, {16, 15}});
    const struct {
        const Grid& grid;
        double radius;
        Vec3 from, to;
    } cases[] = {{first,
                  0.2,
                  {1.4440950257339509, 35.502656278936044, 0.0},
                  {9.4013762380874724, 27.318168768204661, 0.0}},
                 {second,
                  0.48,
                  {14.712870554506608, 1.0746062873667945, 0.0},
                  {16.561670394595726, 15.71170634504702, 0.0}}};
    for (const auto& one : cases) {
        const NavMesh mesh = mesh_of(one.grid.state(), {.radius_max = 3.0});
        Scratch scratch;
        const Result<Route> route = find_route(
            mesh,
            MeshQuery{
                .start = one.from, .goal = one.to, .agent = {.radius = one.radius}, .reach = {.across = 3.0}},
            scratch);
        ASSERT_TRUE(route);
        EXPECT_EQ(route->status, PathStatus::complete);
        const Violation bad = verify(*route, mesh, {.radius = one.radius});
        EXPECT_FALSE(bad) << bad.text().c_str();
    }
}

TEST(GridMesh, CornersThatTouchAreShut) {
    const Grid grid = grid_of({"..@", "@@.", "..."});
    const NavMesh mesh = mesh_of(grid.state());
    EXPECT_EQ(walk(mesh, {0.5, 0.5, 0}, {2.5, 1.5, 0}).status, PathStatus::unreachable);
    EXPECT_EQ(mesh.state().polygons(), 3U);  // the upper row; an L is two
}

TEST(GridMesh, EmptyRoomsAreOnePolygon) {
    const Grid grid = grid_of({".....", ".....", "....."});
    EXPECT_EQ(mesh_of(grid.state()).state().polygons(), 1U);
    EXPECT_EQ(mesh_of(grid_of({"@@", "@@"}).state()).state().polygons(), 0U);
    EXPECT_EQ(mesh_of(grid_of({"@@", "@@"}).state(), {.tile_cells = 1}).state().polygons(), 0U);
    EXPECT_EQ(mesh_of(grid_of({"."}).state()).state().polygons(), 1U);
}

TEST(GridMesh, TerrainBecomesAreas) {
    const Grid grid = grid_of({"1133", "1123"});
    std::vector<std::uint8_t> areas(256, kNotWalkable);
    areas[1] = 7;
    areas[3] = 0;
    const NavMesh mesh = mesh_of(grid.state(), {.areas = areas});
    EXPECT_EQ(mesh.state().area(mesh.state().nearest({0.5, 0.5, 0}).polygon), 7);
    EXPECT_EQ(mesh.state().area(mesh.state().nearest({3.5, 0.5, 0}).polygon), 0);
    EXPECT_FALSE(mesh.state().nearest({2.5, 1.5, 0}, {0.3, 1, 1}).polygon.valid());

    // Prices of the grid by default: through the dear terrain or round it.
    const Grid field = grid_of({"11111", "19991", "19991", "11111"});
    std::vector<double> costs(kAreasMax, 1.0);
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = static_cast<double>(i + 1);
    const NavMesh priced = mesh_of(field.state());
    Scratch scratch;
    const Result<Route> route = find_route(
        priced,
        MeshQuery{.start = {0.5, 1.5, 0}, .goal = Vec3{4.5, 1.5, 0}, .filter = {.areas = {.factors = costs}}},
        scratch);
    ASSERT_TRUE(route.has_value());
    EXPECT_GT(route->length, 4.0);
    EXPECT_LT(route->cost, 12.0);
}

TEST(GridMesh, LayersAreFloors) {
    const Grid grid = grid_of({"...", "@@@", "...", "..."}, {.layers = 2});
    const NavMesh mesh = mesh_of(grid.state(), {.layer_height = 3.0});
    const NavMeshState& state = mesh.state();
    EXPECT_EQ(state.polygons(), 2U);
    EXPECT_EQ(state.nearest({1.5, 0.5, 0.1}).position.z, 0.0);
    EXPECT_EQ(state.nearest({1.5, 0.5, 2.9}).position.z, 3.0);
    EXPECT_EQ(walk(mesh, {0.5, 0.5, 0}, {0.5, 0.5, 3}).status, PathStatus::unreachable);
}

TEST(GridMesh, TilesAreMadeAnewAfterAnEdit) {
    Rng rng(9004);
    for (int round = 0; round < trials(60); ++round) {
        const RandomTown town = random_town(rng, 40);
        Grid grid = town.make({.cell_size = 0.7});
        const GridMeshOptions options{.tile_cells = 8};
        NavMesh mesh = mesh_of(grid.state(), options);
        PolygonScratch scratch;
        GridTile tile;
        for (int edit = 0; edit < 4; ++edit) {
            const std::int32_t x =
                static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(town.width)));
            const std::int32_t y =
                static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(town.height)));
            const CellRect rect{{x, y}, {std::min(x + 3, town.width), std::min(y + 2, town.height)}};
            ASSERT_TRUE(grid.fill(rect, static_cast<std::uint8_t>(rng.below(2))).has_value());
            for (std::int32_t ty = std::max(y - 1, 0) / 8; ty <= std::min(rect.high.y, town.height - 1) / 8;
                 ++ty) {
                for (std::int32_t tx = std::max(x - 1, 0) / 8;
                     tx <= std::min(rect.high.x, town.width - 1) / 8; ++tx) {
                    ASSERT_TRUE(grid_tile_into(grid.state(), options, tx, ty, scratch, tile).has_value());
                    if (tile.sizes.empty()) {
                        (void)mesh.remove_tile(tx, ty);  // it may never have been there
                    } else {
                        ASSERT_TRUE(mesh.set_tile(tile.tile()).has_value());
                    }
                }
            }
        }
        expect_same_ground(grid, mesh, ("round " + std::to_string(round)).c_str());
        if (HasFailure()) return;
    }
}

TEST(GridMesh, ErrorsAreTold) {
    const Grid grid = grid_of({"1.", "9."});
    const auto fails = [&](const GridMeshOptions& options, ErrorCode code, Field field,
                           std::int64_t index = -1) {
        const Result<NavMesh> mesh = make_grid_mesh(grid.state(), options);
        ASSERT_FALSE(mesh.has_value());
        EXPECT_EQ(mesh.error().code, code);
        EXPECT_EQ(mesh.error().field, field);
        EXPECT_EQ(mesh.error().index, index);
    };
    const std::vector<std::uint8_t> few(255), high(256, 64);
    fails({.areas = few}, ErrorCode::out_of_range, Field::areas);
    fails({.areas = high}, ErrorCode::out_of_range, Field::areas, 1);
    fails({.tile_cells = -1}, ErrorCode::out_of_range, Field::tile_cells);
    fails({.layer_height = 0.0}, ErrorCode::out_of_range, Field::layer_height);
    fails({.landmarks = kLandmarksMax + 1}, ErrorCode::out_of_range, Field::landmarks);
    const std::vector<std::uint8_t> dear{1, 200};
    const Grid priced = *Grid::make({.width = 2, .height = 1}, dear);
    const Result<NavMesh> none = make_grid_mesh(priced.state());
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error(), (Error{ErrorCode::out_of_range, Field::areas, 200, 0}));
    const Grid round = *Grid::make({.width = 4, .height = 4, .wrap_x = true});
    EXPECT_EQ(make_grid_mesh(round.state()).error().code, ErrorCode::unsupported);
    PolygonScratch scratch;
    GridTile tile;
    EXPECT_EQ(grid_tile_into(grid.state(), {.tile_cells = 1}, 2, 0, scratch, tile).error(),
              (Error{ErrorCode::out_of_range, Field::tiles}));
    EXPECT_TRUE(grid_tile_into(grid.state(), {.tile_cells = 1}, 1, 1, scratch, tile).has_value());
}

TEST(GridMesh, EveryFailingAllocationIsAnError) {
    Rng rng(9005);
    const RandomTown town = random_town(rng, 20);
    const Grid grid = town.make();
    TestAllocator counter;
    std::int64_t calls = 0;
    {
        const NavMesh mesh = mesh_of(grid.state(), {.tile_cells = 7, .allocator = counter.allocator()});
        calls = counter.calls;
    }
    ASSERT_EQ(counter.live_blocks, 0);
    for (std::int64_t n = 0; n < calls; n += 1 + calls / 500) {
        counter.calls = 0;
        counter.fail_from_call = n;
        const Result<NavMesh> mesh =
            make_grid_mesh(grid.state(), {.tile_cells = 7, .allocator = counter.allocator()});
        ASSERT_FALSE(mesh.has_value()) << n;
        EXPECT_EQ(mesh.error().code, ErrorCode::out_of_memory) << n;
        ASSERT_EQ(counter.live_blocks, 0) << n;
    }
}

}  // namespace
}  // namespace fairlead::testing
