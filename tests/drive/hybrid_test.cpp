// Drives along tiles and the hybrid search: legal by verify, stages told, no allocation.

#include <fairlead/drive/hybrid.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

// Breadth first with 4 neighbours over the tiles, sharing nothing with the library. Empty: none.
std::vector<TileCell> flood(const Tiles& ground, TileCell from, TileCell to) {
    const auto at = [&](TileCell c) { return static_cast<std::size_t>(c.y * ground.width + c.x); };
    std::vector<int> before(ground.tile.size(), -2);
    std::vector<TileCell> queue;
    if (ground.tile[at(from)] == 0 || ground.tile[at(to)] == 0) return {};
    queue.push_back(to);
    before[at(to)] = -1;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const TileCell c = queue[i];
        for (const TileCell step : {TileCell{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            const TileCell next{c.x + step.x, c.y + step.y};
            if (next.x < 0 || next.y < 0 || next.x >= ground.width || next.y >= ground.height) continue;
            if (ground.tile[at(next)] == 0 || before[at(next)] != -2) continue;
            before[at(next)] = static_cast<int>(i);
            queue.push_back(next);
        }
    }
    std::vector<TileCell> way;
    if (before[at(from)] == -2) return way;
    way.push_back(from);
    for (int i = before[at(from)]; i >= 0; i = before[at(queue[static_cast<std::size_t>(i)])])
        way.push_back(queue[static_cast<std::size_t>(i)]);
    return way;
}

TileCell cell_of(const Pose& pose) {
    return {static_cast<std::int32_t>(std::floor(pose.position.x)),
            static_cast<std::int32_t>(std::floor(pose.position.y))};
}

// Round a corner in corridors of three, as the article's program does it: Directional-48, three tiles ahead.
TEST(TileDrive, ThreeTilesAheadRoundACorner) {
    DrivenWorld world(drawn_tiles({"#...########", "#...########", "#...########", "#...########",
                                   "#..........#", "#..........#", "#..........#", "############"}),
                      {.radius = 0.45, .turning_radius = 1.0}, 8, 3);
    const Pose start{{9.5, 2.5}, kPi};
    const Pose goal{{2.5, 6.5}, kHalfPi};
    std::vector<TileCell> tiles;
    for (std::int32_t x = 9; x >= 2; --x) tiles.push_back({x, 2});
    for (std::int32_t y = 3; y <= 6; ++y) tiles.push_back({2, y});
    Scratch scratch;
    Result<TileDrive> drive =
        drive_along_tiles(*world.map, {.start = start, .goal = goal, .tiles = tiles, .ahead = 3}, scratch);
    ASSERT_TRUE(drive.has_value());
    ASSERT_EQ(drive->route.status, PathStatus::complete);
    EXPECT_EQ(drive->furthest, 11);
    EXPECT_FALSE(verify(drive->route, world.grid, world.agent));
    const Result<Route> best = find_route(
        *world.map, DriveQuery{.start = start, .goal = goal, .planner = DrivePlanner::lattice}, scratch);
    EXPECT_GE(drive->route.length, best->length - 1e-9);
    // No longer than straight on, a quarter of a circle, and straight on; longer than the way that cuts the corner.
    EXPECT_LE(drive->route.length, 6.0 + kHalfPi + 3.0 + 1e-9);
    // More tiles ahead are never longer.
    const double length = drive->route.length;
    drive = drive_along_tiles(*world.map, {.start = start, .goal = goal, .tiles = tiles}, scratch);
    EXPECT_LE(drive->route.length, length + 1e-9);
}

TEST(TileDriveSlow, RandomTileWaysAreLegal) {
    Rng rng(41);
    Scratch scratch;
    TileDrive drive;
    int complete = 0;
    int partial = 0;
    for (int i = 0; i < trials(80); ++i) {
        DrivenWorld world(random_tiles(rng, 2 + rng.between(0, 19)), random_unit(rng));
        for (int k = 0; k < 8; ++k) {
            const Pose start = random_pose(rng, world.tiles, k % 2 == 0);
            const Pose goal = random_pose(rng, world.tiles, k % 3 == 0);
            const std::vector<TileCell> tiles = flood(world.tiles, cell_of(start), cell_of(goal));
            if (tiles.empty()) continue;
            const TileDriveQuery query{.start = start, .goal = goal, .tiles = tiles};
            ASSERT_TRUE(drive_along_tiles_into(*world.map, query, scratch, drive).has_value());
            if (drive.route.status == PathStatus::unreachable) {
                EXPECT_EQ(drive.furthest, -1);  // not one tile
            }
            if (drive.route.legs.empty()) continue;
            const bool arrived = drive.route.status == PathStatus::complete;
            ++(arrived ? complete : partial);
            EXPECT_TRUE(!arrived || drive.route.end.position.x == goal.position.x);
            EXPECT_EQ(drive.route.legs[0].start.position.y, start.position.y);
            const Violation bad = verify(drive.route, world.grid, world.agent);
            ASSERT_FALSE(bad) << i << " " << k << ": " << bad.text().c_str();
            for (const Leg& leg : drive.route.legs) EXPECT_EQ(leg.gear, Gear::forward);
            if (arrived) continue;
            // A partial one ends in the middle of the tile that it names.
            const TileCell last = tiles[static_cast<std::size_t>(drive.furthest)];
            EXPECT_EQ(drive.route.end.position.x, last.x + 0.5);
            EXPECT_EQ(drive.route.end.position.y, last.y + 0.5);
        }
    }
    RecordProperty("complete", complete);
    RecordProperty("partial", partial);
    EXPECT_GT(complete, trials(80));
    EXPECT_GT(partial, 0);
}

TEST(HybridSlow, RandomMaps) {
    Rng rng(51);
    Scratch scratch;
    HybridDrive drive;
    HybridDrive plain;
    int shorter = 0;
    Route lattice;
    int stages[6] = {};
    int solvable = 0;
    int solved = 0;
    for (int i = 0; i < trials(100); ++i) {
        DrivenWorld world(random_tiles(rng, 2 + rng.between(0, 29)), random_unit(rng));
        for (int k = 0; k < 10; ++k) {
            const Pose start = random_pose(rng, world.tiles, k % 2 == 0);
            const Pose goal = random_pose(rng, world.tiles, k % 3 == 0);
            ASSERT_TRUE(
                find_hybrid_into(*world.map, {.start = start, .goal = goal}, scratch, drive).has_value());
            ASSERT_TRUE(
                find_route_into(*world.map, DriveQuery{.start = start, .goal = goal}, scratch, lattice)
                    .has_value());
            ++stages[static_cast<int>(drive.stage)];
            const bool complete = drive.route.status == PathStatus::complete;
            solvable += lattice.status == PathStatus::complete ? 1 : 0;
            solved += complete && lattice.status == PathStatus::complete ? 1 : 0;
            EXPECT_EQ(complete, drive.stage == HybridStage::forward || drive.stage == HybridStage::complete);
            EXPECT_EQ(drive.route.stats.expanded, drive.expanded_tiles + drive.expanded_forward +
                                                      drive.expanded_backward + drive.expanded_join);
            if (drive.stage == HybridStage::tiles && world.agent.shape == BodyShape::disc) {
                EXPECT_EQ(drive.route.status, PathStatus::unreachable);
                EXPECT_TRUE(flood(world.tiles, cell_of(start), cell_of(goal)).empty());
            }
            if (!complete) {
                EXPECT_TRUE(drive.route.legs.empty());
                continue;
            }
            EXPECT_EQ(drive.route.end.position.x, goal.position.x);
            const double smoothed = drive.route.length;
            ASSERT_TRUE(
                find_hybrid_into(*world.map, {.start = start, .goal = goal, .smooth = false}, scratch, plain)
                    .has_value());
            EXPECT_EQ(plain.stage, drive.stage);
            EXPECT_FALSE(verify(plain.route, world.grid, world.agent));
            EXPECT_LE(smoothed, plain.route.length + 1e-9);
            EXPECT_LE(drive.route.cost, plain.route.cost + 1e-9);
            shorter += smoothed < plain.route.length - 1e-6 ? 1 : 0;
            const Violation bad = verify(drive.route, world.grid, world.agent);
            ASSERT_FALSE(bad) << i << " " << k << ": " << bad.text().c_str();
        }
    }
    for (int stage = 0; stage < 6; ++stage) {
        RecordProperty(hybrid_stage_name(static_cast<HybridStage>(stage)), stages[stage]);
        // A map without a way of tiles is rare here; BadInput has one.
        const bool rare = static_cast<HybridStage>(stage) == HybridStage::tiles;
        EXPECT_TRUE(rare || stages[stage] > 0) << hybrid_stage_name(static_cast<HybridStage>(stage));
    }
    RecordProperty("solved", std::to_string(solved) + "/" + std::to_string(solvable));
    EXPECT_GT(solved * 2, solvable);
    EXPECT_GT(shorter * 4, solved);
}

// Straight on in the article's figure 2: along tiles that step aside on open ground, the last step drops what is between.
TEST(Hybrid, TheLastStepDrivesStraightOn) {
    DrivenWorld world(open_tiles(40, 20), {.radius = 0.4, .turning_radius = 1.0});
    Scratch scratch;
    const Pose start{{2.5, 2.5}, 0.0};
    const Pose goal{{35.5, 15.5}, 0.0};
    const Result<HybridDrive> way = find_hybrid(*world.map, {.start = start, .goal = goal}, scratch);
    const Result<HybridDrive> plain =
        find_hybrid(*world.map, {.start = start, .goal = goal, .smooth = false}, scratch);
    ASSERT_EQ(way->route.status, PathStatus::complete);
    EXPECT_LE(way->route.legs.size(), 3U);
    EXPECT_LT(way->route.length, 36.0);
    EXPECT_GT(plain->route.length, way->route.length + 1.0);
    EXPECT_FALSE(verify(way->route, world.grid, world.agent));
}

TEST(Hybrid, AWarmCallAllocatesNothing) {
    Rng rng(6);
    DrivenWorld world(random_tiles(rng, 12), {.radius = 0.4, .turning_radius = 2.0});
    Scratch scratch;
    HybridDrive drive;
    for (int i = 0; i < 20; ++i) {
        const HybridQuery query{.start = random_pose(rng, world.tiles, false),
                                .goal = random_pose(rng, world.tiles, false)};
        ASSERT_TRUE(find_hybrid_into(*world.map, query, scratch, drive).has_value());
        const std::uint64_t before = heap_calls();
        ASSERT_TRUE(find_hybrid_into(*world.map, query, scratch, drive).has_value());
        EXPECT_EQ(heap_calls(), before);
    }
}

// What a change of gear costs goes by the cells, whatever world units are.
TEST(Hybrid, IsTheSameOnCellsOfAnySize) {
    Rng rng(57);
    Scratch scratch;
    int joined = 0;
    for (int i = 0; i < 12; ++i) {
        const Tiles tiles = random_tiles(rng, 20);
        const Agent agent = random_unit(rng);
        const Pose start = random_pose(rng, tiles, i % 2 == 0), goal = random_pose(rng, tiles, i % 3 == 0);
        const auto drive = [&](double cell) {
            Agent unit = agent;
            for (double* size :
                 {&unit.radius, &unit.length, &unit.width, &unit.axle_offset, &unit.turning_radius})
                *size *= cell;
            const Result<DriveTable> table =
                DriveTable::make({.agent = unit, .cell_size = cell, .headings = 8, .stretch = 1.05});
            const Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
            return find_hybrid(*map,
                               {.start = {start.position * cell, start.heading_rad},
                                .goal = {goal.position * cell, goal.heading_rad}},
                               scratch);
        };
        const Result<HybridDrive> one = drive(1.0);
        ASSERT_TRUE(one.has_value());
        joined += one->stage == HybridStage::complete ? 1 : 0;
        for (const double cell : {64.0, 1.0 / 2048.0}) {
            const Result<HybridDrive> other = drive(cell);
            ASSERT_TRUE(other.has_value()) << error_text(other.error()).c_str();
            EXPECT_EQ(other->stage, one->stage);
            EXPECT_EQ(other->route.status, one->route.status);
            EXPECT_NEAR(other->route.cost, one->route.cost * cell, 1e-9 * cell);
        }
    }
    EXPECT_GT(joined, 1);
}

TEST(Hybrid, BadInput) {
    DrivenWorld world(drawn_tiles({"......", "......", "...###", "...#..", "...###"}),
                      {.radius = 0.4, .turning_radius = 1.0});
    Scratch scratch;
    const Pose here{{1.5, 1.5}, 0.0};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto code = [&](const HybridQuery& query) {
        return find_hybrid(*world.map, query, scratch).error().code;
    };
    const auto status = [&](const HybridQuery& query) {
        return find_hybrid(*world.map, query, scratch).value().route.status;
    };
    EXPECT_EQ(code({.start = {{nan, 1}, 0}, .goal = here}), ErrorCode::not_finite);
    EXPECT_EQ(code({.start = here, .goal = {{1, 1}, nan}}), ErrorCode::not_finite);
    EXPECT_EQ(code({.start = here, .goal = here, .ahead = 65}), ErrorCode::out_of_range);
    EXPECT_EQ(code({.start = here, .goal = here, .gap = 0}), ErrorCode::out_of_range);
    EXPECT_EQ(status({.start = {{1e300, 1}, 0}, .goal = here}), PathStatus::off_world);
    EXPECT_EQ(status({.start = {{3.5, 2.5}, 0}, .goal = here}), PathStatus::start_blocked);
    EXPECT_EQ(status({.start = here, .goal = {{3.5, 2.5}, 0}}), PathStatus::goal_blocked);
    EXPECT_EQ(status({.start = here, .goal = {{4.5, 1.5}, 0}}), PathStatus::unreachable);
    EXPECT_EQ(status({.start = here, .goal = here}), PathStatus::complete);
    const std::vector<TileCell> outside = {{1, 1}, {1, -1}};
    EXPECT_EQ(drive_along_tiles(*world.map, {.start = here, .goal = here}, scratch).error().code,
              ErrorCode::size_zero);
    const Error bad =
        drive_along_tiles(*world.map, {.start = here, .goal = here, .tiles = outside}, scratch).error();
    EXPECT_EQ(bad, (Error{ErrorCode::out_of_range, Field::tiles, 1, 0}));
}

}  // namespace
}  // namespace fairlead::testing
