// Heuristics of tile searches: the user's own, what bounds say of them, and the check that finds where one is too high. The judge of the
// check is Dijkstra's algorithm by queries, cell by cell.

#include <cmath>
#include <limits>
#include <vector>

#include <fairlead/grid/check_heuristic.h>
#include <fairlead/grid/find_route.h>
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

/// What is left from each cell, and how often it was asked.
struct Table {
    std::int32_t width = 0;
    std::vector<double> rest{};
    std::uint64_t asked = 0;

    [[nodiscard]] OwnHeuristic heuristic(bool consistent) {
        return {[](const Place& from, void* user) {
                    auto& table = *static_cast<Table*>(user);
                    ++table.asked;
                    const auto x = static_cast<std::int32_t>(std::floor(from.position.x));
                    const auto y = static_cast<std::int32_t>(std::floor(from.position.y));
                    return table.rest[static_cast<std::size_t>(y * table.width + x)];
                },
                this, consistent};
    }
};

double cost_between(const Grid& grid, Cell from, Cell to, Scratch& scratch) {
    const GridQuery query{
        .start = from, .goal = to, .planner = GridPlanner::dijkstra, .smoothing = Smoothing::none};
    const Result<Route> route = find_route(grid, query, scratch);
    EXPECT_TRUE(route.has_value());
    return route->status == PathStatus::complete ? route->cost : std::numeric_limits<double>::infinity();
}

Table truth_of(const Grid& grid, Cell goal, Scratch& scratch) {
    Table table{grid.state().width()};
    for (std::int32_t y = 0; y < grid.state().height(); ++y) {
        for (std::int32_t x = 0; x < grid.state().width(); ++x)
            table.rest.push_back(cost_between(grid, {x, y}, goal, scratch));
    }
    return table;
}

Grid heuristic_grid(Rng& rng, std::uint32_t percent, std::uint32_t terrains) {
    const std::int32_t width = rng.between(6, 16), height = rng.between(6, 16);
    const auto cells = static_cast<std::size_t>(width * height);
    Result<Grid> grid =
        Grid::make({.width = width, .height = height}, random_tiles(rng, cells, percent, terrains));
    EXPECT_TRUE(grid.has_value());
    return std::move(*grid);
}

Cell random_cell(Rng& rng, const Grid& grid) {
    const std::int32_t x = rng.between(0, grid.state().width() - 1);
    return {x, rng.between(0, grid.state().height() - 1), 0};
}

GridQuery own_query(Cell start, Cell goal, GridPlanner planner, const OwnHeuristic& own) {
    return {.start = start,
            .goal = goal,
            .planner = planner,
            .smoothing = Smoothing::none,
            .heuristic = GridHeuristic::own,
            .own = own};
}

TEST(OwnHeuristics, WhoKnowsTheWayOpensItAlone) {
    Rng rng(31);
    Scratch scratch;
    int routes = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Grid grid = heuristic_grid(rng, 25, 1 + 4 * (i % 2));
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (grid.state().blocked(start) || grid.state().blocked(goal)) continue;
        Table table = truth_of(grid, goal, scratch);
        const double best = table.rest[static_cast<std::size_t>(start.y * table.width + start.x)];
        if (!std::isfinite(best)) continue;
        ++routes;
        for (const GridPlanner planner : {GridPlanner::automatic, GridPlanner::astar,
                                          GridPlanner::weighted_astar, GridPlanner::anytime}) {
            const Result<Route> route =
                find_route(grid, own_query(start, goal, planner, table.heuristic(true)), scratch);
            ASSERT_TRUE(route.has_value());
            ASSERT_EQ(route->status, PathStatus::complete);
            EXPECT_GE(route->cost, best - 1e-6);
            EXPECT_LE(route->cost, best * route->bound + 1e-6);
            EXPECT_EQ(route->bound, planner == GridPlanner::weighted_astar ? 1.5 : 1.0);
        }
        EXPECT_GT(table.asked, 0u);
    }
    EXPECT_GT(routes, trials(60) / 4);
}

// Any numbers: the route is there all the same, and no bound is told.
TEST(OwnHeuristics, NonsenseIsComplete) {
    Rng rng(32);
    Scratch scratch;
    for (int i = 0; i < trials(100); ++i) {
        const Grid grid = heuristic_grid(rng, 25, 3);
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (grid.state().blocked(start) || grid.state().blocked(goal)) continue;
        const double best = cost_between(grid, start, goal, scratch);
        Table table{grid.state().width()};
        const double odd[] = {NAN, INFINITY, -INFINITY, -3.0, 1e300, 0.0, 7.5};
        for (std::int64_t k = 0; k < std::int64_t{grid.state().width()} * grid.state().height(); ++k)
            table.rest.push_back(odd[rng.below(7)]);
        for (const GridPlanner planner : {GridPlanner::astar, GridPlanner::weighted_astar,
                                          GridPlanner::anytime, GridPlanner::greedy_best_first}) {
            const Result<Route> route =
                find_route(grid, own_query(start, goal, planner, table.heuristic(false)), scratch);
            ASSERT_TRUE(route.has_value());
            ASSERT_EQ(route->status == PathStatus::complete, std::isfinite(best));
            if (route->status != PathStatus::complete) continue;
            EXPECT_EQ(route->bound, kNoBound);
            EXPECT_GE(route->cost, best - 1e-6);
        }
    }
}

