#include <fairlead/base/rng.h>

#include <array>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

// The first outputs of SplitMix64 for seed 1234567, as published with the reference implementation.
TEST(Rng, IsSplitMix64) {
    Rng rng(1234567);
    EXPECT_EQ(rng.next(), 6457827717110365317ULL);
    EXPECT_EQ(rng.next(), 3203168211198807973ULL);
    EXPECT_EQ(rng.next(), 9817491932198370423ULL);
    EXPECT_EQ(rng.next(), 4593380528125082431ULL);
    EXPECT_EQ(rng.next(), 16408922859458223821ULL);
}

TEST(Rng, SameSeedSameStreamOtherSeedOtherStream) {
    Rng a(42);
    Rng b(42);
    Rng c(43);
    int equal = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t value = a.next();
        EXPECT_EQ(value, b.next());
        if (value == c.next()) ++equal;
    }
    EXPECT_EQ(equal, 0);
}

// Chi-square over 100 boxes: 99 degrees of freedom, mean 99, deviation 14.1. The bounds are 4.5 deviations.
TEST(Rng, BelowIsUniform) {
    constexpr std::uint32_t kBoxes = 100;
    constexpr int kDraws = 1000000;
    Rng rng(2024);
    std::array<int, kBoxes> count{};
    for (int i = 0; i < kDraws; ++i) {
        const std::uint32_t box = rng.below(kBoxes);
        ASSERT_LT(box, kBoxes);
        ++count[box];
    }
    const double expected = static_cast<double>(kDraws) / kBoxes;
    double chi_square = 0.0;
    for (const int n : count) chi_square += (n - expected) * (n - expected) / expected;
    EXPECT_GT(chi_square, 35.0);
    EXPECT_LT(chi_square, 163.0);
}

TEST(Rng, BelowOneIsZeroAndTheLargestBoundWorks) {
    Rng rng(1);
    bool high = false;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(rng.below(1), 0U);
        high = high || rng.below(std::numeric_limits<std::uint32_t>::max()) > 0xf0000000U;
    }
    EXPECT_TRUE(high);
}

TEST(Rng, BetweenReachesBothEndsAndNoFurther) {
    Rng rng(5);
    std::array<int, 7> count{};
    for (int i = 0; i < 7000; ++i) {
        const std::int32_t value = rng.between(-3, 3);
        ASSERT_GE(value, -3);
        ASSERT_LE(value, 3);
        ++count[static_cast<std::size_t>(value + 3)];
    }
    for (const int n : count) EXPECT_GT(n, 800);
    EXPECT_EQ(rng.between(9, 9), 9);
}

TEST(Rng, BetweenTheLimitsOfTheType) {
    constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kHigh = std::numeric_limits<std::int32_t>::max();
    Rng rng(6);
    int negative = 0;
    for (int i = 0; i < 1000; ++i) {
        if (rng.between(kLow, kHigh) < 0) ++negative;
        EXPECT_GE(rng.between(kHigh - 1, kHigh), kHigh - 1);
        EXPECT_LE(rng.between(kLow, kLow + 1), kLow + 1);
    }
    EXPECT_GT(negative, 400);
    EXPECT_LT(negative, 600);
}

TEST(Rng, UnitIsInHalfOpenRangeWithTheRightMean) {
    Rng rng(8);
    double sum = 0.0;
    for (int i = 0; i < 1000000; ++i) {
        const double value = rng.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
    }
    EXPECT_NEAR(sum / 1e6, 0.5, 0.0015);  // 5 deviations
}

TEST(Rng, BetweenDoublesStaysInside) {
    Rng rng(9);
    for (int i = 0; i < 100000; ++i) {
        const double value = rng.between(-2.5, 1e9);
        ASSERT_GE(value, -2.5);
        ASSERT_LE(value, 1e9);
    }
}

}  // namespace
}  // namespace fairlead
