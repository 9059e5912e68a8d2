// would_cut against a copy of the world that is edited and asked, and against the oracle's flood.

#include <string>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/would_cut.h>
#include <gtest/gtest.h>

#include "oracle/grid_oracle.h"
#include "support/environment.h"
#include "support/grids.h"
#include "support/heap_counter.h"
#include "support/planner_check.h"
#include "support/random_worlds.h"

namespace fairlead::testing {
namespace {

using oracle::GridOracle;
using oracle::World;

CellRect random_rect(Rng& rng, const World& world) {
    const auto low = [&](std::int32_t size) {
        return static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(size)));
    };
    CellRect rect{{low(world.width), low(world.height)}, {}, low(world.layers)};
    const bool line = rng.below(2) == 0;
    rect.high = {std::min(world.width, rect.low.x + 1 + low(line ? world.width : 4)),
                 std::min(world.height, rect.low.y + 1 + low(line ? 2 : 4))};
    return rect;
}

// Connected, by the index or by a search.
bool joined(const Grid& grid, Cell a, Cell b, const Agent& agent, Scratch& scratch) {
    if (const Result<bool> told = grid.state().connected(a, b, agent); told.has_value()) return *told;
    const double shift =
        agent.footprint > 0 && agent.footprint % 2 == 0 ? -0.5 * grid.state().cell_size() : 0.0;
    const Vec2 off{shift, shift};
    GridQuery query{.start = Spot(grid.state().cell_centre(a) + off).on_layer(a.layer),
                    .goal = Spot(grid.state().cell_centre(b) + off).on_layer(b.layer),
                    .agent = agent,
                    .corner = grid.state().corner()};
    return (*find_route(grid, query, scratch)).status == PathStatus::complete;
}

// Joined, by the oracle.
bool flooded(const World& world, const GridQuery& query, Cell a, Cell b) {
    const GridOracle oracle(world, query);
    if (!oracle.fits(world.index(a)) || !oracle.fits(world.index(b))) return false;
    return oracle.reachable(world.index(a))[static_cast<std::size_t>(world.index(b))] != 0;
}

class WouldCutIn : public ::testing::TestWithParam<Topic> {};

TEST_P(WouldCutIn, IsWhatAnEditedCopySays) {
    Rng rng(0xc07 + static_cast<std::uint64_t>(GetParam()));
    Scratch scratch;
    Scratch other;
    int cuts = 0;
    int keeps = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        RandomCase drawn = random_case(rng, GetParam(), trial % 10 == 0 ? 150 : 24);
        drawn.ask.query.terrain = {};
        drawn.ask.blockers.clear();
        const Grid grid = drawn.make_grid();
        const World& world = drawn.world;
        const Agent agent = drawn.ask.query.agent;
        const auto cell = [&] {
            return world.cell(
                static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(world.cells()))));
        };
        const std::uint64_t revision = grid.state().revision();
        for (int ask = 0; ask < 6; ++ask) {
            std::vector<CellRect> building{random_rect(rng, world)};
            if (rng.below(3) == 0) building.push_back(random_rect(rng, world));
            Cell a = cell();
            Cell b = cell();
            for (int i = 0; i < 8 && !joined(grid, a, b, agent, other); ++i) {
                a = cell();
                b = cell();
            }
            const Cell places[] = {a, b};
            const Result<bool> cut = would_cut(grid, building, places, agent, scratch);
            ASSERT_TRUE(cut.has_value()) << error_name(cut.error().code) << " " << trial;
            Grid copy = drawn.make_grid();
            World walled = world;
            for (const CellRect& rect : building) {
                ASSERT_TRUE(copy.fill(rect, 0));
                for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
                    for (std::int32_t x = rect.low.x; x < rect.high.x; ++x)
                        walled.tiles[static_cast<std::size_t>(walled.index({x, y, rect.layer}))] = 0;
                }
            }
            const bool now = joined(grid, a, b, agent, other);
            ASSERT_EQ(*cut, now && !joined(copy, a, b, agent, other))
                << "trial " << trial << "." << ask << " " << describe(drawn.ask.query);
            const bool tiles_are_all = agent.footprint > 0 || agent.radius <= 0.5 * world.cell_size;
            if (tiles_are_all) {
                GridQuery query{.agent = agent, .corner = grid.state().corner()};
                ASSERT_EQ(*cut, flooded(world, query, a, b) && !flooded(walled, query, a, b)) << trial;
            }
            ++(*cut ? cuts : keeps);
            ASSERT_EQ(grid.state().revision(), revision);
            ASSERT_EQ(joined(grid, a, b, agent, other), now);
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(cuts, 20);
    EXPECT_GT(keeps, 20);
}

