// Revalidation and repair of routes after edits.

#include <algorithm>
#include <cmath>
#include <vector>

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
    Result<Revalidation> still = revalidate(grid, *route, query, scratch, &far);
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
    Result<Revalidation> still = revalidate(grid, *route, query, scratch, &wall);
    ASSERT_TRUE(still.has_value());
    EXPECT_FALSE(still->legal);
    EXPECT_EQ(still->first_bad, 0);
    ASSERT_TRUE(repair(grid, *route, query, scratch));
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
}

TEST(Repair, NoWayLeft) {
    Grid grid = *Grid::make({.width = 20, .height = 10});
    Scratch scratch;
    const GridQuery query{.start = cell_centre(2, 5), .goal = cell_centre(17, 5)};
    Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(grid.fill({{10, 0}, {11, 10}}, 0));
    ASSERT_TRUE(repair(grid, *route, query, scratch));
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
        EXPECT_TRUE(revalidate(grid, *route, query, scratch).value().legal);
        const Cell here = partial ? Cell{2, 4} : Cell{1, 1};
        ASSERT_TRUE(grid.set(here, 0));
        const CellRect elsewhere{{4, 0}, {5, 1}};
        const CellRect changed{{here.x, here.y}, {here.x + 1, here.y + 1}};
        const std::uint64_t before = route->revision;
        EXPECT_EQ(*revalidate(grid, *route, query, scratch), (Revalidation{false, -1, -1}));
        EXPECT_EQ(*revalidate(grid, *route, query, scratch, &changed), (Revalidation{false, -1, -1}));
        EXPECT_EQ(route->revision, before);
        EXPECT_TRUE(revalidate(grid, *route, query, scratch, &elsewhere).value().legal);
        ASSERT_TRUE(repair(grid, *route, query, scratch));
        EXPECT_EQ(route->status, PathStatus::start_blocked);
        EXPECT_FALSE(verify(*route, grid, query.agent));
        // What found no way has nothing to spoil.
        EXPECT_TRUE(revalidate(grid, *route, query, scratch).value().legal);
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
    EXPECT_TRUE(revalidate(grid, *route, query, scratch, &beside).value().legal);
    EXPECT_EQ(route->legs[0].clearance, 1.5);
    EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
    // The other leg of a mended route too: the wall in the way is far from it, another one is near.
    const CellRect across{{24, 3}, {25, 6}};
    const CellRect close{{8, 5}, {9, 6}};
    ASSERT_TRUE(grid.fill(across, 0));
    ASSERT_TRUE(grid.fill(close, 0));
    ASSERT_TRUE(repair(grid, *route, query, scratch));
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
    EXPECT_TRUE(revalidate(grid, beside_it, crowded, scratch).value().legal);
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
            Result<Revalidation> still = revalidate(grid, *route, query, scratch, &rect);
            ASSERT_TRUE(still.has_value());
            if (!still->legal) {
                ++mended;
                ASSERT_TRUE(repair(grid, *route, query, scratch));
            }
            const Violation bad = verify(*route, grid, agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " edit " << edit;
        }
    }
    EXPECT_GT(mended, 50);
}

// Over seams, to one of several goals, with `partial`, for points and for discs wider than a tile: a mended route ends
// where it ended or where a new search ends; points and slim discs never end farther from their goals than they start.
TEST(Repair, PartialRoutesOfSeveralGoalsEndNoFartherThanTheyStart) {
    Rng rng(13);
    Scratch scratch;
    int mended = 0;
    int wide = 0;
    int partial = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::int32_t w = rng.between(10, 40);
        const std::int32_t h = rng.between(10, 40);
        const double radii[] = {0.0, 0.45, rng.between(0.1, 0.5), rng.between(0.5, 1.6)};
        const Agent agent{.radius = radii[rng.below(4)]};
        GridOptions options{.width = w, .height = h};
        options.wrap_x = rng.below(2) == 0;
        options.wrap_y = rng.below(2) == 0;
        Grid grid = *Grid::make(options, random_tiles(rng, static_cast<std::size_t>(w * h), rng.below(20)));
        const auto cell = [&] { return cell_centre(rng.between(0, w - 1), rng.between(0, h - 1)); };
        std::vector<Vec2> goals(1 + rng.below(4));
        for (Vec2& goal : goals) goal = cell();
        const GridQuery query{
            .start = cell(), .goal = Goal::any_of(goals), .agent = agent, .partial = rng.below(4) != 0};
        const auto gap = [&](Vec2 at) {
            double least = 1e300;
            for (const Vec2 goal : goals) {
                Vec2 d = goal - at;
                if (options.wrap_x) d.x -= w * std::floor(d.x / w + 0.5);
                if (options.wrap_y) d.y -= h * std::floor(d.y / h + 0.5);
                least = std::min(least, length(d));
            }
            return least;
        };
        const auto same_place = [&](Vec2 a, Vec2 b) {
            Vec2 d = a - b;
            if (options.wrap_x) d.x -= w * std::floor(d.x / w + 0.5);
            if (options.wrap_y) d.y -= h * std::floor(d.y / h + 0.5);
            return length(d) < 1e-9;
        };
        Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route.has_value());
        for (int edit = 0; edit < 6 && !route->legs.empty(); ++edit) {
            const std::int32_t x = rng.between(0, w - 1);
            const std::int32_t y = rng.between(0, h - 1);
            const CellRect rect{{x, y},
                                {std::min(x + rng.between(1, 8), w), std::min(y + rng.between(1, 8), h)}};
            ASSERT_TRUE(grid.fill(rect, static_cast<std::uint8_t>(rng.below(4) == 0 ? 1 : 0)));
            const Result<Revalidation> still = revalidate(grid, *route, query, scratch);
            ASSERT_TRUE(still.has_value());
            const Vec2 start = ground(route->legs[0].start.position);
            const Vec2 end = ground(route->end.position);
            ASSERT_TRUE(repair(grid, *route, query, scratch));
            const Violation bad = verify(*route, grid, agent);
            ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " edit " << edit;
            if (still->legal || route->legs.empty()) continue;
            ++mended;
            wide += agent.radius > 0.5 ? 1 : 0;
            partial += route->status == PathStatus::partial ? 1 : 0;
            const Vec2 now = ground(route->end.position);
            if (!same_place(now, end)) {
                GridQuery anew = query;
                anew.start = start - Vec2{options.wrap_x ? w * std::floor(start.x / w) : 0.0,
                                          options.wrap_y ? h * std::floor(start.y / h) : 0.0};
                const Result<Route> whole = find_route(grid, anew, scratch);
                ASSERT_TRUE(whole.has_value());
                EXPECT_TRUE(same_place(now, ground(whole->end.position))) << round << " edit " << edit;
            }
            // Goals where the unit cannot stand are none, and of wide discs' those count late that tiles' middles do not know.
            const auto stands = [&](Vec2 goal) {
                GridQuery there = query;
                there.start = goal;
                there.goal = Goal(goal);
                return find_route(grid, there, scratch).value().status == PathStatus::complete;
            };
            const bool all = std::all_of(goals.begin(), goals.end(), stands);
            if (route->status == PathStatus::partial && all && agent.radius <= 0.5) {
                EXPECT_LE(gap(now), gap(start) + 1e-9) << round << " edit " << edit;
            }
        }
    }
    EXPECT_GT(mended, 400);
    EXPECT_GT(wide, 50);
    EXPECT_GT(partial, 10);
}

}  // namespace
}  // namespace fairlead
