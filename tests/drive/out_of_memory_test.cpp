// Turning units: the k-th allocation fails, alone or with all later ones, for every k: out_of_memory, nothing leaks, what was
// there is as it was, and the next call gives the answer that it always gives.

#include <gtest/gtest.h>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/pose_field.h>

#include "support/drive_worlds.h"
#include "support/route_compare.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

constexpr Agent kVan{.radius = 0.3, .turning_radius = 1.2, .can_reverse = true};

Tiles yard() {
    return drawn_tiles({
        "............",
        ".....##.....",
        ".....##..#..",
        "..#......#..",
        "..#.........",
        "..####......",
        "............",
    });
}

// One query of each kind, from pose to pose, anytime, by the article's bound, off the lattice.
std::vector<DriveQuery> queries() {
    std::vector<DriveQuery> all(6, {.start = {{1.3, 1.4}, 0.2}, .goal = {{10.6, 5.2}, -1.0}});
    all[1].planner = DrivePlanner::anytime;
    all[2].heuristic = DriveHeuristic::article;
    all[2].goal.at = all[2].goal.at.any_heading();
    all[3].planner = DrivePlanner::lattice;
    all[3].start = {{1.5, 1.5}, 0.0};
    all[3].smooth = false;
    all[4].off_lattice_max = 500;
    all[4].goal = {{3.5, 3.5}, 1.5};
    all[5].expansions_max = 0;
    return all;
}

