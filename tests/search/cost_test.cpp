// Fixed-point costs: rounding, order and overflow, against exact integers.

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/search/cost.h>

#include "oracle/length.h"

namespace fairlead {
namespace {

using Wide = unsigned __int128;

TEST(CostScale, DefaultIsTheFinest) {
    const CostScale scale;
    EXPECT_EQ(scale.bits, 34);
    EXPECT_EQ(CostScale::fit(0).bits, 34);
    EXPECT_EQ(CostScale::fit(1).diagonal, scale.diagonal);
}

// |diagonal - sqrt 2 x straight| < 1/2, that is (2 diagonal - 1)^2 < 8 straight^2 < (2 diagonal + 1)^2.
TEST(CostScale, DiagonalIsRoundedAtEveryScale) {
    Cost units = 1;
    std::int32_t seen = 0;
    std::int32_t last = 99;
    for (std::int32_t i = 0; i < 64; ++i, units = units * 2) {
        const CostScale scale = CostScale::fit(units);
        ASSERT_EQ(scale.straight, Cost{1} << scale.bits);
        const Wide s = Wide{scale.straight} * scale.straight * 8;
        const Wide low = Wide{scale.diagonal * 2 - 1} * (scale.diagonal * 2 - 1);
        const Wide high = Wide{scale.diagonal * 2 + 1} * (scale.diagonal * 2 + 1);
        EXPECT_TRUE(low < s && s < high) << "bits " << scale.bits;
        seen += scale.bits != last ? 1 : 0;
        last = scale.bits;
    }
    EXPECT_EQ(seen, 33);  // 34 down to 2
}

TEST(CostScale, FitNeverOverflowsAndWastesNothing) {
    Rng rng(1);
    for (int i = 0; i < 100000; ++i) {
        // Up to 2^31 cells at the largest cost of entering: 1023 + 255 x 1023 < 2^18.
        const Cost units = rng.next() >> (14 + rng.below(50));
        const CostScale scale = CostScale::fit(units);
        ASSERT_LT(Wide{units} * scale.diagonal, Wide{1} << 64) << units;
        if (scale.bits < 34) {
            ASSERT_GT(Wide{units} * scale.diagonal * 2 + units * 2, Wide{1} << 64) << units;
        }
    }
}

TEST(CostScale, OctileIsExactInOrder) {
    const CostScale scale;
    Rng rng(2);
    for (int i = 0; i < 200000; ++i) {
        // Two octile lengths that nearly agree: the second is the first moved along a convergent of sqrt 2.
        const oracle::Length a{rng.between(0, 60000), rng.between(0, 100000), 0};
        constexpr std::int32_t kConvergents[][2] = {
            {1, 1},     {3, 2},      {7, 5},       {17, 12},     {41, 29},       {99, 70},      {239, 169},
            {577, 408}, {1393, 985}, {3363, 2378}, {8119, 5741}, {19601, 13860}, {47321, 33461}};
        const auto& c = kConvergents[rng.below(13)];
        oracle::Length b{a.straight + c[0], a.diagonal - c[1], 0};
        if (b.diagonal < 0) b = {rng.between(0, 60000), rng.between(0, 100000), 0};
        const auto cost = [&](const oracle::Length& l) {
            return static_cast<Cost>(l.straight) * scale.straight +
                   static_cast<Cost>(l.diagonal) * scale.diagonal;
        };
        const int order = cost(a) < cost(b) ? -1 : (cost(b) < cost(a) ? 1 : 0);
        ASSERT_EQ(order, oracle::compare(a, b)) << a << " and " << b;
    }
}

TEST(CostScale, OctileCountsSteps) {
    const CostScale scale;
    for (std::int32_t dy = -20; dy <= 20; ++dy) {
        for (std::int32_t dx = -20; dx <= 20; ++dx) {
            const std::int32_t low = std::min(std::abs(dx), std::abs(dy));
            const std::int32_t high = std::max(std::abs(dx), std::abs(dy));
            EXPECT_EQ(scale.octile(dx, dy), static_cast<Cost>(high - low) * scale.straight +
                                                static_cast<Cost>(low) * scale.diagonal);
        }
    }
    EXPECT_DOUBLE_EQ(scale.to_cells(scale.straight * 5), 5.0);
    EXPECT_NEAR(scale.to_cells(scale.diagonal), std::sqrt(2.0), 1e-10);
}

}  // namespace
}  // namespace fairlead
