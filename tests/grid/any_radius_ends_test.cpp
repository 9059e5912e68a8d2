// Discs of any radius, at the ends of their ways: goal regions that hold no point of a lattice, pockets, blockers, and floods through
// gaps that take long.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "oracle/chain_oracle.h"
#include "oracle/shape_chain.h"
#include "support/environment.h"
#include "support/grids.h"
#include "support/radius_check.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

std::vector<std::uint8_t> radius_tiles(const RadiusMap& map) {
    std::vector<std::uint8_t> out;
    for (const bool b : map.blocked) out.push_back(b ? 0 : 1);
    return out;
}

std::string radius_map_text(const RadiusMap& map) {
    std::string out;
    for (std::int32_t y = map.height - 1; y >= 0; --y) {
        for (std::int32_t x = 0; x < map.width; ++x)
            out += map.blocked[static_cast<std::size_t>(y * map.width + x)] ? '#' : '.';
        out += '\n';
    }
    return out;
}

Grid radius_grid(const RadiusMap& map, double radius, bool registered) {
    const Agent size[] = {{.radius = radius}};
    GridOptions options{.width = map.width, .height = map.height};
    if (registered) options.sizes = size;
    return *Grid::make(options, radius_tiles(map));
}

template <class Oracle>
bool any_place_that_fits(Rng& rng, const RadiusMap& map, const Oracle& oracle, Vec2& p) {
    for (int n = 0; n < 60; ++n) {
        p = {rng.unit() * map.width, rng.unit() * map.height};
        if (rng.below(2) == 0) p = {std::floor(p.x * 2.0) / 2.0, std::floor(p.y * 2.0) / 2.0};
        if (oracle.fits(p)) return true;
    }
    return false;
}

double any_radius(Rng& rng) {
    if (rng.below(4) == 0) return 0.5 * rng.unit() + 1e-6;
    return 0.05 + 2.95 * rng.unit();
}

// ---- regions -------------------------------------------------------------------------------------------------

// A small range around any place, on open ground: some part of it is always there.
TEST(AnyRadius, RegionsBetweenThePointsOfTheLattice) {
    const Grid grid = grid_of({"......", "......", "......", "......", "......", "......"});
    Scratch scratch;
    for (const double radius : {0.0, 0.3, 0.5, 0.8, 1.3, 2.0}) {
        for (const GridPlanner planner :
             {GridPlanner::automatic, GridPlanner::astar, GridPlanner::turn_penalty}) {
            GridQuery query{.start = {2.5, 2.5}, .goal = Goal::within({3.3, 3.2}, 0.05)};
            query.agent.radius = radius;
            query.planner = planner;
            const Route route = find_route(grid, query, scratch).value();
            EXPECT_EQ(route.status, PathStatus::complete) << radius << " " << planner_name(planner);
            EXPECT_LE(distance(ground(route.end.position), Vec2{3.3, 3.2}), 0.05 + 1e-9);
            EXPECT_FALSE(verify(route, grid.state(), query.agent));
        }
    }
}

// A chest in a wall: its range reaches out of the wall by less than the half lattice is wide.
TEST(AnyRadius, ARegionWhoseMiddleIsAWall) {
    const Grid grid = grid_of({"......", "......", "......", "..#...", "......", "......", "......"});
    Scratch scratch;
    for (const double radius : {0.3, 0.8, 1.3}) {
        GridQuery query{.start = {2.5, 5.4}, .goal = Goal::within({2.5, 3.5}, 0.5 + radius + 0.01)};
        query.agent.radius = radius;
        const Route route = find_route(grid, query, scratch).value();
        EXPECT_EQ(route.status, PathStatus::complete) << radius;
        EXPECT_FALSE(verify(route, grid.state(), query.agent));
        query.goal = Goal::within({2.5, 3.5}, 0.5 + radius - 0.01);
        EXPECT_EQ(find_route(grid, query, scratch).value().status, PathStatus::unreachable) << radius;
    }
}

