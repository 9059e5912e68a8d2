// Units with a turning circle that may also turn on the spot: where they do and where they do not, on small worlds known by hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/bridge/grid_drive.h>

#include "drive/pivots.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

TEST(Pivot, OnOpenGroundItTurnsGoesAndTurns) {
    const Tiles tiles = open_tiles(40, 40);
    const Agent agent = pivoting(box_body(2.0, 1.0, 0.5), 4.0);
    const DrivenWorld world(tiles, agent);
    Scratch scratch;
    const DriveQuery query{.start = {{10.3, 10.7}, 0.4}, .goal = {{28.1, 25.2}, -1.1}, .pivot_penalty = 0.05};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    const Vec2 gap = query.goal.at.ground() - query.start.ground();
    const double along = std::atan2(gap.y, gap.x);
    const double turns =
        std::fabs(std::remainder(along - 0.4, kTwoPi)) + std::fabs(std::remainder(-1.1 - along, kTwoPi));
    // No way is shorter than the line, and none turns by less; what arcs could save is less than the turns' cost.
    EXPECT_LE(route->cost, length(gap) + 0.05 * turns + 1e-9);
    EXPECT_GE(route->cost, length(gap));
    ASSERT_EQ(route->legs.size(), 3U);
    EXPECT_EQ(route->legs[0].kind, LegKind::turn);
    EXPECT_EQ(route->legs[1].kind, LegKind::drive);
    EXPECT_EQ(route->legs[2].kind, LegKind::turn);
}

// Found by the random test: the search had come to the turn in reverse gear, in which nothing was driven yet, and a change of
// gear was charged that nobody makes.
TEST(Pivot, ATurnBeforeMovingIsInNoGear) {
    const char* const rows[] = {
        "...######.#####.........", "...######.#####.........", "...######.#####.........",
        "........#######.........", ".....#..#######........#", ".....#....#............#",
        "..........#.............", "###.....................", "###.....#...............",
        "###.....#...............", "........#...............", "......####.............#",
        "......####.............#", ".......................#", ".......................#",
        "...................#####", "......#####........####.", "......#####........####.",
        "......#####...##...####.", "......#####...##...####.",
    };
    Tiles tiles = open_tiles(24, 20);
    for (std::size_t i = 0; i < tiles.tile.size(); ++i) tiles.tile[i] = rows[i / 24][i % 24] == '.' ? 1 : 0;
    const Agent agent = pivoting({.radius = 0.8}, 2.51403, true);
    const DrivenWorld world(tiles, agent);
    Scratch scratch;
    const DriveQuery query{.start = {{17.5, 18.5}, heading_rad(8, 3)},
                           .goal = {{15.5, 13.5}, kPi},
                           .epsilon = 1.64795,
                           .pivot_penalty = 3.10804,
                           .smooth = false};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    ASSERT_EQ(route->legs[0].kind, LegKind::turn);
    EXPECT_NEAR(route->cost, cost_of_legs(*route, query), 1e-9 * route->cost);
}

// The shortest way for the disc's middle: past a wall's end at the disc's radius from its corner.
TEST(Pivot, WithCheapTurnsTheWayIsTheShortest) {
    Tiles tiles = open_tiles(30, 30);
    for (int y = 0; y < 20; ++y) tiles.tile[static_cast<std::size_t>(y * 30 + 15)] = 0;
    const Agent agent = pivoting({.radius = 0.45}, 3.0);
    const DrivenWorld world(tiles, agent);
    Scratch scratch;
    DriveQuery query{.start = {{8.5, 8.5}, -kHalfPi}, .goal = {{22.5, 8.5}, kHalfPi}, .pivot_penalty = 0.05};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    // Taut about two circles of radius 0.45 around (15, 20) and (16, 20).
    const double far = std::hypot(15.0 - 8.5, 20.0 - 8.5);
    const double straight = std::sqrt(far * far - 0.45 * 0.45);
    const double bend =
        kHalfPi - (std::atan2(20.0 - 8.5, 15.0 - 8.5) + std::asin(0.45 / far)) + kHalfPi - kHalfPi;
    const double least = 2.0 * straight + 1.0 + 2.0 * 0.45 * (kHalfPi - bend);
    EXPECT_GE(route->length, least - 1e-9);
    EXPECT_LE(route->length, least * 1.02);
    query.pivot_penalty = 8.0;
    const Result<Route> dear = find_route(*world.map, query, scratch);
    EXPECT_LT(turned(*dear), turned(*route));
    EXPECT_GT(dear->length, route->length);
}

