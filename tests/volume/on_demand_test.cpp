// Queries that load what they need, against the same with all chunks there.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/stream.h>

#include "support/environment.h"
#include "support/volumes.h"
#include "volume/same_bytes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

/// A level behind a callback; counts what it is asked.
struct Level {
    std::vector<VoxelBrick> bricks{};
    std::vector<Voxel> asked{};
    std::size_t fails_at = SIZE_MAX;

    [[nodiscard]] VolumeSource source() {
        const auto chunk = [](Voxel place, Array<VoxelBrick>& out, void* user) -> Result<void> {
            auto& self = *static_cast<Level*>(user);
            EXPECT_TRUE(out.empty());
            EXPECT_EQ(std::count(self.asked.begin(), self.asked.end(), place), 0) << "asked for twice";
            if (self.asked.size() == self.fails_at) return Error{ErrorCode::cancelled};
            self.asked.push_back(place);
            for (const VoxelBrick& b : self.bricks) {
                if (b.x / 16 == place.x && b.y / 16 == place.y && b.z / 16 == place.z && !out.push_back(b))
                    return Error{ErrorCode::out_of_memory};
            }
            return {};
        };
        return {.chunk = chunk, .user = this};
    }
};

Volume nothing_of(const VolumeDense& world) {
    return *Volume::make(
        {.origin = world.origin, .voxel_size = world.voxel, .size = world.size, .streamed = true});
}

TEST(VolumeOnDemand, TheStatusOfTheWholeWorld) {
    Rng rng(1);
    int complete = 0, unreachable = 0, few = 0;
    for (int n = 0; n < trials(12); ++n) {
        constexpr VolumeKind kKinds[] = {VolumeKind::rooms, VolumeKind::tunnels, VolumeKind::asteroids,
                                         VolumeKind::boxes, VolumeKind::plates,  VolumeKind::stairs};
        const VolumeDense world = random_volume(
            rng, kKinds[rng.below(6)], {rng.between(100, 260), rng.between(60, 150), rng.between(10, 80)});
        const Volume whole = make_volume(world);
        Scratch scratch;
        for (int q = 0; q < 3; ++q) {
            Level level{VolumeBricks(world).bricks};
            Volume volume = nothing_of(world);
            Voxel from, to;
            if (!draw_free(rng, world, from) || !draw_free(rng, world, to)) continue;
            VolumeQuery query{.start = draw_place(rng, world, from), .goal = draw_place(rng, world, to)};
            constexpr double kRadii[] = {0.0, 0.4, 1.0};
            query.agent.radius = kRadii[rng.below(3)];
            const Result<Route> all = find_route(whole, query, scratch);
            const Result<Route> some =
                find_route_on_demand(volume, query, scratch, level.source(), {.batch = 1 + rng.below(6)});
            ASSERT_TRUE(all && some) << error_text(some.error()).c_str();
            ASSERT_EQ(all->status, some->status) << "world " << n << ", query " << q;
            ASSERT_EQ(level.asked.size(), volume.state().loaded_chunks());
            if (some->status == PathStatus::complete) {
                ++complete;
                ASSERT_FALSE(verify(*some, volume, query.agent));
                ASSERT_FALSE(verify(*some, whole, query.agent, {.check_revision = false}));
                const Voxel count = volume.state().chunks();
                few += level.asked.size() < static_cast<std::size_t>(count.x * count.y * count.z) ? 1 : 0;
            } else {
                ++unreachable;
                Array<Voxel> missing;
                ASSERT_TRUE(missing_chunks(volume, query, scratch, 5, missing));
                ASSERT_TRUE(missing.empty());
            }
        }
    }
    if (all_trials()) {
        EXPECT_GT(complete, 12);
        EXPECT_GT(unreachable, 3);
        EXPECT_GT(few, complete / 2);
    }
}

