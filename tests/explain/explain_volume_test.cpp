// Why a sphere has no way through a volume: named scenes, and random worlds against the oracles of volume_radius.h and volume_room.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fairlead/explain/explain.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/test_allocator.h"
#include "support/volumes.h"
#include "volume/wide_check.h"

namespace fairlead::testing {
namespace {

Explanation why_not(const Volume& space, const VolumeQuery& query, const ExplainOptions& options = {}) {
    Scratch scratch;
    Result<Explanation> why = explain(space, query, scratch, options);
    FAIRLEAD_ASSERT(why.has_value());
    EXPECT_EQ(why->world, ExplainWorld::volume);
    for (const Help& help : why->helps) {
        if (help.proof != Proof::found) continue;
        EXPECT_EQ(help.route.status, PathStatus::complete);
        const Violation bad = verify(help.route, space, help.agent);
        EXPECT_FALSE(bad) << bad.text().c_str();
    }
    return std::move(*why);
}

void fill(oracle::VolumeDense& world, Voxel low, Voxel high, bool solid) {
    for (std::int32_t z = low.z; z < high.z; ++z) {
        for (std::int32_t y = low.y; y < high.y; ++y) {
            for (std::int32_t x = low.x; x < high.x; ++x) world.set({x, y, z}, solid);
        }
    }
}

// Two halls, a door of 3 x 3 voxels between them at x = 20 to 22, and pillars that a way goes round.
oracle::VolumeDense two_halls() {
    oracle::VolumeDense world({40, 20, 20});
    fill(world, {20, 0, 0}, {22, 20, 20}, true);
    fill(world, {20, 9, 8}, {22, 12, 11}, false);
    fill(world, {8, 4, 0}, {10, 16, 20}, true);
    fill(world, {30, 0, 4}, {32, 20, 20}, true);
    return world;
}

TEST(ExplainVolume, TheDoorIsTheTightestPlaceNotTheBends) {
    const Volume space = make_volume(two_halls());
    const VolumeQuery query{.start = {3, 10, 10}, .goal = Vec3{37, 10, 10}, .agent = {.radius = 1.9}};
    const Explanation why = why_not(space, query);
    EXPECT_EQ(why.reason, ExplainReason::too_wide);
    EXPECT_EQ(why.status, PathStatus::unreachable);
    const Help& help = why.help(HelpKind::smaller_body);
    ASSERT_EQ(help.proof, Proof::found);
    EXPECT_EQ(help.value, 1.5);
    EXPECT_LE(help.failed, 1.5 + 1.01 / 1024);
    ASSERT_TRUE(why.has_place);
    EXPECT_NEAR(why.width, 3.0, 0.04);
    EXPECT_GE(why.place.position.x, 19.5);
    EXPECT_LE(why.place.position.x, 22.5);
    const std::string text = why.text().c_str();
    EXPECT_EQ(text.substr(0, 12), "blocked at (") << text;
    EXPECT_NE(text.find(": would need radius <= 1.5"), std::string::npos) << text;
    // With it there is a way: nothing is to be explained.
    VolumeQuery narrow = query;
    narrow.agent.radius = help.value;
    EXPECT_EQ(why_not(space, narrow).reason, ExplainReason::none);
}

TEST(ExplainVolume, BlockedEnds) {
    const Volume space = make_volume(two_halls());
    VolumeQuery query{.start = {19.0, 5.5, 5.5}, .goal = Vec3{3, 10, 10}, .agent = {.radius = 1.6}};
    Explanation why = why_not(space, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_TRUE(why.has_voxel);
    EXPECT_EQ(why.voxel.x, 20);
    EXPECT_EQ(why.width, 2.0);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::found);
    EXPECT_EQ(why.help(HelpKind::smaller_body).value, 1.0);
    const Help& moved = why.help(HelpKind::move_start);
    EXPECT_EQ(moved.proof, Proof::found);
    EXPECT_EQ(moved.place.position, (Vec3{17.5, 5.5, 5.5}));
    EXPECT_EQ(moved.value, 1.5);
    EXPECT_NE(std::string(why.text().c_str()).find("it meets voxel (20, "), std::string::npos);
    // In a solid voxel no radius helps; beside the bounds those are met.
    query = {.start = {3, 10, 10}, .goal = Vec3{20.25, 5.5, 5.5}, .agent = {.radius = 0.4}};
    why = why_not(space, query);
    EXPECT_EQ(why.reason, ExplainReason::goal_blocked);
    EXPECT_EQ(why.voxel, (Voxel{20, 5, 5}));
    EXPECT_EQ(why.width, 0.0);
    EXPECT_EQ(why.help(HelpKind::smaller_body).proof, Proof::none);
    EXPECT_EQ(why.help(HelpKind::move_goal).place.position, (Vec3{19.5, 5.5, 5.5}));
    query = {.start = {3, 10, 0.25}, .goal = Vec3{3, 10, 10}, .agent = {.radius = 0.4}};
    why = why_not(space, query);
    EXPECT_EQ(why.reason, ExplainReason::start_blocked);
    EXPECT_EQ(why.voxel, (Voxel{3, 10, -1}));
    query.start = {3, 10, -4};
    why = why_not(space, query);
    EXPECT_EQ(why.reason, ExplainReason::off_world);
    EXPECT_EQ(why.place.position, (Vec3{3, 10, -4}));
    EXPECT_STREQ(why.text().c_str(), "outside the bounds at (3, 10, -4)");
}

TEST(ExplainVolume, APocketAndTheWayOutOfIt) {
    oracle::VolumeDense world({24, 24, 24});
    fill(world, {8, 8, 8}, {13, 13, 13}, true);
    fill(world, {9, 9, 9}, {12, 12, 12}, false);
    const Volume space = make_volume(world);
    const Explanation why = why_not(space, {.start = {2, 2, 2}, .goal = Vec3{10.5, 10.5, 11.5}});
    EXPECT_EQ(why.reason, ExplainReason::sealed);
    EXPECT_TRUE(why.goal_side);
    EXPECT_EQ(why.area, 27);
    EXPECT_EQ(why.walls, 54);
    EXPECT_EQ(why.pocket, (VoxelBox{{9, 9, 9}, {12, 12, 12}}));
    EXPECT_EQ(why.help(HelpKind::move_goal).place.position, (Vec3{10.5, 10.5, 13.5}));
    EXPECT_EQ(why.help(HelpKind::move_goal).value, 2.0);
    EXPECT_STREQ(
        why.text().c_str(),
        "no free space joins the two: the goal is closed in, on 27 voxels behind 54 solid ones: would need "
        "to start at (9.5, 9.5, 9.5), or to end at (10.5, 10.5, 13.5)");
}

TEST(ExplainVolume, BudgetsAndErrors) {
    const Volume space = make_volume(two_halls());
    const VolumeQuery query{.start = {3, 10, 10}, .goal = Vec3{37, 10, 10}, .agent = {.radius = 1.9}};
    EXPECT_EQ(why_not(space, query, {.expansions = 3}).reason, ExplainReason::budget_spent);
    const Explanation few = why_not(space, query, {.trials_max = 0});
    EXPECT_EQ(few.reason, ExplainReason::too_wide);
    EXPECT_EQ(few.help(HelpKind::smaller_body).proof, Proof::not_looked);
    Scratch scratch;
    EXPECT_EQ(explain(space, query, scratch, {.accuracy = 2.0}).error(),
              (Error{ErrorCode::out_of_range, Field::accuracy}));
    VolumeQuery bad = query;
    bad.agent.radius = -1.0;
    EXPECT_EQ(explain(space, bad, scratch).error().field, Field::agent_radius);
    // Every failed allocation is an error, and the next call works.
    int failures = 0;
    for (int n = 0;; n += 1 + n / 2) {
        TestAllocator memory;
        Scratch starved(memory.allocator());
        memory.fail_after(n, false);
        const Result<Explanation> why = explain(space, query, starved);
        const bool failed = memory.feed();
        EXPECT_EQ(failed, !why);
        if (!failed) break;
        EXPECT_EQ(why.error().code, ErrorCode::out_of_memory);
        EXPECT_TRUE(explain(space, query, starved));
        ++failures;
    }
    EXPECT_GT(failures, 5);
}

struct Tally {
    int too_wide = 0, sealed = 0, blocked = 0, exact = 0, places = 0, off_middle = 0;
};

// What closes in the component of a voxel.
void check_pocket(const oracle::VolumeDense& world, const Explanation& why, Vec3 from, Vec3 to,
                  const std::string& trace) {
    const std::vector<std::int32_t> component = oracle::volume_components(world);
    const Vec3 side = why.goal_side ? to : from;
    const auto voxel = [](Vec3 p) {
        return Voxel{static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y),
                     static_cast<std::int32_t>(p.z)};
    };
    const std::int32_t own = component[world.index(voxel(side))];
    std::int64_t area = 0, walls = 0;
    for (std::size_t i = 0; i < component.size(); ++i) {
        area += component[i] == own ? 1 : 0;
        if (component[i] >= 0) continue;
        const Voxel v = world.at(i);
        bool beside = false;
        for (const std::int32_t step : {-1, 1}) {
            for (const Voxel n :
                 {Voxel{v.x + step, v.y, v.z}, Voxel{v.x, v.y + step, v.z}, Voxel{v.x, v.y, v.z + step}})
                beside = beside || (world.holds(n) && component[world.index(n)] == own);
        }
        walls += beside ? 1 : 0;
    }
    EXPECT_EQ(why.area, area) << trace;
    EXPECT_EQ(why.walls, walls) << trace;
    EXPECT_TRUE(why.pocket.contains(voxel(side))) << trace;
}

void check_width(const oracle::VolumeDense& world, const Explanation& why,
                 const oracle::VolumeRadius::Pair& pair, Tally& tally, const std::string& trace) {
    const Help& help = why.help(HelpKind::smaller_body);
    ASSERT_EQ(help.proof, Proof::found) << trace;
    EXPECT_LE(help.failed - help.value, 0.05) << trace;
    EXPECT_GE(pair.radius, help.value - oracle::kRadiusTooNarrow) << trace << ", told " << help.value;
    EXPECT_LE(pair.radius, help.failed + 0.05) << trace << ", told " << help.value;
    tally.exact += help.failed - help.value < 0.002 ? 1 : 0;
    tally.off_middle += help.value > 0.5 ? 1 : 0;
    if (!why.has_place) return;
    ++tally.places;
    const auto room = std::sqrt(oracle::squared_room(world, oracle::wide(why.place.position)));
    EXPECT_NEAR(static_cast<double>(room), 0.5 * why.width, 1e-9) << trace;
    EXPECT_GE(0.5 * why.width, help.value - 1e-9) << trace;
    EXPECT_LE(0.5 * why.width, help.failed + 0.03) << trace;
}

TEST(ExplainVolume, RandomWorldsAgainstTheOracle) {
    constexpr VolumeKind kKinds[] = {VolumeKind::noise,  VolumeKind::sparse_noise, VolumeKind::rooms,
                                     VolumeKind::plates, VolumeKind::stairs,       VolumeKind::boxes};
    Tally tally;
    for (int w = 0; w < trials(6); ++w) {
        Rng rng(9100 + static_cast<std::uint64_t>(w));
        const oracle::VolumeDense world = random_volume(rng, kKinds[w % 6], {8, 8, 8});
        const Volume space = make_volume(world);
        for (const oracle::VolumeRadius::Pair& pair : draw_wide_pairs(rng, world, 7)) {
            const double room =
                std::min(clearance_at(space, pair.from, 4.0), clearance_at(space, pair.to, 4.0));
            const double share = rng.between(0.0, 1.0);
            const double radius =
                rng.below(8) == 0 ? room + 0.3
                                  : std::max(pair.radius, 0.0) + share * (room - std::max(pair.radius, 0.0));
            const std::string trace = "world " + std::to_string(w) + ", radius " + std::to_string(radius) +
                                      ", widest " + std::to_string(pair.radius);
            const Explanation why =
                why_not(space, {.start = pair.from, .goal = pair.to, .agent = {.radius = radius}});
            const bool blocked =
                why.reason == ExplainReason::start_blocked || why.reason == ExplainReason::goal_blocked;
            EXPECT_EQ(blocked, !fits(space, pair.from, radius) || !fits(space, pair.to, radius)) << trace;
            tally.blocked += blocked ? 1 : 0;
            if (why.reason == ExplainReason::sealed) {
                ++tally.sealed;
                EXPECT_LT(pair.radius, 0.0) << trace;
                check_pocket(world, why, pair.from, pair.to, trace);
            } else if (why.reason == ExplainReason::too_wide) {
                ++tally.too_wide;
                check_width(world, why, pair, tally, trace);
            } else if (!blocked) {
                EXPECT_EQ(why.reason, ExplainReason::none) << trace;
                EXPECT_GE(pair.radius, radius - oracle::kRadiusTooNarrow) << trace;
            }
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.too_wide, 12);
    EXPECT_GT(tally.exact, 3);
    EXPECT_GT(tally.off_middle, 3);
    EXPECT_GT(tally.places, tally.too_wide * 9 / 10);
    EXPECT_GT(tally.sealed, 0);
    EXPECT_GT(tally.blocked, 2);
    RecordProperty("too_wide", tally.too_wide);
    RecordProperty("sealed", tally.sealed);
}

}  // namespace
}  // namespace fairlead::testing
