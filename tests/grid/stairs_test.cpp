// Maps whose portals are all stairs by one floor: the heuristic counts floors there, and must not count too much.
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

struct Stairs {
    std::vector<std::uint8_t> tiles;
    std::vector<Portal> portals;
    std::vector<Agent> sizes{Agent{.radius = 0.4}};
    GridOptions options;

    explicit Stairs(Rng& rng) {
        options.width = rng.between(3, 24);
        options.height = rng.between(3, 16);
        options.layers = rng.between(2, 5);
        options.wrap_x = rng.below(2) == 0;
        const bool rough = rng.below(2) == 0;
        const std::uint32_t walls = rng.below(40), often = 1 + rng.below(100);
        for (std::int32_t layer = 0; layer < options.layers; ++layer) {
            for (std::int32_t y = 0; y < options.height; ++y) {
                for (std::int32_t x = 0; x < options.width; ++x) {
                    const auto kind = static_cast<std::uint8_t>(rough ? 1 + rng.below(5) : 1);
                    tiles.push_back(rng.below(100) < walls ? 0 : kind);
                    const bool stair = layer + 1 < options.layers && rng.below(100) < often;
                    if (!stair) continue;
                    const Cell low{x, y, layer}, high{x, y, layer + 1};
                    const bool down = rng.below(8) == 0;
                    portals.push_back({.from = down ? high : low,
                                       .to = down ? low : high,
                                       .cost = (1 + rng.below(3000)) / 1024.0,
                                       .two_way = !down});
                }
            }
        }
        options.portals = portals;
        options.sizes = sizes;
    }
};

TEST(GridStairs, EveryOptimalPlannerCostsWhatDijkstraDoes) {
    int complete = 0, floors = 0;
    Scratch scratch;
    for (int i = 0; i < trials(300); ++i) {
        Rng rng(static_cast<std::uint64_t>(i));
        const Stairs world(rng);
        const Result<Grid> grid = Grid::make(world.options, world.tiles);
        ASSERT_TRUE(grid);
        const auto cell = [&] {
            const std::int32_t x = rng.between(0, world.options.width - 1);
            const std::int32_t y = rng.between(0, world.options.height - 1);
            return Cell{x, y, rng.between(0, world.options.layers - 1)};
        };
        for (int k = 0; k < 4; ++k) {
            GridQuery query;
            query.start = cell();
            const Cell goal = cell();
            query.goal = goal;
            if (k == 1) query.goal = Goal::within(goal, 2.5);
            const Cell more[] = {goal, {cell().x, 0, goal.layer}};
            if (k == 2) query.goal = Goal::any_of(more).on_layer(goal.layer);
            query.partial = k == 3;
            query.neighbours = rng.below(4) == 0 ? Neighbourhood::four : Neighbourhood::eight;
            query.smoothing = Smoothing::none;
            query.planner = GridPlanner::dijkstra;
            const Result<Route> plain = find_route(grid->state(), query, scratch);
            ASSERT_TRUE(plain);
            complete += plain->status == PathStatus::complete ? 1 : 0;
            for (const GridPlanner planner :
                 {GridPlanner::astar, GridPlanner::bucket_astar, GridPlanner::bidirectional,
                  GridPlanner::weighted_astar, GridPlanner::anytime}) {
                if (planner == GridPlanner::bidirectional && k > 0) continue;
                query.planner = planner;
                const Result<Route> way = find_route(grid->state(), query, scratch);
                ASSERT_TRUE(way);
                ASSERT_EQ(way->status, plain->status) << i << ' ' << k << ' ' << planner_name(planner);
                if (way->status != PathStatus::complete) continue;
                floors += query.start.layer != goal.layer ? 1 : 0;
                ASSERT_NEAR(way->cost, plain->cost, 1e-9 + (way->bound - 1.0) * plain->cost)
                    << i << ' ' << k << ' ' << planner_name(planner);
            }
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 300);
    EXPECT_GT(floors, 500);
}

}  // namespace
}  // namespace fairlead::testing
