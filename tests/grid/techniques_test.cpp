// The articles' techniques by name, each on the smallest map that shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/pose.h>
#include <fairlead/verify/verify.h>

#include "support/grids.h"

namespace fairlead::testing {
namespace {

const double kRoot2 = std::sqrt(2.0);

Route ask(const GridState& grid, const GridQuery& query) {
    Scratch scratch;
    Result<Route> route = find_route(grid, query, scratch);
    EXPECT_TRUE(route.has_value());
    if (!route) return {};
    if (route->status == PathStatus::complete) {
        const Violation bad = verify(*route, grid, query.agent);
        EXPECT_FALSE(bad) << bad.text().c_str();
    }
    return std::move(*route);
}

GridQuery tile_query(Vec2 start, Vec2 goal, GridPlanner planner) {
    return {.start = start, .goal = goal, .planner = planner, .smoothing = Smoothing::none};
}

Grid open_grid(std::int32_t width, std::int32_t height, GridOptions options = {}) {
    options.width = width;
    options.height = height;
    Result<Grid> grid = Grid::make(options);
    EXPECT_TRUE(grid.has_value());
    return std::move(*grid);
}

// ---- W: worlds ----------------------------------------------------------------------------------------------

// W3: the price of a cell is paid on entering it.
TEST(Techniques, EnteringIsWhatCosts) {
    const Grid grid = grid_of({"19"});
    EXPECT_DOUBLE_EQ(ask(grid, tile_query({0.5, 0.5}, {1.5, 0.5}, GridPlanner::astar)).cost, 9.0);
    EXPECT_DOUBLE_EQ(ask(grid, tile_query({1.5, 0.5}, {0.5, 0.5}, GridPlanner::astar)).cost, 1.0);
}

// W7: the cheapest way may be longer, and smoothing may not undo that.
TEST(Techniques, SandIsAvoidedAndStaysAvoided) {
    Grid grid = open_grid(21, 21);
    ASSERT_TRUE(grid.fill({{9, 0}, {12, 18}}, 5));
    GridQuery query = tile_query({2.5, 10.5}, {18.5, 10.5}, GridPlanner::automatic);
    const Route tiles = ask(grid, query);
    EXPECT_GT(tiles.length, 16.0 + 1.0);  // straight on would be 16
    for (const Smoothing smoothing :
         {Smoothing::greedy_shortcut, Smoothing::farthest_visible, Smoothing::best}) {
        query.smoothing = smoothing;
        const Route smooth = ask(grid, query);
        EXPECT_EQ(smooth.cost, tiles.cost);
        EXPECT_LE(smooth.line_cost, tiles.line_cost + 1e-9);
        EXPECT_LE(smooth.length, tiles.length + 1e-9);
    }
}

// W10: two floors and one stair.
TEST(Techniques, FloorsAreJoinedByStairs) {
    GridOptions options{.layers = 2};
    const Portal stair{.from = {4, 0, 0}, .to = {4, 0, 1}, .cost = 2.0};
    options.portals = std::span{&stair, 1};
    const Grid grid = open_grid(5, 1, options);
    GridQuery query = tile_query({0.5, 0.5}, {0.5, 0.5}, GridPlanner::astar);
    query.goal = query.goal.on_layer(1);
    const Route route = ask(grid, query);
    EXPECT_DOUBLE_EQ(route.cost, 4.0 + 2.0 + 4.0);
    ASSERT_EQ(route.legs.size(), 3U);
    EXPECT_EQ(route.legs[1].kind, LegKind::link);
}

// ---- S: search ----------------------------------------------------------------------------------------------

// S4, P6: start first, goal last, one leg for a straight run of ten tiles.
TEST(Techniques, AStraightRunIsOneLeg) {
    const Grid grid = open_grid(20, 3);
    const Route route = ask(grid, tile_query({1.5, 1.5}, {11.5, 1.5}, GridPlanner::astar));
    ASSERT_EQ(route.legs.size(), 1U);
    EXPECT_EQ(route.legs[0].start.position.x, 1.5);
    EXPECT_EQ(route.end.position.x, 11.5);
    EXPECT_DOUBLE_EQ(route.length, 10.0);
}

// S6, C13: neighbours and what a diagonal step may squeeze through.
TEST(Techniques, CornerRules) {
    const Grid one = grid_of({"1@", "11"});
    GridQuery query = tile_query({0.5, 0.5}, {1.5, 1.5}, GridPlanner::astar);
    EXPECT_DOUBLE_EQ(ask(one, query).length, 2.0);
    query.corner = CornerRule::one_free;
    EXPECT_DOUBLE_EQ(ask(one, query).length, kRoot2);
    const Grid none = grid_of({"1@", "@1"});
    EXPECT_EQ(ask(none, query).status, PathStatus::unreachable);
    query.corner = CornerRule::always;
    EXPECT_DOUBLE_EQ(ask(none, query).length, kRoot2);
    query.agent.radius = 0.1;  // has a width: geometry forbids it
    EXPECT_EQ(ask(none, query).status, PathStatus::unreachable);
    query = tile_query({0.5, 0.5}, {3.5, 2.5}, GridPlanner::astar);
    query.neighbours = Neighbourhood::four;
    EXPECT_DOUBLE_EQ(ask(open_grid(5, 5), query).length, 5.0);
}

// S7: the price of a turn depends on where one came from, so the state is (cell, heading).
TEST(Techniques, TurnsCanBeDear) {
    const Grid grid = grid_of({"111111111", "1@1@1@1@1", "111111111"});
    GridQuery query = tile_query({0.5, 0.5}, {8.5, 2.5}, GridPlanner::turn_penalty);
    query.turn_penalty = 3.0;
    const Route route = ask(grid, query);
    EXPECT_EQ(route.legs.size(), 2U);  // along one side and down, or down and along
    EXPECT_DOUBLE_EQ(route.length, 10.0);
    EXPECT_DOUBLE_EQ(route.cost, 10.0 + 2.0 * 3.0);  // one turn of 90 degrees
}

// S7 as the article has it: a constant a turn. Two turns of 45 degrees cost twice what one of 90 does; by angle they cost the same.
TEST(Techniques, ATurnMayCostTheSameWhateverItsAngle) {
    const Grid grid = open_grid(9, 9);
    GridQuery query = tile_query({0.5, 0.5}, {8.5, 4.5}, GridPlanner::turn_penalty);
    query.turn_penalty = 0.0;
    const Route plain = ask(grid, query);
    EXPECT_NEAR(plain.cost, 4.0 + 4.0 * kRoot2, 1e-9);
    query.turn_penalty_each = 0.25;
    Route route = ask(grid, query);
    EXPECT_EQ(route.legs.size(), 2U);  // of the shortest ways one with a single turn (Figure 2b)
    EXPECT_NEAR(route.cost, 4.0 + 4.0 * kRoot2 + 0.25, 1e-9);
    EXPECT_EQ(route.bound, 1.0);
    // Round the end of a wall: two turns of 90 degrees.
    const Grid walled = grid_of({"1111111", "1111111", "@@@@@11", "1111111", "1111111"});
    query = tile_query({0.5, 1.5}, {0.5, 3.5}, GridPlanner::turn_penalty);
    query.turn_penalty = 0.0;
    query.turn_penalty_each = 0.25;
    const Route wide = ask(walled, query);
    EXPECT_DOUBLE_EQ(wide.cost, 10.0 + 2.0 + 2 * 0.25);  // five on, two down, five back
    query.turn_penalty = 5.0;
    query.turn_penalty_each = 0.0;
    EXPECT_DOUBLE_EQ(ask(walled, query).cost, 10.0 + 2.0 + 4 * 5.0);
    query.turn_penalty_each = 0.5;
    EXPECT_DOUBLE_EQ(ask(walled, query).cost, 10.0 + 2.0 + 4 * 5.0 + 2 * 0.5);
}

// S8: greedy best-first search runs into the trap and is never called A*.
TEST(Techniques, GreedyIsNotAStar) {
    Grid grid = open_grid(40, 30);
    ASSERT_TRUE(grid.fill({{28, 5}, {30, 25}}, 0));
    ASSERT_TRUE(grid.fill({{15, 5}, {30, 7}}, 0));
    ASSERT_TRUE(grid.fill({{15, 23}, {30, 25}}, 0));
    const Route greedy = ask(grid, tile_query({5.5, 14.5}, {35.5, 14.5}, GridPlanner::greedy_best_first));
    const Route best = ask(grid, tile_query({5.5, 14.5}, {35.5, 14.5}, GridPlanner::astar));
    EXPECT_GT(greedy.length, best.length * 1.05);
    EXPECT_EQ(greedy.bound, kNoBound);
    EXPECT_EQ(best.bound, 1.0);
    EXPECT_STREQ(greedy.planner, "greedy_best_first");
}

// S3: a heuristic that exceeds the truth is not called optimal.
TEST(Techniques, TheBoundKnowsTheHeuristic) {
    const Grid grid = open_grid(20, 20);
    GridQuery query = tile_query({1.5, 1.5}, {15.5, 12.5}, GridPlanner::astar);
    for (const GridHeuristic heuristic :
         {GridHeuristic::octile, GridHeuristic::euclidean, GridHeuristic::zero}) {
        query.heuristic = heuristic;
        EXPECT_EQ(ask(grid, query).bound, 1.0);
    }
    query.heuristic = GridHeuristic::manhattan;
    EXPECT_NEAR(ask(grid, query).bound, kRoot2, 1e-9);
    query.neighbours = Neighbourhood::four;
    EXPECT_EQ(ask(grid, query).bound, 1.0);
}

// E1: a state met again for less is relaxed.
TEST(Techniques, ReachedForLessLater) {
    // The dear straight way is met first, the cheap one round it later.
    const Grid grid = grid_of({"11111", "1@@@1", "19991"});
    const Route route = ask(grid, tile_query({0.5, 2.5}, {4.5, 2.5}, GridPlanner::dijkstra));
    EXPECT_DOUBLE_EQ(route.cost, 8.0);
}

// ---- F: the fixed window ------------------------------------------------------------------------------------

// F1: the same route wherever the same walls stand.
TEST(FixedWindow, DoesNotKnowWhereItIs) {
    Rng rng(11);
    const std::vector<std::uint8_t> tiles = random_tiles(rng, 60 * 60, 25);
    const CellRect::Corner places[] = {{100, 100}, {900, 40}, {333, 701}};
    std::vector<std::vector<double>> seen;
    for (const CellRect::Corner at : places) {
        Grid grid = open_grid(1000, 800, {.origin = {1e6, -2e6}});
        ASSERT_TRUE(grid.fill({{0, 0}, {1000, 800}}, 0));
        ASSERT_TRUE(grid.set({at, {at.x + 60, at.y + 60}}, tiles));
        for (const CellRect::Corner end : {CellRect::Corner{12, 15}, CellRect::Corner{45, 40}}) {
            ASSERT_TRUE(grid.set(Cell{at.x + end.x, at.y + end.y}, 1));
        }
        const GridState& state = grid;
        const Route route =
            ask(state, tile_query(state.cell_centre({at.x + 12, at.y + 15}),
                                  state.cell_centre({at.x + 45, at.y + 40}), GridPlanner::fixed_window));
        std::vector<double> shape;
        for (const Leg& leg : route.legs) {
            shape.push_back(leg.start.position.x - 1e6 - at.x);
            shape.push_back(leg.start.position.y + 2e6 - at.y);
        }
        EXPECT_EQ(route.status, PathStatus::complete);
        seen.push_back(shape);
    }
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_EQ(seen[0], seen[2]);
}

// F2: a detour that leaves the window is lost, and the status says why; a window that grows finds it.
TEST(FixedWindow, ADetourLeavesIt) {
    Grid grid = open_grid(200, 200);
    ASSERT_TRUE(grid.fill({{100, 65}, {101, 136}}, 0));
    ASSERT_TRUE(grid.fill({{85, 65}, {100, 66}}, 0));
    ASSERT_TRUE(grid.fill({{85, 135}, {100, 136}}, 0));
    GridQuery query = tile_query({95.5, 100.5}, {115.5, 100.5}, GridPlanner::fixed_window);
    query.window_grows = false;
    EXPECT_EQ(ask(grid, query).status, PathStatus::window);
    query.window_grows = true;
    const Route route = ask(grid, query);
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_LE(route.length,
              1.0057 * ask(grid, tile_query({95.5, 100.5}, {115.5, 100.5}, GridPlanner::astar)).length);
}

// F2: the window grows as far as it may to hold the goal; a goal beyond that is A*'s, step for step.
TEST(FixedWindow, GrowsToTheGoalOrGivesWayToAStar) {
    const Grid grid = open_grid(1000, 9);
    for (const std::int32_t away : {20, 40, 60, 80, 150, 300, 600}) {
        const Vec2 start = cell_centre(500 - away / 2, 4), goal = cell_centre(500 + away - away / 2, 4);
        const Route window = ask(grid, tile_query(start, goal, GridPlanner::fixed_window));
        const Route astar = ask(grid, tile_query(start, goal, GridPlanner::astar));
        EXPECT_EQ(window.status, PathStatus::complete);
        EXPECT_EQ(window.length, away);
        EXPECT_EQ(window.stats == astar.stats, away > 240) << away;
    }
}

// F4: clearing one bit a node is enough: a thousand queries in a row answer as a fresh engine does.
TEST(FixedWindow, NothingStaysFromTheLastQuery) {
    Rng rng(12);
    const std::vector<std::uint8_t> tiles = random_tiles(rng, 80 * 80, 30);
    GridOptions options{.width = 80, .height = 80};
    const Result<Grid> grid = Grid::make(options, tiles);
    ASSERT_TRUE(grid);
    Scratch warm;
    Route route;
    for (int i = 0; i < 1000; ++i) {
        const std::int32_t sx = rng.between(0, 79), sy = rng.between(0, 79);
        const std::int32_t gx = rng.between(0, 79), gy = rng.between(0, 79);
        const GridQuery query =
            tile_query(cell_centre(sx, sy), cell_centre(gx, gy), GridPlanner::fixed_window);
        ASSERT_TRUE(find_route_into(*grid, query, warm, route));
        const Route fresh = ask(*grid, query);
        ASSERT_EQ(route.stats, fresh.stats);
        ASSERT_EQ(route.length, fresh.length);
    }
}

// S10: least cost in the articles' integers, 64 and 90, for all targets of one source in a window.
TEST(FixedWindow, LeastCostIn64And90) {
    Rng rng(13);
    constexpr std::int32_t kSide = 40;
    for (int round = 0; round < 5; ++round) {
        std::vector<std::uint8_t> tiles = random_tiles(rng, kSide * kSide, 30);
        tiles[0] = 1;
        const Result<Grid> grid = Grid::make({.width = kSide, .height = kSide}, tiles);
        ASSERT_TRUE(grid);
        const auto free = [&](std::int32_t x, std::int32_t y) {
            return x >= 0 && y >= 0 && x < kSide && y < kSide &&
                   tiles[static_cast<std::size_t>(y * kSide + x)] != 0;
        };
        std::vector<int> cost(kSide * kSide, -1);
        std::set<std::pair<int, int>> open{{0, 0}};
        while (!open.empty()) {
            const auto [c, at] = *open.begin();
            open.erase(open.begin());
            if (cost[static_cast<std::size_t>(at)] >= 0) continue;
            cost[static_cast<std::size_t>(at)] = c;
            const std::int32_t x = at % kSide, y = at / kSide;
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                for (std::int32_t dx = -1; dx <= 1; ++dx) {
                    if ((dx == 0 && dy == 0) || !free(x + dx, y + dy) || !free(x + dx, y) || !free(x, y + dy))
                        continue;
                    open.insert({c + (dx != 0 && dy != 0 ? 90 : 64), (y + dy) * kSide + x + dx});
                }
            }
        }
        for (int i = 0; i < 60; ++i) {
            const std::int32_t gx = rng.between(0, kSide - 1), gy = rng.between(0, kSide - 1);
            if (!free(gx, gy)) continue;
            const Route route =
                ask(*grid, tile_query({0.5, 0.5}, cell_centre(gx, gy), GridPlanner::fixed_window));
            const int expected = cost[static_cast<std::size_t>(gy * kSide + gx)];
            ASSERT_EQ(route.status, expected < 0 ? PathStatus::unreachable : PathStatus::complete);
            if (expected < 0) continue;
            int found = 0;
            for (const Leg& leg : route.legs) {
                const bool diagonal = std::abs(std::remainder(leg.start.heading_rad, kHalfPi)) > 0.1;
                found += static_cast<int>(std::lround(diagonal ? 90 * leg.length / kRoot2 : 64 * leg.length));
            }
            ASSERT_EQ(found, expected);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
