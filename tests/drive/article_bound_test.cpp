// The article's heuristic (D9, D10): where it is right, where it is too high, and by how much.

#include "drive/lattice/article_bound.h"

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/curve/relaxed.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"

namespace fairlead::testing {
namespace {

using drive::ArticleBound;
using drive::turn_and_line;

TEST(ArticleBound, GoldenLengths) {
    EXPECT_NEAR(turn_and_line({0, 5}, 0.0, 1.0), 5.6965, 1e-4);
    EXPECT_NEAR(turn_and_line({5, 0}, 0.0, 1.0), 5.0, 1e-12);
    EXPECT_NEAR(turn_and_line({-5, 0}, 0.0, 1.0), 8.5364, 1e-4);
    EXPECT_NEAR(turn_and_line({0, 2}, 0.0, 1.0), kPi, 1e-7);
    EXPECT_NEAR(turn_and_line({-5, 0}, kPi, 1.0), 5.0, 1e-12);
}

// Outside both circles it is the shortest way; inside one it is longer than two arcs (E6).
TEST(ArticleBound, TooHighInsideATurningCircle) {
    Rng rng(8);
    double worst = 0.0;
    for (int i = 0; i < 20'000; ++i) {
        const Vec2 place{rng.between(-6.0, 6.0), rng.between(-6.0, 6.0)};
        const double shortest = distance_to_point({{0, 0}, 0.0}, place, 2.0);
        const double here = turn_and_line(place, 0.0, 2.0);
        const double side = std::abs(place.y) - 2.0;
        if (place.x * place.x + side * side < 4.0) {
            EXPECT_GE(here, shortest - 1e-9);
            worst = std::max(worst, here / shortest);
        } else {
            EXPECT_NEAR(here, shortest, 1e-6);
        }
    }
    EXPECT_GT(worst, 2.0);
}

// Beyond the table: the last entry and the extra distance, too high by up to about 2 r atan(r / 10).
TEST(ArticleBound, TheErrorBeyondTheTableIsAsStated) {
    const struct {
        double radius;
        double error;
    } kCases[] = {{1.0, 0.199}, {2.0, 0.79}, {3.0, 1.82}, {5.0, 5.2}};
    for (const auto& c : kCases) {
        double worst = 0.0;
        for (int a = 0; a <= 720; ++a) {
            const double angle = a * (kPi / 720.0);
            const Vec2 toward{math::cos(angle), math::sin(angle)};
            const double near = turn_and_line(toward * ArticleBound::kReach, 0.0, c.radius);
            for (double d = 10.0; d < 400.0; d *= 1.3) {
                const double truth = turn_and_line(toward * d, 0.0, c.radius);
                worst = std::max(worst, near + d - ArticleBound::kReach - truth);
            }
        }
        EXPECT_NEAR(worst, c.error, 0.05 * c.error) << c.radius;
    }
}

// Within the table a bin holds its lower edge: never above the turn and line.
TEST(ArticleBound, TheTableIsBelowItsOwnCurve) {
    Rng rng(9);
    ArticleBound table;
    table.fill(1.5);
    for (int i = 0; i < 20'000; ++i) {
        const double heading = rng.between(-kPi, kPi);
        const double distance =
            rng.between(3.5, 10.0);  // outside the circles, where a larger angle is a longer way
        const double angle = rng.between(-kPi, kPi);
        const Vec2 gap{distance * math::cos(angle), distance * math::sin(angle)};
        EXPECT_LE(table.at(gap, heading), turn_and_line(gap, heading, 1.5) + 1e-9);
    }
}

TEST(ArticleBound, RoutesAreLegalAndHaveNoBound) {
    Rng rng(10);
    Scratch scratch;
    int complete = 0;
    for (int i = 0; i < 30; ++i) {
        const oracle::PoseMap map = random_drive_map(rng, static_cast<MapStyle>(i % 4), 24, 24);
        DriveQuery query{.agent = {.radius = 0.4, .turning_radius = 1.5, .can_reverse = i % 2 == 0}};
        if (!random_free_pose(rng, map, query.agent, true, query.start) ||
            !random_free_pose(rng, map, query.agent, i % 3 == 0, query.goal.at))
            continue;
        const Grid grid = grid_of(map);
        query.planner = i % 5 == 0 ? DrivePlanner::weighted : DrivePlanner::lattice;
        const Result<Route> bounded = find_route(grid, query, scratch);
        query.heuristic = DriveHeuristic::article;
        const Result<Route> route = find_route(grid, query, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->status, bounded->status);
        if (route->status != PathStatus::complete) continue;
        ++complete;
        EXPECT_EQ(route->bound, kNoBound);
        EXPECT_FALSE(verify(*route, grid, query.agent)) << verify(*route, grid, query.agent).text().c_str();
    }
    EXPECT_GT(complete, 10);
}

}  // namespace
}  // namespace fairlead::testing