TEST(Pivot, GetsOutOfADeadEnd) {
    const Tiles tiles = drawn_tiles(
        {"##########", "#........#", "#........#", "#####.####", "#####.####", "#####.####", "##########"});
    Agent agent = pivoting({.radius = 0.45}, 2.0);
    const DriveQuery query{.start = {{5.5, 1.5}, -kHalfPi}, .goal = {{1.5, 5.5}, kPi}};
    Scratch scratch;
    const DrivenWorld world(tiles, agent);
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    EXPECT_EQ(route->legs[0].kind, LegKind::turn);
    EXPECT_NEAR(std::fabs(route->legs[0].turn_rad), kPi, 0.5);
    for (const Leg& leg : route->legs) EXPECT_GE(leg.clearance, 0.45 - 1e-6);
    agent.can_pivot = false;
    const DrivenWorld stuck(tiles, agent);
    EXPECT_EQ(find_route(*stuck.map, query, scratch).value().status, PathStatus::unreachable);
}

TEST(Pivot, ABoxTurnsOnlyWhereThereIsRoom) {
    const Tiles tiles = drawn_tiles({"####################", "########....########", "########....########",
                                     "#..................#", "########....########", "########....########",
                                     "####################"});
    const Agent box = pivoting(box_body(3.0, 0.9), 6.0);
    const DriveQuery query{.start = {{3.5, 3.5}, kPi}, .goal = {{3.5, 3.5}, 0.0}};
    Scratch scratch;
    {
        const DrivenWorld world(tiles, box);
        // Facing the dead end, without a reverse gear, it cannot even leave.
        EXPECT_EQ(find_route(*world.map, query, scratch).value().status, PathStatus::unreachable);
    }
    const Agent backs = pivoting(box_body(3.0, 0.9), 6.0, true);
    const DrivenWorld world(tiles, backs);
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, backs, query);
    int turns = 0;
    for (const Leg& leg : route->legs) {
        if (leg.kind != LegKind::turn) continue;
        ++turns;
        EXPECT_GT(leg.start.position.x, 8.0);
        EXPECT_LT(leg.start.position.x, 12.0);
    }
    EXPECT_GT(turns, 0);
    EXPECT_GT(turned(*route), 2.5);  // the rest on arcs
}

