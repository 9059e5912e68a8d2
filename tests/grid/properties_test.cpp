// What must hold for any world: undoing an edit gives the old answers, mirrored and turned maps have the same costs, an
// obstacle never makes a way cheaper, and there is a way just where the flood comes.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/random_campaign.h"
#include "support/route_compare.h"
#include "support/turned_map.h"

namespace fairlead::testing {
namespace {

constexpr GridPlanner kOptimal[] = {
    GridPlanner::automatic, GridPlanner::jump_point,    GridPlanner::bucket_astar, GridPlanner::astar,
    GridPlanner::dijkstra,  GridPlanner::bidirectional, GridPlanner::turn_penalty};
constexpr double kNone = std::numeric_limits<double>::infinity();

// Cost of the tile route, kNone where there is none, negative where the planner cannot.
double cost_of(const GridState& grid, GridQuery query, Scratch& scratch) {
    query.smoothing = Smoothing::none;
    const Result<Route> route = find_route(grid, query, scratch);
    if (!route) return -1.0;
    return route->status == PathStatus::complete ? route->cost : kNone;
}

TEST(Properties, UndoneEditsGiveTheSameRoutes) {
    Scratch scratch;
    for (int round = 0; round < trials(150); ++round) {
        Rng rng(4000 + static_cast<std::uint64_t>(round));
        const std::int32_t w = rng.between(1, 80);
        const std::int32_t h = rng.between(1, 80);
        const Agent sizes[] = {{.radius = 0.9}};
        GridOptions options{.width = w, .height = h, .sizes = sizes};
        options.corner = static_cast<CornerRule>(rng.below(3));
        const std::vector<std::uint8_t> tiles =
            random_tiles(rng, static_cast<std::size_t>(w * h), rng.below(35), 1 + rng.below(2) * 4);
        Grid edited = *Grid::make(options, tiles);
        const Grid fresh = *Grid::make(options, tiles);
        for (std::uint32_t i = 0; i < 1 + rng.below(4); ++i) {
            const CellRect rect{{rng.between(0, w - 1), rng.between(0, h - 1)}, {w, h}};
            ASSERT_TRUE(edited.fill(rect, static_cast<std::uint8_t>(rng.below(3))));
        }
        // Back again, by rows in any order.
        for (std::int32_t k = 0; k < h; ++k) {
            const std::int32_t y = round % 2 == 0 ? k : h - 1 - k;
            ASSERT_TRUE(
                edited.set({{0, y}, {w, y + 1}}, {tiles.data() + y * w, static_cast<std::size_t>(w)}));
        }
        for (std::size_t p = 0; p < kPlanners; ++p) {
            GridQuery query{.start = cell_centre(rng.between(0, w - 1), rng.between(0, h - 1)),
                            .goal = cell_centre(rng.between(0, w - 1), rng.between(0, h - 1))};
            query.agent.radius = rng.below(2) == 0 ? 0.0 : 0.9;
            query.planner = static_cast<GridPlanner>(p);
            query.partial = rng.below(2) == 0;
            query.certify = rng.below(2) == 0;
            const Result<Route> a = find_route(edited, query, scratch);
            const Result<Route> b = find_route(fresh, query, scratch);
            ASSERT_EQ(a.has_value(), b.has_value());
            if (!a) continue;
            ASSERT_EQ(route_difference(*a, *b, false), "")
                << "round " << round << ", " << planner_name(query.planner);
            ASSERT_EQ(a->revision, edited.state().revision());
        }
    }
}

TEST(Properties, MirroredAndTurnedMapsHaveTheSameCosts) {
    Scratch scratch;
    int ways = 0;
    for (int round = 0; round < trials(150); ++round) {
        Rng rng(4200 + static_cast<std::uint64_t>(round));
        const std::int32_t w = rng.between(1, 70);
        const std::int32_t h = rng.between(1, 70);
        const bool terrain = rng.below(3) == 0;
        const std::vector<std::uint8_t> tiles =
            terrain ? random_tiles(rng, static_cast<std::size_t>(w * h), rng.below(40), 5)
                    : random_map(rng, w, h);
        const Agent agents[] = {{}, {}, {}, {.radius = 0.9}, {.footprint = 3}, {.radius = 1.45}};
        const Agent agent = agents[rng.below(6)];
        const auto free_cell = [&] {
            Cell c{};
            for (int tries = 0; tries < 30; ++tries) {
                c = {rng.between(0, w - 1), rng.between(0, h - 1)};
                if (tiles[static_cast<std::size_t>(c.y * w + c.x)] != 0) break;
            }
            return c;
        };
        const Cell from = free_cell();
        const Cell to = free_cell();
        GridQuery query{.agent = agent};
        query.corner = static_cast<CornerRule>(rng.below(3));
        query.neighbours = rng.below(5) == 0 ? Neighbourhood::four : Neighbourhood::eight;
        double costs[std::size(kOptimal)] = {};
        for (std::uint32_t k = 0; k < 8; ++k) {
            const MapTurn turn{k, w, h};
            GridOptions options{.width = turn.wide(), .height = turn.high()};
            options.sizes = {&agent, 1};
            options.corner = query.corner;
            options.wrap_x = options.wrap_y = round % 7 == 0;
            const Grid grid = *Grid::make(options, turn.of(tiles));
            const Cell a = turn.of(from);
            const Cell b = turn.of(to);
            query.start = cell_centre(a.x, a.y);
            query.goal = cell_centre(b.x, b.y);
            for (std::size_t p = 0; p < std::size(kOptimal); ++p) {
                query.planner = kOptimal[p];
                const double cost = cost_of(grid, query, scratch);
                if (k == 0) costs[p] = cost;
                ASSERT_EQ(cost, costs[p])
                    << "round " << round << " turn " << k << ", " << planner_name(kOptimal[p]);
                ways += cost >= 0.0 && cost < kNone ? 1 : 0;
            }
        }
    }
    EXPECT_GT(ways, trials(2000));
}

TEST(Properties, AnObstacleNeverLowersTheCost) {
    Scratch scratch;
    int rises = 0;
    for (int round = 0; round < trials(80); ++round) {
        Rng rng(4400 + static_cast<std::uint64_t>(round));
        const std::int32_t w = rng.between(4, 50);
        const std::int32_t h = rng.between(4, 50);
        Grid grid = *Grid::make({.width = w, .height = h}, random_tiles(rng, static_cast<std::size_t>(w * h),
                                                                        rng.below(15), 1 + rng.below(2) * 3));
        const Agent agents[] = {{}, {.radius = 0.9}, {.footprint = 2}};
        GridQuery query{.start = cell_centre(rng.between(0, w - 1), rng.between(0, h - 1)),
                        .goal = cell_centre(rng.between(0, w - 1), rng.between(0, h - 1)),
                        .agent = agents[rng.below(3)]};
        query.corner = static_cast<CornerRule>(rng.below(3));
        double costs[std::size(kOptimal)] = {};
        for (int step = 0; step < 25; ++step) {
            for (std::size_t p = 0; p < std::size(kOptimal); ++p) {
                query.planner = kOptimal[p];
                const double cost = cost_of(grid, query, scratch);
                if (cost < 0.0) continue;
                ASSERT_GE(cost, costs[p])
                    << "round " << round << " step " << step << ", " << planner_name(kOptimal[p]);
                rises += cost > costs[p] ? 1 : 0;
                costs[p] = cost;
            }
            const Cell wall{rng.between(0, w - 1), rng.between(0, h - 1)};
            ASSERT_TRUE(grid.fill(
                {{wall.x, wall.y},
                 {std::min(wall.x + rng.between(1, 3), w), std::min(wall.y + rng.between(1, 3), h)}},
                0));
        }
    }
    EXPECT_GT(rises, trials(500));
}

TEST(Properties, UnreachableJustWhereTheFloodDoesNotCome) {
    Scratch scratch;
    int sealed = 0;
    int joined = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::regions); ++t) {
        for (int round = 0; round < trials(60); ++round) {
            Rng rng(4600 + static_cast<std::uint64_t>(round) * 16 + t);
            RandomCase drawn = random_case(rng, static_cast<Topic>(t), 60);
            const Grid grid = drawn.make_grid();
            const oracle::World& world = drawn.world;
            GridQuery query = drawn.ask.bind();
            const oracle::GridOracle oracle(world, query);
            const auto free_cell = [&] {
                std::int32_t cell = 0;
                for (int k = 0; k < 60; ++k) {
                    cell = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(world.cells())));
                    if (oracle.fits(cell)) return cell;
                }
                return -1;
            };
            for (int k = 0; k < 6; ++k) {
                const std::int32_t from = free_cell();
                if (from < 0) break;
                const std::vector<char> reach = oracle.reachable(from);
                for (int n = 0; n < 4; ++n) {
                    const std::int32_t to = free_cell();
                    if (to < 0) continue;
                    query.start = oracle::standing_point(world, query.agent, world.cell(from));
                    query.start = query.start.on_layer(world.cell(from).layer);
                    query.goal = Goal(oracle::standing_point(world, query.agent, world.cell(to)));
                    query.goal = query.goal.on_layer(world.cell(to).layer);
                    query.planner = static_cast<GridPlanner>(rng.below(kPlanners));
                    const Result<Route> route = find_route(grid, query, scratch);
                    if (!route) continue;
                    const bool way = reach[static_cast<std::size_t>(to)] != 0;
                    (way ? joined : sealed) += 1;
                    // What this flood walks on is the tiles' middles; between them wide discs have more ways
                    // (any_radius_test.cpp asks whether those are all).
                    if (!way && route->status == PathStatus::complete) {
                        ASSERT_STREQ(route->planner, "half_lattice");
                        ASSERT_GT(query.agent.radius, 0.5 * world.cell_size);
                        const Violation bad = verify(*route, grid, query.agent,
                                                     {.terrain = query.terrain, .blockers = query.blockers});
                        ASSERT_FALSE(bad) << bad.text().c_str();
                        continue;
                    }
                    ASSERT_EQ(route->status, way ? PathStatus::complete : PathStatus::unreachable)
                        << topic_name(static_cast<Topic>(t)) << " case " << round << ", "
                        << planner_name(query.planner);
                }
            }
        }
    }
    EXPECT_GT(joined, trials(2000));
    EXPECT_GT(sealed, trials(300));
}

