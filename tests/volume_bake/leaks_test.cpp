// Walls without thickness at any pose leak nowhere (V2, V3), where the article's own loop with its threshold does; a
// doorway vanishes at the voxel size that the arithmetic foretells (V5).

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/raster/voxels.h>

#include "raster/voxel_oracle.h"
#include "support/environment.h"
#include "volume_bake/voxel_worlds.h"

namespace fairlead {
namespace {

using testing::Dense;
using testing::Placement;
using testing::Triangles;

VoxelFrame cube(std::int32_t side) {
    VoxelFrame frame;
    for (std::int32_t& size : frame.size) size = side;
    return frame;
}

Dense voxels(const Triangles& model, const VoxelFrame& frame) {
    const Result<VoxelBricks> got = voxelize(model.soup(), frame);
    EXPECT_TRUE(got.has_value());
    Dense out(frame.size[0], frame.size[1], frame.size[2]);
    out.add(got->bricks.span());
    return out;
}

// How much of a triangle lies in a unit box: its area after clipping.
double area_in(Vec3 a, Vec3 b, Vec3 c, Vec3 low) {
    std::vector<Vec3> part{a, b, c};
    for (int side = 0; side < 6; ++side) {
        const auto depth = [&](Vec3 p) {
            const double at[3] = {p.x - low.x, p.y - low.y, p.z - low.z};
            return side % 2 == 0 ? at[side / 2] : 1.0 - at[side / 2];
        };
        std::vector<Vec3> kept;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const Vec3 p = part[i], q = part[(i + 1) % part.size()];
            const double d = depth(p), e = depth(q);
            if (d >= 0) kept.push_back(p);
            if ((d > 0 && e < 0) || (d < 0 && e > 0)) kept.push_back(p + (q - p) * (d / (d - e)));
        }
        part = kept;
    }
    double area = 0;
    for (std::size_t i = 2; i < part.size(); ++i)
        area += length(cross(part[i - 1] - part[0], part[i] - part[0])) / 2;
    return area;
}

// The loop of 1999: for each block, for each polygon: does it fill more of the block than `amount`? Below 0: does it
// meet the block at all, by the exact test.
Dense article_voxels(const Triangles& model, const VoxelFrame& frame, double amount) {
    Dense out(frame.size[0], frame.size[1], frame.size[2]);
    for (std::int32_t x = 0; x < frame.size[0]; ++x) {
        for (std::int32_t y = 0; y < frame.size[1]; ++y) {
            for (std::int32_t z = 0; z < frame.size[2]; ++z) {
                for (std::size_t i = 0; i < model.triangles.size() && out.solid[out.index(x, y, z)] == 0;
                     i += 3) {
                    const Vec3 a = model.vertices[i], b = model.vertices[i + 1], c = model.vertices[i + 2];
                    bool filled = false;
                    if (amount < 0) {
                        const testing::StepTriangle t{{testing::to_steps(a, frame),
                                                       testing::to_steps(b, frame),
                                                       testing::to_steps(c, frame)}};
                        const std::int64_t s = testing::kOracleSteps;
                        filled = testing::meets(t, {x * s, y * s, z * s});
                    } else {
                        filled = area_in(a, b, c, {1.0 * x, 1.0 * y, 1.0 * z}) > amount;
                    }
                    out.solid[out.index(x, y, z)] = filled ? 1 : 0;
                }
            }
        }
    }
    return out;
}

// Voxels near the middle that are reached from the bounds.
int leaks(const Dense& world, int near, Vec3 middle, double reach) {
    const auto reached = world.flood(near, [&](auto x, auto y, auto z) { return world.at_bounds(x, y, z); });
    int count = 0;
    for (std::int32_t z = 0; z < world.size[2]; ++z) {
        for (std::int32_t y = 0; y < world.size[1]; ++y) {
            for (std::int32_t x = 0; x < world.size[0]; ++x) {
                if (distance(Vec3{x + 0.5, y + 0.5, z + 0.5}, middle) < reach)
                    count += reached[world.index(x, y, z)];
            }
        }
    }
    return count;
}

TEST(VoxelLeaks, AClosedBoxAtAnyPoseShutsOut) {
    Rng rng(21);
    const int rounds = testing::trials(150);
    for (int round = 0; round < rounds; ++round) {
        const double side = rng.between(6.0, 20.0);
        Triangles model;
        model.box(Vec3{1, 1, 1} * (-side / 2), Vec3{1, 1, 1} * (side / 2));
        const Vec3 middle{rng.between(19.0, 21.0), rng.between(19.0, 21.0), rng.between(19.0, 21.0)};
        const Placement place(rng, middle);
        for (Vec3& p : model.vertices) p = place(p);
        const Dense world = voxels(model, cube(40));
        EXPECT_GT(std::count(world.solid.begin(), world.solid.end(), 1), 100);
        for (const int near : {6, 26})
            EXPECT_EQ(leaks(world, near, middle, side / 2 - 1.0), 0) << near << ' ' << round;
    }
}

// Planes whose corners lie on coarse steps, so that they pass exactly through edges and corners of voxels.
TEST(VoxelLeaks, APlaneThroughCornersOfVoxelsParts) {
    Rng rng(22);
    const int rounds = testing::trials(1500);
    int through_corners = 0;
    for (int round = 0; round < rounds; ++round) {
        const double step = round % 3 == 0 ? 1.0 : (round % 3 == 1 ? 0.5 : 1.0 / 8192);
        const auto number = [&](double low, double high) {
            return std::floor(rng.between(low, high) / step) * step;
        };
        const Vec3 at{number(5.0, 11.0), number(5.0, 11.0), number(5.0, 11.0)};
        const Vec3 u{number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0)};
        const Vec3 v{number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0)};
        const Vec3 normal = cross(u, v);
        if (dot(normal, normal) < 1e-3) continue;
        Triangles model;
        const double far = 2000.0;
        model.quad(at - u * far - v * far, at + u * far - v * far, at + u * far + v * far,
                   at - u * far + v * far);
        // Flat enough to reach over the bounds?
        if (length(normal) < 0.5 * length(u) * length(v)) continue;
        const Dense world = voxels(model, cube(16));
        const auto side = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
            return dot(normal, Vec3{x + 0.5, y + 0.5, z + 0.5} - at);
        };
        for (const int near : {6, 26}) {
            const auto reached = world.flood(near, [&](auto x, auto y, auto z) { return side(x, y, z) > 0; });
            int over = 0;
            for (std::int32_t i = 0; i < 16 * 16 * 16; ++i) {
                const bool beyond = side(i % 16, i / 16 % 16, i / 256) < 0;
                over += beyond ? reached[world.index(i % 16, i / 16 % 16, i / 256)] : 0;
            }
            if (near == 6) {
                EXPECT_EQ(over, 0) << round;
            }
            // Through a corner that the plane meets exactly two free voxels may touch: no way for anybody, as volumes
            // join by faces.
            if (near == 26 && round % 3 == 2) {
                EXPECT_EQ(over, 0) << round;
            }
            if (near == 26 && round % 3 != 2) through_corners += over > 0 ? 1 : 0;
        }
    }
    if (testing::all_trials()) {
        EXPECT_GT(through_corners, 10);
    }
}

