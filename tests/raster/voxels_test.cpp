// Voxels of triangles beside the plain test of separating axes, bit for bit; order, threads, lanes and chunks; walls
// that must not leak; bad input.

#include <fairlead/raster/voxels.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "raster/voxel_chunk.h"
#include "raster/voxel_models.h"
#include "raster/voxel_oracle.h"
#include "raster/voxel_rows.h"

#include "support/environment.h"
#include "support/starve.h"
#include "support/test_allocator.h"
#include "support/threads.h"

namespace fairlead {
namespace {

using namespace testing::voxel_models;
using testing::StepTriangle;
using testing::VoxelSet;

void expect_same(const Model& model, const VoxelFrame& frame, const char* what, int round) {
    const Result<VoxelBricks> got = voxelize(model.soup(), frame);
    ASSERT_TRUE(got.has_value()) << error_name(got.error().code);
    const VoxelSet expected = testing::oracle_voxels(model.steps(frame), frame);
    const VoxelSet found = testing::voxels_of(got->bricks.span());
    EXPECT_EQ(found.size(), static_cast<std::size_t>(got->counts.solid));
    if (found == expected) return;
    std::vector<testing::VoxelAt> wrong;
    std::set_symmetric_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                                  std::back_inserter(wrong));
    ADD_FAILURE() << what << ' ' << round << ": " << wrong.size() << " voxels differ, first " << wrong[0][2]
                  << ' ' << wrong[0][1] << ' ' << wrong[0][0]
                  << (found.contains(wrong[0]) ? " too many" : " missing");
}

TEST(Voxels, EveryKindOfTriangleIsAsByPlainSeparatingAxes) {
    Rng rng(1);
    const int rounds = testing::trials(3000);
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
        for (int kind = 0; kind < kHuge; ++kind) {
            Model model;
            const int count = kind == kAnywhere ? 1 : 4;
            for (int i = 0; i < count; ++i) add_random(rng, model, static_cast<Kind>(kind), 14.0);
            expect_same(model, frame_of(13, 15, 14), "kind", kind);
        }
    }
}

TEST(Voxels, TrianglesFarLargerThanTheBoundsAreExact) {
    Rng rng(2);
    const int rounds = testing::trials(1500);
    std::int64_t voxels = 0;
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
        Model model;
        add_random(rng, model, kHuge, 14.0);
        // Through the bounds: so that the plane and the edges pass there.
        const Vec3 toward{rng.between(0.0, 14.0), rng.between(0.0, 14.0), rng.between(0.0, 14.0)};
        if (round % 2 == 0) model.vertices[2] = toward + (toward - model.vertices[1]) * rng.between(0.0, 0.1);
        if (round % 4 == 1) {  // a plane that passes through corners of voxels
            const double s = std::floor(rng.between(1000.0, 60000.0));
            model.vertices = {
                {3, 5, 7}, {3 + s, 5 - s, 7}, {3 - s, 5 - s, 7 + 2 * s > 60000 ? 7 + s : 7 + 2 * s}};
        }
        const VoxelFrame frame = frame_of(14, 14, 14);
        expect_same(model, frame, "huge", round);
        voxels += static_cast<std::int64_t>(testing::oracle_voxels(model.steps(frame), frame).size());
    }
    if (testing::all_trials()) {
        EXPECT_GT(voxels, 10000);
    }
}

TEST(Voxels, ChunksJoinWithoutASeam) {
    Rng rng(3);
    const int rounds = testing::trials(60);
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
        Model model;
        for (int i = 0; i < 12; ++i) {
            const Kind kind = static_cast<Kind>(rng.below(kHuge));
            add_random(rng, model, kind == kAnywhere ? kSmall : kind, 6.0);
        }
        add_random(rng, model, kAnywhere, 30.0);
        // The meeting point of eight chunks.
        for (Vec3& p : model.vertices) p = p + Vec3{61, 125, 61};
        expect_same(model, frame_of(130, 131, 133), "chunks", round);
    }
}