// If any place of a region can be reached, some place of it is; and what is said to be one is.
TEST(AnyRadius, RegionsAreReachedIfAnyPlaceOfThemCanBe) {
    Scratch scratch;
    int complete = 0, apart = 0;
    for (int round = 0; round < trials(1500); ++round) {
        Rng rng(6500 + static_cast<std::uint64_t>(round));
        const RadiusMap map = random_radius_map(rng, 4, 16);
        const double radius = any_radius(rng);
        const oracle::ChainOracle oracle(map.width, map.height, map.blocked, radius);
        const Grid grid = radius_grid(map, radius, rng.below(2) == 0);
        for (int n = 0; n < 4; ++n) {
            Vec2 start;
            if (!any_place_that_fits(rng, map, oracle, start)) break;
            const Vec2 centre{rng.unit() * map.width, rng.unit() * map.height};
            const double range = 0.03 + rng.unit() * rng.unit() * 2.0;
            GridQuery query{.start = start, .goal = Goal::within(centre, range)};
            query.agent.radius = radius;
            query.partial = rng.below(3) == 0;
            if (rng.below(3) == 0) query.planner = GridPlanner::astar;
            const Result<Route> route = find_route(grid, query, scratch);
            ASSERT_TRUE(route.has_value());
            const auto told = [&] {
                return std::string(status_name(route->status)) + ", radius " + std::to_string(radius) +
                       " from " + std::to_string(start.x) + " " + std::to_string(start.y) + " to " +
                       std::to_string(centre.x) + " " + std::to_string(centre.y) + " within " +
                       std::to_string(range) + ", round " + std::to_string(round) + "\n" +
                       radius_map_text(map);
            };
            ASSERT_FALSE(verify(*route, grid.state(), query.agent)) << told();
            if (route->status == PathStatus::complete) {
                ASSERT_LE(distance(ground(route->end.position), centre), range + 1e-9) << told();
                ++complete;
                continue;
            }
            // A start in the open, so never blocked; the region may hold nothing that fits.
            ASSERT_TRUE(route->status == PathStatus::unreachable || route->status == PathStatus::partial)
                << told();
            for (int k = 0; k < 40; ++k) {
                const double angle = rng.unit() * 6.283185307179586, off = range * std::sqrt(rng.unit());
                const Vec2 p = centre + Vec2{std::cos(angle), std::sin(angle)} * off;
                if (p.x < 0 || p.y < 0 || p.x > map.width || p.y > map.height || !oracle.fits(p)) continue;
                ASSERT_FALSE(oracle.joined(start, p)) << told() << p.x << " " << p.y;
            }
            ++apart;
        }
    }
    EXPECT_GT(complete, 0);
    EXPECT_GT(apart, 0);
}

// Next to a tile: a place in one of the eight cells around.
TEST(AnyRadius, NextToATileWhereverTheDiscFits) {
    Scratch scratch;
    int complete = 0;
    for (int round = 0; round < trials(1500); ++round) {
        Rng rng(6600 + static_cast<std::uint64_t>(round));
        const RadiusMap map = random_radius_map(rng, 4, 14);
        const double radius = any_radius(rng);
        const oracle::ChainOracle oracle(map.width, map.height, map.blocked, radius);
        const Grid grid = radius_grid(map, radius, rng.below(2) == 0);
        Vec2 start;
        if (!any_place_that_fits(rng, map, oracle, start)) continue;
        const Vec2 cell{0.5 + rng.between(0, map.width - 1), 0.5 + rng.between(0, map.height - 1)};
        GridQuery query{.start = start, .goal = Goal::adjacent(cell)};
        query.agent.radius = radius;
        const Route route = find_route(grid, query, scratch).value();
        ASSERT_FALSE(verify(route, grid.state(), query.agent));
        if (route.status == PathStatus::complete) {
            const Vec2 end = ground(route.end.position);
            ASSERT_LE(std::max(std::abs(end.x - cell.x), std::abs(end.y - cell.y)), 1.5 + 1e-9);
            ++complete;
            continue;
        }
        for (int k = 0; k < 100; ++k) {
            const Vec2 p = cell + Vec2{3.0 * rng.unit() - 1.5, 3.0 * rng.unit() - 1.5};
            if (std::max(std::abs(p.x - cell.x), std::abs(p.y - cell.y)) < 0.5 || p.x < 0 || p.y < 0 ||
                p.x > map.width || p.y > map.height || !oracle.fits(p))
                continue;
            ASSERT_FALSE(oracle.joined(start, p))
                << status_name(route.status) << " " << radius << " from " << start.x << " " << start.y
                << " beside " << cell.x << " " << cell.y << ": " << p.x << " " << p.y << ", round " << round
                << "\n"
                << radius_map_text(map);
        }
    }
    EXPECT_GT(complete, 0);
}

// ---- pockets -------------------------------------------------------------------------------------------------