// A goal in a pocket on a large map is known to be sealed without a search, for every planner and registered size.
TEST(Properties, SealedGoalsAreKnownAtOnce) {
    const Agent sizes[] = {{.radius = 0.9}, {.footprint = 2}};
    for (const CornerRule rule : {CornerRule::never, CornerRule::one_free, CornerRule::always}) {
        Grid grid = *Grid::make({.width = 600, .height = 500, .corner = rule, .sizes = sizes});
        // A wall of thickness 1 around a room of 20 x 20, closed at its corners.
        ASSERT_TRUE(grid.fill({{290, 240}, {312, 262}}, 0));
        ASSERT_TRUE(grid.fill({{291, 241}, {311, 261}}, 1));
        Scratch scratch;
        for (const Agent& agent : {Agent{}, sizes[0], sizes[1]}) {
            const double half = agent.footprint == 2 ? 0.5 : 0.0;
            GridQuery query{.start = cell_centre(5, 5) + Vec2{half, half},
                            .goal = cell_centre(300, 250) + Vec2{half, half},
                            .agent = agent};
            query.corner = rule;
            for (std::size_t p = 0; p < kPlanners; ++p) {
                query.planner = static_cast<GridPlanner>(p);
                const Result<Route> route = find_route(grid, query, scratch);
                if (!route) continue;
                ASSERT_EQ(route->status, PathStatus::unreachable) << planner_name(query.planner);
                ASSERT_LT(route->stats.expanded, 64U);
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