TEST(Voxels, AVoxelMayBeLongerOnOneAxisThanOnAnother) {
    Rng rng(4);
    const int rounds = testing::trials(400);
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
        VoxelFrame frame = frame_of(9, 17, 5);
        frame.origin = {rng.between(-100.0, 100.0), rng.between(-1e5, 1e5), 3.0};
        frame.voxel_size = {rng.between(0.1, 1.0), 0.25, rng.between(0.5, 3.0)};
        Model model;
        for (int i = 0; i < 4; ++i) add_random(rng, model, static_cast<Kind>(rng.below(kHuge)), 6.0);
        for (Vec3& p : model.vertices) p = p + frame.origin;
        expect_same(model, frame, "anisotropic", round);
    }
}

Model random_scene(Rng& rng, double side, int count) {
    Model model;
    for (int i = 0; i < count; ++i) {
        const int pick = static_cast<int>(rng.below(20));
        add_random(rng, model, pick == 0 ? kAnywhere : static_cast<Kind>(1 + rng.below(kHuge - 1)), side);
    }
    return model;
}

bool same_bricks(const VoxelBricks& a, const VoxelBricks& b) {
    return std::equal(a.bricks.begin(), a.bricks.end(), b.bricks.begin(), b.bricks.end()) &&
           a.counts.solid == b.counts.solid;
}

TEST(Voxels, NeitherOrderNorThreadsNorAStreamChangeAByte) {
    Rng rng(7);
    const int rounds = testing::trials(20);
    for (int round = 0; round < rounds; ++round) {
        Model model = random_scene(rng, 700.0, 600);
        const VoxelFrame frame = frame_of(700, 650, 720);
        const Result<VoxelBricks> plain = voxelize(model.soup(), frame);
        ASSERT_TRUE(plain.has_value());
        EXPECT_GT(plain->bricks.size(), 600U);
        for (const std::size_t count : {std::size_t{1}, std::size_t{3}}) {
            testing::Threads threads{count};
            const Result<VoxelBricks> shared =
                voxelize(model.soup(), frame, {.jobs = {&testing::Threads::run, &threads}});
            ASSERT_TRUE(shared.has_value());
            EXPECT_TRUE(same_bricks(*plain, *shared));
        }
        struct Reader {
            const Model* model;
            std::size_t at = 0;
        } reader{&model};
        const TriangleStream stream{[](void* user, Vec3* corners, std::size_t most) {
                                        auto& r = *static_cast<Reader*>(user);
                                        const std::size_t count = std::min<std::size_t>(
                                            {most, 7, r.model->triangles.size() / 3 - r.at});
                                        for (std::size_t i = 0; i < 3 * count; ++i)
                                            corners[i] = r.model->vertices[r.model->triangles[3 * r.at + i]];
                                        r.at += count;
                                        return count;
                                    },
                                    &reader};
        const Result<VoxelBricks> streamed = voxelize(stream, frame);
        ASSERT_TRUE(streamed.has_value());
        EXPECT_TRUE(same_bricks(*plain, *streamed));
        EXPECT_EQ(streamed->counts.triangles, 600U);
        for (std::size_t i = model.triangles.size() / 3; i > 1; --i) {
            const std::size_t j = rng.below(static_cast<std::uint32_t>(i));
            for (std::size_t k = 0; k < 3; ++k)
                std::swap(model.triangles[3 * (i - 1) + k], model.triangles[3 * j + k]);
            std::rotate(&model.triangles[3 * j], &model.triangles[3 * j + rng.below(3)],
                        &model.triangles[3 * j] + 3);
            if (rng.below(2) == 0) std::swap(model.triangles[3 * j], model.triangles[3 * j + 1]);
        }
        const Result<VoxelBricks> shuffled = voxelize(model.soup(), frame);
        ASSERT_TRUE(shuffled.has_value());
        EXPECT_TRUE(same_bricks(*plain, *shuffled));
    }
}

TEST(Voxels, BricksComeInOrderAndOnce) {
    Rng rng(8);
    const Model model = random_scene(rng, 200.0, 400);
    const VoxelFrame frame = frame_of(190, 201, 203);
    const Result<VoxelBricks> got = voxelize(model.soup(), frame);
    ASSERT_TRUE(got.has_value());
    const auto key = [](const BrickBits& b) {
        return std::array<std::int32_t, 6>{b.z / 16, b.y / 16, b.x / 16, b.z, b.y, b.x};
    };
    for (std::size_t i = 0; i < got->bricks.size(); ++i) {
        const BrickBits& b = got->bricks[i];
        EXPECT_NE(b.solid, 0U);
        if (i > 0) {
            EXPECT_LT(key(got->bricks[i - 1]), key(b));
        }
        for (const auto& [z, y, x] : testing::voxels_of(std::span(&b, 1)))
            EXPECT_TRUE(x < frame.size[0] && y < frame.size[1] && z < frame.size[2]);
    }
}

