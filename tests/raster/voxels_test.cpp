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
#include "raster/voxel_oracle.h"
#include "raster/voxel_rows.h"

#include "support/environment.h"
#include "support/starve.h"
#include "support/test_allocator.h"
#include "support/threads.h"

namespace fairlead {
namespace {

using testing::StepTriangle;
using testing::to_steps;
using testing::VoxelSet;

struct Model {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;

    void add(Vec3 a, Vec3 b, Vec3 c) {
        for (const Vec3& p : {a, b, c}) {
            triangles.push_back(static_cast<std::uint32_t>(vertices.size()));
            vertices.push_back(p);
        }
    }
    [[nodiscard]] TriangleSoup soup() const { return {.vertices = vertices, .triangles = triangles}; }
    [[nodiscard]] std::vector<StepTriangle> steps(const VoxelFrame& frame) const {
        std::vector<StepTriangle> out;
        for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
            StepTriangle t{};
            for (std::size_t k = 0; k < 3; ++k) t.corner[k] = to_steps(vertices[triangles[i + k]], frame);
            out.push_back(t);
        }
        return out;
    }
};

VoxelFrame frame_of(std::int32_t x, std::int32_t y, std::int32_t z) {
    VoxelFrame frame;
    frame.size[0] = x, frame.size[1] = y, frame.size[2] = z;
    return frame;
}

enum Kind {
    kAnywhere,
    kTiny,
    kSliver,
    kOnFaces,
    kUpright,
    kSegment,
    kPoint,
    kSmall,
    kDiagonal,
    kHuge,
    kKinds
};

// Corners in voxels. Coarse steps make corners, edges and planes fall on the faces, edges and corners of voxels.
void add_random(Rng& rng, Model& model, Kind kind, double side) {
    const double steps[] = {1.0, 2.0, 8.0, 8192.0};
    const double step = steps[rng.below(4)];
    const auto snap = [step](double v) { return std::floor(v * step) / step; };
    const auto place = [&](double reach) {
        return Vec3{snap(rng.between(-reach, reach)), snap(rng.between(-reach, reach)),
                    snap(rng.between(-reach, reach))};
    };
    const Vec3 at =
        Vec3{snap(rng.between(0.0, side)), snap(rng.between(0.0, side)), snap(rng.between(0.0, side))};
    Vec3 a = at, b = at, c = at;
    switch (kind) {
        case kAnywhere: b = at + place(side), c = at + place(side); break;
        case kTiny: b = at + place(0.7), c = at + place(0.7); break;
        case kSmall: b = at + place(2.2), c = at + place(2.2); break;
        case kSliver: b = at + place(side), c = b + (at - b) * 0.5 + place(0.1); break;
        case kOnFaces:
            b = at + place(5), c = at + place(5);
            (rng.below(3) == 0 ? b.x = c.x = a.x = std::floor(a.x)
                               : (rng.below(2) == 0 ? b.y = c.y = a.y = std::floor(a.y)
                                                    : b.z = c.z = a.z = std::floor(a.z)));
            break;
        case kUpright:
            b = at + place(4),
            c = rng.below(2) == 0 ? Vec3{b.x, b.y, at.z + 3.0} : Vec3{at.x, at.y + 2.5, at.z};
            break;
        case kSegment: b = at + place(3), c = rng.below(2) == 0 ? b : at + (b - at) * 2.0; break;
        case kPoint: break;
        case kDiagonal: {
            const double s = std::floor(rng.between(1.0, 4.0));
            b = at + Vec3{s, -s, 0}, c = at + Vec3{0, s, -s};
            break;
        }
        default: b = at + place(60000), c = at + place(60000); break;
    }
    model.add(a, b, c);
}

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

// The oracle itself: no point of a triangle lies in a voxel that it says is free.
TEST(VoxelOracle, HoldsEveryPointOfATriangle) {
    Rng rng(5);
    const int rounds = testing::trials(400);
    for (int round = 0; round < rounds; ++round) {
        Model model;
        add_random(rng, model, static_cast<Kind>(round % kHuge), 6.0);
        const VoxelFrame frame = frame_of(16, 16, 16);
        const VoxelSet voxels = testing::oracle_voxels(model.steps(frame), frame);
        const StepTriangle t = model.steps(frame)[0];
        for (std::int64_t i = 0; i <= 64; ++i) {
            for (std::int64_t j = 0; i + j <= 64; ++j) {
                testing::VoxelAt at{};
                bool inside = true;
                for (std::size_t k = 0; k < 3; ++k) {  // the point times 64
                    const std::int64_t p =
                        t.corner[0][k] * (64 - i - j) + t.corner[1][k] * i + t.corner[2][k] * j;
                    inside = inside && p >= 0 && p < 16 * 64 * testing::kOracleSteps;
                    at[2 - k] = static_cast<std::int32_t>(p / (64 * testing::kOracleSteps));
                }
                ASSERT_TRUE(!inside || voxels.contains(at))
                    << round << ' ' << at[2] << ' ' << at[1] << ' ' << at[0];
            }
        }
    }
}

// And it marks no voxel too many: where it says "meets", the part of the triangle in the closed voxel is not empty.
TEST(VoxelOracle, MarksNothingThatIsApart) {
    Rng rng(6);
    const int rounds = testing::trials(400);
    for (int round = 0; round < rounds; ++round) {
        Model model;
        add_random(rng, model, static_cast<Kind>(round % kHuge), 6.0);
        const VoxelFrame frame = frame_of(12, 12, 12);
        const StepTriangle t = model.steps(frame)[0];
        for (const testing::VoxelAt& v : testing::oracle_voxels({t}, frame)) {
            using Point = std::array<long double, 3>;
            std::vector<Point> part;
            for (const testing::Steps& s : t.corner)
                part.push_back({static_cast<long double>(s[0]), static_cast<long double>(s[1]),
                                static_cast<long double>(s[2])});
            for (std::size_t k = 0; k < 3; ++k) {
                for (const int sign : {1, -1}) {
                    const long double at = (v[2 - k] + (sign > 0 ? 0 : 1)) * 8192.0L;
                    std::vector<Point> kept;
                    for (std::size_t i = 0; i < part.size(); ++i) {
                        const Point& p = part[i];
                        const Point& q = part[(i + 1) % part.size()];
                        const long double d = sign * (p[k] - at) + 1e-6L, e = sign * (q[k] - at) + 1e-6L;
                        if (d >= 0) kept.push_back(p);
                        if ((d > 0 && e < 0) || (d < 0 && e > 0)) {
                            Point cut;
                            for (std::size_t c = 0; c < 3; ++c) cut[c] = p[c] + d / (d - e) * (q[c] - p[c]);
                            kept.push_back(cut);
                        }
                    }
                    part = kept;
                }
            }
            ASSERT_FALSE(part.empty()) << round;
        }
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
                for (const Model* given : {&model, const_cast<const Model*>(&near)}) {
                    const Result<VoxelBricks> chunk = voxelize_chunk(given->soup(), frame, x, y, z);
                    ASSERT_TRUE(chunk.has_value());
                    ASSERT_LE(at + chunk->bricks.size(), all->bricks.size());
                    EXPECT_TRUE(
                        std::equal(chunk->bricks.begin(), chunk->bricks.end(), all->bricks.begin() + at));
                    if (given == &near) at += chunk->bricks.size();
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
