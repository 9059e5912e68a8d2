// What a search says of its route's cost holds, and no blocker is too large to be one.
#include <gtest/gtest.h>

#include <algorithm>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/grids.h"

namespace fairlead::testing {
namespace {

// A portal that is dearer than the octile distance of its ends and cheaper than their distance along the axes was not known.
TEST(Bounds, PortalsWithFourNeighbours) {
    const Portal portals[] = {{.from = {3, 8, 0}, .to = {5, 6, 0}, .cost = 3}};
    const Grid grid = *Grid::make({.width = 8, .height = 11, .portals = portals});
    Scratch scratch;
    for (const GridPlanner planner : {GridPlanner::automatic, GridPlanner::astar, GridPlanner::bucket_astar,
                                      GridPlanner::dijkstra, GridPlanner::bidirectional}) {
        const Result<Route> route = find_route(grid,
                                               GridQuery{.start = Vec2{5.5, 4.5},
                                                         .goal = Vec2{3.5, 9.5},
                                                         .planner = planner,
                                                         .neighbours = Neighbourhood::four},
                                               scratch);
        if (!route) continue;  // not every planner serves portals
        EXPECT_EQ(route->cost, 6.0) << planner_name(planner);
    }
}

// The search compares tiles: the bound says what the way from a tile's middle to its goal may have cost too much.
TEST(Bounds, OfSeveralGoals) {
    const Grid grid = grid_of({"...", "...", "..."});
    Scratch scratch;
    const Vec2 goals[] = {{0.9, 1.5}, {1.5, 2.2}};
    GridQuery query{.start = Vec2{1.5, 1.5}, .goal = Goal::any_of(goals), .neighbours = Neighbourhood::four};
    const Result<Route> both = find_route(grid, query, scratch);
    ASSERT_TRUE(both);
    double least = 1e9;
    for (const Vec2 goal : goals) {
        query.goal = goal;
        const Result<Route> alone = find_route(grid, query, scratch);
        ASSERT_TRUE(alone);
        least = std::min(least, alone->cost);
    }
    EXPECT_LE(both->cost, both->bound * least * (1.0 + 1e-12));
    EXPECT_LT(both->bound, 1.5);
}

TEST(Bounds, BlockersPastAllNumbers) {
    const Grid grid = grid_of({"........", "........", "........", "........", "........", "........"});
    Scratch scratch;
    for (const double far : {1e30, 1e308}) {
        const Blocker wall[] = {{.box = {{3.0, 1.0}, {far, 5.0}}}};
        const Result<Route> route = find_route(
            grid, GridQuery{.start = Vec2{1.5, 2.5}, .goal = Vec2{6.5, 2.5}, .blockers = wall}, scratch);
        ASSERT_TRUE(route);
        EXPECT_NE(route->status, PathStatus::complete) << far;
        const Result<Route> past = find_route(
            grid, GridQuery{.start = Vec2{1.5, 0.5}, .goal = Vec2{6.5, 0.5}, .blockers = wall}, scratch);
        ASSERT_TRUE(past);
        EXPECT_EQ(past->status, PathStatus::complete) << far;
        EXPECT_FALSE(verify(*past, grid, {}, {.blockers = wall})) << far;
    }
}

}  // namespace
}  // namespace fairlead::testing
