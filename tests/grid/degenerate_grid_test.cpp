// The table of degenerate input, continued: making, editing and reading grids, routes of other worlds.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>

#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kHuge = 1e300;
constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

Grid open_grid(std::int32_t width, std::int32_t height) {
    return *Grid::make({.width = width, .height = height});
}

GridQuery across(std::int32_t width, std::int32_t height) {
    return {.start = cell_centre(0, 0), .goal = cell_centre(width - 1, height - 1)};
}

// ---- making and editing grids --------------------------------------------------------------------------------

TEST(GridDegenerate, MakeRefuses) {
    const auto refuse = [](auto change, const Error& error) {
        GridOptions options{.width = 10, .height = 10};
        change(options);
        const Result<Grid> grid = Grid::make(options);
        ASSERT_FALSE(grid.has_value());
        EXPECT_EQ(grid.error(), error) << error_text(grid.error()).c_str() << " " << grid.error().detail;
    };
    refuse([](GridOptions& o) { o.width = 0; }, {ErrorCode::size_zero, Field::width, 0});
    refuse([](GridOptions& o) { o.height = 0; }, {ErrorCode::size_zero, Field::height, 0});
    refuse([](GridOptions& o) { o.layers = 0; }, {ErrorCode::size_zero, Field::layers, 0});
    refuse([](GridOptions& o) { o.width = -5; }, {ErrorCode::out_of_range, Field::width, -5});
    refuse([](GridOptions& o) { o.height = INT32_MIN; }, {ErrorCode::out_of_range, Field::height, INT32_MIN});
    refuse([](GridOptions& o) { o.width = 16385; }, {ErrorCode::size_limit, Field::width, 16384});
    refuse([](GridOptions& o) { o.height = INT32_MAX; }, {ErrorCode::size_limit, Field::height, 16384});
    refuse([](GridOptions& o) { o.layers = 65; }, {ErrorCode::size_limit, Field::layers, 64});
    refuse(
        [](GridOptions& o) {
            o.width = o.height = 16384;
            o.layers = 9;  // 2^31 and an eighth
        },
        {ErrorCode::size_limit, Field::layers, std::int64_t{1} << 31});
    for (const double bad : {kNan, kInf, -kInf}) {
        refuse([&](GridOptions& o) { o.origin.y = bad; }, {ErrorCode::not_finite, Field::origin, 0});
        refuse([&](GridOptions& o) { o.cell_size = bad; }, {ErrorCode::not_finite, Field::cell_size, 0});
    }
    refuse([](GridOptions& o) { o.cell_size = 0; }, {ErrorCode::out_of_range, Field::cell_size, 0});
    refuse([](GridOptions& o) { o.cell_size = -2; }, {ErrorCode::out_of_range, Field::cell_size, -2});
    refuse([](GridOptions& o) { o.cell_size = kTiny; }, {ErrorCode::out_of_range, Field::cell_size, 0});
    refuse([](GridOptions& o) { o.cell_size = 1.1e100; },
           {ErrorCode::out_of_range, Field::cell_size, static_cast<std::int64_t>(9e18)});
    refuse([](GridOptions& o) { o.corner = static_cast<CornerRule>(3); },
           {ErrorCode::out_of_range, Field::corner, 3});
    const std::vector<Agent> many(16);
    refuse([&](GridOptions& o) { o.sizes = many; }, {ErrorCode::size_limit, Field::sizes, 15});
    const Agent bad_sizes[] = {{}, {.radius = kNan}};
    refuse([&](GridOptions& o) { o.sizes = bad_sizes; }, {ErrorCode::not_finite, Field::sizes, 1, 0});
    const Agent bad_footprint[] = {{}, {}, {.footprint = 65}};
    refuse([&](GridOptions& o) { o.sizes = bad_footprint; }, {ErrorCode::out_of_range, Field::sizes, 2, 0});
    for (const Portal& portal : {Portal{{0, 0, 0}, {10, 0, 0}}, Portal{{0, -1, 0}, {1, 0, 0}},
                                 Portal{{0, 0, 1}, {1, 0, 0}}, Portal{{0, 0, 0}, {1, 0, 0}, 0.0},
                                 Portal{{0, 0, 0}, {1, 0, 0}, -1.0}, Portal{{0, 0, 0}, {1, 0, 0}, 2e6}}) {
        const Portal portals[] = {{{0, 0, 0}, {1, 1, 0}}, portal};
        refuse([&](GridOptions& o) { o.portals = portals; }, {ErrorCode::out_of_range, Field::portals, 1, 0});
    }
    const Portal nan_portal[] = {{{0, 0, 0}, {1, 0, 0}, kNan}};
    refuse([&](GridOptions& o) { o.portals = nan_portal; }, {ErrorCode::not_finite, Field::portals, 0, 0});
    const std::vector<Portal> too_many((std::size_t{1} << 22) + 1);
    refuse([&](GridOptions& o) { o.portals = too_many; }, {ErrorCode::size_limit, Field::portals, 1 << 22});
    const std::vector<std::uint16_t> costs(300, 1);
    refuse([&](GridOptions& o) { o.terrain_costs = std::span(costs).first(255); },
           {ErrorCode::size_mismatch, Field::terrain_costs, 256});
    std::vector<std::uint16_t> zero(256, 1);
    zero[7] = 0;
    refuse([&](GridOptions& o) { o.terrain_costs = zero; },
           {ErrorCode::out_of_range, Field::terrain_costs, 7, 0});
    zero[7] = 1024;
    refuse([&](GridOptions& o) { o.terrain_costs = zero; },
           {ErrorCode::out_of_range, Field::terrain_costs, 7, 1024});
    const std::uint8_t tiles[99] = {};
    const Result<Grid> short_of_tiles = Grid::make({.width = 10, .height = 10}, tiles);
    ASSERT_FALSE(short_of_tiles.has_value());
    EXPECT_EQ(short_of_tiles.error(), (Error{ErrorCode::size_mismatch, Field::tiles, 100}));
}

