// Baking: bounds, filling beside a dense flood, holes, chunks, bad input.

#include <fairlead/volume_bake/volume_bake.h>

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/starve.h"
#include "support/test_allocator.h"
#include "support/threads.h"
#include "volume_bake/voxel_worlds.h"

namespace fairlead::bake {
namespace {

using fairlead::testing::all_trials;
using fairlead::testing::Dense;
using fairlead::testing::Placement;
using fairlead::testing::trials;
using fairlead::testing::Triangles;

bool same(const BakedVolume& a, const BakedVolume& b) {
    const auto equal = [](const VoxelBrick& p, const VoxelBrick& q) {
        return p.x == q.x && p.y == q.y && p.z == q.z && p.solid == q.solid;
    };
    return a.size == b.size && a.origin == b.origin && a.report.filled == b.report.filled &&
           std::equal(a.bricks.begin(), a.bricks.end(), b.bricks.begin(), b.bricks.end(), equal);
}

Dense dense(const BakedVolume& volume) {
    Dense out(volume.size.x, volume.size.y, volume.size.z);
    out.add(volume.bricks.span());
    return out;
}

TEST(VolumeBake, BoundsAreTheGeometrysAndAMargin) {
    Triangles model;
    model.box({10, 20, 30}, {12, 23, 34.5});
    Result<BakedVolume> got = bake_volume(model.soup(), {.voxel_size = {0.5, 1.0, 1.5}, .margin = 3});
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->origin, (Vec3{8.5, 17, 25.5}));
    EXPECT_EQ(got->size, (Voxel{4 + 1 + 6, 3 + 1 + 6, 3 + 1 + 6}));
    EXPECT_EQ(got->report.triangles.used, 12U);
    const Dense world = dense(*got);
    EXPECT_NE(world.solid[world.index(3, 3, 3)], 0);
    EXPECT_NE(world.solid[world.index(7, 6, 6)], 0);
    EXPECT_EQ(world.solid[world.index(4, 4, 4)], 0);
    EXPECT_EQ(std::count(world.solid.begin(), world.solid.end(), 1), got->report.triangles.solid);
    got = bake_volume(
        model.soup(),
        {.voxel_size = {0.1, 0.1, 0.1}, .give_bounds = true, .low = {9, 19, 29}, .high = {13.05, 24, 35}});
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->size, (Voxel{41, 50, 60}));
    EXPECT_EQ(got->origin, (Vec3{9, 19, 29}));
}

TEST(VolumeBake, WhatIsShutInIsFilledAsByADenseFlood) {
    Rng rng(31);
    const int rounds = trials(12);
    std::int64_t filled = 0;
    for (int round = 0; round < rounds; ++round) {
        Triangles model;
        const double side = round % 3 == 0 ? 30.0 : 150.0;  // within a chunk; over several
        const int boxes = 1 + static_cast<int>(rng.below(5));
        for (int i = 0; i < boxes; ++i) {
            Triangles one;
            one.box({-rng.between(1.0, side / 3), -rng.between(1.0, side / 3), -rng.between(1.0, side / 3)},
                    {rng.between(1.0, side / 3), rng.between(1.0, side / 3), rng.between(1.0, side / 3)});
            if (rng.below(3) == 0) one.triangles.resize(33);  // a hole
            const Placement place(rng, {rng.between(0.2, 0.8) * side, rng.between(0.2, 0.8) * side,
                                        rng.between(0.2, 0.8) * side});
            for (std::size_t k = 0; k < one.triangles.size(); k += 3)
                model.add(place(one.vertices[k]), place(one.vertices[k + 1]), place(one.vertices[k + 2]));
        }
        VolumeBakeOptions options{.give_bounds = true, .high = {side, side + 3, side - 5}};
        const Result<BakedVolume> plain = bake_volume(model.soup(), options);
        options.fill = VolumeFill::inside;
        const Result<BakedVolume> full = bake_volume(model.soup(), options);
        ASSERT_TRUE(plain.has_value() && full.has_value());
        Dense world = dense(*plain);
        const auto reached = world.flood(6, [&](auto x, auto y, auto z) { return world.at_bounds(x, y, z); });
        std::int64_t shut_in = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            if (reached[i] != 0 || world.solid[i] != 0) continue;
            world.solid[i] = 1;
            ++shut_in;
        }
        EXPECT_TRUE(dense(*full).solid == world.solid) << round;
        EXPECT_EQ(full->report.filled, shut_in);
        EXPECT_EQ(full->report.triangles.solid, plain->report.triangles.solid);
        EXPECT_EQ(plain->report.filled, 0);
        filled += shut_in;
    }
    if (all_trials()) {
        EXPECT_GT(filled, 100000);
    }
}

