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

// FAULT-7.
TEST(Repair, ARouteWithoutLegsIsBlockedByAWall) {
    for (const bool partial : {false, true}) {
        Grid grid = *Grid::make({.width = 5, .height = 5});
        // Partial: the goal is walled in, and nothing that can be reached is nearer to it than the start.
        for (const Cell wall : {Cell{4, 2}, Cell{4, 3}, Cell{3, 3}, Cell{3, 4}}) {
            ASSERT_TRUE(grid.set(wall, partial ? 0 : 1));
        }
        const Vec2 start = cell_centre(partial ? 2 : 1, partial ? 4 : 1);
        GridQuery query{.start = start, .goal = partial ? cell_centre(4, 4) : start, .partial = partial};
        Scratch scratch;
        Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route.has_value());
        ASSERT_EQ(route->status, partial ? PathStatus::partial : PathStatus::complete);
        ASSERT_TRUE(route->legs.empty());
        EXPECT_TRUE(revalidate(grid, *route, query)->legal);
        const Cell here = partial ? Cell{2, 4} : Cell{1, 1};
        ASSERT_TRUE(grid.set(here, 0));
        const CellRect elsewhere{{4, 0}, {5, 1}};
        const CellRect changed{{here.x, here.y}, {here.x + 1, here.y + 1}};
        const std::uint64_t before = route->revision;
        EXPECT_EQ(*revalidate(grid, *route, query), (Revalidation{false, -1, -1}));
        EXPECT_EQ(*revalidate(grid, *route, query, &changed), (Revalidation{false, -1, -1}));
        EXPECT_EQ(route->revision, before);
        EXPECT_TRUE(revalidate(grid, *route, query, &elsewhere)->legal);
        ASSERT_TRUE(repair(grid, query, scratch, *route));
        EXPECT_EQ(route->status, PathStatus::start_blocked);
        EXPECT_FALSE(verify(*route, grid, query.agent));
        // What found no way has nothing to spoil.
        EXPECT_TRUE(revalidate(grid, *route, query)->legal);
    }
}

// FAULT-7: a wall comes nearer than the legs claim, without touching the unit.
TEST(Repair, ClaimsOfClearanceAreThoseOfThisRevision) {
    Grid grid = *Grid::make({.width = 30, .height = 9});
    Scratch scratch;
    const GridQuery query{
        .start = {2.5, 4.5}, .goal = Vec2{27.5, 4.5}, .agent = {.radius = 0.4}, .certify = true};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route && route->status == PathStatus::complete);
    ASSERT_EQ(route->legs.size(), 1u);
    ASSERT_EQ(route->legs[0].clearance, 2.5);  // of the left edge
    const CellRect beside{{15, 6}, {16, 7}};
    ASSERT_TRUE(grid.fill(beside, 0));
    EXPECT_TRUE(revalidate(grid, *route, query, &beside)->legal);
    EXPECT_EQ(route->legs[0].clearance, 1.5);
    EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
    // The other leg of a mended route too: the wall in the way is far from it, another one is near.
    const CellRect across{{24, 3}, {25, 6}};
    const CellRect close{{8, 5}, {9, 6}};
    ASSERT_TRUE(grid.fill(across, 0));
    ASSERT_TRUE(grid.fill(close, 0));
    ASSERT_TRUE(repair(grid, query, scratch, *route));
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
    // The query's blockers count as well: here a unit that stands beside the way.
    const Blocker post{.centre = {12.5, 2.5}, .radius = 0.75};
    GridQuery crowded{.start = {14.5, 4.5}, .goal = Vec2{18.5, 4.5}, .certify = true};
    Route past = *find_route(grid, crowded, scratch);
    ASSERT_EQ(past.legs.size(), 1u);
    ASSERT_EQ(past.legs[0].clearance, 1.5);
    crowded.start = {10.5, 4.5};
    crowded.goal = Vec2{14.5, 4.5};
    Route beside_it = *find_route(grid, crowded, scratch);
    crowded.blockers = {&post, 1};
    EXPECT_TRUE(revalidate(grid, beside_it, crowded)->legal);
    EXPECT_NEAR(beside_it.legs[0].clearance, 1.25, 1e-9);
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
        const bool certify = rng.below(2) == 0;
        const GridQuery query{.start = cell(), .goal = cell(), .agent = agent, .certify = certify};
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
