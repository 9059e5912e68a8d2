// What the article's sampled Walkable lets through, counted against the exact sweep; and what it cannot see at all.
#include "gallery/walkable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "support/environment.h"
#include "support/grids.h"

namespace fairlead::testing {
namespace {

using gallery::Misses;
using gallery::Walkable;

TEST(SampledWalkable, AcceptsOneToTwelvePercentOfIllegalMoves) {
    double least = 100.0, most = 0.0;
    std::size_t accepted = 0;
    int illegal = 0;
    for (const std::uint32_t walls : {5U, 10U, 20U}) {
        for (const double radius : {0.3, 0.5, 0.7, 0.9, 1.4}) {
            if (walls == 20 && radius > 0.8) continue;  // hardly a place to stand
            Rng rng(walls);
            GridOptions options;
            options.width = options.height = 64;
            const Result<Grid> grid = Grid::make(options, random_tiles(rng, 64 * 64, walls));
            ASSERT_TRUE(grid.has_value());
            const Misses misses = gallery::count_misses(grid->state(), radius, trials(4000), walls + 1);
            std::printf("walls %2u %%, radius %.1f: %5zu of %d illegal moves called free, %.2f %%\n", walls,
                        radius, misses.accepted.size(), misses.illegal, misses.percent());
            least = std::min(least, misses.percent());
            most = std::max(most, misses.percent());
            accepted += misses.accepted.size();
            illegal += misses.illegal;
        }
    }
    const double all = 100.0 * static_cast<double>(accepted) / illegal;
    std::printf("all: %.2f %%, from %.2f to %.2f\n", all, least, most);
    EXPECT_GT(all, 1.9);
    EXPECT_LT(all, 11.5);
    EXPECT_GT(most, 4.0);
    EXPECT_LT(most, 20.0);
}

TEST(SampledWalkable, StraddlesAWholeWall) {
    // The four points of a wide unit pass a wall that lies under its middle.
    const Grid grid = grid_of({".......", ".......", ".......", "...#...", ".......", ".......", "......."});
    const Walkable result = gallery::test_move(grid.state(), {3.5, 3.5}, {3.7, 3.6}, 1.4);
    EXPECT_TRUE(result.sampled_free);
    ASSERT_EQ(result.overlapped.size(), 1U);
    EXPECT_EQ(result.overlapped[0], (Cell{3, 3}));
}

TEST(SampledWalkable, DoesNotLookAtTheEnd) {
    const Grid grid = grid_of({"....#"});
    // The last sample is at 3.5, and 3.5 + 0.4 is free; at the end, 3.68 + 0.4 is inside the wall.
    const Walkable result = gallery::test_move(grid.state(), {0.5, 0.5}, {3.68, 0.5}, 0.4);
    EXPECT_TRUE(result.sampled_free);
    EXPECT_FALSE(result.overlapped.empty());
}

TEST(SampledWalkable, AgreesWhereAllIsFree) {
    const Grid grid = grid_of({".....", ".....", "....."});
    const Walkable result = gallery::test_move(grid.state(), {1.5, 1.5}, {3.5, 1.5}, 0.5);
    EXPECT_TRUE(result.sampled_free);
    EXPECT_TRUE(result.overlapped.empty());
}

}  // namespace
}  // namespace fairlead::testing