TEST(Voxels, AChunkIsAPureFunctionOfItsTriangles) {
    Rng rng(9);
    const Model model = random_scene(rng, 140.0, 300);
    const VoxelFrame frame = frame_of(140, 130, 150);
    const Result<VoxelBricks> all = voxelize(model.soup(), frame);
    ASSERT_TRUE(all.has_value());
    std::size_t at = 0;
    for (std::int32_t z = 0; z < 3; ++z) {
        for (std::int32_t y = 0; y < 3; ++y) {
            for (std::int32_t x = 0; x < 3; ++x) {
                Model near;  // what does not touch the chunk is not there
                const std::int64_t side = 64 * testing::kOracleSteps;
                const std::vector<StepTriangle> steps = model.steps(frame);
                for (std::size_t i = 0; i < steps.size(); ++i) {
                    if (!testing::meets(steps[i], {x * side, y * side, z * side}, side)) continue;
                    near.add(model.vertices[3 * i], model.vertices[3 * i + 1], model.vertices[3 * i + 2]);
                }
                for (const bool all_of_them : {true, false}) {
                    const Model& given = all_of_them ? model : near;
                    const Result<VoxelBricks> chunk = voxelize_chunk(given.soup(), frame, x, y, z);
                    ASSERT_TRUE(chunk.has_value());
                    ASSERT_LE(at + chunk->bricks.size(), all->bricks.size());
                    EXPECT_TRUE(
                        std::equal(chunk->bricks.begin(), chunk->bricks.end(), all->bricks.begin() + at));
                    if (!all_of_them) at += chunk->bricks.size();
                }
            }
        }
    }
    EXPECT_EQ(at, all->bricks.size());
    EXPECT_EQ(voxelize_chunk(model.soup(), frame, 3, 0, 0).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(voxelize_chunk(model.soup(), frame, 0, -1, 0).error().field, Field::rect);
}

TEST(Voxels, AllLanesGiveTheSameBits) {
    Rng rng(10);
    const int rounds = testing::trials(200);
    for (int round = 0; round < rounds; ++round) {
        const Model model = random_scene(rng, 64.0, 61);
        const VoxelFrame frame = frame_of(64, 64, 64);
        const Result<raster::LatticeSoup> soup = raster::to_lattice(model.soup(), frame, {}, {});
        ASSERT_TRUE(soup.has_value());
        std::vector<raster::TriangleRun> which;
        for (std::uint32_t i = 0; i < 61; ++i) {
            raster::CellRange range;
            if (raster::cells_of(soup->triangle(i), raster::kVoxelShift, {{0, 0, 0}, {63, 63, 63}}, range))
                which.push_back({i, 1});
        }
        std::vector<raster::ChunkBits> bits(3);
        const raster::ChunkLanes lanes[] = {raster::ChunkLanes::best, raster::ChunkLanes::four,
                                            raster::ChunkLanes::one};
        for (std::size_t k = 0; k < 3; ++k) {
            bits[k] = {};
            raster::fill_chunk({*soup, which, {0, 0, 0}}, bits[k], lanes[k]);
            EXPECT_TRUE(
                std::equal(std::begin(bits[k].rows), std::end(bits[k].rows), std::begin(bits[0].rows)));
        }
    }
}

TEST(Voxels, BadTrianglesAreCountedOrRefused) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Model model;
    model.add({1, 1, 1}, {2, 1, 1}, {1, 2, 1});
    model.add({1, 1, nan}, {2, 1, 1}, {1, 2, 1});
    model.add({1, 1, 1}, {2e6, 1, 1}, {1, 2, 1});
    model.add({100, 1, 1}, {101, 1, 1}, {100, 2, 1});
    model.add({1, 1, 1}, {2, 1, 1}, {1, 2, 1});
    model.triangles[12] = 99;
    const VoxelFrame frame = frame_of(8, 8, 8);
    const Result<VoxelBricks> got = voxelize(model.soup(), frame);
    ASSERT_TRUE(got.has_value());
    const VoxelCounts& c = got->counts;
    EXPECT_EQ(c.triangles, 5U);
    EXPECT_EQ(c.used, 1U);
    EXPECT_EQ(c.outside, 1U);
    EXPECT_EQ(c.bad_index, 1U);
    EXPECT_EQ(c.not_finite, 1U);
    EXPECT_EQ(c.too_far, 1U);
    EXPECT_EQ(c.first_bad, 1);
    EXPECT_EQ(c.solid, 3);
    const Result<VoxelBricks> refused = voxelize(model.soup(), frame, {.refuse_bad = true});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::not_finite);
    EXPECT_EQ(refused.error().index, 1);
    model.triangles.resize(4);
    EXPECT_EQ(voxelize(model.soup(), frame).error().code, ErrorCode::size_mismatch);
}