TEST(GridDegenerate, EditsRefuse) {
    Grid grid = *Grid::make({.width = 10, .height = 8, .layers = 2});
    const std::uint8_t tiles[100] = {};
    const CellRect outside[] = {{{-1, 0}, {3, 3}},
                                {{0, -1}, {3, 3}},
                                {{0, 0}, {11, 3}},
                                {{0, 0}, {3, 9}},
                                {{5, 0}, {4, 3}},
                                {{0, 5}, {4, 3}},
                                {{0, 0}, {1, 1}, 2},
                                {{0, 0}, {1, 1}, -1},
                                {{INT32_MIN, 0}, {3, 3}},
                                {{0, 0}, {INT32_MAX, INT32_MAX}},
                                {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}}};
    for (const CellRect& rect : outside) {
        EXPECT_EQ(grid.fill(rect, 0).error(), (Error{ErrorCode::out_of_range, Field::rect}));
        EXPECT_EQ(grid.set(rect, tiles).error(), (Error{ErrorCode::out_of_range, Field::rect}));
    }
    for (const Cell cell :
         {Cell{-1, 0, 0}, Cell{10, 0, 0}, Cell{0, 8, 0}, Cell{0, 0, 2}, Cell{INT32_MAX, INT32_MIN, 0}}) {
        EXPECT_EQ(grid.set(cell, 0).error(), (Error{ErrorCode::out_of_range, Field::rect}));
        EXPECT_TRUE(grid.state().blocked(cell));
        EXPECT_EQ(grid.state().tile(cell), 0);
        EXPECT_EQ(grid.state().cost(cell), 0);
        EXPECT_EQ(grid.state().clearance(cell, 5.0), 0.0);
        EXPECT_FALSE(grid.state().can_stand(cell, {}));
        EXPECT_EQ(grid.state().connected(cell, {0, 0, 0}, {}).error().code, ErrorCode::out_of_range);
        EXPECT_EQ(grid.state().connected({0, 0, 0}, cell, {}).error().field, Field::to);
    }
    EXPECT_EQ(grid.set({{0, 0}, {3, 3}}, {tiles, 8}).error(),
              (Error{ErrorCode::size_mismatch, Field::tiles, 9}));
    // Empty, and what is there already: no revision.
    EXPECT_TRUE(grid.fill({{3, 3}, {3, 6}}, 0).has_value());
    EXPECT_TRUE(grid.set({{3, 3}, {3, 3}}, {}).has_value());
    EXPECT_TRUE(grid.fill({{0, 0}, {10, 8}}, 1).has_value());
    EXPECT_EQ(grid.state().revision(), 0U);
    EXPECT_EQ(grid.state().free_cells(), 160);
    EXPECT_EQ(grid.register_size({.radius = kNan}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(grid.register_size({.footprint = 65}).error().code, ErrorCode::out_of_range);
    for (int i = 1; i < 16; ++i) EXPECT_TRUE(grid.register_size({.footprint = i + 1}).has_value());
    EXPECT_TRUE(grid.register_size({.footprint = 9}).has_value());  // is there
    EXPECT_EQ(grid.register_size({.footprint = 30}).error().code, ErrorCode::size_limit);
}

TEST(GridDegenerate, Reading) {
    const Grid grid = open_grid(10, 10);
    for (const double limit : {kNan, -1.0, 0.0}) EXPECT_EQ(grid.state().clearance({5, 5}, limit), 0.0);
    EXPECT_EQ(grid.state().clearance({5, 5}, kInf), 4.5);
    EXPECT_EQ(grid.state().clearance({5, 5}, kMax), 4.5);
    for (const double far : {kNan, kInf, -kInf, kMax, -kMax, 1e10}) {
        EXPECT_FALSE(grid.state().inside(grid.state().cell_at({far, 0})));
        EXPECT_FALSE(grid.state().inside(grid.state().cell_at({0, far})));
    }
    EXPECT_FALSE(grid.state().can_stand({5, 5}, {.radius = kNan}));
    EXPECT_EQ(grid.state().connected({5, 5}, {6, 6}, {.radius = 0.7}).error().code, ErrorCode::unknown_id);
    // An open torus has no wall at any distance: the limit is the answer.
    GridOptions options{.width = 3, .height = 3};
    options.wrap_x = options.wrap_y = true;
    const Grid torus = *Grid::make(options);
    EXPECT_EQ(torus.state().clearance({1, 1}, 4.0), 4.0);
    EXPECT_EQ(torus.state().clearance({1, 1}, 50.0), 50.0);
}

// ---- revalidate and repair -----------------------------------------------------------------------------------

TEST(GridDegenerate, RevalidateAndRepair) {
    const Grid grid = open_grid(10, 10);
    Scratch scratch;
    const GridQuery query = across(10, 10);
    Route empty;
    Result<Revalidation> still = revalidate(grid, empty, query, scratch);
    ASSERT_TRUE(still.has_value());
    EXPECT_TRUE(still->legal);
    EXPECT_TRUE(repair(grid, empty, query, scratch).has_value());

    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route.has_value());
    GridQuery bad = query;
    bad.agent.radius = kNan;
    EXPECT_EQ(revalidate(grid, *route, bad, scratch).error().code, ErrorCode::not_finite);
    EXPECT_EQ(repair(grid, *route, bad, scratch).error().code, ErrorCode::not_finite);
    const std::vector<double> factors(257, 1.0);
    bad = query;
    bad.terrain.factors = factors;
    EXPECT_EQ(revalidate(grid, *route, bad, scratch).error().code, ErrorCode::size_limit);
    bad = query;
    bad.agent.radius = kHuge;  // grown since: it fits nowhere
    still = revalidate(grid, *route, bad, scratch);
    ASSERT_TRUE(still.has_value());
    EXPECT_FALSE(still->legal);
    ASSERT_TRUE(repair(grid, *route, bad, scratch).has_value());
    EXPECT_EQ(route->status, PathStatus::start_blocked);
}