INSTANTIATE_TEST_SUITE_P(Grid, WouldCutIn,
                         ::testing::Values(Topic::plain, Topic::bodies, Topic::terrain, Topic::wrapped,
                                           Topic::layered, Topic::scaled),
                         [](const auto& of) { return std::string(topic_name(of.param)); });

TEST(WouldCut, SeveralPlaces) {
    const Grid grid = grid_of({"....#....", "....#....", ".........", "....#....", "....#...."});
    Scratch scratch;
    const Cell places[] = {{0, 0}, {1, 4}, {8, 0}};
    const CellRect door[] = {{{4, 2}, {5, 3}}};
    const CellRect wall[] = {{{0, 2}, {3, 3}}};
    const CellRect beside[] = {{{0, 2}, {4, 3}}};
    EXPECT_TRUE(*would_cut(grid, door, places, {}, scratch));
    EXPECT_FALSE(*would_cut(grid, door, {places, 2}, {}, scratch));
    EXPECT_FALSE(*would_cut(grid, wall, places, {}, scratch));
    EXPECT_TRUE(*would_cut(grid, beside, places, {}, scratch));
    EXPECT_FALSE(*would_cut(grid, {}, places, {}, scratch));
    EXPECT_FALSE(*would_cut(grid, door, {}, {}, scratch));
    // What is not joined now cannot be cut.
    const Agent wide{.footprint = 2};
    EXPECT_FALSE(*would_cut(grid, door, places, wide, scratch));
    EXPECT_TRUE(*would_cut(grid, CellRect{{0, 0}, {1, 1}}, {0, 0}, {1, 0}, {}, scratch));
}

// From layer 1 down to layer 0 by one portal, up by another one that leads one way: a way there is none back, and a place that keeps its
// way to one of several may lose the way to another.
TEST(WouldCut, PortalsThatLeadOneWay) {
    const Portal portals[] = {{{0, 2, 0}, {0, 0, 1}, 1.0, true}, {{4, 0, 0}, {4, 0, 1}, 1.0, false}};
    for (const double radius : {0.0, 0.3}) {
        const Agent agent{.radius = radius};
        const Agent sizes[] = {agent};
        for (const bool registered : {false, true}) {
            GridOptions options{.width = 5, .height = 3, .layers = 2, .portals = portals};
            options.wrap_x = options.wrap_y = true;
            if (registered) options.sizes = sizes;
            const Grid grid = *Grid::make(options);
            Scratch scratch;
            const Cell places[] = {{4, 0, 0}, {2, 0, 1}, {3, 0, 0}};
            const CellRect stairs[] = {{{0, 2}, {1, 3}, 0}};
            EXPECT_TRUE(*would_cut(grid, stairs, places, agent, scratch)) << radius << registered;
            EXPECT_TRUE(*would_cut(grid, stairs, {places + 1, 2}, agent, scratch));
            const Cell up[] = {places[2], places[0], places[1]};
            EXPECT_FALSE(*would_cut(grid, stairs, up, agent, scratch)) << radius << registered;
        }
    }
}

