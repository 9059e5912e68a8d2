// Heuristics of turning units: the straight line, none, and the user's own find what the bounds find; the check tells which are
// too high.

#include <cmath>
#include <memory>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/check_heuristic.h>
#include <fairlead/verify/verify.h>
#include <gtest/gtest.h>

#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

struct Line {
    Vec2 goal{};
    double factor = 1.0;

    [[nodiscard]] OwnHeuristic heuristic(bool consistent) {
        return {[](const Place& from, void* user) {
                    const auto& line = *static_cast<const Line*>(user);
                    return line.factor * distance(ground(from.position), line.goal);
                },
                this, consistent};
    }
};

TEST(DriveHeuristics, AllLowerBoundsFindTheSameCost) {
    Rng rng(41);
    Scratch scratch;
    int complete = 0;
    for (int i = 0; i < trials(40); ++i) {
        const oracle::PoseMap map = random_drive_map(rng, static_cast<MapStyle>(i % 4), 22, 22);
        DriveQuery query{.agent = {.radius = 0.4, .turning_radius = 1.5, .can_reverse = i % 2 == 0}};
        if (!random_free_pose(rng, map, query.agent, true, query.start) ||
            !random_free_pose(rng, map, query.agent, true, query.goal.at))
            continue;
        const Grid grid = grid_of(map);
        query.planner = DrivePlanner::lattice;
        query.goal_curves = query.smooth = false;
        const Result<Route> best = find_route(grid, query, scratch);
        ASSERT_TRUE(best.has_value());
        Line line{query.goal.at.ground()};
        query.own = line.heuristic(true);
        for (const DriveHeuristic heuristic :
             {DriveHeuristic::straight, DriveHeuristic::zero, DriveHeuristic::own}) {
            query.heuristic = heuristic;
            const Result<Route> route = find_route(grid, query, scratch);
            ASSERT_TRUE(route.has_value());
            ASSERT_EQ(route->status, best->status);
            if (route->status != PathStatus::complete) continue;
            ++complete;
            EXPECT_NEAR(route->cost, best->cost, 1e-6) << static_cast<int>(heuristic);
            EXPECT_EQ(route->bound, best->bound);
            EXPECT_FALSE(verify(*route, grid, query.agent));
        }
        // Without the word no bound is told; twice the line is above the truth.
        line.factor = 2.0;
        query.own.consistent = false;
        const Result<Route> high = find_route(grid, query, scratch);
        ASSERT_TRUE(high.has_value());
        ASSERT_EQ(high->status, best->status);
        if (high->status != PathStatus::complete) continue;
        EXPECT_EQ(high->bound, kNoBound);
        EXPECT_GE(high->cost, best->cost - 1e-6);
        EXPECT_LE(high->cost, 2.0 * best->cost + 1e-6);
    }
    if (all_trials()) {
        EXPECT_GT(complete, 30);
    }
}

TEST(DriveHeuristics, NoFunctionIsRefused) {
    Scratch scratch;
    Rng rng(42);
    const oracle::PoseMap map = random_drive_map(rng, MapStyle{}, 12, 12);
    DriveQuery query{.start = {{5.5, 5.5}, 0.0}, .goal = {{6.5, 5.5}, 0.0}};
    query.agent = {.radius = 0.4, .turning_radius = 1.5};
    query.heuristic = DriveHeuristic::own;
    EXPECT_EQ(
        find_route(grid_of(map), query, scratch).error(),
        (Error{ErrorCode::out_of_range, Field::heuristic, static_cast<std::int64_t>(DriveHeuristic::own)}));
}

TEST(DriveHeuristics, TheCheckTellsWhichAreTooHigh) {
    Rng rng(43);
    Scratch scratch;
    std::uint64_t article_high = 0, places = 0;
    for (int i = 0; i < trials(12); ++i) {
        const oracle::PoseMap map = random_drive_map(rng, static_cast<MapStyle>(i % 4), 20, 20);
        const Agent agent{.radius = 0.4, .turning_radius = 2.0, .can_reverse = i % 2 == 0};
        const Grid grid = grid_of(map);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> drive = make_drive_map(grid, *table);
        ASSERT_TRUE(drive.has_value());
        DriveQuery query;
        if (!random_free_pose(rng, map, agent, true, query.goal.at)) continue;
        Line line{query.goal.at.ground(), 3.0};
        const auto told = [&](DriveHeuristic heuristic) {
            query.heuristic = heuristic;
            query.own = line.heuristic(false);
            const Result<HeuristicReport> report = check_heuristic(*drive, query, scratch, {.starts = 8});
            EXPECT_TRUE(report.has_value());
            return report ? *report : HeuristicReport{};
        };
        for (const DriveHeuristic low : {DriveHeuristic::straight, DriveHeuristic::zero}) {
            const HeuristicReport report = told(low);
            EXPECT_TRUE(report.admissible()) << report.worst_high.excess;
            EXPECT_TRUE(report.consistent()) << report.worst_fall.excess;
        }
        const HeuristicReport bounds = told(DriveHeuristic::bounds);
        EXPECT_TRUE(bounds.admissible()) << bounds.worst_high.excess;
        EXPECT_LE(bounds.worst_fall.excess, 1.0 / 256.0);
        places += bounds.places;
        article_high += told(DriveHeuristic::article).too_high;
        const HeuristicReport high = told(DriveHeuristic::own);
        if (high.places > 3) {
            EXPECT_FALSE(high.admissible());
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(places, 20u);
    EXPECT_GT(article_high, 0u);
}

}  // namespace
}  // namespace fairlead::testing