// No point of the lattice fits: with `partial` the disc comes as near as the pocket allows.
TEST(AnyRadius, OutOfAPocketItComesAsNearAsItCan) {
    const Grid pocket = grid_of({"#.", "..", "#."});
    Scratch scratch;
    GridQuery query{.start = {1.4, 1.42}, .goal = Vec2{1.1, 2.9}};
    query.agent.radius = 0.55;
    query.partial = true;
    const Route route = find_route(pocket, query, scratch).value();
    EXPECT_EQ(route.status, PathStatus::partial);
    EXPECT_FALSE(route.legs.empty());
    EXPECT_FALSE(verify(route, pocket.state(), query.agent));
    EXPECT_LT(distance(ground(route.end.position), Vec2{1.1, 2.9}),
              distance(Vec2{1.4, 1.42}, Vec2{1.1, 2.9}));
    EXPECT_GT(route.end.position.y, 1.5);
}

// Whatever cannot be reached: there is a place that it comes to, from wherever it starts.
TEST(AnyRadius, PartialRoutesFromAnywhere) {
    Scratch scratch;
    int partial = 0;
    for (int round = 0; round < trials(2000); ++round) {
        Rng rng(6700 + static_cast<std::uint64_t>(round));
        const RadiusMap map = random_radius_map(rng, 4, 16);
        const double radius = any_radius(rng);
        const oracle::ChainOracle oracle(map.width, map.height, map.blocked, radius);
        const Grid grid = radius_grid(map, radius, rng.below(2) == 0);
        Vec2 a;
        if (!any_place_that_fits(rng, map, oracle, a)) continue;
        const Vec2 b{rng.unit() * map.width, rng.unit() * map.height};
        const Vec2 several[] = {b, {rng.unit() * map.width, rng.unit() * map.height}};
        GridQuery query{.start = a, .goal = b};
        if (rng.below(4) == 0) query.goal = Goal::any_of(several);
        query.agent.radius = radius;
        query.partial = true;
        const Route route = find_route(grid, query, scratch).value();
        ASSERT_TRUE(route.status == PathStatus::complete || route.status == PathStatus::partial)
            << status_name(route.status) << " " << radius << " from " << a.x << " " << a.y << " to " << b.x
            << " " << b.y << ", round " << round << "\n"
            << radius_map_text(map);
        ASSERT_FALSE(verify(route, grid.state(), query.agent));
        ASSERT_TRUE(oracle.joined(a, ground(route.end.position)));
        partial += route.status == PathStatus::partial ? 1 : 0;
    }
    EXPECT_GT(partial, 0);
}

// ---- blockers ------------------------------------------------------------------------------------------------

// Routes past blockers are legal; where no way exists none is found; how often one is missed is counted.
TEST(AnyRadius, PastBlockers) {
    Scratch scratch;
    int found = 0, apart = 0, missed = 0;
    for (int round = 0; round < trials(1500); ++round) {
        Rng rng(6800 + static_cast<std::uint64_t>(round));
        const RadiusMap map = random_radius_map(rng, 4, 16);
        const double radius = any_radius(rng);
        std::vector<oracle::Shape> shapes = oracle::shapes_of_tiles(map.width, map.height, map.blocked);
        std::vector<Blocker> blockers;
        const std::uint32_t count = 1 + rng.below(4);
        for (std::uint32_t n = 0; n < count; ++n) {
            Blocker b{.centre = {rng.unit() * map.width, rng.unit() * map.height},
                      .radius = 0.1 + rng.unit()};
            if (rng.below(3) == 0) {
                b.box = {b.centre, b.centre + Vec2{rng.unit() * 2.0, rng.unit() * 2.0}};
                shapes.push_back({b.box.low, b.box.high, 0.0});
            } else {
                shapes.push_back({b.centre, b.centre, b.radius});
            }
            blockers.push_back(b);
        }
        const oracle::ShapeChain oracle(shapes, radius, 1e-9);
        const Grid grid = radius_grid(map, radius, rng.below(2) == 0);
        for (int n = 0; n < 4; ++n) {
            Vec2 a, b;
            if (!any_place_that_fits(rng, map, oracle, a) || !any_place_that_fits(rng, map, oracle, b)) break;
            GridQuery query{.start = a, .goal = b};
            query.agent.radius = radius;
            query.blockers = std::span<const Blocker>(blockers);
            const Route route = find_route(grid, query, scratch).value();
            ASSERT_FALSE(verify(route, grid.state(), query.agent));
            const bool joined = oracle.joined(a, b);
            if (route.status == PathStatus::complete) {
                ASSERT_TRUE(joined);
                ++found;
            } else if (joined) {
                ++missed;
            } else {
                ++apart;
            }
        }
    }
    // Past blockers the lattice is not the whole truth (docs/decisions/0054): one in fifty is missed.
    EXPECT_GT(found, 0);
    EXPECT_LE(missed, 10 + found / 25);
    RecordProperty("apart", apart);
}

