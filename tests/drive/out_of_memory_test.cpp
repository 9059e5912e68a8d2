// Turning units: the k-th allocation fails, alone or with all later ones, for every k: out_of_memory, nothing leaks, what was
// there is as it was, and the next call gives the answer that it always gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/drive/round_corners.h>

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

constexpr Blocker kOthers[] = {{.centre = {8.0, 1.0}, .radius = 0.4}, {.box = {{2.0, 3.0}, {2.5, 8.0}}}};

// One query of each kind, from pose to pose, anytime, by the article's bound, off the lattice, past others, near to what they close.
std::vector<DriveQuery> queries() {
    std::vector<DriveQuery> all(8, {.start = {{1.3, 1.4}, 0.2}, .goal = {{10.6, 5.2}, -1.0}});
    all[1].planner = DrivePlanner::anytime;
    all[2].heuristic = DriveHeuristic::article;
    all[2].goal.at = all[2].goal.at.any_heading();
    all[3].planner = DrivePlanner::lattice;
    all[3].start = {{1.5, 1.5}, 0.0};
    all[3].smooth = false;
    all[4].off_lattice_max = 500;
    all[4].goal = {{3.5, 3.5}, 1.5};
    all[5].expansions_max = 0;
    all[6].blockers = kOthers;
    all[7].blockers = kOthers;
    all[7].goal = {{8.0, 1.0}, 0.0};
    all[7].partial = true;
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

void expect_same_corners(const RoundedCorners& got, const RoundedCorners& wanted) {
    ASSERT_EQ(route_difference(got.route, wanted.route), "");
    ASSERT_TRUE(std::ranges::equal(got.stretches, wanted.stretches));
    ASSERT_EQ(got.legal, wanted.legal);
    ASSERT_EQ(got.blocked_stretch, wanted.blocked_stretch);
    ASSERT_EQ(got.radius_least, wanted.radius_least);
    ASSERT_EQ(got.clipped, wanted.clipped);
    ASSERT_EQ(got.overlap_length, wanted.overlap_length);
    ASSERT_EQ(got.searches, wanted.searches);
}

// All four methods, from four headings. What a call that failed leaves is empty.
TEST(DriveOutOfMemory, RoundedCorners) {
    const DrivenWorld world(yard(), kVan);
    const std::vector<Vec2> way = {{4.5, 5.5}, {7.5, 2.5}, {10.5, 5.5}};
    int complete = 0;
    std::int32_t searches_most = 0;
    for (int i = 0; i < 16; ++i) {
        const CornerQuery query{.start = {{1.5, 5.5}, i / 4 * kHalfPi}, .waypoints = way};
        const auto method = static_cast<CornerMethod>(i % 4);
        SCOPED_TRACE(corner_method_name(method));
        Scratch plenty;
        const Result<RoundedCorners> wanted = round_corners(*world.map, query, method, plenty);
        ASSERT_TRUE(wanted);
        complete += wanted->route.status == PathStatus::complete ? 1 : 0;
        searches_most = std::max(searches_most, wanted->searches);
        TestAllocator memory;
        {
            Scratch scratch(memory.allocator());
            RoundedCorners out;
            out.route.legs = Array<Leg>(memory.allocator());
            out.stretches = Array<CornerStretch>(memory.allocator());
            const auto ask = [&] {
                scratch.free_memory();
                out.route.legs.free_memory();
                out.stretches.free_memory();
                return round_corners_into(*world.map, query, method, scratch, out);
            };
            const auto ask_again = [&](const Result<void>& done) {
                const RoundedCorners nothing;
                expect_same_corners(out, done ? *wanted : nothing);
                ASSERT_TRUE(round_corners_into(*world.map, query, method, scratch, out));
                expect_same_corners(out, *wanted);
            };
            for (const bool once : kOnceAndForEver) EXPECT_GT(starve(memory, once, ask, ask_again), 0);
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
    EXPECT_GT(complete, 8);
    EXPECT_GT(searches_most, 1);
}

void expect_same_art(const FixedAngles& got, const FixedAngles& wanted) {
    ASSERT_EQ(got.status, wanted.status);
    ASSERT_EQ(route_difference(got.route, wanted.route), "");
    ASSERT_TRUE(std::ranges::equal(got.groups, wanted.groups));
    ASSERT_EQ(got.blocked_leg, wanted.blocked_leg);
    ASSERT_EQ(got.error_rad, wanted.error_rad);
}

// Art for a disc, for a box, which turns on the spot, and art that is not free. What a call that failed leaves is empty.
TEST(DriveOutOfMemory, FixedAngles) {
    Agent box = kVan;
    box.shape = BodyShape::box;
    box.length = 0.7;
    box.width = 0.5;
    for (const Agent& agent : {kVan, box}) {
        const DrivenWorld world(yard(), agent);
        Scratch plenty;
        const Result<Route> route = find_route(*world.map, queries()[0], plenty);
        ASSERT_TRUE(route);
        ASSERT_EQ(route->status, PathStatus::complete);
        // Walls everywhere: of the same route nothing is free.
        const DrivenWorld walls(open_tiles(12, 7, 0), agent);
        for (const DriveMap* map : {&*world.map, &*walls.map}) {
            const Result<FixedAngles> wanted = make_fixed_angles(*route, *map);
            ASSERT_TRUE(wanted);
            EXPECT_EQ(wanted->status,
                      map == &*world.map ? FixedAnglesStatus::styled : FixedAnglesStatus::rounded);
            TestAllocator memory;
            {
                FixedAngles out;
                out.route.legs = Array<Leg>(memory.allocator());
                out.groups = Array<FacingGroup>(memory.allocator());
                const auto draw = [&] {
                    out.route.legs.free_memory();
                    out.groups.free_memory();
                    return make_fixed_angles_into(*route, *map, {}, out);
                };
                const auto draw_again = [&](const Result<void>& done) {
                    const FixedAngles nothing;
                    expect_same_art(out, done ? *wanted : nothing);
                    ASSERT_TRUE(make_fixed_angles_into(*route, *map, {}, out));
                    expect_same_art(out, *wanted);
                };
                for (const bool once : kOnceAndForEver) EXPECT_GT(starve(memory, once, draw, draw_again), 0);
            }
            EXPECT_EQ(memory.live_blocks, 0);
            EXPECT_EQ(memory.live_bytes, 0);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
