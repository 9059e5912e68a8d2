// Turning units without a width: between two walls that share a side there is no way for them, along one there is.
#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

constexpr Agent kTurningPoint{.turning_radius = 0.5};

Route drive_of(const Grid& grid, const Pose& start, const Pose& goal, const Agent& agent = kTurningPoint) {
    Scratch scratch;
    Result<Route> route = find_route(
        grid, DriveQuery{.start = start, .goal = Goal(goal.position, goal.heading_rad), .agent = agent},
        scratch);
    EXPECT_TRUE(route) << error_text(route.error()).c_str();
    return route ? std::move(*route) : Route{};
}

TEST(PointUnits, NotBetweenTwoWalls) {
    const Grid grid = grid_of({
        "......",
        "......",
        "..##..",
        "......",
        "......",
        "......",
    });
    const Route route = drive_of(grid, {{3.0, 0.5}, kHalfPi}, {{3.0, 5.5}, kHalfPi});
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_FALSE(verify(route, grid, kTurningPoint)) << verify(route, grid, kTurningPoint).text().c_str();
    EXPECT_GT(route.length, 5.0);
}

TEST(PointUnits, NotBetweenAWallAndTheEdge) {
    const Grid grid = grid_of({
        "......",
        "......",
        "#.....",
        "......",
        "......",
        "......",
    });
    const Route route = drive_of(grid, {{0.0, 0.5}, kHalfPi}, {{0.0, 5.5}, kHalfPi});
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_FALSE(verify(route, grid, kTurningPoint)) << verify(route, grid, kTurningPoint).text().c_str();
}

TEST(PointUnits, AlongAWall) {
    const Grid grid = grid_of({
        "......",
        "......",
        "..#...",
        "......",
        "......",
        "......",
    });
    const Route route = drive_of(grid, {{3.0, 0.5}, kHalfPi}, {{3.0, 5.5}, kHalfPi});
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.length, 5.0);
}

TEST(PointUnits, StartsOnSeamsAreBlocked) {
    const Grid grid = grid_of({"....", ".##.", ".##.", "...."});
    for (const Vec2 at : {Vec2{2.0, 2.0}, Vec2{2.0, 1.5}, Vec2{1.5, 2.0}})
        EXPECT_EQ(drive_of(grid, {at, 0.0}, {{0.5, 0.5}, 0.0}).status, PathStatus::start_blocked) << at.x;
    for (const Vec2 at : {Vec2{1.0, 1.0}, Vec2{2.0, 1.0}, Vec2{3.0, 1.5}})
        EXPECT_NE(drive_of(grid, {at, 0.0}, {{0.5, 0.5}, 0.0}).status, PathStatus::start_blocked) << at.x;
}

TEST(PointUnits, RoutesAreLegal) {
    Rng rng(91);
    int complete = 0;
    for (int i = 0; i < trials(200); ++i) {
        const Grid grid = *Grid::make({.width = 8, .height = 8}, random_tiles(rng, 64, 30));
        const auto pose = [&] {
            const double x = 0.5 * rng.between(0, 15), y = 0.5 * rng.between(0, 15);
            return Pose{{x, y}, 0.25 * kPi * rng.between(-3, 4)};
        };
        const Pose start = pose(), goal = pose();
        Agent agent = kTurningPoint;
        agent.radius = i % 3 == 0 ? 1e-12 : 0.0;
        agent.can_reverse = i % 2 == 0;
        const Route route = drive_of(grid, start, goal, agent);
        if (route.status != PathStatus::complete) continue;
        ++complete;
        EXPECT_FALSE(verify(route, grid, agent)) << verify(route, grid, agent).text().c_str();
    }
    EXPECT_GT(complete, trials(200) / 20);
}

// A curve all the way is free, and no way of the lattice leads there: that was told as out_of_memory.
TEST(PointUnits, ACurveBesideGroundThatLeadsNowhere) {
    const Grid grid = grid_of({".", ".", "#", "."});
    Scratch scratch;
    const Result<Route> route = find_route(
        grid,
        DriveQuery{.start = Spot(0.5, 0.91176263586189554),
                   .goal = Goal(Vec2{0.027391016705717863, 1.4931808946563692}, 1.9750685586867061),
                   .agent = kTurningPoint},
        scratch);
    ASSERT_TRUE(route) << error_text(route.error()).c_str();
    EXPECT_EQ(route->status, PathStatus::complete);
}

TEST(PointUnits, ThinBoxesAreRefused) {
    Agent agent{.turning_radius = 1.0};
    agent.shape = BodyShape::box;
    agent.length = 1.0;
    agent.width = 1e-9;
    const Result<DriveTable> table = DriveTable::make({.agent = agent});
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().field, Field::agent);
}

}  // namespace
}  // namespace fairlead::testing