TEST(VolumeOnDemand, BoxesComeAndGo) {
    Rng rng(2);
    const VolumeDense world = random_volume(rng, VolumeKind::asteroids, {300, 200, 70});
    Level level{VolumeBricks(world).bricks};
    Volume volume = nothing_of(world);
    const Result<std::size_t> some = load_box(volume, {{60, 10, 0}, {70, 20, 1}}, level.source());
    ASSERT_TRUE(some.has_value());
    EXPECT_EQ(*some, 2U);
    EXPECT_EQ(volume.state().revision(), 2U);
    EXPECT_EQ(*load_box(volume, {{60, 10, 0}, {70, 20, 1}}, level.source()), 0U);
    EXPECT_EQ(*load_box(volume, {{-9, -9, -9}, {0, 500, 500}}, level.source()), 0U);
    EXPECT_EQ(volume.state().revision(), 2U);
    // The rest; one that fails loads nothing.
    level.fails_at = 10;
    const VoxelBox all{{0, 0, 0}, world.size};
    EXPECT_EQ(load_box(volume, all, level.source()).error().code, ErrorCode::cancelled);
    EXPECT_EQ(volume.state().loaded_chunks(), 2U);
    level.asked.clear();
    level.fails_at = SIZE_MAX;
    EXPECT_EQ(*load_box(volume, all, level.source()), 5U * 4 * 2 - 2);
    expect_same_bytes(volume, make_volume(world));
    const VoxelBox around = voxels_around(volume, {100, 100, 35}, 20.0);
    EXPECT_EQ(around, (VoxelBox{{80, 80, 15}, {121, 121, 56}}));
    EXPECT_EQ(*unload_outside(volume, around), 39U);
    EXPECT_TRUE(volume.state().is_loaded({1, 1, 0}));
    EXPECT_EQ(*unload_outside(volume, {}), 1U);
    EXPECT_EQ(volume.state().loaded_chunks(), 0U);
    EXPECT_TRUE(voxels_around(volume, {1e300, 0, 0}, 1.0).empty());
    EXPECT_EQ(voxels_around(volume, {0, 0, 0}, 1e300), all);
    const Voxel named[] = {{1, 1, 1}, {9, 0, 0}, {1, 1, 1}, {0, 0, 0}};
    level.asked.clear();
    EXPECT_EQ(*load_chunks(volume, named, level.source()), 2U);
}

TEST(VolumeOnDemand, ALimit) {
    VolumeDense world({640, 10, 10});
    Level level;
    Volume volume = nothing_of(world);
    Scratch scratch;
    const VolumeQuery query{.start = {5, 5, 5}, .goal = Vec3{635, 5, 5}};
    const Result<Route> cut = find_route_on_demand(volume, query, scratch, level.source(), {.chunks_max = 6});
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->status, PathStatus::unreachable);
    EXPECT_EQ(level.asked.size(), 6U);
    const Result<Route> way = find_route_on_demand(volume, query, scratch, level.source());
    ASSERT_TRUE(way);
    EXPECT_EQ(way->status, PathStatus::complete);
    EXPECT_EQ(level.asked.size(), 10U);
    EXPECT_EQ(find_route_on_demand(volume, query, scratch, level.source(), {.batch = 0}).error(),
              (Error{ErrorCode::out_of_range, Field::chunks}));
    VolumeQuery bad = query;
    bad.agent.radius = -1.0;
    EXPECT_FALSE(find_route_on_demand(volume, bad, scratch, level.source()));
    Array<Voxel> missing;
    EXPECT_EQ(missing_chunks(volume, bad, scratch, 4, missing).error().field, Field::agent_radius);
    const Spot list[] = {Vec3{5, 5, 5}, Vec3{std::numeric_limits<double>::quiet_NaN(), 0, 0}};
    bad = query;
    bad.goal = Goal::any_of(list);
    EXPECT_EQ(missing_chunks(volume, bad, scratch, 4, missing).error(),
              (Error{ErrorCode::not_finite, Field::goal_list, 1, 0}));
}

}  // namespace
}  // namespace fairlead::testing
