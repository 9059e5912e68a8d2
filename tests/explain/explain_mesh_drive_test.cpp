// Why a turning unit has no way over a level mesh: named scenes, and random levels, where every route that is found is judged.
#include <gtest/gtest.h>

#include <string>

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/explain/explain.h>

#include "bridge/mesh_cars.h"
#include "explain/why_not_mesh.h"
#include "support/cell_mesh.h"
#include "support/environment.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

// Two halls and a door of 2 units between them, and a lane that ends; areas: 3 is a pool, 5 the door of a closet.
NavMesh halls_and_lane() {
    PlainMesh plain = cell_mesh({
        "##########################",
        "#..........###...........#",
        "#..........###...........#",
        "#..........###....#####..#",
        "#..333.....###....#...#..#",
        "#..333............5...#..#",
        "#..333............5...#..#",
        "#..........###....#####..#",
        "#..........###...........#",
        "#..........###...........#",
        "#..#######################",
        "#..............#.........#",
        "##########################",
    });
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    Result<NavMesh> made = NavMesh::make({.radius_max = 3.0, .tiles = {&tile, 1}});
    FAIRLEAD_ASSERT(made.has_value());
    return std::move(*made);
}

const Agent kVan{.radius = 0.4, .turning_radius = 1.5};

Proof proof(const Explanation& why, HelpKind kind) { return why.help(kind).proof; }

TEST(ExplainMeshDrive, NothingIsTheMatter) {
    const NavMesh level = halls_and_lane();
    const Explanation why =
        why_not(level, MeshDriveQuery{.start = {{5, 5, 0}, 0.0}, .goal = {{16, 7, 0}, 0.0}, .agent = kVan});
    EXPECT_EQ(why.reason, ExplainReason::none);
    EXPECT_STREQ(why.text().c_str(), "there is a route");
}

TEST(ExplainMeshDrive, TheDoorIsTooNarrow) {
    const NavMesh level = halls_and_lane();
    Agent truck = kVan;
    truck.radius = 1.4;
    const Explanation why =
        why_not(level, MeshDriveQuery{.start = {{5, 7, 0}, 0.0}, .goal = {{16, 7, 0}, 0.0}, .agent = truck});
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.width, 2.0);
    ASSERT_TRUE(why.has_place);
    EXPECT_EQ(why.place.position.y, 7.0);
    ASSERT_EQ(proof(why, HelpKind::smaller_body), Proof::found);
    EXPECT_LE(why.help(HelpKind::smaller_body).value, 1.0);
    EXPECT_GT(why.help(HelpKind::smaller_body).value, 0.8);
    EXPECT_EQ(proof(why, HelpKind::pivot), Proof::not_asked);
}

// At the end of a lane nobody turns round who cannot back up or turn on the spot.
TEST(ExplainMeshDrive, NoRoomToTurnRound) {
    const NavMesh level = halls_and_lane();
    const Explanation why = why_not(
        level, MeshDriveQuery{.start = {{2, 1.5, 0}, 0.0}, .goal = {{13.5, 1.5, 0}, kPi}, .agent = kVan});
    EXPECT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(proof(why, HelpKind::reverse_gear), Proof::found);
    EXPECT_EQ(proof(why, HelpKind::pivot), Proof::found);
    ASSERT_EQ(proof(why, HelpKind::goal_heading), Proof::found);
    EXPECT_NEAR(std::abs(why.help(HelpKind::goal_heading).value), 0.0, 1e-6);
    EXPECT_EQ(proof(why, HelpKind::start_heading), Proof::none);
    EXPECT_EQ(proof(why, HelpKind::open_terrain), Proof::not_asked);
    EXPECT_NE(std::string(why.text().c_str()).find("turn"), std::string::npos) << why.text().c_str();
}

TEST(ExplainMeshDrive, BehindAClosedArea) {
    const NavMesh level = halls_and_lane();
    MeshDriveQuery query{.start = {{5, 10, 0}, 0.0}, .goal = {{20.5, 7.5, 0}, 0.0}, .agent = kVan};
    query.filter.areas.closed = {3, 5};
    const Explanation why = why_not(level, query);
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.ground_area, 9.0);
    ASSERT_EQ(proof(why, HelpKind::open_terrain), Proof::found);
    EXPECT_EQ(why.help(HelpKind::open_terrain).terrain[0],
              std::uint64_t{1} << 5);  // the pool need not be opened
}

