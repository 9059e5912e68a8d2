// Midpoints (technique H2): each is a place to stand with a way to the next; those in walls are moved, those without a way dropped.

#include <cmath>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/midpoints.h>
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

TEST(Midpoints, InsideAWallIsStillSolved) {
    std::vector<std::string> rows(30, std::string(40, '.'));
    for (std::size_t y = 10; y < 20; ++y) rows[y].replace(15, 10, "##########");
    const Grid grid = grid_of(rows);
    Scratch scratch;
    Array<Vec2> stops;
    ASSERT_TRUE(find_midpoints(grid, {.start = Vec2{2.5, 15.5}, .goal = Vec2{37.5, 15.5}, .piece = 20.0},
                               scratch, stops)
                    .has_value());
    ASSERT_EQ(stops.size(), 1u);
    EXPECT_FALSE(grid.state().blocked(grid.state().cell_at(stops[0])));
    ASSERT_TRUE(find_midpoints(
                    grid, {.start = Vec2{2.5, 15.5}, .goal = Vec2{37.5, 15.5}, .piece = 20.0, .reach = 1.0},
                    scratch, stops)
                    .has_value());
    EXPECT_TRUE(stops.empty());  // too far away: dropped
}

TEST(Midpoints, FromEachThereIsAWayToTheNext) {
    Rng rng(71);
    Scratch scratch;
    int found = 0;
    for (int i = 0; i < trials(100); ++i) {
        const std::int32_t width = rng.between(20, 80), height = rng.between(20, 80);
        const auto cells = static_cast<std::size_t>(width * height);
        const Agent agent{.radius = i % 2 == 0 ? 0.4 : 0.9};
        const std::vector<std::uint8_t> tiles = random_tiles(rng, cells, rng.below(40));
        const Result<Grid> grid = Grid::make({.width = width, .height = height, .sizes = {&agent, 1}}, tiles);
        ASSERT_TRUE(grid.has_value());
        const Cell a{rng.between(0, width - 1), rng.between(0, height - 1), 0};
        const Cell b{rng.between(0, width - 1), rng.between(0, height - 1), 0};
        const Result<Route> whole =
            find_route(*grid, GridQuery{.start = a, .goal = b, .agent = agent}, scratch);
        ASSERT_TRUE(whole.has_value());
        if (whole->status != PathStatus::complete) continue;
        Array<Vec2> stops;
        ASSERT_TRUE(
            find_midpoints(*grid, {.start = a, .goal = b, .agent = agent, .piece = 10.0}, scratch, stops)
                .has_value());
        double length = 0.0;
        Spot from = a;
        for (std::size_t k = 0; k <= stops.size(); ++k) {
            const Spot to = k < stops.size() ? Spot(stops[k]) : Spot(b);
            const Result<Route> leg =
                find_route(*grid, GridQuery{.start = from, .goal = to, .agent = agent}, scratch);
            ASSERT_TRUE(leg.has_value());
            ASSERT_EQ(leg->status, PathStatus::complete);
            length += leg->length;
            from = to;
        }
        EXPECT_GE(length, 0.92 * whole->length);
        ++found;
    }
    if (all_trials()) {
        EXPECT_GT(found, trials(100) / 5);
    }
}

TEST(Midpoints, BadQueriesNameTheField) {
    const Grid grid = grid_of({"....", "...."});
    Scratch scratch;
    Array<Vec2> stops;
    const auto field = [&](const MidpointQuery& query) {
        const Result<void> done = find_midpoints(grid, query, scratch, stops);
        return done ? Field::none : done.error().field;
    };
    EXPECT_EQ(field({.start = Cell{0, 0}, .goal = Cell{3, 1}, .piece = 0.0}), Field::distance);
    EXPECT_EQ(field({.start = Cell{0, 0}, .goal = Cell{3, 1}, .reach = -1.0}), Field::range);
    EXPECT_EQ(field({.start = Cell{0, 0}, .goal = Cell{3, 1, 1}}), Field::goal);
    EXPECT_EQ(field({.start = Vec2{NAN, 0}, .goal = Cell{3, 1}}), Field::start);
}

}  // namespace
}  // namespace fairlead::testing