// Asks each query with each allocation failing; ask(query, scratch, route). Returns how many allocations failed.
template <class Ask>
std::int64_t starve_queries(std::span<const DriveQuery> asked, Ask ask) {
    std::int64_t failures = 0;
    for (const DriveQuery& query : asked) {
        Scratch plenty;
        Route wanted;
        EXPECT_TRUE(ask(query, plenty, wanted));
        TestAllocator memory;
        {
            Scratch scratch(memory.allocator());
            Route route;
            route.legs = Array<Leg>(memory.allocator());
            for (const bool once : kOnceAndForEver) {
                failures += starve(
                    memory, once,
                    [&] {
                        scratch.free_memory();
                        route.legs.free_memory();
                        return ask(query, scratch, route);
                    },
                    [&](const Result<void>& done) {
                        if (done) {
                            ASSERT_EQ(route_difference(route, wanted), "");
                        }
                        if (!done) {
                            ASSERT_TRUE(route.legs.empty());
                        }
                        ASSERT_TRUE(ask(query, scratch, route));
                        ASSERT_EQ(route_difference(route, wanted), "");
                    });
            }
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
    return failures;
}

TEST(DriveOutOfMemory, Queries) {
    const DrivenWorld world(yard(), kVan);
    const auto ask = [&](const DriveQuery& query, Scratch& scratch, Route& route) {
        return find_route_into(*world.map, query, scratch, route);
    };
    EXPECT_GT(starve_queries(queries(), ask), 200);
}

// With the table and the map made in the scratch.
TEST(DriveOutOfMemory, TheOneCall) {
    const Grid grid = grid_of(yard());
    const auto ask = [&](DriveQuery query, Scratch& scratch, Route& route) {
        query.agent = kVan;
        return find_route_into(grid, query, scratch, route, {.refine = false, .off_lattice_max = 0});
    };
    const std::vector<DriveQuery> all = queries();
    EXPECT_GT(starve_queries(std::span(all).first(1), ask), 50);
}

TEST(DriveOutOfMemory, TablesAndMaps) {
    const Grid grid = grid_of(yard());
    const Result<DriveTable> table = DriveTable::make({.agent = kVan});
    ASSERT_TRUE(table);
    TestAllocator memory;
    const auto nothing_left = [&](const auto& made) {
        ASSERT_FALSE(made.has_value());
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    };
    for (const bool once : kOnceAndForEver) {
        const auto make_map = [&] { return make_drive_map(grid, *table, {.allocator = memory.allocator()}); };
        EXPECT_GT(starve(memory, once, make_map, nothing_left), 5);
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

// An update that fails leaves the map as it was: to the revision of its routes. One that finds no memory for its index alone has
// the map's ways, and the index after the next update.
TEST(DriveOutOfMemory, Updates) {
    TestAllocator memory;
    const Result<DriveTable> table = DriveTable::make({.agent = kVan});
    const DriveQuery query = queries()[0];
    std::int64_t failures = 0;
    for (const bool once : kOnceAndForEver) {
        Grid grid = grid_of(yard());
        Result<DriveMap> map = make_drive_map(grid, *table, {.allocator = memory.allocator()});
        ASSERT_TRUE(map);
        Rng rng(5);
        for (int i = 0; i < 20; ++i) {
            Scratch scratch;
            Route before;
            ASSERT_TRUE(find_route_into(*map, query, scratch, before));
            const Cell cell{rng.between(2, 9), rng.between(1, 5), 0};
            ASSERT_TRUE(grid.set(cell, static_cast<std::uint8_t>(rng.below(4))));
            failures += starve(
                memory, once, [&] { return update_drive_map(*map, grid); },
                [&](const Result<void>& done) {
                    if (done) return;
                    Route same;
                    ASSERT_TRUE(find_route_into(*map, query, scratch, same));
                    ASSERT_EQ(route_difference(same, before), "");
                });
            const Result<DriveMap> fresh = make_drive_map(grid, *table);
            Route after;
            Route wanted;
            ASSERT_TRUE(find_route_into(*map, query, scratch, after));
            ASSERT_TRUE(find_route_into(*fresh, query, scratch, wanted));
            ASSERT_EQ(route_difference(after, wanted), "") << i;
        }
    }
    EXPECT_GT(failures, 20);
    EXPECT_EQ(memory.live_blocks, 0);
}

// A sweep that found no memory answers nobody: not that the goal is out of reach.
TEST(DriveOutOfMemory, PoseFields) {
    const DrivenWorld world(yard(), kVan);
    const DriveQuery query = queries()[0];
    Scratch plenty;
    Route wanted;
    {
        Result<PoseField> field = PoseField::make(*world.map, query);
        ASSERT_TRUE(field);
        while (field->step(100)) {
        }
        ASSERT_TRUE(find_route_into(*field, query.start.pose(), plenty, wanted));
        ASSERT_EQ(wanted.status, PathStatus::complete);
    }
    TestAllocator memory;
    for (const bool once : kOnceAndForEver) {
        const auto ask = [&]() -> Result<void> {
            Result<PoseField> field = PoseField::make(*world.map, query, memory.allocator());
            if (!field) return field.error();
            while (field->step(100)) {
            }
            Scratch scratch(memory.allocator());
            Route route;
            route.legs = Array<Leg>(memory.allocator());
            const Result<void> done = find_route_into(*field, query.start.pose(), scratch, route);
            if (done) {
                EXPECT_EQ(route_difference(route, wanted), "");
            }
            return done;
        };
        const auto nothing_left = [&](const Result<void>&) { ASSERT_EQ(memory.live_blocks, 0); };
        EXPECT_GT(starve(memory, once, ask, nothing_left), 20);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

TEST(DriveOutOfMemory, Hybrid) {
    const DrivenWorld world(yard(), kVan);
    const HybridQuery query{.start = {{1.5, 1.5}, 0.0}, .goal = {{10.5, 5.5}, 0.0}};
    Scratch plenty;
    const Result<HybridDrive> wanted = find_hybrid(*world.map, query, plenty);
    ASSERT_TRUE(wanted);
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        HybridDrive drive;
        const auto ask = [&] {
            scratch.free_memory();
            return find_hybrid_into(*world.map, query, scratch, drive);
        };
        const auto ask_again = [&](const Result<void>& done) {
            if (done) {
                ASSERT_EQ(route_difference(drive.route, wanted->route), "");
            }
            ASSERT_TRUE(find_hybrid_into(*world.map, query, scratch, drive));
            ASSERT_EQ(route_difference(drive.route, wanted->route), "");
            ASSERT_EQ(drive.stage, wanted->stage);
        };
        for (const bool once : kOnceAndForEver) EXPECT_GT(starve(memory, once, ask, ask_again), 10);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

}  // namespace
}  // namespace fairlead::testing
