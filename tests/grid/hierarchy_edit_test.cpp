// The hierarchy under edits: byte by byte that of a fresh build, on all levels. Held snapshots keep theirs, and an edit that runs out
// of memory leaves all as it was. The campaign `hierarchy` does 1e5 edits.

#include <gtest/gtest.h>

#include <fairlead/grid/find_route.h>

#include "support/cluster_check.h"
#include "support/cluster_edits.h"
#include "support/cluster_queries.h"
#include "support/environment.h"
#include "support/grid_compare.h"
#include "support/route_compare.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

void run_maps(std::uint64_t seed, int maps, std::int32_t levels, int edits, int every) {
    ClusterEditTally tally;
    for (int i = 0; i < maps; ++i) {
        const auto number = seed + static_cast<std::uint64_t>(i);
        ASSERT_EQ(check_cluster_edits(number, levels, edits, every, tally), "") << "map " << number;
    }
    EXPECT_EQ(tally.edits, static_cast<std::uint64_t>(maps) * static_cast<std::uint64_t>(edits));
}

TEST(HierarchyEdits, OneLevel) { run_maps(7000, trials(14), 1, 15, 3); }
TEST(HierarchyEdits, TwoLevels) { run_maps(7100, trials(8), 2, 20, 5); }
TEST(HierarchyEdits, ThreeLevels) { run_maps(7200, trials(2), 3, 20, 10); }

TEST(HierarchyEdits, SnapshotsKeepTheirs) {
    const Agent sizes[] = {{.radius = 0.8}};
    Scratch scratch;
    for (int i = 0; i < trials(6); ++i) {
        Rng rng(7300 + static_cast<std::uint64_t>(i));
        const auto kind = static_cast<ClusterMap>(i % static_cast<int>(ClusterMap::count_));
        GridOptions options{.width = 560, .height = 140, .sizes = sizes};
        options.hierarchy = true;
        EditedMap map(options, cluster_map(rng, kind, options.width, options.height));
        const Grid then = *Grid::make(options, map.tiles());
        const GridSnapshot held = map.grid().acquire();
        GridQuery query = draw_cluster_query(rng, *held, i % 2 == 0 ? Agent{} : sizes[0]);
        query.planner = GridPlanner::hierarchy;
        const Result<Route> before = find_route(*held, query, scratch);
        ASSERT_TRUE(before);
        for (int k = 0; k < 12; ++k) {
            const EditedMap::Edit edit = map.draw(rng);
            ASSERT_TRUE(map.apply(edit));
            map.note(edit);
            const Result<Route> after = find_route(*held, query, scratch);
            ASSERT_TRUE(after);
            ASSERT_EQ(route_difference(*after, *before), "") << "edit " << k;
        }
        ASSERT_EQ(hierarchy_difference(*held, then.state()), "");
        ASSERT_EQ(map.difference(), "");
    }
}

TEST(HierarchyEdits, OneThatRunsOutOfMemoryLeavesAllAsItWas) {
    const Agent sizes[] = {{.radius = 0.8}};
    std::int64_t failures = 0;
    for (int i = 0; i < trials(4); ++i) {
        Rng rng(7400 + static_cast<std::uint64_t>(i));
        TestAllocator memory;
        {
            GridOptions options{.width = 520, .height = 70 + 40 * i, .sizes = sizes};
            options.hierarchy = true;
            options.allocator = memory.allocator();
            EditedMap map(options, cluster_map(rng, ClusterMap::town, options.width, options.height));
            ASSERT_EQ(cluster_levels(map.grid().state(), sizes[0]), 2);
            options.allocator = {};
            for (int k = 0; k < 8; ++k) {
                const Grid before = *Grid::make(options, map.tiles());
                const GridSnapshot held = k % 2 == 0 ? map.grid().acquire() : GridSnapshot{};
                const std::uint64_t revision = map.grid().state().revision();
                const EditedMap::Edit edit = map.draw(rng);
                failures += starve(
                    memory, k % 4 < 2, [&] { return map.apply(edit); },
                    [&](const Result<void>& done) {
                        if (done) return;
                        ASSERT_EQ(map.grid().state().revision(), revision);
                        ASSERT_EQ(hierarchy_difference(map.grid().state(), before.state()), "");
                    });
                ASSERT_FALSE(HasFailure()) << "map " << i << ", edit " << k;
                if (held.held()) {
                    ASSERT_EQ(hierarchy_difference(*held, before.state()), "");
                }
                map.note(edit);
                ASSERT_EQ(map.difference(), "") << "map " << i << ", edit " << k;
            }
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
    if (all_trials()) {
        EXPECT_GT(failures, 100);
    }
}

TEST(HierarchyEdits, ASizeRegisteredLaterHasOneToo) {
    Rng rng(7500);
    const std::vector<std::uint8_t> tiles = cluster_map(rng, ClusterMap::town, 530, 90);
    GridOptions options{.width = 530, .height = 90};
    options.hierarchy = true;
    Grid grid = *Grid::make(options, tiles);
    const Agent size{.radius = 1.2};
    ASSERT_TRUE(grid.register_size(size));
    const Agent sizes[] = {size};
    options.sizes = sizes;
    const Grid fresh = *Grid::make(options, tiles);
    EXPECT_EQ(cluster_levels(grid.state(), size), 2);
    EXPECT_EQ(grid_difference(grid.state(), fresh.state()), "");
}

}  // namespace
}  // namespace fairlead::testing
