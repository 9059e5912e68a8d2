// The oracle of voxels beside points of triangles and beside clipping.

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "raster/voxel_models.h"
#include "raster/voxel_oracle.h"
#include "support/environment.h"

namespace fairlead {
namespace {

using namespace testing::voxel_models;
using testing::StepTriangle;
using testing::VoxelSet;

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

}  // namespace
}  // namespace fairlead
