// Links between floors: of two that lead to the goal the cheaper is taken, of two alike the first.

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_drive.h>

namespace fairlead::testing {
namespace {

// From (10, 10) on the first floor along x to (31, 10) on the second.
Route over(std::span<const Portal> portals) {
    const Result<Grid> grid = Grid::make({.width = 40, .height = 20, .layers = 2, .portals = portals},
                                         std::vector<std::uint8_t>(1600, 1));
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}, .headings = 8});
    const Result<DriveMap> map = make_drive_map(*grid, *table);
    DriveQuery query;
    query.start = Spot(grid->state().cell_centre({10, 10, 0})).facing(0.0);
    query.goal = Spot(grid->state().cell_centre({31, 10, 1})).facing(0.0).on_layer(1);
    query.planner = DrivePlanner::lattice;
    query.smooth = false;
    query.goal_curves = false;
    Scratch scratch;
    Result<Route> route = find_route(*map, query, scratch);
    EXPECT_EQ(route->status, PathStatus::complete);
    return std::move(*route);
}

// One ends at the goal, a step from the start; the other begins at the start and ends a step before the goal.
TEST(DriveLinks, OneThatEndsAtTheGoalIsNotThoughtDearer) {
    const Portal portals[] = {{.from = {11, 10, 0}, .to = {31, 10, 1}, .cost = 5.0},
                              {.from = {10, 10, 0}, .to = {30, 10, 1}, .cost = 5.5}};
    EXPECT_NEAR(over(portals).cost, 6.0, 1e-6);
}

TEST(DriveLinks, OfTwoAlikeTheFirstIsTaken) {
    const Portal alike{.from = {11, 10, 0}, .to = {31, 10, 1}, .cost = 5.0};
    const Portal portals[] = {alike, alike};
    std::int64_t told = -1;
    for (const Leg& leg : over(portals).legs) {
        if (leg.kind == LegKind::link) told = leg.link_id;
    }
    EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace fairlead::testing
