// Links between floors: of two that lead to the goal the cheaper is taken.

#include <gtest/gtest.h>

#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_drive.h>

namespace fairlead::testing {
namespace {

// One ends at the goal, a step from the start; the other begins at the start and ends a step before the goal.
TEST(DriveLinks, OneThatEndsAtTheGoalIsNotThoughtDearer) {
    const Portal portals[] = {{.from = {11, 10, 0}, .to = {31, 10, 1}, .cost = 5.0},
                              {.from = {10, 10, 0}, .to = {30, 10, 1}, .cost = 5.5}};
    const Result<Grid> grid = Grid::make({.width = 40, .height = 20, .layers = 2, .portals = portals},
                                         std::vector<std::uint8_t>(1600, 1));
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}, .headings = 8});
    ASSERT_TRUE(grid && table);
    const Result<DriveMap> map = make_drive_map(*grid, *table);
    ASSERT_TRUE(map);
    DriveQuery query;
    query.start = Spot(grid->state().cell_centre({10, 10, 0})).facing(0.0);
    query.goal = Spot(grid->state().cell_centre({31, 10, 1})).facing(0.0).on_layer(1);
    query.planner = DrivePlanner::lattice;
    query.smooth = false;
    query.goal_curves = false;
    Scratch scratch;
    const Result<Route> route = find_route(*map, query, scratch);
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_NEAR(route->cost, 6.0, 1e-6);
}

}  // namespace
}  // namespace fairlead::testing