TEST(VoxelLeaks, TheArticlesLoopWithoutItsThresholdIsTheSame) {
    Rng rng(23);
    const int rounds = testing::trials(20);
    for (int round = 0; round < rounds; ++round) {
        Triangles model;
        const Placement place(rng, {6, 6, 6});
        model.box({-3, -2, -3.5}, {2, 3, 3.25});
        for (Vec3& p : model.vertices) p = place(p);
        const VoxelFrame frame = cube(12);
        EXPECT_EQ(voxels(model, frame).solid, article_voxels(model, frame, -1.0).solid);
    }
}

TEST(VoxelLeaks, TheArticlesThresholdLeaksWhereNothingElseDoes) {
    Rng rng(24);
    const int rounds = testing::trials(30);
    int leaky[3] = {};
    const double amounts[] = {0.05, 0.25, 0.5};  // of a block's face
    for (int round = 0; round < rounds; ++round) {
        Triangles model;
        const Vec3 middle{rng.between(7.5, 8.5), rng.between(7.5, 8.5), rng.between(7.5, 8.5)};
        const Placement place(rng, middle);
        model.box({-4.5, -4.5, -4.5}, {4.5, 4.5, 4.5});
        for (Vec3& p : model.vertices) p = place(p);
        const VoxelFrame frame = cube(16);
        EXPECT_EQ(leaks(voxels(model, frame), 26, middle, 3.0), 0);
        for (int k = 0; k < 3; ++k)
            leaky[k] += leaks(article_voxels(model, frame, amounts[k]), 26, middle, 3.0) > 0 ? 1 : 0;
    }
    RecordProperty("leaks_at_5_percent", leaky[0]);
    RecordProperty("leaks_at_25_percent", leaky[1]);
    RecordProperty("leaks_at_50_percent", leaky[2]);
    if (testing::all_trials()) {
        EXPECT_GT(leaky[0], rounds * 9 / 10);
        EXPECT_GT(leaky[1], rounds * 9 / 10);
        EXPECT_EQ(leaky[2], rounds);
    }
}

TEST(VoxelLeaks, ADoorwayVanishesAtTheSizeThatIsForetold) {
    Rng rng(25);
    const int rounds = testing::trials(600);
    int open = 0, shut = 0;
    for (int round = 0; round < rounds; ++round) {
        VoxelFrame frame = cube(16);
        frame.size[2] = 4;
        frame.voxel_size = {rng.between(0.2, 1.0), rng.between(0.2, 1.0), 1.0};
        const double width = 16 * frame.voxel_size.x;
        double left = rng.between(0.1, 0.6) * width;
        double right = left + rng.between(0.0, 4.0) * frame.voxel_size.x;
        if (round % 2 == 0) {  // on faces
            left = std::floor(left / frame.voxel_size.x) * frame.voxel_size.x;
            right = std::floor(right / frame.voxel_size.x) * frame.voxel_size.x;
        }
        const double y = 8.3 * frame.voxel_size.y;
        Triangles model;
        model.quad({-1, y, -1}, {left, y, -1}, {left, y, 5}, {-1, y, 5});
        model.quad({right, y, -1}, {width + 1, y, -1}, {width + 1, y, 5}, {right, y, 5});
        const auto voxel = [&](double x) {
            return std::floor(std::nearbyint(x * (8192.0 / frame.voxel_size.x)) / 8192.0);
        };
        const bool foretold = voxel(right) - voxel(left) >= 2;
        const Dense world = voxels(model, frame);
        const auto reached = world.flood(6, [](auto, auto j, auto) { return j == 0; });
        bool through = false;
        for (std::int32_t x = 0; x < 16; ++x) through = through || reached[world.index(x, 15, 1)] != 0;
        EXPECT_EQ(through, foretold) << left / frame.voxel_size.x << ' ' << right / frame.voxel_size.x;
        ++(through ? open : shut);
    }
    if (testing::all_trials()) {
        EXPECT_GT(open, 100);
        EXPECT_GT(shut, 100);
    }
}

}  // namespace
}  // namespace fairlead
