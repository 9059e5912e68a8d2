// Searches on maps that are large enough for a corridor against the lattice planner, which has none: the same answers, and the bound
// that is stated holds for the least cost there is.

#include <fairlead/drive/find_drive.h>

#include <gtest/gtest.h>

#include <algorithm>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

// Walls of all sizes, with gaps between them that only some units pass.
Tiles large_tiles(Rng& rng) {
    Tiles tiles = open_tiles(150 + static_cast<std::int32_t>(rng.below(120)),
                             90 + static_cast<std::int32_t>(rng.below(80)));
    const int blocks = 60 + static_cast<int>(rng.below(140));
    for (int i = 0; i < blocks; ++i) {
        const auto left = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.width)));
        const auto low = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.height)));
        const auto w = static_cast<std::int32_t>(1 + rng.below(16));
        const auto h = static_cast<std::int32_t>(1 + rng.below(16));
        fill(tiles, left, low, std::min(w, tiles.width - left), std::min(h, tiles.height - low), 0);
    }
    return tiles;
}

TEST(CorridorSlow, SameAnswersAndBoundsThatHold) {
    Rng rng(19);
    Scratch scratch;
    Route optimal;
    Route weighted;
    Route sliced;
    int complete = 0;
    int better = 0;
    for (int i = 0; i < trials(80); ++i) {
        const Tiles tiles = large_tiles(rng);
        const Grid grid = grid_of(tiles);
        const Agent agent{.radius = 0.3 + rng.below(3) * 0.3,
                          .turning_radius = 1.5 + rng.below(4),
                          .can_reverse = rng.below(3) == 0};
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        for (int k = 0; k < 8; ++k) {
            const bool on_lattice = rng.below(2) == 0;
            DriveQuery query;
            query.start = random_pose(rng, tiles, on_lattice);
            query.goal = random_pose(rng, tiles, on_lattice);
            query.planner = DrivePlanner::lattice;
            query.smooth = false;
            ASSERT_TRUE(find_route_into(*map, query, scratch, optimal).has_value());
            query.planner = DrivePlanner::weighted;
            query.epsilon = rng.below(3) == 0 ? 1.02 : 1.4;
            ASSERT_TRUE(find_route_into(*map, query, scratch, weighted).has_value());
            ASSERT_EQ(optimal.status, weighted.status) << "case " << i << " query " << k;
            DriveSearch search(*map, query, scratch);
            while (search.step(1 + rng.below(50))) {
            }
            ASSERT_TRUE(search.take(sliced).has_value());
            EXPECT_EQ(sliced.stats, weighted.stats);
            EXPECT_EQ(sliced.cost, weighted.cost);
            if (optimal.status != PathStatus::complete) continue;
            ++complete;
            ASSERT_FALSE(verify(weighted, grid, agent)) << "case " << i << " query " << k;
            EXPECT_LE(weighted.bound, query.epsilon);
            EXPECT_LE(weighted.cost, optimal.cost * weighted.bound * (1 + 1e-9))
                << "case " << i << " query " << k;
            better += weighted.bound < 1.2 ? 1 : 0;
            query.smooth = true;
            ASSERT_TRUE(find_route_into(*map, query, scratch, sliced).has_value());
            ASSERT_FALSE(verify(sliced, grid, agent)) << "case " << i << " query " << k;
            EXPECT_LE(sliced.cost, optimal.cost * sliced.bound * (1 + 1e-9))
                << "case " << i << " query " << k;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 60);
    EXPECT_GT(better, complete / 3);
}

}  // namespace
}  // namespace fairlead::testing
