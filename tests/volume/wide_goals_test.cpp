// Spheres wider than half a voxel: goals with a range, and places that are connected, against the oracle of volume_radius.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/sight.h>

#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"
#include "volume/wide_check.h"

namespace fairlead::testing {
namespace {

constexpr VolumeKind kWideGoalKinds[] = {VolumeKind::sparse_noise, VolumeKind::rooms, VolumeKind::plates,
                                         VolumeKind::stairs, VolumeKind::boxes};
constexpr Voxel kWideGoalSize{8, 8, 8};

/// A world, a place where the sphere is, and from there the widest sphere that gets to each middle.
struct WideScene {
    oracle::VolumeDense world{};
    Volume space;
    double radius = 0.0;
    Vec3 from{};
    std::vector<oracle::VolumeRadius::Pair> to{};

    // Is there surely a way to a middle, surely none?
    [[nodiscard]] bool surely(std::size_t i) const { return to[i].radius >= radius + 0.05; }
    [[nodiscard]] bool never(std::size_t i) const { return to[i].radius < radius - oracle::kRadiusTooNarrow; }
};

// Every other time a radius at which one of the middles is just cut off.
WideScene draw_scene(Rng& rng, int w) {
    oracle::VolumeDense world = random_volume(rng, kWideGoalKinds[w % 5], kWideGoalSize);
    WideScene scene{world, make_volume(world)};
    scene.radius = w % 4 == 0 ? kWideCritical[rng.below(5)] : rng.between(0.55, 1.3);
    std::vector<oracle::VolumeRadius::Pair> all;
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Vec3 p = world.centre(world.at(i));
        if (fits(scene.space, p, 0.55)) all.push_back({{}, p, -1.0});
    }
    if (all.empty()) return scene;
    const auto any = [&] { return all[rng.below(static_cast<std::uint32_t>(all.size()))]; };
    scene.from = any().to;
    for (int i = 0; i < 20 && !fits(scene.space, scene.from, std::max(scene.radius, 1.0)); ++i)
        scene.from = any().to;
    for (oracle::VolumeRadius::Pair& pair : all) pair.from = scene.from;
    const oracle::VolumeRadius widest(world, 2.0);
    widest.answer(all);
    const double room = clearance_at(scene.space, scene.from, 2.0);
    for (int i = 0; i < 50 && w % 2 == 1; ++i) {
        const oracle::VolumeRadius::Pair pair = any();
        const double radius = std::max(pair.radius + 0.06, 0.55);
        if (radius >= std::min(room, clearance_at(scene.space, pair.to, 2.0))) continue;
        scene.radius = radius;
        break;
    }
    if (scene.radius > room) return scene;
    for (const oracle::VolumeRadius::Pair& pair : all) {
        if (fits(scene.space, pair.to, scene.radius)) scene.to.push_back(pair);
    }
    return scene;
}

TEST(WideGoals, WithinARange) {
    Scratch scratch, other;
    Route route, sliced;
    int complete = 0, unreachable = 0, beside = 0;
    for (int w = 0; w < trials(6); ++w) {
        Rng rng(6100 + static_cast<std::uint64_t>(w));
        const WideScene scene = draw_scene(rng, w);
        for (int i = 0; i < 20 && !scene.to.empty(); ++i) {
            const Vec3 place{rng.between(0.0, 8.0), rng.between(0.0, 8.0), rng.between(0.0, 8.0)};
            const double range = rng.between(0.2, 3.5);
            const VolumeQuery query{
                .start = scene.from, .goal = Goal::within(place, range), .agent = {.radius = scene.radius}};
            ASSERT_TRUE(find_route_into(scene.space, query, scratch, route));
            const std::string trace = "world " + std::to_string(w) + ", query " + std::to_string(i);
            ASSERT_FALSE(verify(route, scene.space, query.agent)) << trace;
            bool must = distance(scene.from, place) <= range;
            for (std::size_t k = 0; k < scene.to.size(); ++k)
                must = must || (scene.surely(k) && distance(scene.to[k].to, place) <= range);
            if (must) {
                ASSERT_EQ(route.status, PathStatus::complete) << trace;
            }
            VolumeSearch search(scene.space, query, other);
            while (search.running()) search.step(1 + rng.below(50));
            ASSERT_TRUE(search.take(sliced));
            ASSERT_EQ(route_difference(sliced, route), "") << trace;
            if (route.status != PathStatus::complete) {
                const bool stands = fits(scene.space, place, scene.radius);
                ASSERT_TRUE(route.status == PathStatus::unreachable || !stands) << trace;
                unreachable += route.status == PathStatus::unreachable ? 1 : 0;
                continue;
            }
            ++complete;
            ASSERT_LE(distance(route.end.position, place), range * (1.0 + 1e-9)) << trace;
            beside += fits(scene.space, place, scene.radius) ? 0 : 1;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 25);
    EXPECT_GT(unreachable, 2);
    EXPECT_GT(beside, 10);
}

TEST(WideGoals, ConnectedPlaces) {
    Scratch scratch;
    int found = 0, none = 0, farther = 0;
    for (int w = 0; w < trials(6); ++w) {
        Rng rng(6200 + static_cast<std::uint64_t>(w)), dice(3);
        const WideScene scene = draw_scene(rng, w);
        for (int i = 0; i < 20 && !scene.to.empty(); ++i) {
            const Vec3 place{rng.between(0.0, 8.0), rng.between(0.0, 8.0), rng.between(0.0, 8.0)};
            const double reach = rng.below(2) == 0 ? rng.between(0.0, 3.0) : 1e9;
            const VolumeFreeQuery query{.place = place,
                                        .agent = {.radius = scene.radius},
                                        .reach = reach,
                                        .connected = true,
                                        .from = scene.from};
            const Result<VolumeFree> spot = nearest_free(scene.space, query, scratch);
            ASSERT_TRUE(spot);
            // Nearer places, of those with a way for sure, there are none; a farther one has no way to `place` itself.
            const double away = spot->found ? spot->distance : reach;
            double nearest = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < scene.to.size(); ++k) {
                const double gap = distance(scene.to[k].to, place);
                nearest = std::min(nearest, gap);
                EXPECT_FALSE(scene.surely(k) && gap < away - 1e-9) << "world " << w << ", query " << i;
                if (spot->found && spot->position == scene.to[k].to) {
                    EXPECT_FALSE(scene.never(k)) << w;
                }
            }
            ++(spot->found ? found : none);
            farther += spot->found && spot->distance > nearest + 1e-9 ? 1 : 0;
            const Result<VolumeFree> any = random_place(
                scene.space, {.agent = {.radius = scene.radius}, .connected = true, .from = scene.from}, dice,
                scratch);
            ASSERT_TRUE(any && any->found);
            bool listed = false;
            for (std::size_t k = 0; k < scene.to.size(); ++k)
                listed = listed || (scene.to[k].to == any->position && !scene.never(k));
            EXPECT_TRUE(listed) << "world " << w;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(found, 40);
    EXPECT_GT(none, 5);
    EXPECT_GT(farther, 0);
}

// A ball about a wall: the far side is in range, the near side is where it comes from. No allocation once that was answered.
TEST(WideGoals, BothSidesOfAWallAndMemory) {
    oracle::VolumeDense world({24, 16, 16});
    for (std::int32_t z = 0; z < 16; ++z) {
        for (std::int32_t y = 0; y < 16; ++y) world.set({12, y, z}, true);
    }
    const Volume space = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    const VolumeQuery query{
        .start = {3, 8, 8}, .goal = Goal::within({14.5, 8, 8}, 6.0), .agent = {.radius = 1.25}};
    ASSERT_TRUE(find_route_into(space, query, scratch, route));
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_NEAR(distance(route.end.position, Vec3{14.5, 8, 8}), 6.0, 1e-9);
    const VolumeFreeQuery near{
        .place = {14.5, 8, 8}, .agent = {.radius = 1.25}, .connected = true, .from = {3, 8, 8}};
    const Result<VolumeFree> spot = nearest_free(space, near, scratch);
    ASSERT_TRUE(spot && spot->found);
    EXPECT_EQ(spot->position, (Vec3{10.5, 7.5, 7.5}));
    const std::int64_t calls = memory.calls;
    ASSERT_TRUE(find_route_into(space, query, scratch, route));
    ASSERT_TRUE(nearest_free(space, near, scratch));
    EXPECT_EQ(memory.calls, calls);
    VolumeQuery short_of = query;
    short_of.goal = Goal::within({14.5, 8, 8}, 3.0);
    ASSERT_TRUE(find_route_into(space, short_of, scratch, route));
    EXPECT_EQ(route.status, PathStatus::unreachable);
    int failures = 0;
    for (int n = 0;; ++n) {
        Scratch starved(memory.allocator());
        memory.fail_after(n, false);
        const Result<VolumeFree> starving = nearest_free(space, near, starved);
        const Result<void> done = starving ? find_route_into(space, query, starved, route) : Result<void>{};
        const bool failed = memory.feed();
        EXPECT_EQ(failed, !starving || !done) << n;
        if (!failed) break;
        ++failures;
    }
    EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace fairlead::testing