TEST(OwnHeuristics, BadQueriesNameTheField) {
    const Grid grid = grid_of({"....", "...."});
    Scratch scratch;
    Table table{4, std::vector<double>(8, 0.0)};
    GridQuery query = own_query({0, 0}, {3, 1}, GridPlanner::astar, {});
    EXPECT_EQ(
        find_route(grid, query, scratch).error(),
        (Error{ErrorCode::out_of_range, Field::heuristic, static_cast<std::int64_t>(GridHeuristic::own)}));
    for (const GridPlanner planner :
         {GridPlanner::jump_point, GridPlanner::bucket_astar, GridPlanner::dijkstra,
          GridPlanner::bidirectional, GridPlanner::turn_penalty, GridPlanner::fixed_window}) {
        query = own_query({0, 0}, {3, 1}, planner, table.heuristic(true));
        EXPECT_EQ(find_route(grid, query, scratch).error(),
                  (Error{ErrorCode::incompatible, Field::planner,
                         static_cast<std::int64_t>(GridRule::own_heuristic_needs_astar)}))
            << planner_name(planner);
    }
}

TEST(CheckHeuristic, TheLibrarysOwnHold) {
    Rng rng(33);
    Scratch scratch;
    for (int i = 0; i < trials(60); ++i) {
        const Grid grid = heuristic_grid(rng, 20, 1 + 3 * (i % 2));
        const Cell goal = random_cell(rng, grid);
        const bool four = i % 3 == 0;
        for (const GridHeuristic heuristic : {GridHeuristic::octile, GridHeuristic::manhattan,
                                              GridHeuristic::euclidean, GridHeuristic::zero}) {
            const GridQuery query{.goal = goal,
                                  .planner = GridPlanner::astar,
                                  .neighbours = four ? Neighbourhood::four : Neighbourhood::eight,
                                  .heuristic = heuristic};
            const Result<HeuristicReport> told = check_heuristic(grid, query, scratch);
            ASSERT_TRUE(told.has_value());
            if (grid.state().blocked(goal)) {
                EXPECT_EQ(told->places, 0u);
                continue;
            }
            if (heuristic == GridHeuristic::manhattan && !four) continue;
            EXPECT_TRUE(told->admissible()) << told->worst_high.excess;
            EXPECT_TRUE(told->consistent()) << told->worst_fall.excess;
            EXPECT_LE(told->ratio_mean, 1.0 + 1e-9);
        }
    }
    // In the open manhattan exceeds the diagonal by the factor that bounds are told with.
    const Grid open = grid_of(std::vector<std::string>(9, "........."));
    const GridQuery query{
        .goal = Cell{0, 0}, .planner = GridPlanner::astar, .heuristic = GridHeuristic::manhattan};
    const Result<HeuristicReport> told = check_heuristic(open, query, scratch);
    ASSERT_TRUE(told.has_value());
    EXPECT_FALSE(told->admissible());
    EXPECT_EQ(told->worst_high.from.position, (Vec3{8.5, 8.5, 0.0}));
    EXPECT_NEAR(told->worst_high.estimate / told->worst_high.cost, std::sqrt(2.0), 1e-9);
}

// Truths with faults planted: found, counted, the worst one named.
TEST(CheckHeuristic, FindsWhatIsPlanted) {
    Rng rng(34);
    Scratch scratch;
    int planted_somewhere = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Grid grid = heuristic_grid(rng, 20, 3);
        const Cell goal = random_cell(rng, grid);
        if (grid.state().blocked(goal)) continue;
        Table table = truth_of(grid, goal, scratch);
        const GridQuery query = own_query(goal, goal, GridPlanner::astar, table.heuristic(true));
        const Result<HeuristicReport> clean = check_heuristic(grid, query, scratch);
        ASSERT_TRUE(clean.has_value());
        EXPECT_TRUE(clean->admissible() && clean->consistent()) << clean->worst_high.excess;
        std::uint64_t reached = 0, planted = 0;
        double worst = 0.0;
        Cell worst_at{};
        for (std::int32_t y = 0; y < grid.state().height(); ++y) {
            for (std::int32_t x = 0; x < grid.state().width(); ++x) {
                double& rest = table.rest[static_cast<std::size_t>(y * table.width + x)];
                if (!std::isfinite(rest)) continue;
                ++reached;
                if (rng.below(15) != 0) continue;
                const double more = rng.between(0.5, 3.0);
                rest += more;
                ++planted;
                if (more > worst) worst_at = {x, y, 0};
                worst = std::max(worst, more);
            }
        }
        const Result<HeuristicReport> told = check_heuristic(grid, query, scratch);
        ASSERT_TRUE(told.has_value());
        EXPECT_EQ(told->places, reached);
        EXPECT_EQ(told->too_high, planted);
        EXPECT_NEAR(told->worst_high.excess, worst, 1e-6);
        if (planted == 0) continue;
        ++planted_somewhere;
        EXPECT_EQ(ground(told->worst_high.from.position), grid.state().cell_centre(worst_at));
        if (reached > 1) {
            EXPECT_FALSE(told->consistent());
            const HeuristicReport::Fault& fall = told->worst_fall;
            EXPECT_NEAR(fall.excess, fall.estimate - fall.cost - fall.estimate_to, 1e-9);
        }
    }
    EXPECT_GT(planted_somewhere, trials(60) / 4);
}

TEST(CheckHeuristic, RegionsAreRefused) {
    const Grid grid = grid_of({"....", "...."});
    Scratch scratch;
    const GridQuery query{.goal = Goal::within(Vec2{1.5, 0.5}, 1.0)};
    EXPECT_EQ(check_heuristic(grid, query, scratch).error(), (Error{ErrorCode::unsupported, Field::goal}));
}

}  // namespace
}  // namespace fairlead::testing
