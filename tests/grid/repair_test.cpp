// Revalidation and repair of routes after edits.

#include <gtest/gtest.h>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>
#include <fairlead/verify/verify.h>

#include "support/grids.h"

namespace fairlead {
namespace {

using testing::random_tiles;

TEST(Repair, LegalRouteStaysAndTakesTheNewRevision) {
    Grid grid = *Grid::make({.width = 40, .height = 40});
    Scratch scratch;
    const GridQuery query{.start = cell_centre(3, 3), .goal = cell_centre(30, 3)};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route && route->status == PathStatus::complete);
    const CellRect far{{20, 20}, {25, 25}};
    ASSERT_TRUE(grid.fill(far, 0));
    Result<Revalidation> still = revalidate(grid, *route, query, &far);
    ASSERT_TRUE(still.has_value());
    EXPECT_TRUE(still->legal);
    EXPECT_EQ(route->revision, grid.state().revision());
    EXPECT_FALSE(verify(*route, grid, query.agent));
}

TEST(Repair, WayAroundANewWall) {
    Grid grid = *Grid::make({.width = 40, .height = 40});
    Scratch scratch;
    const GridQuery query{.start = cell_centre(3, 10), .goal = cell_centre(30, 10), .agent = {.radius = 0.4}};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route && route->status == PathStatus::complete);
    const CellRect wall{{15, 5}, {17, 20}};
    ASSERT_TRUE(grid.fill(wall, 0));
    Result<Revalidation> still = revalidate(grid, *route, query, &wall);
    ASSERT_TRUE(still.has_value());
    EXPECT_FALSE(still->legal);
    EXPECT_EQ(still->first_bad, 0);
    ASSERT_TRUE(repair(grid, query, scratch, *route));
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
}

TEST(Repair, NoWayLeft) {
    Grid grid = *Grid::make({.width = 20, .height = 10});
    Scratch scratch;
    const GridQuery query{.start = cell_centre(2, 5), .goal = cell_centre(17, 5)};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(grid.fill({{10, 0}, {11, 10}}, 0));
    ASSERT_TRUE(repair(grid, query, scratch, *route));
    EXPECT_EQ(route->status, PathStatus::unreachable);
    EXPECT_TRUE(route->legs.empty());
}

TEST(Repair, RandomEditsAlwaysEndLegal) {
    Rng rng(11);
    Scratch scratch;
    int mended = 0;
    for (int round = 0; round < 300; ++round) {
        const std::int32_t w = rng.between(10, 60);
        const std::int32_t h = rng.between(10, 60);
        const Agent agent{.radius = rng.below(2) == 0 ? 0.0 : rng.between(0.1, 1.2)};
        GridOptions options{.width = w, .height = h};
        options.wrap_x = rng.below(4) == 0;
        options.wrap_y = rng.below(4) == 0;
        Grid grid = *Grid::make(options, random_tiles(rng, static_cast<std::size_t>(w * h), rng.below(25)));
        const auto cell = [&] { return cell_centre(rng.between(0, w - 1), rng.between(0, h - 1)); };
        const GridQuery query{.start = cell(), .goal = cell(), .agent = agent};
        Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route.has_value());
        for (int edit = 0; edit < 5 && route->status == PathStatus::complete; ++edit) {
            const std::int32_t x = rng.between(0, w - 1);
            const std::int32_t y = rng.between(0, h - 1);
            const CellRect rect{{x, y},
                                {std::min(x + rng.between(1, 6), w), std::min(y + rng.between(1, 6), h)}};
            ASSERT_TRUE(grid.fill(rect, static_cast<std::uint8_t>(rng.below(4) == 0 ? 1 : 0)));
            Result<Revalidation> still = revalidate(grid, *route, query, &rect);
            ASSERT_TRUE(still.has_value());
            if (!still->legal) {
                ++mended;
                ASSERT_TRUE(repair(grid, query, scratch, *route));
            }
            const Violation bad = verify(*route, grid, agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " edit " << edit;
        }
    }
    EXPECT_GT(mended, 50);
}

}  // namespace
}  // namespace fairlead
