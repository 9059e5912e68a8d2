// Terrain costs (technique W7): what is charged is the integral of the cost along the axle's way.

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

// The cost of a route without changes of gear, by small steps.
double sampled_cost(const Route& route, const Grid& grid, double reverse_penalty) {
    double sum = 0.0;
    for (const Leg& leg : route.legs) {
        const int steps = static_cast<int>(leg.length * 500) + 1;
        for (int i = 0; i < steps; ++i) {
            const Place at = place_on_leg(leg, leg.length * (i + 0.5) / steps);
            const std::int32_t cost = grid.state().cost(grid.state().cell_at({at.position.x, at.position.y}));
            sum += cost * leg.length / steps * (leg.gear == Gear::reverse ? reverse_penalty : 1.0);
        }
    }
    return sum;
}

int changes_of_gear(const Route& route) {
    int count = 0;
    for (std::size_t i = 1; i < route.legs.size(); ++i)
        count += route.legs[i].gear != route.legs[i - 1].gear ? 1 : 0;
    return count;
}

TEST(DriveTerrain, PrimitivesVisitAllOfTheirLength) {
    const Result<DriveTable> table = DriveTable::make(
        {.agent = {.radius = 0.4, .turning_radius = 2.5, .can_reverse = true}, .headings = 16});
    ASSERT_TRUE(table.has_value());
    const std::span<const Primitive> all = table->primitives().all();
    for (std::size_t i = 0; i < all.size(); ++i) {
        double sum = 0.0;
        for (const TerrainVisit& visit : table->visits(i)) sum += visit.length;
        EXPECT_NEAR(sum, all[i].length, 1e-9);
        EXPECT_EQ(table->visits(i).front().dx, 0);
        EXPECT_EQ(table->visits(i).back().dx, all[i].dx);
        EXPECT_EQ(table->visits(i).back().dy, all[i].dy);
    }
}

TEST(DriveTerrainSlow, CostsAreIntegralsAndBoundsHold) {
    Rng rng(77);
    Scratch scratch;
    Route optimal;
    Route weighted;
    Route smooth;
    int complete = 0;
    double gained = 0.0;
    for (int i = 0; i < trials(80); ++i) {
        Tiles tiles = random_tiles(rng);
        for (int patch = 0; patch < 25; ++patch) {
            const auto x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.width)));
            const auto y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.height)));
            const auto w = static_cast<std::int32_t>(1 + rng.below(12));
            const auto h = static_cast<std::int32_t>(1 + rng.below(12));
            fill(tiles, x, y, w, h, static_cast<std::uint8_t>(1 + rng.below(6)));
        }
        const Grid grid = grid_of(tiles);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        const Result<DriveMap> map = make_drive_map(grid, *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 4; ++k) {
            DriveQuery query;
            query.start = random_pose(rng, tiles, k != 1);
            query.goal = random_pose(rng, tiles, k != 2);
            query.planner = DrivePlanner::lattice;
            query.smooth = false;
            ASSERT_TRUE(find_route_into(*map, query, scratch, optimal).has_value());
            query.planner = DrivePlanner::weighted;
            ASSERT_TRUE(find_route_into(*map, query, scratch, weighted).has_value());
            query.smooth = true;
            ASSERT_TRUE(find_route_into(*map, query, scratch, smooth).has_value());
            if (smooth.status != PathStatus::complete) continue;
            ++complete;
            for (const Route* route : {&optimal, &weighted, &smooth}) {
                ASSERT_FALSE(verify(*route, grid, agent)) << verify(*route, grid, agent).text().c_str();
                const double cost = sampled_cost(*route, grid, query.reverse_penalty) +
                                    changes_of_gear(*route) * query.cusp_penalty;
                EXPECT_NEAR(route->cost, cost, 0.02 + cost * 2e-3) << "case " << i << " query " << k;
                const double line = sampled_cost(*route, grid, 1.0);  // no penalties
                EXPECT_NEAR(route->line_cost, line, 0.02 + line * 2e-3) << "case " << i << " query " << k;
                EXPECT_LE(route->line_cost, route->cost + 1e-9 * (1.0 + route->cost));
            }
            EXPECT_LE(optimal.cost, weighted.cost * (1 + 1e-9));
            EXPECT_LE(weighted.cost, optimal.cost * query.epsilon * (1 + 1e-9));
            EXPECT_LE(smooth.cost, weighted.cost * (1 + 1e-9));
            gained += 1.0 - smooth.cost / weighted.cost;
        }
    }
    EXPECT_GT(complete, trials(80));
    EXPECT_GT(gained, complete * 0.01);
}

TEST(DriveTerrain, GoesRoundAStripOfSand) {
    Tiles tiles = open_tiles(40, 30);
    fill(tiles, 18, 0, 6, 26, 5);
    const Grid grid = grid_of(tiles);
    const Agent agent{.radius = 0.4, .turning_radius = 2.0};
    Scratch scratch;
    const DriveQuery query{.start = {{6.5, 15.5}, 0.0}, .goal = {{35.5, 15.5}, 0.0}, .agent = agent};
    const Result<Route> route = find_route(grid, query, scratch);
    ASSERT_TRUE(route.has_value());
    ASSERT_EQ(route->status, PathStatus::complete);
    EXPECT_NEAR(route->cost, route->length, 1e-6);  // never on the sand
    EXPECT_GT(route->length, 33.0);
    // A filter that makes sand cheap goes straight.
    double factors[] = {1.0, 1.0, 1.0, 1.0, 1.0, 0.2};
    const Result<Route> straight =
        find_route(grid, query, scratch, GridDriveSetup{.map = {.terrain = {.factors = factors}}});
    ASSERT_TRUE(straight.has_value());
    EXPECT_NEAR(straight->length, 29.0, 1e-9);
    // One that closes it, too, goes round.
    factors[5] = 0.0;
    const Result<Route> closed =
        find_route(grid, query, scratch, GridDriveSetup{.map = {.terrain = {.factors = factors}}});
    ASSERT_TRUE(closed.has_value());
    EXPECT_GT(closed->length, 33.0);
}

}  // namespace
}  // namespace fairlead::testing
