// Turning units over a grid, in one call: prepared maps are kept, edits are seen, half cells where whole ones do not do.

#include <gtest/gtest.h>

#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "support/heap_counter.h"

namespace fairlead {
namespace {

Grid open_grid(std::int32_t width, std::int32_t height) {
    Result<Grid> grid = Grid::make({.width = width, .height = height, .origin = {-3, 7}, .cell_size = 0.5});
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

DriveQuery across(const Agent& agent, const GridState& grid) {
    return {.start = {grid.cell_centre({5, 20, 0}), 0.0},
            .goal = {grid.cell_centre({grid.width() - 6, 20, 0}), 0.0},
            .agent = agent};
}

TEST(GridDrive, EditsAreSeenAndWarmCallsAllocateNothing) {
    Grid grid = open_grid(100, 60);
    const Agent agent{.radius = 0.3, .turning_radius = 1.0};
    const DriveQuery query = across(agent, grid);
    Scratch scratch;
    Route route;
    ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_NEAR(route.length, 44.5, 1e-6);
    ASSERT_TRUE(grid.fill({{50, 0}, {52, 40}}, 0).has_value());
    ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_GT(route.length, 46.0);
    EXPECT_FALSE(verify(route, grid, agent)) << verify(route, grid, agent).text().c_str();
    const Result<const DriveMap*> map = drive_map_in(scratch, grid, agent);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ((*map)->state().revision(), grid.state().revision());
    ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
    const std::uint64_t before = testing::heap_calls();
    ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
    EXPECT_EQ(testing::heap_calls(), before);
}

// A disc of diameter 1.9 cells fits a gap of two only in its middle, where cells meet.
TEST(GridDrive, AGapThatOnlyAPoseBetweenCellsFits) {
    Grid grid = open_grid(100, 60);
    ASSERT_TRUE(grid.fill({{50, 0}, {52, 60}}, 0).has_value());
    ASSERT_TRUE(grid.fill({{50, 30}, {52, 32}}, 1).has_value());
    const Agent agent{.radius = 0.475, .turning_radius = 1.0};
    const DriveQuery query = across(agent, grid);
    Scratch scratch;
    Route route;
    const GridDriveSetup centres{.nodes = DriveNodes::centres, .refine = false, .off_lattice_max = 0};
    ASSERT_TRUE(find_route_into(grid, query, scratch, route, centres).has_value());
    EXPECT_EQ(route.status, PathStatus::unreachable);
    for (const GridDriveSetup& setup : {GridDriveSetup{}, GridDriveSetup{.nodes = DriveNodes::centres},
                                        GridDriveSetup{.nodes = DriveNodes::halves}}) {
        ASSERT_TRUE(find_route_into(grid, query, scratch, route, setup).has_value());
        ASSERT_EQ(route.status, PathStatus::complete);
        EXPECT_FALSE(verify(route, grid, agent)) << verify(route, grid, agent).text().c_str();
    }
}

TEST(GridDrive, BadInput) {
    const Grid grid = open_grid(30, 30);
    const Agent agent{.radius = 0.3, .turning_radius = 1.0};
    const DriveQuery query = across(agent, grid);
    Scratch scratch;
    const auto code = [&](const GridDriveSetup& setup) {
        return find_route(grid, query, scratch, setup).error().code;
    };
    EXPECT_EQ(code({.map = {.layer = 1}}), ErrorCode::out_of_range);
    const std::vector<double> long_list(257, 1.0);
    EXPECT_EQ(code({.map = {.terrain = {.factors = long_list}}}), ErrorCode::size_limit);
    EXPECT_EQ(code({.headings = 12}), ErrorCode::out_of_range);
    EXPECT_EQ(find_route(grid, DriveQuery{}, scratch).error().code,
              ErrorCode::out_of_range);  // no turning radius
    const Result<DriveTable> other = DriveTable::make({.agent = agent, .cell_size = 1.0});
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(make_drive_map(grid, *other).error().code, ErrorCode::incompatible);
    const Result<Grid> round = Grid::make({.width = 30, .height = 30, .cell_size = 1.0, .wrap_x = true});
    ASSERT_TRUE(round.has_value());
    EXPECT_EQ(make_drive_map(*round, *other).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace fairlead
