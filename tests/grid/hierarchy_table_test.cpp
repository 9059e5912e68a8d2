// The tables of the hierarchy against plain floods of cells and Dijkstra over what is stored below.

#include <gtest/gtest.h>

#include <vector>

#include "support/cluster_check.h"
#include "support/cluster_maps.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

Grid make(Rng& rng, ClusterMap kind, GridOptions options) {
    options.hierarchy = true;
    std::vector<std::uint8_t> tiles;
    for (std::int32_t layer = 0; layer < options.layers; ++layer) {
        const std::vector<std::uint8_t> floor = cluster_map(rng, kind, options.width, options.height);
        tiles.insert(tiles.end(), floor.begin(), floor.end());
    }
    return *Grid::make(options, tiles);
}

TEST(HierarchyTables, CrossingsOfEverySizeOnEveryKindOfMap) {
    Rng rng(5100);
    ClusterTally tally;
    for (int i = 0; i < trials(30); ++i) {
        const auto kind = static_cast<ClusterMap>(i % static_cast<int>(ClusterMap::count_));
        const Agent& agent = kClusterAgents[(i / 3) % 10];
        const Agent sizes[] = {agent};
        const bool plain = agent == Agent{};
        GridOptions options{.width = rng.between(65, 200), .height = rng.between(65, 140)};
        options.layers = i % 5 == 0 ? 2 : 1;
        options.wrap_x = i % 4 == 1 && options.width >= 128;
        options.wrap_y = i % 8 == 5 && options.height >= 128;
        if (!plain) options.sizes = sizes;
        const Grid grid = make(rng, kind, options);
        ASSERT_EQ(cluster_levels(grid.state(), agent), 1);
        ASSERT_EQ(cluster_problem(grid.state(), agent, tally), "")
            << "map " << i << ", " << cluster_map_name(kind) << ", radius " << agent.radius << ", footprint "
            << agent.footprint;
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.crowded, 5U);
    EXPECT_GT(tally.thinned, 20U);
    EXPECT_GT(tally.hops, 3000U);
    EXPECT_LT(tally.longer * 100, tally.entries);
}

TEST(HierarchyTables, HigherLevelsAreThoseBelow) {
    Rng rng(5200);
    ClusterTally tally;
    for (int i = 0; i < trials(4); ++i) {
        const auto kind = static_cast<ClusterMap>(i % static_cast<int>(ClusterMap::count_));
        GridOptions options{.width = rng.between(513, 700), .height = rng.between(65, 320)};
        options.wrap_x = i % 2 == 1;
        options.wrap_y = i % 3 == 1;
        const Grid grid = make(rng, kind, options);
        ASSERT_EQ(cluster_levels(grid.state(), {}), 2);
        ASSERT_EQ(cluster_problem(grid.state(), {}, tally), "")
            << "map " << i << ", " << cluster_map_name(kind);
    }
    if (all_trials()) {
        EXPECT_GT(tally.crossings, 300U);
    }
}

TEST(HierarchyTables, ThreeLevels) {
    Rng rng(5300);
    ClusterTally tally;
    const Grid grid = make(rng, ClusterMap::rooms, {.width = 2100, .height = 80});
    ASSERT_EQ(cluster_levels(grid.state(), {}), 3);
    EXPECT_EQ(cluster_problem(grid.state(), {}, tally), "");
    EXPECT_EQ(tally.upper, 3U + 9U);
}

}  // namespace
}  // namespace fairlead::testing
