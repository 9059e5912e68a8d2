// Regions with costs of their own on a grid that has a hierarchy: the hierarchy, which knows uniform ground alone, steps aside.

#include <vector>

#include <fairlead/grid/find_route.h>
#include <gtest/gtest.h>

namespace fairlead::testing {
namespace {

TEST(RegionCosts, TheHierarchyStepsAside) {
    constexpr std::int32_t kSide = 700;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(kSide) * kSide, 1);
    for (std::int32_t y = 0; y < kSide; ++y) {
        for (std::int32_t x = 340; x < 360; ++x)
            tiles[static_cast<std::size_t>(y) * kSide + static_cast<std::size_t>(x)] = y < 600 ? 9 : 1;
    }
    const Result<Grid> grid = Grid::make({.width = kSide, .height = kSide, .hierarchy = true}, tiles);
    ASSERT_TRUE(grid.has_value());
    Scratch scratch;
    GridQuery query{.start = Cell{5, 5}, .goal = Cell{690, 5}, .smoothing = Smoothing::none};
    const Result<Route> automatic = find_route(*grid, query, scratch);
    query.planner = GridPlanner::dijkstra;
    const Result<Route> truth = find_route(*grid, query, scratch);
    ASSERT_TRUE(automatic.has_value() && truth.has_value());
    EXPECT_DOUBLE_EQ(automatic->cost, truth->cost);
    EXPECT_STREQ(automatic->planner, "bucket_astar");
    EXPECT_EQ(automatic->bound, 1.0);
    query.planner = GridPlanner::hierarchy;
    EXPECT_EQ(find_route(*grid, query, scratch).error(),
              (Error{ErrorCode::unsupported, Field::planner,
                     static_cast<std::int64_t>(GridRule::hierarchy_needs_hierarchy)}));

    // The same where the map is plain and one unit alone prices or shuns a kind of ground.
    for (std::uint8_t& tile : tiles) tile = 1;
    const Result<Grid> plain = Grid::make({.width = kSide, .height = kSide, .hierarchy = true}, tiles);
    ASSERT_TRUE(plain.has_value());
    query.planner = GridPlanner::automatic;
    const Result<Route> over = find_route(*plain, query, scratch);
    ASSERT_TRUE(over.has_value());
    EXPECT_STREQ(over->planner, "hierarchy");
    const std::vector<std::uint8_t> threat(tiles.size(), 3);
    query.influence.cells = threat;
    const Result<Route> priced = find_route(*plain, query, scratch);
    ASSERT_TRUE(priced.has_value());
    EXPECT_STREQ(priced->planner, "bucket_astar");
}

}  // namespace
}  // namespace fairlead::testing