// Of several places: all pairs of an edited copy.
TEST(WouldCut, SeveralPlacesAreAllPairsOfAnEditedCopy) {
    Rng rng(0x4915);
    Scratch scratch;
    Scratch other;
    int cuts = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        const auto side = [&] { return static_cast<std::int32_t>(3 + rng.below(7)); };
        GridOptions options{.width = side(), .height = side(), .layers = 2};
        const auto below = [&](std::int32_t n) {
            return static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(n)));
        };
        const auto cell = [&] { return Cell{below(options.width), below(options.height), below(2)}; };
        std::vector<Portal> portals;
        for (std::int32_t i = 0; i < 3; ++i)
            portals.push_back({cell(), cell(), 1.0, trial % 3 == 0 || below(2) == 0});
        options.portals = portals;
        const double radii[] = {0.0, 0.3, 0.5, 0.8, 1.55};
        const Agent agent{.radius = radii[below(5)]};
        const Agent sizes[] = {agent};
        if (below(2) == 0) options.sizes = sizes;
        std::vector<std::uint8_t> tiles(static_cast<std::size_t>(options.width * options.height * 2));
        for (std::uint8_t& tile : tiles) tile = below(8) != 0 ? 1 : 0;
        const Grid grid = *Grid::make(options, tiles);
        for (int ask = 0; ask < 4; ++ask) {
            std::vector<Cell> places(static_cast<std::size_t>(2 + below(4)));
            for (Cell& place : places) place = cell();
            const Cell low = cell();
            const CellRect rect{{low.x, low.y},
                                {std::min(options.width, low.x + 1 + below(4)),
                                 std::min(options.height, low.y + 1 + below(3))},
                                low.layer};
            Grid copy = *Grid::make(options, tiles);
            ASSERT_TRUE(copy.fill(rect, 0));
            bool cut = false;
            for (std::size_t i = 0; i < places.size(); ++i) {
                for (std::size_t k = i + 1; k < places.size(); ++k) {
                    cut = cut || (joined(grid, places[i], places[k], agent, other) &&
                                  !joined(copy, places[i], places[k], agent, other));
                }
            }
            ASSERT_EQ(*would_cut(grid, {&rect, 1}, places, agent, scratch), cut) << trial << "." << ask;
            cuts += cut ? 1 : 0;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(cuts, 100);
}

// Snapshots are asked while the world goes on.
TEST(WouldCut, OfASnapshot) {
    Grid grid = grid_of({".....", "####.", "....."});
    const GridSnapshot frozen = grid.acquire();
    ASSERT_TRUE(grid.fill({{0, 1}, {1, 2}}, 1));
    Scratch scratch;
    const CellRect gate{{4, 1}, {5, 2}};
    EXPECT_TRUE(*would_cut(*frozen, gate, {0, 0}, {0, 2}, {}, scratch));
    EXPECT_FALSE(*would_cut(grid, gate, {0, 0}, {0, 2}, {}, scratch));
    EXPECT_FALSE(grid.state().blocked({4, 1, 0}));
}

TEST(WouldCut, WarmItAllocatesNothing) {
    const Agent sizes[] = {{.radius = 0.8}, {.footprint = 2}};
    const Grid grid = *Grid::make({.width = 600, .height = 300, .sizes = sizes});
    Scratch scratch;
    const auto work = [&] {
        for (const Agent& agent : {Agent{}, sizes[0], sizes[1]}) {
            for (std::int32_t x = 0; x < 500; x += 100) {
                const CellRect wall{{x, 0}, {x + 2, 300}};
                EXPECT_EQ(*would_cut(grid, wall, {50, 50}, {550, 250}, agent, scratch), x > 50) << x;
            }
        }
    };
    work();
    const std::uint64_t before = heap_calls();
    work();
    EXPECT_EQ(heap_calls(), before);
}

TEST(WouldCut, Errors) {
    const Grid grid = *Grid::make({.width = 4, .height = 4});
    Scratch scratch;
    const CellRect good{{1, 1}, {2, 2}};
    const Result<bool> out = would_cut(grid, CellRect{{1, 1}, {9, 2}}, {0, 0}, {1, 0}, {}, scratch);
    EXPECT_EQ(out.error(), (Error{ErrorCode::out_of_range, Field::rect, 0, 0}));
    EXPECT_EQ(would_cut(grid, good, {0, 0}, {7, 0}, {}, scratch).error(),
              (Error{ErrorCode::out_of_range, Field::places, 1, 0}));
    EXPECT_EQ(would_cut(grid, good, {0, 0}, {1, 0}, {.radius = -1}, scratch).error().code,
              ErrorCode::out_of_range);
    GridSearch search(grid, GridQuery{}, scratch);
    EXPECT_EQ(would_cut(grid, good, {0, 0}, {1, 0}, {}, scratch).error().code, ErrorCode::scratch_in_use);
}

}  // namespace
}  // namespace fairlead::testing
