// Routes of turning units over random maps: legal by verify, within the bound, sliced = unsliced, no allocation.

#include <fairlead/drive/find_drive.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

TEST(FindDriveSlow, RandomMapsUnitsAndPoses) {
    Rng rng(7);
    int complete = 0;
    int unreachable = 0;
    double shorter = 0.0;
    Scratch scratch;
    Route optimal;
    Route weighted;
    Route sliced;
    for (int i = 0; i < trials(150); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 12; ++k) {
            const bool on_lattice = rng.below(2) == 0;
            DriveQuery query;
            query.start = random_pose(rng, tiles, on_lattice);
            query.goal = random_pose(rng, tiles, on_lattice);
            query.planner = DrivePlanner::lattice;
            query.smooth = false;
            ASSERT_TRUE(find_route_into(*map, query, scratch, optimal).has_value());
            query.planner = DrivePlanner::weighted;
            ASSERT_TRUE(find_route_into(*map, query, scratch, weighted).has_value());
            DriveSearch search(*map, query, scratch);
            while (search.step(1 + rng.below(50))) {
            }
            ASSERT_TRUE(search.take(sliced).has_value());
            EXPECT_EQ(sliced.stats, weighted.stats);
            EXPECT_EQ(sliced.cost, weighted.cost);
            ASSERT_EQ(optimal.status, weighted.status) << "case " << i << " query " << k;
            unreachable += optimal.status == PathStatus::unreachable ? 1 : 0;
            if (optimal.status != PathStatus::complete) continue;
            ++complete;
            for (const Route* route : {&optimal, &weighted}) {
                const Violation bad = verify(*route, grid, agent);
                ASSERT_FALSE(bad) << "case " << i << " query " << k << ": " << bad.text().c_str();
                EXPECT_NEAR(
                    route->legs.empty() ? 0.0 : route->legs[0].start.position.x - query.start.position.x, 0.0,
                    1e-9);
                EXPECT_EQ(route->end.position.x, query.goal.at.position.x);
            }
            EXPECT_LE(optimal.cost, weighted.cost * (1 + 1e-9));
            query.smooth = true;
            ASSERT_TRUE(find_route_into(*map, query, scratch, sliced).has_value());
            ASSERT_FALSE(verify(sliced, grid, agent)) << "case " << i << " query " << k;
            EXPECT_LE(sliced.cost, weighted.cost * (1 + 1e-9));
            shorter += weighted.cost - sliced.cost;
            EXPECT_LE(weighted.cost, optimal.cost * query.epsilon * (1 + 1e-9))
                << "case " << i << " query " << k;
        }
    }
    EXPECT_GT(complete, trials(150) * 3);
    EXPECT_GT(unreachable, trials(150) / 10);
    EXPECT_GT(shorter, complete * 0.5);
}

// Technique S9: a set of headings at the ends, and goals that are places.
TEST(FindDriveSlow, HeadingsAndRangesThatWillDo) {
    Rng rng(21);
    Scratch scratch;
    Route exact;
    Route other;
    int complete = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 8; ++k) {
            DriveQuery query;
            query.start = random_pose(rng, tiles, k % 2 == 0);
            query.goal = random_pose(rng, tiles, k % 3 != 0);
            query.planner = DrivePlanner::lattice;
            query.smooth = k % 4 == 0;
            const auto ask = [&](Route& route) {
                ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
                ASSERT_FALSE(verify(route, grid, agent)) << verify(route, grid, agent).text().c_str();
            };
            ask(exact);
            const std::int32_t facing = static_cast<std::int32_t>(rng.below(8));
            const Spot goal = query.goal.at;
            query.goal = goal.facing(heading_rad(8, facing), 0.1);
            ask(other);
            if (other.status == PathStatus::complete) {
                EXPECT_NEAR(math::wrap_pi(other.end.heading_rad - heading_rad(8, facing)), 0.0, 1e-9);
                EXPECT_EQ(other.end.position.x, query.goal.at.position.x);
            }
            query.goal = goal.any_heading();
            ask(other);
            if (exact.status == PathStatus::complete) {
                ++complete;
                ASSERT_EQ(other.status, PathStatus::complete);
                const bool on_lattice = k % 3 != 0 && k % 2 == 0;
                if (on_lattice && !query.smooth) {
                    EXPECT_LE(other.cost, exact.cost * (1 + 1e-9));
                }
            }
            query.goal = Goal::within(goal.any_heading(), 3.0);
            ask(other);
            if (other.status == PathStatus::complete) {
                const Vec2 gap{other.end.position.x - query.goal.at.position.x,
                               other.end.position.y - query.goal.at.position.y};
                EXPECT_LE(dot(gap, gap), 9.0 + 1e-9);
            } else {
                EXPECT_NE(exact.status, PathStatus::complete);
            }
            query.start = query.start.any_heading();
            ask(other);
            if (exact.status == PathStatus::complete) {
                EXPECT_EQ(other.status, PathStatus::complete);
            }
        }
    }
    EXPECT_GT(complete, trials(60));
}

