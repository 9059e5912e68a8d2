// Clearance, free cells, reach planes and connectivity of all registered sizes under random edits equal those of a fresh
// build; the fresh build is compared with plain recomputation in derived_test.cpp. The campaign random_edits does 1e5.

#include <gtest/gtest.h>

#include <fairlead/grid/grid.h>

#include "support/environment.h"
#include "support/grid_compare.h"
#include "support/random_edits.h"

namespace fairlead::testing {
namespace {

void run_worlds(std::uint64_t first, int worlds, std::int32_t side_max, int edits) {
    EditTally tally;
    for (int i = 0; i < worlds; ++i) {
        const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
        const std::string problem = check_random_edits(seed, side_max, edits, tally);
        ASSERT_TRUE(problem.empty()) << "world " << seed << ", " << problem;
    }
    EXPECT_EQ(tally.edits, static_cast<std::uint64_t>(worlds) * static_cast<std::uint64_t>(edits));
}

TEST(RandomEditsSlow, SmallWorlds) { run_worlds(1, trials(200), 70, 20); }
TEST(RandomEditsSlow, LargerWorlds) { run_worlds(1000, trials(25), 300, 20); }
TEST(RandomEdits, AFew) { run_worlds(5000, trials(40), 70, 10); }

// The index is a tree of squares of 64 cells. What happens inside a square that is not at the border of its parent counts
// for what is above only if the parent's summary changes; these two changes do not change it.

// The top region meets the seam in two places, and only one of them has floor on the other side. With that one closed the
// region still touches the seam.
TEST(EditsAtSeams, AClosedCrossingIsSeen) {
    GridOptions options{.width = 80, .height = 80};
    options.wrap_y = true;
    Grid grid = *Grid::make(options);
    ASSERT_TRUE(grid.fill({{0, 0}, {70, 80}}, 0));
    ASSERT_TRUE(grid.fill({{70, 40}, {80, 41}}, 0));  // top and bottom meet at the seam alone
    ASSERT_TRUE(grid.fill({{70, 0}, {79, 1}}, 0));
    ASSERT_TRUE(grid.fill({{71, 79}, {79, 80}}, 0));
    const Cell below{75, 20, 0};
    const Cell above{75, 60, 0};
    EXPECT_TRUE(*grid.state().connected(below, above, {}));
    ASSERT_TRUE(grid.set(Cell{79, 79}, 0));
    EXPECT_FALSE(*grid.state().connected(below, above, {}));
    ASSERT_TRUE(grid.set(Cell{79, 79}, 1));
    EXPECT_TRUE(*grid.state().connected(below, above, {}));
}

// An edit at a seam changes squares on both sides of it. What joins them over the seam must not look at one that is not
// rebuilt yet: it knows nothing of the cells that have just become free.
TEST(EditsAtSeams, BothSidesAreRebuiltBeforeTheyAreJoined) {
    const Agent sizes[] = {{.radius = 3.2}, {.radius = 6.0}};
    GridOptions options{.width = 130, .height = 130, .sizes = sizes};
    options.wrap_x = options.wrap_y = true;
    Grid grid = *Grid::make(options);
    const CellRect edges[] = {
        {{126, 0}, {130, 130}}, {{0, 126}, {130, 130}}, {{0, 0}, {4, 130}}, {{0, 0}, {130, 4}}};
    for (const CellRect& edge : edges) {
        ASSERT_TRUE(grid.fill({{0, 0}, {130, 130}}, 0));
        ASSERT_TRUE(grid.fill({{20, 20}, {110, 110}}, 1));
        ASSERT_TRUE(grid.fill(edge, 0));
        ASSERT_TRUE(grid.fill(edge, 1));
        for (std::int32_t at = 0; at < 130; ++at) {  // a saw of small rooms along the edge
            ASSERT_TRUE(
                grid.set(Cell{at, at % 2 == 0 ? 129 : 0}, static_cast<std::uint8_t>(at % 3 == 0 ? 0 : 1)));
            ASSERT_TRUE(
                grid.set(Cell{at % 2 == 0 ? 129 : 0, at}, static_cast<std::uint8_t>(at % 3 == 0 ? 0 : 1)));
        }
        ASSERT_TRUE(grid.fill({{0, 0}, {130, 130}}, 1));
        std::vector<std::uint8_t> tiles;
        for (std::int32_t i = 0; i < 130 * 130; ++i) tiles.push_back(grid.state().tile({i % 130, i / 130}));
        const Grid fresh = *Grid::make(options, tiles);
        ASSERT_EQ(grid_difference(grid.state(), fresh.state()), "");
    }
}

// World 237 of the campaign's third seed wrote past the end of a table for the same reason.
TEST(EditsAtSeams, CampaignWorlds) {
    EditTally tally;
    const std::uint64_t third = std::uint64_t{3} << 32;
    for (std::uint64_t world = third + 232; world < third + 242; ++world) {
        EXPECT_EQ(check_random_edits(world, 100, 50, tally), "") << world;
    }
}

// Two portals start in one room. With a wall on one of them the room still holds a portal.
TEST(EditsAtPortals, AClosedEndIsSeen) {
    const Portal portals[] = {{{72, 72, 0}, {82, 72, 0}}, {{74, 74, 0}, {92, 74, 0}}};
    GridOptions options{.width = 200, .height = 200};
    options.portals = portals;
    Grid grid = *Grid::make(options);
    ASSERT_TRUE(grid.fill({{0, 0}, {200, 200}}, 0));
    for (const std::int32_t x : {70, 80, 90}) ASSERT_TRUE(grid.fill({{x, 70}, {x + 9, 80}}, 1));
    const auto joined = [&](std::int32_t x) { return *grid.state().connected({70, 70, 0}, {x, 70, 0}, {}); };
    EXPECT_TRUE(joined(80));
    EXPECT_TRUE(joined(90));
    ASSERT_TRUE(grid.set(Cell{72, 72}, 0));
    EXPECT_FALSE(joined(80));
    EXPECT_TRUE(joined(90));
    ASSERT_TRUE(grid.set(Cell{72, 72}, 1));
    ASSERT_TRUE(grid.set(Cell{92, 74}, 0));
    EXPECT_TRUE(joined(80));
    EXPECT_FALSE(joined(90));
}

}  // namespace
}  // namespace fairlead::testing