TEST(VolumeBake, AHoleIsToldWithItsPlace) {
    Triangles model;
    model.box({0, 0, 0}, {20, 20, 20});
    VolumeBakeOptions options{.fill = VolumeFill::inside};
    Result<BakedVolume> got = bake_volume(model.soup(), options);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->report.filled, 19 * 19 * 19);
    EXPECT_EQ(got->report.open_edges, 0U);
    model.triangles.resize(33);  // half of the face x = 20
    got = bake_volume(model.soup(), options);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->report.filled, 0);
    EXPECT_EQ(got->report.open_edges, 3U);
    EXPECT_TRUE(got->report.open_at == (Vec3{20, 0, 10}) || got->report.open_at == (Vec3{20, 10, 20}) ||
                got->report.open_at == (Vec3{20, 10, 10}))
        << got->report.open_at.x << ' ' << got->report.open_at.y << ' ' << got->report.open_at.z;
    // A crack narrower than a voxel lets nobody in, and is told all the same.
    model.add({20, 0, 0.0}, {20, 20, 19.75}, {20, 0, 19.75});
    got = bake_volume(model.soup(), options);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->report.filled, 19 * 19 * 19);
    EXPECT_GT(got->report.open_edges, 0U);
}

TEST(VolumeBake, ABoxWithinABoxIsFilledAsOne) {
    Triangles model;
    model.box({0, 0, 0}, {200, 200, 200});
    model.box({50, 50, 50}, {150, 150, 150});
    const Result<BakedVolume> got = bake_volume(model.soup(), {.fill = VolumeFill::inside});
    ASSERT_TRUE(got.has_value());
    std::int64_t solid = 0;
    for (const VoxelBrick& b : got->bricks) solid += std::popcount(b.solid);
    EXPECT_EQ(solid, std::int64_t{201} * 201 * 201);
    EXPECT_EQ(solid, got->report.filled + got->report.triangles.solid);
}

TEST(VolumeBake, NeitherOrderNorThreadsNorTheWayTheyComeChangeAByte) {
    Rng rng(32);
    const int rounds = trials(10);
    for (int round = 0; round < rounds; ++round) {
        Triangles model;
        for (int i = 0; i < 30; ++i) {
            Triangles one;
            one.box(Vec3{1, 1, 1} * -rng.between(0.2, 30.0), Vec3{1, 1, 1} * rng.between(0.2, 30.0));
            const Placement place(
                rng, {rng.between(0.0, 200.0), rng.between(0.0, 200.0), rng.between(0.0, 200.0)});
            for (std::size_t k = 0; k < one.triangles.size(); k += 3)
                model.add(place(one.vertices[k]), place(one.vertices[k + 1]), place(one.vertices[k + 2]));
        }
        VolumeBakeOptions options{.give_bounds = true, .high = {200, 190, 180}, .fill = VolumeFill::inside};
        const Result<BakedVolume> plain = bake_volume(model.soup(), options);
        ASSERT_TRUE(plain.has_value());
        fairlead::testing::Threads threads{3};
        options.jobs = {&fairlead::testing::Threads::run, &threads};
        const Result<BakedVolume> shared = bake_volume(model.soup(), options);
        ASSERT_TRUE(shared.has_value());
        EXPECT_TRUE(same(*plain, *shared));
        EXPECT_EQ(plain->report.open_at, shared->report.open_at);
        std::reverse(model.triangles.begin(), model.triangles.end());
        const Result<BakedVolume> reversed = bake_volume(model.soup(), options);
        ASSERT_TRUE(reversed.has_value());
        EXPECT_TRUE(same(*plain, *reversed));
        EXPECT_EQ(plain->report.open_edges, reversed->report.open_edges);

        options.fill = VolumeFill::nothing;
        const Result<BakedVolume> hollow = bake_volume(model.soup(), options);
        struct Reader {
            const Triangles* model;
            std::size_t at = 0;
        } reader{&model};
        const auto read = [](void* user, Vec3* corners, std::size_t most) {
            auto& r = *static_cast<Reader*>(user);
            std::size_t count = 0;
            for (; count < most && r.at < r.model->triangles.size(); ++count) {
                for (int k = 0; k < 3; ++k)
                    corners[3 * count + static_cast<std::size_t>(k)] =
                        r.model->vertices[r.model->triangles[r.at++]];
            }
            return count;
        };
        const Result<BakedVolume> streamed = bake_volume(TriangleStream{read, &reader}, options);
        ASSERT_TRUE(hollow.has_value() && streamed.has_value());
        EXPECT_TRUE(same(*hollow, *streamed));
        std::size_t at = 0;
        for (std::int32_t c = 0; c < 64; ++c) {
            const Result<BakedVolume> chunk = volume_chunk(model.soup(), options, c % 4, c / 4 % 4, c / 16);
            const bool exists = c / 16 < 3 && c / 4 % 4 < 3;
            ASSERT_EQ(chunk.has_value(), exists);
            for (std::size_t i = 0; exists && i < chunk->bricks.size(); ++i, ++at) {
                ASSERT_LT(at, hollow->bricks.size());
                EXPECT_EQ(hollow->bricks[at].solid, chunk->bricks[i].solid);
                EXPECT_EQ(hollow->bricks[at].z, chunk->bricks[i].z);
            }
        }
        EXPECT_EQ(at, hollow->bricks.size());
    }
}

