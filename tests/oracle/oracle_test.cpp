// The oracle itself, against answers worked out by hand.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/grid_oracle.h"
#include "oracle/plain_geometry.h"
#include "support/grids.h"

namespace fairlead::oracle {
namespace {

World world_of(const std::vector<std::string>& rows) {
    World world;
    world.width = static_cast<std::int32_t>(rows.front().size());
    world.height = static_cast<std::int32_t>(rows.size());
    world.tiles = testing::tiles_of(rows);
    return world;
}

Length shortest(const World& world, const GridQuery& query, Cell from, Cell to) {
    const GridOracle oracle(world, query);
    const auto found = oracle.shortest(world.index(from), {world.index(to)});
    return found.value_or(Length{-1, 0, 0});
}

TEST(OracleLength, ComparesExactly) {
    EXPECT_EQ(compare({3, 0, 0}, {0, 2, 0}), 1);  // 3 > 2.83
    EXPECT_EQ(compare({0, 2, 0}, {3, 0, 0}), -1);
    EXPECT_EQ(compare({7, 0, 0}, {0, 5, 0}), -1);  // 7 < 7.07
    EXPECT_EQ(compare({1, 1, 0}, {1, 1, 0}), 0);
    EXPECT_EQ(compare({2, 0, 0}, {1, 0, 1024}), 0);
    EXPECT_TRUE(same({2, 0, 0}, {1, 0, 1024}));
    EXPECT_EQ(compare({0, 0, 1449}, {0, 1, 0}), 1);   // 1449 / 1024 = 1.41504
    EXPECT_EQ(compare({0, 0, 1448}, {0, 1, 0}), -1);  // 1448 / 1024 = 1.41406
    // Convergents of sqrt 2: far beyond the digits of a double.
    EXPECT_EQ(compare({1855077841, 0, 0}, {0, 1311738121, 0}), -1);
    EXPECT_EQ(compare({4478554083, 0, 0}, {0, 3166815962, 0}), 1);
    EXPECT_EQ(compare({-3, 5, 0}, {3, 1, 0}), -1);  // 4.07 - 4.41
    EXPECT_EQ(compare({5, -3, 0}, {0, 0, 0}), 1);
    EXPECT_EQ(compare({-5, 3, 0}, {0, 0, 0}), -1);
}

TEST(OracleGeometry, SegmentsAndBoxes) {
    const Aabb box{{1, 0}, {2, 1}};
    EXPECT_FALSE(segment_enters_box({0.5, 0.5}, {1.5, 1.5}, box));  // through the corner (1, 1)
    EXPECT_TRUE(segment_enters_box({0.5, 0.4}, {1.5, 1.4}, box));
    EXPECT_FALSE(segment_enters_box({1, -1}, {1, 2}, box));  // along a side
    // One rounding long, and beside the box on the other axis.
    EXPECT_FALSE(segment_enters_box({0.49999999999999994, 12.5}, {0.5, 12.5}, box));
    EXPECT_DOUBLE_EQ(segment_to_box({0.5, 0.5}, {1.5, 1.5}, box), 0.0);
    EXPECT_DOUBLE_EQ(segment_to_box({0.5, 1.5}, {1.5, 2.5}, box), std::sqrt(0.5));
    EXPECT_DOUBLE_EQ(segment_to_box({0, 3}, {0, 3}, box), std::sqrt(5.0));
    EXPECT_TRUE(body_meets_box({.half = 0.5}, {0.5, 0.5}, {1.5, 1.5}, box));
    EXPECT_FALSE(body_meets_box({.half = 0.5}, {0.5, 0.5}, {0.5, 1.5}, box));
    EXPECT_FALSE(body_meets_box({.radius = 0.5}, {0.5, 0.5}, {0.5, 1.5}, box));
    EXPECT_TRUE(body_meets_box({.radius = 0.1}, {0.5, 0.5}, {1.5, 1.5}, box));
    EXPECT_TRUE(body_meets_disc({}, {0, 0}, {4, 0}, {2, 0.5}, 0.6));
    EXPECT_FALSE(body_meets_disc({}, {0, 0}, {4, 0}, {2, 0.5}, 0.5));
    EXPECT_TRUE(body_meets_disc({.half = 1.0}, {0, 0}, {4, 0}, {5.3, 1.3}, 0.5));
    EXPECT_FALSE(body_meets_disc({.half = 1.0}, {0, 0}, {4, 0}, {5.4, 1.4}, 0.5));
}

TEST(OracleGrid, CornerRules) {
    const World one = world_of({".#", ".."});
    const World two = world_of({".#", "#."});
    const auto go = [](const World& world, CornerRule rule, double radius) {
        GridQuery query;
        query.corner = rule;
        query.agent.radius = radius;
        return shortest(world, query, {0, 0}, {1, 1});
    };
    EXPECT_EQ(go(one, CornerRule::never, 0), (Length{2, 0, 0}));
    EXPECT_EQ(go(one, CornerRule::one_free, 0), (Length{0, 1, 0}));
    EXPECT_EQ(go(one, CornerRule::always, 0), (Length{0, 1, 0}));
    EXPECT_EQ(go(one, CornerRule::always, 0.1), (Length{2, 0, 0}));
    EXPECT_EQ(go(two, CornerRule::never, 0).straight, -1);
    EXPECT_EQ(go(two, CornerRule::one_free, 0).straight, -1);
    EXPECT_EQ(go(two, CornerRule::always, 0), (Length{0, 1, 0}));
    EXPECT_EQ(go(two, CornerRule::always, 0.1).straight, -1);
}

TEST(OracleGrid, EnteringCosts) {
    // From 1 to 9 costs 9, back costs 1 (technique W3); a diagonal costs the entered cell times sqrt 2.
    const World world = world_of({"19", "14"});
    EXPECT_EQ(shortest(world, {}, {0, 0}, {1, 0}), (Length{9, 0, 0}));
    EXPECT_EQ(shortest(world, {}, {1, 0}, {0, 0}), (Length{1, 0, 0}));
    EXPECT_EQ(shortest(world, {}, {0, 0}, {1, 1}), (Length{5, 0, 0}));  // 1 + 4 is less than 4 sqrt 2
    EXPECT_EQ(shortest(world, {}, {1, 1}, {0, 0}), (Length{0, 1, 0}));
    std::vector<double> costs;
    for (int tile = 0; tile < 256; ++tile) costs.push_back(tile > 0 ? 1.0 / tile : 1.0);
    costs[9] = 0;
    GridQuery query;
    query.terrain.factors = costs;
    EXPECT_EQ(shortest(world, query, {0, 0}, {1, 0}).straight, -1);
    EXPECT_EQ(shortest(world, query, {0, 0}, {1, 1}), (Length{2, 0, 0}));
    const std::uint8_t threat[] = {0, 0, 10, 0};
    query = {};
    query.influence = {threat, 2};
    EXPECT_EQ(shortest(world, query, {0, 0}, {0, 1}), (Length{21, 0, 0}));
}

TEST(OracleGrid, Bodies) {
    // A corridor of width 2 between walls: radius 1 does not stand on a cell's centre, footprint 2 stands on corners.
    const World world = world_of({"#####", ".....", ".....", "#####"});
    const auto free = [&](const Agent& agent) {
        GridQuery query;
        query.agent = agent;
        const GridOracle oracle(world, query);
        int count = 0;
        for (std::int32_t i = 0; i < world.cells(); ++i) count += oracle.fits(i) ? 1 : 0;
        return count;
    };
    EXPECT_EQ(free({}), 10);
    EXPECT_EQ(free({.radius = 0.5}), 10);
    EXPECT_EQ(free({.radius = 0.51}), 0);
    EXPECT_EQ(free({.footprint = 1}), 10);
    EXPECT_EQ(free({.footprint = 2}), 4);
    EXPECT_EQ(free({.footprint = 3}), 0);
    EXPECT_EQ(standing_point(world, {.footprint = 2}, {1, 2, 0}), (Vec2{1, 2}));
    EXPECT_EQ(standing_point(world, {.footprint = 3}, {1, 2, 0}), (Vec2{1.5, 2.5}));
}

TEST(OracleGrid, ADiscKeepsItsDistanceOnADiagonal) {
    // Radius 0.75: 4 r^2 = 2.25, so the walls at distance sqrt(2) / 2 from the centre (offset (1, 1)) are too near.
    const World world = world_of({".....", ".....", ".....", "....#", "....."});
    GridQuery query;
    query.agent.radius = 0.75;
    const GridOracle oracle(world, query);
    EXPECT_TRUE(oracle.fits(world.index({2, 3})));
    EXPECT_FALSE(oracle.fits(world.index({3, 2})));
    EXPECT_FALSE(oracle.fits(world.index({1, 0})));  // the edge of the map is a wall
    // Radius 1.41 (8 < 4 r^2 <= 10): both ends of the step are free, yet the wall at (i, 1 - i), i = 2, is in the way.
    World open = world_of(
        {"........", "........", "........", "........", "........", "........", "........", "........"});
    open.tiles[static_cast<std::size_t>(open.index({5, 2}))] = 0;
    query.agent.radius = 1.5;
    query.corner = CornerRule::always;
    const GridOracle wide(open, query);
    // From (3, 3) to (4, 4): the wall (5, 2) is at offset (2, -1); its corner (2, 0) is 2 / sqrt 2 = 1.41 from the line,
    // and sqrt(2.5) = 1.58 from either end.
    ASSERT_TRUE(wide.fits(open.index({3, 3})));
    ASSERT_TRUE(wide.fits(open.index({4, 4})));
    bool found = false;
    for (const GridOracle::Move* m = wide.begin(open.index({3, 3})); m != wide.end(open.index({3, 3})); ++m) {
        found = found || m->heading == 1;
    }
    EXPECT_FALSE(found);
}

TEST(OracleGrid, SeamsPortalsAndTurns) {
    World world = world_of({".....#", ".....#"});
    EXPECT_EQ(shortest(world, {}, {0, 0}, {4, 1}), (Length{3, 1, 0}));
    world.wrap_x = true;
    world.tiles[5] = 1;
    EXPECT_EQ(shortest(world, {}, {0, 0}, {4, 0}), (Length{2, 0, 0}));
    world.wrap_x = false;
    world.portals = {{{0, 0, 0}, {4, 0, 0}, 0.5, false}};
    EXPECT_EQ(shortest(world, {}, {0, 1}, {4, 1}), (Length{2, 0, 512}));
    EXPECT_EQ(shortest(world, {}, {4, 1}, {0, 1}), (Length{4, 0, 0}));
    const World open = world_of({"...", "...", "..."});
    const GridOracle oracle(open, {});
    EXPECT_EQ(oracle.shortest(0, {7}), (Length{1, 1, 0}));
    EXPECT_EQ(oracle.shortest_with_turns(0, {7}, 512), (Length{1, 1, 512}));
    EXPECT_EQ(oracle.shortest_with_turns(0, {5}, 1024), (Length{1, 1, 1024}));
    EXPECT_EQ(oracle.shortest_with_turns(0, {8}, 1024), (Length{0, 2, 0}));
}

TEST(OracleGrid, GoalRegions) {
    const World world = world_of({".....", "..#..", "....."});
    const GridOracle oracle(world, {});
    EXPECT_EQ(oracle.goal_cells(cell_centre(2, 1)).size(), 0U);
    EXPECT_EQ(oracle.goal_cells(Goal::adjacent(cell_centre(2, 1))).size(), 8U);
    EXPECT_EQ(oracle.goal_cells(Goal::adjacent(cell_centre(0, 0))).size(), 3U);
    EXPECT_EQ(oracle.goal_cells(Goal::within(cell_centre(2, 1), 1.0)).size(), 4U);
    EXPECT_EQ(oracle.goal_cells(Goal::in_sight(cell_centre(0, 1), 100.0)).size(),
              10U);  // not the four behind
    const Vec2 points[] = {cell_centre(0, 0), cell_centre(2, 1), cell_centre(4, 2)};
    EXPECT_EQ(oracle.goal_cells(Goal::any_of(points)).size(), 2U);
    // No look between walls that meet at a corner, nor along the seam of two walls; past one corner it is clear.
    const World corner = world_of({".#", "#."});
    EXPECT_FALSE(GridOracle(corner, {}).clear_line({0.5, 0.5}, {1.5, 1.5}, 0));
    const World past = world_of({"..", "#."});
    EXPECT_TRUE(GridOracle(past, {}).clear_line({0.5, 0.5}, {1.5, 1.5}, 0));
    EXPECT_EQ(GridOracle(past, {}).attach({0.9, 0.9}, 0), 0);
    EXPECT_EQ(GridOracle(past, {}).attach({1.1, 1.2}, 0), 3);
    EXPECT_EQ(GridOracle(past, {}).attach({0.9, 1.2}, 0), std::nullopt);
    const World seam = world_of({"##", ".."});
    const GridOracle along(seam, {});
    EXPECT_FALSE(along.clear_line({1.0, 0.0}, {1.0, 1.0}, 0));
    EXPECT_TRUE(along.clear_line({1.0, 1.0}, {1.0, 2.0}, 0));
}

TEST(OracleGrid, BlockersStandInTheWay) {
    const World world = world_of({"...", "...", "..."});
    const Blocker disc[] = {{.centre = {1.5, 1.5}, .radius = 0.4}};
    GridQuery query;
    query.blockers = disc;
    const GridOracle point(world, query);
    EXPECT_FALSE(point.fits(4));
    EXPECT_TRUE(point.fits(1));
    query.agent.radius = 0.5;
    EXPECT_TRUE(GridOracle(world, query).fits(1));
    const Blocker near[] = {{.centre = {1.5, 0.9}, .radius = 0.4}};
    query.blockers = near;
    EXPECT_FALSE(GridOracle(world, query).fits(1));
    // A thin box between two cells: both are free for a point, the way between them is not.
    const Blocker fence[] = {{.box = {{0.9, 0.0}, {1.1, 3.0}}}};
    query.agent.radius = 0.0;
    query.blockers = fence;
    const GridOracle parted(world, query);
    EXPECT_TRUE(parted.fits(0));
    EXPECT_TRUE(parted.fits(1));
    EXPECT_FALSE(parted.shortest(0, {1}).has_value());
}

}  // namespace
}  // namespace fairlead::oracle