// A route of another, larger world: illegal here, and no reading past the end.
TEST(GridDegenerate, RoutesOfOtherWorlds) {
    const Portal stairs[] = {{{30, 30, 0}, {30, 30, 1}}, {{5, 5, 1}, {5, 5, 2}}};
    GridOptions options{.width = 50, .height = 50, .layers = 3};
    options.portals = stairs;
    const Grid tower = *Grid::make(options);
    const Grid hut = open_grid(8, 8);
    Scratch scratch;
    GridQuery query{.start = cell_centre(1, 1), .goal = cell_centre(40, 40)};
    query.goal = query.goal.on_layer(2);
    Result<Route> route = find_route(tower, query, scratch);
    ASSERT_TRUE(route && route->status == PathStatus::complete);
    const CellRect changed{{0, 0}, {8, 8}};
    for (const CellRect* rect : {static_cast<const CellRect*>(nullptr), &changed}) {
        const Result<Revalidation> still = revalidate(hut, *route, query, scratch, rect);
        ASSERT_TRUE(still.has_value());
        EXPECT_FALSE(still->legal);
    }
    ASSERT_TRUE(repair(hut, *route, query, scratch).has_value());
    EXPECT_EQ(route->status, PathStatus::off_world);
    // Hostile numbers.
    for (const double number : {kNan, kInf, kHuge}) {
        route = find_route(tower, query, scratch);
        ASSERT_TRUE(route.has_value());
        route->legs[1].start.position.x = number;
        route->end.position.y = number;
        const Result<Revalidation> still = revalidate(tower, *route, query, scratch, &changed);
        ASSERT_TRUE(still.has_value());
        EXPECT_FALSE(revalidate(tower, *route, query, scratch).value().legal);
        (void)repair(tower, *route, query, scratch).has_value();
    }
}

}  // namespace
}  // namespace fairlead::testing