TEST(ExplainMeshDrive, EndsThatAreBlocked) {
    const NavMesh level = halls_and_lane();
    MeshDriveQuery query{.start = {{1.3, 8, 0}, 0.0}, .goal = {{8, 8, 0}, 0.0}, .agent = kVan};
    const Explanation beside = why_not(level, query);  // the wall is at 1
    EXPECT_EQ(beside.reason, ExplainReason::start_blocked);
    EXPECT_FALSE(beside.goal_side);
    EXPECT_NEAR(beside.width, 0.6, 1e-6);
    ASSERT_EQ(proof(beside, HelpKind::smaller_body), Proof::found);
    EXPECT_LE(beside.help(HelpKind::smaller_body).value, 0.3 + 1e-6);
    query.start.position = {8.0, 10.0, 0.0};
    query.goal.at.position = {4.5, 7.0, 0.0};
    query.filter.areas.closed = {3};
    const Explanation pool = why_not(level, query);
    EXPECT_EQ(pool.reason, ExplainReason::goal_blocked);
    EXPECT_EQ(pool.closed_area, 3);
    EXPECT_EQ(proof(pool, HelpKind::open_terrain), Proof::found);
    query.goal.at.position = {-5.0, 6.0, 0.0};
    const Explanation outside = why_not(level, query);
    EXPECT_EQ(outside.reason, ExplainReason::off_world);
    EXPECT_TRUE(outside.goal_side);
}

TEST(ExplainMeshDrive, ItsOwnTableIsAskedFirst) {
    const NavMesh level = halls_and_lane();
    const Result<DriveTable> table = make_mesh_drive_table(kVan);
    ASSERT_TRUE(table.has_value());
    const Explanation why = why_not(
        level, MeshDriveQuery{.start = {{2, 1.5, 0}, 0.0}, .goal = {{13.5, 1.5, 0}, kPi}, .table = &*table});
    EXPECT_EQ(why.reason, ExplainReason::turning);
    EXPECT_EQ(why.agent, kVan);
    EXPECT_EQ(proof(why, HelpKind::pivot), Proof::found);
}

TEST(ExplainMeshDrive, KeepsToItsBudget) {
    const NavMesh level = halls_and_lane();
    const MeshDriveQuery query{.start = {{2, 1.5, 0}, 0.0}, .goal = {{13.5, 1.5, 0}, kPi}, .agent = kVan};
    const Explanation none = why_not(level, query, {.expansions = 1});
    EXPECT_EQ(none.reason, ExplainReason::budget_spent);
    EXPECT_LE(none.expanded, 1U);
    const Explanation one = why_not(level, query, {.trials_max = 1});
    EXPECT_EQ(one.reason, ExplainReason::turning);
    EXPECT_LE(one.trials, 1);
    EXPECT_EQ(proof(one, HelpKind::pivot), Proof::not_looked);
    Scratch scratch;
    EXPECT_EQ(explain(level, query, scratch, {.accuracy = 0.0}).error().code, ErrorCode::out_of_range);
}

TEST(ExplainMeshDriveSlow, EveryFailedAllocationIsAnError) {
    const NavMesh level = halls_and_lane();
    MeshDriveQuery turning{.start = {{2, 1.5, 0}, 0.0}, .goal = {{13.5, 1.5, 0}, kPi}, .agent = kVan};
    MeshDriveQuery wide{.start = {{5, 7, 0}, 0.0}, .goal = {{16, 7, 0}, 0.0}, .agent = kVan};
    wide.agent.radius = 1.4;
    wide.filter.areas.closed = {5};
    for (const MeshDriveQuery& query : {turning, wide}) {
        int failures = 0;
        for (int n = 0;; n += 1 + n / 2) {
            TestAllocator memory;
            Scratch starved(memory.allocator());
            memory.fail_after(n, false);
            const Result<Explanation> why = explain(level, query, starved, {.trials_max = 8});
            const bool failed = memory.feed();
            EXPECT_EQ(failed, !why);
            if (!failed) break;
            EXPECT_EQ(why.error().code, ErrorCode::out_of_memory);
            ++failures;
        }
        EXPECT_GT(failures, 5);
    }
}

TEST(ExplainMeshDriveSlow, RandomLevels) {
    Rng rng(610);
    int reasons[static_cast<int>(ExplainReason::count_)] = {};
    for (int n = 0; n < trials(40); ++n) {
        const Result<NavMesh> level = random_level(rng);
        ASSERT_TRUE(level.has_value());
        MeshDriveQuery query{.agent = random_agent(rng)};
        query.start = Pose{{rng.between(0.0, 24.0), rng.between(0.0, 24.0)}, rng.between(-3.0, 3.0)};
        query.goal = Pose{{rng.between(0.0, 24.0), rng.between(0.0, 24.0)}, rng.between(-3.0, 3.0)};
        SCOPED_TRACE(n);
        const Explanation why = why_not(*level, query, {.expansions = 100000, .trials_max = 12});
        ++reasons[static_cast<int>(why.reason)];
        if (why.reason == ExplainReason::none) continue;
        EXPECT_GT(std::string(why.text().c_str()).size(), 10U);
    }
    if (!all_trials()) return;
    EXPECT_GT(reasons[static_cast<int>(ExplainReason::none)], 3);
    EXPECT_GT(reasons[static_cast<int>(ExplainReason::start_blocked)], 3);
}

}  // namespace
}  // namespace fairlead::testing
