// Diagonal jumps that rest after a burst of branches: on open plains, where a scan meets one at every step.

#include <gtest/gtest.h>

#include <string>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>

#include "support/environment.h"
#include "support/planner_check.h"

namespace fairlead::testing {
namespace {

// At most this many states come of one expansion: 4 straight ways, and 4 diagonals with a burst of 8 places of two
// branches each, the rest, and the goal.
constexpr std::uint64_t kMostOfOne = 4 + 4 * (8 * 2 + 2);

oracle::World open_plain(std::int32_t width, std::int32_t height) {
    oracle::World world;
    world.width = width;
    world.height = height;
    world.tiles.assign(static_cast<std::size_t>(world.cells()), 1);
    return world;
}

void ask_about(const oracle::World& world, Rng& rng, int queries) {
    const Result<Grid> grid = Grid::make(world.options(), world.tiles);
    ASSERT_TRUE(grid.has_value());
    Scratch scratch;
    Route route;
    for (int i = 0; i < queries; ++i) {
        GridQuery query;
        const auto place = [&] {
            const auto x = rng.below(static_cast<std::uint32_t>(world.width));
            const auto y = rng.below(static_cast<std::uint32_t>(world.height));
            return Vec2{x + 0.5, y + 0.5};
        };
        query.start = place();
        query.goal = Goal(place());
        query.planner = GridPlanner::jump_point;
        query.smoothing = Smoothing::none;
        const oracle::GridOracle oracle(world, query);
        const Expected expected = expect_of(oracle, query);
        ASSERT_TRUE(find_route_into(*grid, query, scratch, route).has_value());
        ASSERT_EQ(check_route(*grid, oracle, query, expected, route), "")
            << query.start.position.x << " " << query.start.position.y << " to " << query.goal.at.ground().x
            << " " << query.goal.at.ground().y;
        EXPECT_LE(route.stats.generated, kMostOfOne * (route.stats.expanded + 1));
    }
}

TEST(JumpBurst, RegularPillars) {
    Rng rng(11);
    for (std::int32_t apart = 2; apart < 9; ++apart) {
        oracle::World world = open_plain(150, 130);
        for (std::int32_t i = 0; i < world.cells(); ++i) {
            const Cell c = world.cell(i);
            if (c.x % apart == 1 && c.y % apart == 1) world.tiles[static_cast<std::size_t>(i)] = 0;
        }
        ask_about(world, rng, trials(12));
    }
}

TEST(JumpBurst, ScatteredTrees) {
    Rng rng(12);
    for (const std::uint32_t per_mille : {2U, 5U, 10U, 20U, 40U, 80U}) {
        oracle::World world = open_plain(140, 160);
        for (std::uint8_t& tile : world.tiles) tile = rng.below(1000) < per_mille ? 0 : 1;
        ask_about(world, rng, trials(15));
    }
}

}  // namespace
}  // namespace fairlead::testing