TEST(Voxels, BadFramesAreErrors) {
    const Model model;
    const auto error = [&](const VoxelFrame& frame) { return voxelize(model.soup(), frame).error(); };
    VoxelFrame frame = frame_of(8, 8, 8);
    EXPECT_TRUE(voxelize(model.soup(), frame).has_value());
    frame.voxel_size.y = 0;
    EXPECT_EQ(error(frame).code, ErrorCode::out_of_range);
    EXPECT_EQ(error(frame).field, Field::cell_size);
    frame.voxel_size.y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(error(frame).code, ErrorCode::not_finite);
    frame = frame_of(8, 8, 8);
    frame.origin.z = std::numeric_limits<double>::infinity();
    EXPECT_EQ(error(frame).field, Field::origin);
    EXPECT_EQ(error(frame_of(8, 0, 8)).field, Field::width);
    EXPECT_EQ(error(frame_of(8, 8, kVoxelSideMax + 1)).code, ErrorCode::size_limit);
    EXPECT_EQ(error(frame_of(kVoxelSideMax, kVoxelSideMax, kVoxelSideMax)).code, ErrorCode::size_limit);
}

TEST(Voxels, ProgressCountsChunksAndStops) {
    Rng rng(11);
    const Model model = random_scene(rng, 400.0, 500);
    const VoxelFrame frame = frame_of(400, 400, 400);
    struct Seen {
        std::size_t calls = 0, last = 0, all = 0, stop = 1000;
    };
    const auto report = [](void* user, std::size_t done, std::size_t all) {
        auto& seen = *static_cast<Seen*>(user);
        EXPECT_GT(done, seen.last);
        seen.last = done, seen.all = all;
        return ++seen.calls < seen.stop;
    };
    testing::Threads threads{2};
    for (const Jobs& jobs : {Jobs{}, Jobs{&testing::Threads::run, &threads}}) {
        Seen seen;
        ASSERT_TRUE(voxelize(model.soup(), frame, {.jobs = jobs, .progress = {report, &seen}}).has_value());
        EXPECT_EQ(seen.last, seen.all);
        EXPECT_GT(seen.all, 64U);
        Seen stopped{.stop = 1};
        const Result<VoxelBricks> none =
            voxelize(model.soup(), frame, {.jobs = jobs, .progress = {report, &stopped}});
        ASSERT_FALSE(none.has_value());
        EXPECT_EQ(none.error().code, ErrorCode::cancelled);
        EXPECT_EQ(stopped.calls, 1U);
    }
}

TEST(Voxels, MemoryThatRunsOutIsAnErrorAndNothingLeaks) {
    Rng rng(12);
    const Model model = random_scene(rng, 140.0, 60);
    const VoxelFrame frame = frame_of(140, 140, 140);
    struct OneByOne {
        static void run(void*, std::size_t count, void (*job)(void*, std::size_t), void* context) {
            for (std::size_t i = 0; i < count; ++i) job(context, i);
        }
    };
    for (const bool once : testing::kOnceAndForEver) {
        for (const Jobs& jobs : {Jobs{}, Jobs{&OneByOne::run, nullptr}}) {
            testing::TestAllocator memory;
            const std::int64_t calls = testing::starve(
                memory, once,
                [&] {
                    return voxelize(model.soup(), frame, {.jobs = jobs, .allocator = memory.allocator()});
                },
                [](const auto&) {});
            EXPECT_GT(calls, 5);
            EXPECT_EQ(memory.live_blocks, 0);
        }
    }
}

}  // namespace
}  // namespace fairlead