// One sense of turning is blocked, the longer way round is free.
TEST(Pivot, TurnsTheLongWayRoundWhereTheShortIsBlocked) {
    const Tiles tiles = drawn_tiles(
        {"..........", "..........", "......#...", "..........", "..........", "..........", ".........."});
    const Agent agent = pivoting(box_body(3.0, 0.8, 1.2), 30.0);
    const DrivenWorld world(tiles, agent);
    Scratch scratch;
    const DriveQuery query{.start = {{4.5, 3.5}, 0.0}, .goal = {{4.5, 3.5}, kHalfPi}};
    const Result<Route> route = find_route(*world.map, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    expect_legal(*route, world.grid, tiles, agent, query);
    EXPECT_NEAR(turned(*route), kHalfPi * 3.0, 1e-9);
}

// The gap's middle line lies between those of the lattice.
TEST(Pivot, OffTheLatticeToo) {
    Grid grid = *Grid::make({.width = 30, .height = 20});
    ASSERT_TRUE(grid.fill({{13, 0}, {17, 20}}, 0).has_value());
    ASSERT_TRUE(grid.fill({{13, 9}, {17, 11}}, 1).has_value());
    const Agent agent = pivoting({.radius = 0.97}, 6.0);
    const DriveQuery query{
        .start = {{4.5, 3.5}, kPi}, .goal = {{25.5, 15.5}, kPi}, .agent = agent, .off_lattice_max = 200'000};
    const GridDriveSetup centres{.nodes = DriveNodes::centres, .refine = false, .off_lattice_max = 0};
    Scratch scratch;
    const Result<Route> route = find_route(grid, query, scratch, centres);
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_STREQ(route->planner, "off_lattice");
    EXPECT_FALSE(verify(*route, grid, agent)) << verify(*route, grid, agent).text().c_str();
    EXPECT_GT(turned(*route), 0.0);
}

TEST(Pivot, TerrainDoesNotMakeTurnsDearer) {
    Grid grid = *Grid::make({.width = 30, .height = 20});
    ASSERT_TRUE(grid.fill({{0, 0}, {30, 20}}, 2).has_value());
    const double factors[] = {1.0, 1.0, 1.5};  // of terrain 2: a cost of 3
    const Agent agent = pivoting({.radius = 0.4}, 4.0);
    DriveQuery query{
        .start = {{10.5, 10.5}, 0.0}, .goal = {{10.5, 10.5}, kHalfPi}, .agent = agent, .pivot_penalty = 1.5};
    Scratch scratch;
    const GridDriveSetup setup{.map = {.terrain = {.factors = factors}}};
    const Result<Route> route = find_route(grid, query, scratch, setup);
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_NEAR(route->cost, 1.5 * kHalfPi, 1e-6);
    query.goal = {{20.5, 10.5}, 0.0};
    query.start.heading_rad = kPi;
    query.pivot_penalty = 0.2;
    for (const bool smooth : {false, true}) {
        query.smooth = smooth;
        EXPECT_NEAR(find_route(grid, query, scratch, setup).value().cost, 30.0 + 0.2 * kPi, 1e-6);
    }
}

TEST(Pivot, WarmCallsAllocateNothing) {
    Rng rng(37);
    const Tiles tiles = random_drive_map(rng, MapStyle::blocks, 24, 20);
    const Agent agent = pivoting(box_body(1.8, 0.9, 0.4), 2.0, true);
    const DrivenWorld world(tiles, agent);
    DriveQuery queries[6];
    for (DriveQuery& query : queries) {
        ASSERT_TRUE(random_free_pose(rng, tiles, agent, false, query.start));
        ASSERT_TRUE(random_free_pose(rng, tiles, agent, false, query.goal.at));
    }
    Scratch scratch;
    Route route;
    int turning = 0;
    const auto ask_all = [&]() {
        for (const DriveQuery& query : queries) {
            ASSERT_TRUE(find_route_into(*world.map, query, scratch, route).has_value());
            turning += turned(route) > 0.0 ? 1 : 0;
        }
    };
    ask_all();
    ask_all();
    const std::uint64_t before = heap_calls();
    ask_all();
    EXPECT_EQ(heap_calls(), before);
    EXPECT_GT(turning, 0);
}

// Any length will do on cells of any size; what the search cannot tell apart counts as the nearest that it can.
TEST(Pivot, PenaltiesBeyondWhatTheSearchTellsCountAsTheNearest) {
    const Tiles tiles = open_tiles(20, 20);
    const DrivenWorld world(tiles, pivoting({.radius = 0.4}, 2.0));
    Scratch scratch;
    const auto cost = [&](double penalty) {
        const DriveQuery query{
            .start = {{5.5, 5.5}, 0.0}, .goal = {{9.5, 9.5}, 0.0}, .pivot_penalty = penalty};
        const Result<Route> route = find_route(*world.map, query, scratch);
        return route && route->status == PathStatus::complete ? route->cost : -1.0;
    };
    EXPECT_GT(cost(0.05), 0.0);
    EXPECT_EQ(cost(0.0), cost(0.05));
    EXPECT_EQ(cost(1e9), cost(1000.0));
    EXPECT_LT(cost(0.05), cost(1000.0));
}

TEST(Pivot, BadInput) {
    const Tiles tiles = open_tiles(20, 20);
    const DrivenWorld world(tiles, pivoting({.radius = 0.4}, 2.0));
    Scratch scratch;
    const auto refused = [&](double penalty) {
        const DriveQuery query{
            .start = {{5.5, 5.5}, 0.0}, .goal = {{9.5, 9.5}, 0.0}, .pivot_penalty = penalty};
        const Result<Route> route = find_route(*world.map, query, scratch);
        EXPECT_FALSE(route.has_value());
        EXPECT_EQ(route.error().field, Field::pivot_penalty);
        return route.error().code;
    };
    EXPECT_EQ(refused(-1.0), ErrorCode::out_of_range);
    EXPECT_EQ(refused(std::numeric_limits<double>::quiet_NaN()), ErrorCode::not_finite);
    EXPECT_EQ(refused(std::numeric_limits<double>::infinity()), ErrorCode::not_finite);
}

}  // namespace
}  // namespace fairlead::testing
