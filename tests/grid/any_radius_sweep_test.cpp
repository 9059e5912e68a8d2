// The campaign of any radius (tests/campaign/any_radius.cpp), reduced.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/environment.h"
#include "support/radius_check.h"

namespace fairlead::testing {
namespace {

RadiusWays drawn_ways(Rng& rng) {
    return {.registered = rng.below(2) == 0,
            .edited = rng.below(3) == 0,
            .layered = rng.below(6) == 0,
            .sliced = rng.below(4) == 0};
}

// Each at one critical radius exactly, 1e-6 less and more, in turn.
TEST(AnyRadiusSweep, SmallMapsAtCriticalRadii) {
    Scratch scratch;
    RadiusTally tally;
    Rng rng(9100);
    std::uint32_t maps = 0;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        if (!least_image(bits)) continue;
        if (++maps % static_cast<std::uint32_t>(std::max(1, 8548 / trials(8548))) != 0) continue;
        const int a = rng.between(1, 6), b = rng.between(0, a);
        for (const double more : {-1e-6, 0.0, 1e-6}) {
            const double radius = std::sqrt(static_cast<double>(a * a + b * b)) / 2.0 + more;
            for (const std::int32_t margin : {0, 7}) {
                if (margin != 0 && maps % 4 != 0) continue;
                ASSERT_EQ(check_radius(small_radius_map(bits, margin), radius, 3, drawn_ways(rng), rng,
                                       scratch, tally),
                          "");
            }
        }
    }
    EXPECT_EQ(maps, 8548U);
    if (!all_trials()) return;
    EXPECT_GT(tally.joined, 1000U);
    EXPECT_GT(tally.apart, 100U);
    EXPECT_GT(tally.half, 100U);
}

TEST(AnyRadiusSweep, RandomMapsFromATwentiethToThree) {
    Scratch scratch;
    RadiusTally tally;
    for (int round = 0; round < trials(1500); ++round) {
        Rng rng(9200 + static_cast<std::uint64_t>(round));
        const RadiusMap map = random_radius_map(rng, 6, 32);
        const double radius = 0.05 * rng.between(1, 60);
        ASSERT_EQ(check_radius(map, radius, 12, drawn_ways(rng), rng, scratch, tally), "") << round;
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.joined, 5000U);
    EXPECT_GT(tally.apart, 500U);
    EXPECT_GT(tally.half, 200U);
}

// In the mean at most 3 % above a flood over points 1/16 tile apart.
TEST(AnyRadiusSweepSlow, LengthsBesideAFlood) {
    Scratch scratch;
    RadiusTally tally;
    for (int round = 0; round < trials(60); ++round) {
        Rng rng(9300 + static_cast<std::uint64_t>(round));
        const RadiusMap map = random_radius_map(rng, 8, 24);
        const double radius = 0.5 + 0.05 * rng.between(1, 30);
        RadiusWays ways{.registered = round % 2 == 0};
        ways.lengths = true;
        ASSERT_EQ(check_radius(map, radius, 6, ways, rng, scratch, tally), "") << round;
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.measured, 100U);
    EXPECT_LE(tally.ratios, 1.03 * static_cast<double>(tally.measured)) << tally.text();
}

}  // namespace
}  // namespace fairlead::testing
