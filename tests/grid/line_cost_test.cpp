// What a route's two costs are: `cost` that of the tile route, in the search's own measure, whatever smoothing made of it;
// `line_cost` the integral along the legs, which smoothing never raises, on no stretch.

#include <algorithm>
#include <string>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>
#include <gtest/gtest.h>

#include "oracle/line_walk.h"
#include "support/environment.h"
#include "support/random_worlds.h"

namespace fairlead::testing {
namespace {

using oracle::line_cost_problem;
using oracle::walk_legs;
using oracle::walk_slack;
using oracle::WalkedCost;
using oracle::World;

constexpr Smoothing kStyles[] = {Smoothing::none, Smoothing::best, Smoothing::greedy_shortcut,
                                 Smoothing::farthest_visible};

const Place& place_before(const Route& route, std::size_t i) {
    return i < route.legs.size() ? route.legs[i].start : route.end;
}

// Between waypoints that both routes pass, in their order, the smoothed one is nowhere dearer.
std::string check_stretches(const World& world, const GridQuery& query, const Route& tiles,
                            const Route& smooth) {
    std::size_t tile_from = 0;
    std::size_t smooth_from = 0;
    for (std::size_t i = 1; i <= smooth.legs.size(); ++i) {
        const Place& at = place_before(smooth, i);
        std::size_t k = i == smooth.legs.size() ? tiles.legs.size() : tile_from + 1;
        while (k <= tiles.legs.size() && !(place_before(tiles, k).position == at.position &&
                                           place_before(tiles, k).layer == at.layer)) {
            ++k;
        }
        if (k > tiles.legs.size()) continue;
        const WalkedCost before = walk_legs(world, query, tiles, tile_from, k);
        const WalkedCost after = walk_legs(world, query, smooth, smooth_from, i);
        if (after.low > before.high + walk_slack(before.high, world)) {
            return "legs " + std::to_string(smooth_from) + " to " + std::to_string(i) + " cost " +
                   std::to_string(after.low) + ", the tile route's " + std::to_string(before.high);
        }
        tile_from = k;
        smooth_from = i;
    }
    if (tile_from == tiles.legs.size()) return "";
    return "the ends differ";
}

struct Tally {
    int routes = 0;
    int halves = 0;
    int differ = 0;  // cost and line_cost
    int stretches = 0;
};

std::string check_case(Topic topic, std::uint64_t seed, Tally& tally) {
    Rng rng(seed * 977 + static_cast<std::uint64_t>(topic));
    RandomCase drawn = random_case(rng, topic, 40);
    (void)drawn.ask.bind();
    const Grid grid = drawn.make_grid();
    const oracle::GridOracle oracle(drawn.world, drawn.ask.query);
    Scratch scratch;
    for (int ask = 0; ask < 2; ++ask) {
        draw_ends(rng, topic, oracle, drawn);
        GridQuery query = drawn.ask.bind();
        query.partial = rng.below(3) == 0;
        query.turn_penalty = 0.25 * rng.below(4) * drawn.world.cell_size;
        query.turn_penalty_each = 0.5 * rng.below(3) * drawn.world.cell_size;
        for (std::size_t p = 0; p < static_cast<std::size_t>(GridPlanner::count_); ++p) {
            query.planner = static_cast<GridPlanner>(p);
            Route tiles;
            for (const Smoothing style : kStyles) {
                query.smoothing = style;
                const std::string where = std::string(planner_name(query.planner)) + " style " +
                                          std::to_string(static_cast<int>(style)) + ": ";
                const Result<Route> found = find_route(grid, query, scratch);
                if (!found) break;  // a planner that does not serve this
                const std::string walked = line_cost_problem(drawn.world, query, *found);
                if (!walked.empty()) return where + walked;
                if (style == Smoothing::none) {
                    tiles.status = found->status;
                    tiles.cost = found->cost;
                    tiles.bound = found->bound;
                    tiles.line_cost = found->line_cost;
                    tiles.end = found->end;
                    if (!tiles.legs.assign(found->legs.span())) return "no memory";
                    tally.halves += std::string(found->planner) == "half_lattice" ? 1 : 0;
                    tally.routes += tiles.legs.empty() ? 0 : 1;
                    tally.differ += tiles.cost != tiles.line_cost ? 1 : 0;
                    continue;
                }
                if (found->status != tiles.status) return where + "another status";
                if (found->cost != tiles.cost) {
                    return where + "cost " + std::to_string(found->cost) + ", unsmoothed " +
                           std::to_string(tiles.cost);
                }
                if (found->bound != tiles.bound) return where + "another bound";
                if (found->line_cost > tiles.line_cost + walk_slack(tiles.line_cost, drawn.world)) {
                    return where + "smoothing raised line_cost from " + std::to_string(tiles.line_cost) +
                           " to " + std::to_string(found->line_cost);
                }
                const std::string stretch = check_stretches(drawn.world, query, tiles, *found);
                if (!stretch.empty()) return where + stretch;
            }
        }
    }
    return "";
}

TEST(LineCost, IsTheIntegralAlongTheLegsAndCostTheTileRoutesForEveryPlannerAndStyle) {
    Tally tally;
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::count_); ++t) {
        for (int i = 0; i < trials(1000); ++i) {
            const auto topic = static_cast<Topic>(t);
            const std::string problem = check_case(topic, static_cast<std::uint64_t>(i), tally);
            ASSERT_TRUE(problem.empty()) << topic_name(topic) << " case " << i << ": " << problem;
        }
    }
    EXPECT_GT(tally.routes, 100);
    if (all_trials()) {
        EXPECT_GT(tally.halves, 50);
    }
    EXPECT_GT(tally.differ, tally.routes / 10);
}