TEST(VolumeBake, BadInputIsAnErrorWithItsField) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Triangles model;
    model.box({0, 0, 0}, {4, 4, 4});
    const auto error = [&](const VolumeBakeOptions& options) {
        const Result<BakedVolume> got = bake_volume(model.soup(), options);
        EXPECT_FALSE(got.has_value());
        return got.has_value() ? Error{} : got.error();
    };
    EXPECT_EQ(error({.voxel_size = {1, 0, 1}}), Error(ErrorCode::out_of_range, Field::cell_size));
    EXPECT_EQ(error({.voxel_size = {1, nan, 1}}), Error(ErrorCode::not_finite, Field::cell_size));
    EXPECT_EQ(error({.voxel_size = {1e-9, 1, 1}}).code, ErrorCode::size_limit);
    EXPECT_EQ(error({.voxel_size = {1e-4, 1e-4, 1e-4}}).code, ErrorCode::size_limit);
    EXPECT_EQ(error({.margin = UINT32_MAX}).code, ErrorCode::size_limit);
    EXPECT_EQ(error({.give_bounds = true, .low = {0, nan, 0}, .high = {1, 1, 1}}),
              Error(ErrorCode::not_finite, Field::box));
    EXPECT_EQ(error({.give_bounds = true, .low = {0, 2, 0}, .high = {1, 1, 1}}),
              Error(ErrorCode::out_of_range, Field::box));
    EXPECT_EQ(error({.give_bounds = true, .high = {1e300, 1, 1}}).code, ErrorCode::size_limit);
    model.triangles.push_back(77);
    EXPECT_EQ(error({}).code, ErrorCode::size_mismatch);
    model.triangles.clear();
    EXPECT_EQ(error({}), Error(ErrorCode::size_zero, Field::triangles));
    EXPECT_EQ(volume_chunk(model.soup(), {}, 0, 0, 0).error(), Error(ErrorCode::incompatible, Field::box));
    const VolumeBakeOptions given{.give_bounds = true, .high = {8, 8, 8}};
    EXPECT_EQ(volume_chunk(model.soup(), given, 1, 0, 0).error(),
              Error(ErrorCode::out_of_range, Field::rect));
    EXPECT_TRUE(volume_chunk(model.soup(), given, 0, 0, 0).has_value());
    EXPECT_EQ(bake_volume(TriangleStream{}, {}).error(), Error(ErrorCode::incompatible, Field::box));
    model.box({0, 0, 0}, {4, 4, 4});
    model.vertices.back().z = nan;
    const Result<BakedVolume> partly = bake_volume(model.soup(), {});
    ASSERT_TRUE(partly.has_value());
    EXPECT_EQ(partly->report.triangles.not_finite, 1U);
    EXPECT_EQ(error({.refuse_bad = true}).code, ErrorCode::not_finite);
}

TEST(VolumeBake, MemoryThatRunsOutIsAnErrorAndProgressStops) {
    Triangles model;
    model.box({0, 0, 0}, {70, 20, 20});
    VolumeBakeOptions options{.fill = VolumeFill::inside};
    for (const bool once : fairlead::testing::kOnceAndForEver) {
        fairlead::testing::TestAllocator memory;
        options.allocator = memory.allocator();
        const std::int64_t calls = fairlead::testing::starve(
            memory, once, [&] { return bake_volume(model.soup(), options); }, [](const auto&) {});
        EXPECT_GT(calls, 12);
        EXPECT_EQ(memory.live_blocks, 0);
    }
    int left = 1;
    options.allocator = {};
    options.progress = {[](void* user, std::size_t, std::size_t) { return --*static_cast<int*>(user) >= 0; },
                        &left};
    const Result<BakedVolume> stopped = bake_volume(model.soup(), options);  // in the flood
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace fairlead::bake