// ---- floods through gaps ---------------------------------------------------------------------------------------

// Two corners and nothing else: for a large disc the way between them is open in the middle alone, over many rooms.
TEST(AnyRadius, ALongFloodThroughGapsIsDoneInPieces) {
    constexpr std::int32_t kSide = 140;
    std::vector<std::string> rows(kSide, std::string(kSide, '.'));
    // Walls from both sides, whose corners are (59, 11) apart.
    for (std::int32_t x = 0; x < 40; ++x) rows[64][static_cast<std::size_t>(x)] = '#';
    for (std::int32_t x = 99; x < kSide; ++x) rows[76][static_cast<std::size_t>(x)] = '#';
    const double radius = std::sqrt(59.0 * 59.0 + 11.0 * 11.0) / 2.0 - 1e-7;
    Scratch scratch;
    Route route;
    const Grid grid = radius_grid(
        [&] {
            RadiusMap map{kSide, kSide, {}};
            for (const std::string& row : rows) {
                for (const char c : row) map.blocked.push_back(c == '#');
            }
            return map;
        }(),
        radius, false);
    GridQuery query{.start = {69.5, 31.0}, .goal = Vec2{69.5, 109.0}};
    query.agent.radius = radius;
    const Result<Route> whole = find_route(grid, query, scratch);
    ASSERT_EQ(whole->status, PathStatus::complete);
    ASSERT_FALSE(verify(*whole, grid.state(), query.agent));
    GridSearch search(grid, query, scratch);
    std::uint64_t units = 0;
    while (search.running()) units += search.step(1);
    ASSERT_TRUE(search.take(route));
    EXPECT_GT(units, whole->stats.expanded + 64);  // it has waited
    EXPECT_EQ(route_difference(*whole, route), "");
    // A cancel at any unit ends it within 64.
    std::atomic<bool> cancel{false};
    SearchHooks hooks;
    hooks.cancel = &cancel;
    for (std::uint64_t at = 1; at < units; at += 1 + units / 50) {
        cancel = false;
        GridSearch stopped(grid, query, scratch, hooks);
        for (std::uint64_t n = 0; n < at && stopped.running(); ++n) stopped.step(1);
        cancel = true;
        if (!stopped.running()) continue;
        stopped.step(64);
        EXPECT_FALSE(stopped.running()) << at;
    }
}

// Goals that are looked up, joined and sorted for the half lattice: so many for a unit.
TEST(AnyRadius, ALongListOfGoalsIsPreparedInPieces) {
    const Grid grid = grid_of({".....................", ".....................", ".....................",
                               "##########..#########", ".....................", ".....................",
                               "....................."});
    Scratch scratch;
    Route route;
    std::vector<Vec2> goals;
    Rng rng(6900);
    for (int n = 0; n < 20000; ++n) goals.push_back({1.0 + 19.0 * rng.unit(), 1.0 + rng.unit()});
    GridQuery query{.start = {4.5, 5.5}, .goal = Goal::any_of(goals)};
    query.agent.radius = 0.9;
    const Result<Route> whole = find_route(grid, query, scratch);
    ASSERT_EQ(whole->status, PathStatus::complete);
    GridSearch search(grid, query, scratch);
    std::uint64_t units = 0;
    while (search.running()) units += search.step(1);
    EXPECT_GT(units, 20000U);  // each is joined to the points around it
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route_difference(*whole, route), "");
    std::atomic<bool> cancel{false};
    SearchHooks hooks;
    hooks.cancel = &cancel;
    for (std::uint64_t at = 1; at < units; at += 1 + units / 20) {
        cancel = false;
        GridSearch stopped(grid, query, scratch, hooks);
        for (std::uint64_t n = 0; n < at && stopped.running(); ++n) stopped.step(1);
        cancel = true;
        if (!stopped.running()) continue;
        stopped.step(64);
        EXPECT_FALSE(stopped.running()) << at;
    }
}

}  // namespace
}  // namespace fairlead::testing