Grid row_of(const std::vector<std::uint8_t>& tiles, std::int32_t width) {
    Result<Grid> grid =
        Grid::make({.width = width, .height = static_cast<std::int32_t>(tiles.size()) / width}, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

// Tiles of cost 1, 9 and 1, 9 in a row: walking into the dear one costs 9, back out of it 1, a line over the two halves 5 both ways.
TEST(LineCost, EnteringNineAndOneStaysNineAndOneWhenSmoothed) {
    const Grid grid = row_of({1, 9}, 2);
    Scratch scratch;
    for (const Smoothing style : kStyles) {
        GridQuery in{.start = {0.5, 0.5}, .goal = Vec2{1.5, 0.5}, .smoothing = style};
        GridQuery out{.start = {1.5, 0.5}, .goal = Vec2{0.5, 0.5}, .smoothing = style};
        const Result<Route> there = find_route(grid, in, scratch);
        const Result<Route> back = find_route(grid, out, scratch);
        ASSERT_TRUE(there && back);
        EXPECT_EQ(there->cost, 9.0);
        EXPECT_EQ(back->cost, 1.0);
        EXPECT_EQ(there->line_cost, 5.0);
        EXPECT_EQ(back->line_cost, 5.0);
        EXPECT_EQ(there->bound, 1.0);
        EXPECT_EQ(back->bound, 1.0);
    }
}

TEST(LineCost, TurnPenaltyStaysInCostWhenSmoothingLeavesNoTurn) {
    const Grid grid = row_of(std::vector<std::uint8_t>(50, 1), 10);
    Scratch scratch;
    for (const Smoothing style : kStyles) {
        const GridQuery query{.start = {0.5, 0.5},
                              .goal = Vec2{8.5, 3.5},
                              .planner = GridPlanner::turn_penalty,
                              .smoothing = style,
                              .turn_penalty = 2.0};
        const Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route);
        // Three steps askew, five straight on, one turn of 45 degrees between.
        EXPECT_NEAR(route->cost, 5.0 + 3.0 * std::sqrt(2.0) + 2.0, 1e-9);
        EXPECT_EQ(route->bound, 1.0);
        EXPECT_NEAR(route->line_cost, route->length, 1e-12);
    }
}

TEST(LineCost, OfAMendedRouteCostIsTheLineCost) {
    Grid grid = row_of(std::vector<std::uint8_t>(400, 2), 20);
    Scratch scratch;
    const GridQuery query{.start = {0.5, 10.5}, .goal = Vec2{19.5, 9.5}, .smoothing = Smoothing::none};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route);
    EXPECT_NEAR(route->line_cost, 2.0 * route->length, 1e-9);
    ASSERT_TRUE(grid.fill({{9, 8}, {10, 13}}, 0));
    ASSERT_TRUE(repair(grid, *route, query, scratch));
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_NEAR(route->line_cost, 2.0 * route->length, 1e-9);
    EXPECT_EQ(route->cost, route->line_cost);
    EXPECT_EQ(route->bound, kNoBound);
    // Not one leg was good: searched anew, so cost and bound are that search's.
    const GridQuery smooth{.start = {0.5, 10.5}, .goal = Vec2{19.5, 9.5}};
    Result<Route> whole = find_route(grid, smooth, scratch);
    ASSERT_TRUE(whole);
    ASSERT_TRUE(grid.fill({{0, 0}, {20, 20}}, 2));
    Result<Route> line = find_route(grid, smooth, scratch);
    ASSERT_TRUE(line);
    ASSERT_EQ(line->legs.size(), 1U);
    ASSERT_TRUE(grid.fill({{9, 8}, {10, 13}}, 0));
    ASSERT_TRUE(repair(grid, *line, smooth, scratch));
    EXPECT_EQ(line->cost, whole->cost);
    EXPECT_EQ(line->line_cost, whole->line_cost);
    EXPECT_EQ(line->bound, 1.0);
}

}  // namespace
}  // namespace fairlead::testing
