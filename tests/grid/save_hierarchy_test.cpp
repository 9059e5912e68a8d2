// The hierarchy made later, by threads, and out of a file: the bytes are always those that Grid::make makes, and a file that was tampered
// with gives an error or a hierarchy whose ways are legal.
#include <fairlead/grid/save_hierarchy.h>

#include <algorithm>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/cluster_check.h"
#include "support/cluster_maps.h"
#include "support/cluster_queries.h"
#include "support/environment.h"
#include "support/grid_compare.h"
#include "support/starve.h"

namespace fairlead {
namespace {

using testing::ClusterMap;

const Agent kTwoSizes[] = {{.radius = 0.45}, {.radius = 1.5}};

// A map of its own kind and size; the sizes outlive it.
struct SavedMap {
    GridOptions options;
    std::vector<std::uint8_t> tiles;
    std::vector<Portal> portals;

    explicit SavedMap(std::uint64_t seed) {
        Rng rng(seed);
        const auto kind = static_cast<ClusterMap>(rng.below(static_cast<std::uint32_t>(ClusterMap::count_)));
        options.width = rng.below(4) == 0 ? rng.between(513, 700) : rng.between(65, 300);
        options.height = rng.between(65, 300);
        options.layers = rng.below(5) == 0 ? 2 : 1;
        options.wrap_x = options.width >= 128 && rng.below(4) == 0;
        options.wrap_y = options.height >= 128 && rng.below(4) == 0;
        if (rng.below(3) != 0) options.sizes = kTwoSizes;
        const std::vector<std::uint8_t> layer =
            testing::cluster_map(rng, kind, options.width, options.height);
        for (std::int32_t i = 0; i < options.layers; ++i)
            tiles.insert(tiles.end(), layer.begin(), layer.end());
        if (rng.below(3) == 0) portals = testing::draw_portals(rng, options, tiles, rng.between(1, 30));
    }
    [[nodiscard]] Grid make(bool hierarchy, Allocator allocator = {}) const {
        GridOptions with = options;
        with.hierarchy = hierarchy;
        with.portals = portals;
        with.allocator = allocator;
        return *Grid::make(with, tiles);
    }
};

std::vector<std::uint8_t> saved(const GridState& grid) {
    Array<std::uint8_t> bytes;
    EXPECT_TRUE(save_hierarchy(grid, bytes).has_value());
    return {bytes.begin(), bytes.end()};
}

// Some threads, the last jobs first.
void run_backwards(void*, std::size_t count, void (*job)(void*, std::size_t), void* context) {
    constexpr std::size_t kThreads = 3;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
        threads.emplace_back([=] {
            for (std::size_t i = count; i-- > 0;) {
                if (i % kThreads == t) job(context, i);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST(SaveHierarchy, LaterByThreadsAndLoadedAreTheSame) {
    for (int n = 0; n < testing::trials(60); ++n) {
        const SavedMap map(static_cast<std::uint64_t>(n) + 1000);
        const Grid made = map.make(true);
        Grid later = map.make(false);
        ASSERT_TRUE(later.make_hierarchy({run_backwards, nullptr}).has_value());
        ASSERT_EQ(testing::hierarchy_difference(later.state(), made.state()), "") << n;
        EXPECT_EQ(later.state().revision(), made.state().revision() + 1);
        const std::vector<std::uint8_t> bytes = saved(made.state());
        Grid loaded = map.make(false);
        const Result<void> done = loaded.load_hierarchy(bytes);
        ASSERT_TRUE(done.has_value()) << n << ' ' << error_name(done.error().code) << done.error().index;
        ASSERT_EQ(testing::hierarchy_difference(loaded.state(), made.state()), "") << n;
        EXPECT_EQ(saved(loaded.state()), bytes);
        // Edits go on from there.
        const CellRect rect{{10, 10}, {40, 30}, 0};
        ASSERT_TRUE(loaded.fill(rect, 0).has_value() && later.fill(rect, 0).has_value());
        ASSERT_EQ(testing::hierarchy_difference(loaded.state(), later.state()), "") << n;
    }
}

TEST(SaveHierarchy, OfAnotherMapIsStale) {
    const SavedMap map(1);
    const std::vector<std::uint8_t> bytes = saved(map.make(true).state());
    Grid other = map.make(false);
    const Cell free = [&] {
        Cell cell;
        while (other.state().blocked(cell)) ++cell.x;
        return cell;
    }();
    ASSERT_TRUE(other.set(free, 0).has_value());
    const Result<void> stale = other.load_hierarchy(bytes);
    ASSERT_FALSE(stale.has_value());
    EXPECT_EQ(stale.error().code, ErrorCode::incompatible);
    EXPECT_EQ(stale.error().detail, static_cast<std::int64_t>(HierarchyStale::tiles));
    // Terrain is no matter, walls are.
    ASSERT_TRUE(other.set(free, 7).has_value());
    EXPECT_TRUE(other.load_hierarchy(bytes).has_value());
    EXPECT_TRUE(other.load_hierarchy(bytes).has_value());  // it is there
    Grid wider = map.make(false);
    ASSERT_TRUE(wider.register_size({.radius = 2.5}).has_value());
    EXPECT_EQ(wider.load_hierarchy(bytes).error().detail, static_cast<std::int64_t>(HierarchyStale::options));
    SavedMap moved = map;
    moved.portals.push_back({{1, 1, 0}, {60, 60, 0}});
    EXPECT_EQ(moved.make(false).load_hierarchy(bytes).error().detail,
              static_cast<std::int64_t>(HierarchyStale::options));
    Array<std::uint8_t> none;
    EXPECT_EQ(save_hierarchy(wider.state(), none).error().code, ErrorCode::unsupported);
}

TEST(SaveHierarchy, NothingChangesWithoutMemory) {
    SavedMap map(7);
    map.options.sizes = kTwoSizes;
    const Grid made = map.make(true);
    const std::vector<std::uint8_t> bytes = saved(made.state());
    testing::TestAllocator memory;
    for (const bool load : {false, true}) {
        Grid grid = map.make(false, memory.allocator());
        const GridSnapshot before = grid.acquire();
        const auto work = [&] { return load ? grid.load_hierarchy(bytes) : grid.make_hierarchy(); };
        std::int64_t tries = 0;
        // Not each of thousands.
        for (std::int64_t n = 0;; n += 1 + n / 4, ++tries) {
            memory.fail_after(n, false);
            const Result<void> done = work();
            if (!memory.feed()) {
                ASSERT_TRUE(done.has_value());
                break;
            }
            ASSERT_FALSE(done.has_value());
            ASSERT_EQ(done.error().code, ErrorCode::out_of_memory);
            ASSERT_EQ(grid.state().memory().hierarchy, 0U);
        }
        EXPECT_GT(tries, 5);
        EXPECT_EQ(testing::hierarchy_difference(grid.state(), made.state()), "");
        EXPECT_EQ(before->revision() + 1, grid.state().revision());
    }
}

// One byte or more of the sections changed, the checksums made anew.
void tamper(Rng& rng, std::vector<std::uint8_t>& bytes) {
    const std::uint32_t times = 1 + rng.below(3);
    for (std::uint32_t i = 0; i < times; ++i) {
        const std::size_t at = 64 + rng.below(static_cast<std::uint32_t>(bytes.size() - 64));
        bytes[at] = static_cast<std::uint8_t>(rng.below(3) == 0 ? rng.below(4) : rng.below(256));
    }
    if (rng.below(10) == 0) bytes.resize(bytes.size() - 8 * rng.below(20));
    (void)baked_reseal(bytes);
}

TEST(SaveHierarchy, ATamperedFileMakesNoRouteIllegal) {
    int refused = 0, taken = 0, asked = 0;
    for (int n = 0; n < testing::trials(60); ++n) {
        const SavedMap map(static_cast<std::uint64_t>(n) + 5000);
        const std::vector<std::uint8_t> bytes = saved(map.make(true).state());
        Rng rng(static_cast<std::uint64_t>(n));
        for (int k = 0; k < 40; ++k) {
            std::vector<std::uint8_t> forged = bytes;
            tamper(rng, forged);
            Grid grid = map.make(false);
            if (!grid.load_hierarchy(forged)) {
                ++refused;
                ASSERT_EQ(grid.state().memory().hierarchy, 0U);
                continue;
            }
            ++taken;
            Scratch scratch;
            for (int q = 0; q < 6; ++q, ++asked) {
                const Agent agent =
                    q % 2 == 0 || map.options.sizes.empty() ? Agent{} : kTwoSizes[rng.below(2)];
                GridQuery query = testing::draw_cluster_query(rng, grid.state(), agent);
                query.planner = GridPlanner::hierarchy;
                const Result<Route> route = find_route(grid, query, scratch);
                query.planner = GridPlanner::bucket_astar;
                const Result<Route> flat = find_route(grid, query, scratch);
                ASSERT_EQ(route.has_value(), flat.has_value());
                if (!route) continue;
                ASSERT_EQ(route->status, flat->status) << n << ' ' << k;
                ASSERT_FALSE(verify(*route, grid.state(), agent)) << n << ' ' << k;
            }
        }
    }
    EXPECT_GT(refused, 0);
    if (testing::all_trials()) {
        EXPECT_GT(asked, 0);
        EXPECT_GT(taken, 20);
    }
}

}  // namespace
}  // namespace fairlead