TEST(FindDriveSlow, AnytimeEndsWithTheLatticesOptimum) {
    Rng rng(31);
    Scratch scratch;
    Scratch other_scratch;
    Route best;
    Route optimal;
    int improved = 0;
    int complete = 0;
    for (int i = 0; i < trials(60); ++i) {
        const Tiles tiles = random_tiles(rng);
        const Grid grid = grid_of(tiles);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        DriveQuery query;
        query.start = random_pose(rng, tiles, true);
        query.goal = random_pose(rng, tiles, true);
        query.smooth = i % 2 == 0;
        query.goal_curves = query.smooth;
        query.planner = DrivePlanner::lattice;
        ASSERT_TRUE(find_route_into(*map, query, other_scratch, optimal).has_value());
        query.planner = DrivePlanner::anytime;
        query.epsilon = 3.0;
        DriveSearch search(*map, query, scratch);
        double cost = 1e300;
        double bound = 1e300;
        bool first = true;
        for (search.step(20); search.running(); search.step(20)) {
            ASSERT_TRUE(search.take(best).has_value());
            EXPECT_EQ(best.status == PathStatus::complete, search.has_route());
            if (!search.has_route()) continue;
            ASSERT_FALSE(verify(best, grid, agent)) << verify(best, grid, agent).text().c_str();
            EXPECT_LE(best.cost, cost);
            EXPECT_LE(best.bound, bound);
            if (!query.smooth) {
                EXPECT_LE(best.cost, best.bound * optimal.cost * (1 + 1e-6));
            }
            improved += !first && best.cost < cost ? 1 : 0;
            cost = best.cost;
            bound = best.bound;
            first = false;
        }
        ASSERT_TRUE(search.take(best).has_value());
        ASSERT_EQ(best.status, optimal.status);
        if (best.status != PathStatus::complete) continue;
        ++complete;
        EXPECT_EQ(best.bound, 1.0);
        if (!query.smooth) {
            EXPECT_NEAR(best.cost, optimal.cost, optimal.cost * 1e-6);
        }
    }
    if (testing::all_trials()) {
        EXPECT_GT(complete, trials(60) / 3);
        EXPECT_GT(improved, complete / 4);
    }
}

// Edits under a search that is under way: it is on its snapshot, and says so.
TEST(FindDrive, ASearchInFlightNeverSeesAnUpdate) {
    Tiles tiles = open_tiles(40, 30);
    const Agent agent{.radius = 0.4, .turning_radius = 2.0};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
    Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
    Scratch scratch;
    const DriveQuery query{.start = {{4.5, 15.5}, 0.0}, .goal = {{35.5, 15.5}, 0.0}, .epsilon = 1.0};
    const Grid before = grid_of(tiles);
    DriveSearch search(*map, query, scratch);
    search.step(3);
    ASSERT_TRUE(search.running());
    fill(tiles, 20, 5, 2, 20, 0);
    for (std::uint64_t revision = 1; search.running(); ++revision) {
        ASSERT_TRUE(map->update(ground_of(tiles), revision).has_value());
        search.step(3);
    }
    ASSERT_TRUE(
        map->update(ground_of(tiles), 1000).has_value());  // taken after an update: still of the old revision
    Route route;
    ASSERT_TRUE(search.take(route).has_value());
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.revision, 0U);
    EXPECT_FALSE(verify(route, before, agent));
    EXPECT_EQ(route.length, 31.0);
    // On the newest one it leads round the wall.
    search.restart(*map, query);
    while (search.running()) search.step(UINT64_MAX);
    ASSERT_TRUE(search.take(route).has_value());
    EXPECT_EQ(route.revision, 1000U);
    EXPECT_FALSE(verify(route, grid_of(tiles), agent, {.check_revision = false}));
    EXPECT_GT(route.length, 35.0);
}

TEST(FindDrive, AWarmQueryAllocatesNothing) {
    Rng rng(9);
    const Tiles tiles = random_tiles(rng);
    const Agent agent{.radius = 0.4, .turning_radius = 2.0, .can_reverse = true};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
    ASSERT_TRUE(map.has_value());
    Scratch scratch;
    Route route;
    const auto ask_all = [&](std::uint64_t seed) {
        Rng draws(seed);
        for (int i = 0; i < 30; ++i) {
            DriveQuery query;
            query.start = random_pose(draws, tiles, i % 2 == 0);
            query.goal = random_pose(draws, tiles, i % 3 == 0);
            ASSERT_TRUE(find_route_into(*map, query, scratch, route).has_value());
        }
    };
    ask_all(3);
    const std::uint64_t before = heap_calls();
    ask_all(3);
    EXPECT_EQ(heap_calls(), before);
}

TEST(FindDrive, BadInput) {
    Rng rng(9);
    const Tiles tiles = random_tiles(rng);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    const auto refuse = [](Agent agent, ErrorCode code) {
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
        ASSERT_FALSE(table.has_value());
        EXPECT_EQ(table.error().code, code);
    };
    refuse({.radius = 0.4, .turning_radius = 0.0}, ErrorCode::out_of_range);
    refuse({.radius = 0.4, .turning_radius = -1.0}, ErrorCode::out_of_range);
    refuse({.radius = 0.4, .turning_radius = nan}, ErrorCode::not_finite);
    refuse({.radius = 0.4, .turning_radius = infinite}, ErrorCode::not_finite);
    refuse({.radius = 0.4, .turning_radius = 1e6}, ErrorCode::out_of_range);
    refuse({.radius = 100.0, .turning_radius = 2.0}, ErrorCode::size_limit);
    refuse({.footprint = 2, .turning_radius = 2.0}, ErrorCode::incompatible);
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}, .headings = 8});
    const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
    ASSERT_TRUE(map.has_value());
    Scratch scratch;
    DriveQuery query;
    query.goal.at.position.x = nan;
    EXPECT_EQ(find_route(*map, query, scratch).error().code, ErrorCode::not_finite);
    query.goal.at.position.x = 1e300;
    EXPECT_EQ(find_route(*map, query, scratch).value().status, PathStatus::off_world);
    query.epsilon = 0.5;
    EXPECT_EQ(find_route(*map, query, scratch).error().code, ErrorCode::out_of_range);
}

}  // namespace
}  // namespace fairlead::testing
