#include <fairlead/math/trig.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <fairlead/base/rng.h>
#include <fairlead/math/pose.h>

#include "support/environment.h"
#include "wide.h"

namespace fairlead::math_test {
namespace {

// The largest in 6e7 arguments: 0.793 (sine), 0.828 (cosine).
constexpr double kSinCosUlp = 0.85;

void check(double x) {
    const math::SinCos both = math::sin_cos(x);
    ASSERT_EQ(bits_of(both.sin), bits_of(math::sin(x))) << x;
    ASSERT_EQ(bits_of(both.cos), bits_of(math::cos(x))) << x;
    const long double wide = x;
    ASSERT_LE(ulp_error(both.sin, std::sin(wide)), kSinCosUlp) << x;
    ASSERT_LE(ulp_error(both.cos, std::cos(wide)), kSinCosUlp) << x;
}

TEST(SinCos, WithinOneUlpOnADenseGrid) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    for (int i = -400000; i <= 400000; ++i) ASSERT_NO_FATAL_FAILURE(check(i * 2.1e-5));
}

TEST(SinCos, WithinOneUlpAtRandom) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(1);
    for (int i = 0; i < testing::trials(500000); ++i) {
        ASSERT_NO_FATAL_FAILURE(check(rng.between(-0x1p30, 0x1p30)));
        ASSERT_NO_FATAL_FAILURE(check(std::ldexp(rng.between(-1.0, 1.0), rng.between(-60, 30))));
    }
}

// Where sine or cosine is all but zero, and the reduction cancels nearly every bit.
TEST(SinCos, WithinOneUlpBesideMultiplesOfAQuarterTurn) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(2);
    const auto beside = [&](double quarters) {
        const double x = static_cast<double>(static_cast<Wide>(quarters) * wide_pi() / 2);
        for (int step = -2; step <= 2; ++step) {
            ASSERT_NO_FATAL_FAILURE(check(next_up(x, step)));
            ASSERT_NO_FATAL_FAILURE(check(-next_up(x, step)));
        }
        ASSERT_NO_FATAL_FAILURE(check(quarters * kHalfPi));
    };
    for (int i = 0; i < testing::trials(20000); ++i) ASSERT_NO_FATAL_FAILURE(beside(i));
    for (int i = 0; i < testing::trials(50000); ++i)
        ASSERT_NO_FATAL_FAILURE(beside(rng.between(0, 683565275)));  // 2^30 / (pi / 2)
}

// The doubles nearest to a multiple of pi / 2 in each binade (continued fractions), 2^-60.5 at the nearest.
TEST(SinCos, WithinOneUlpAtTheHardestArguments) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    const double hard[] = {
        6411027962775774.0 * 0x1p-47, 6411027962775774.0 * 0x1p-40, 6331365068168276.0 * 0x1p-37,
        4748523801126207.0 * 0x1p-35, 5520028710995367.0 * 0x1p-34, 7295746205504726.0 * 0x1p-32,
        7763785107565477.0 * 0x1p-29, 7763785107565477.0 * 0x1p-24, 6001145990210324.0 * 0x1p-23};
    for (const double x : hard) {
        ASSERT_NO_FATAL_FAILURE(check(x));
        ASSERT_NO_FATAL_FAILURE(check(-x));
    }
}

TEST(SinCos, WithinOneUlpBesideTheSeamsOfTheReduction) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(3);
    for (int i = 0; i < testing::trials(20000); ++i) {
        // Odd multiples of pi / 4, where the quotient changes, and 2^-12 from multiples of pi / 2, where the
        // form does.
        const double seam = (static_cast<double>(rng.below(1U << 20)) + 0.5) * kHalfPi;
        const double small =
            static_cast<double>(rng.below(1U << 20)) * kHalfPi + (rng.below(2) ? 0x1p-12 : -0x1p-12);
        for (int step = -2; step <= 2; ++step) {
            ASSERT_NO_FATAL_FAILURE(check(next_up(seam, step)));
            ASSERT_NO_FATAL_FAILURE(check(next_up(small, step)));
        }
    }
    ASSERT_NO_FATAL_FAILURE(check(0x1p30));
    ASSERT_NO_FATAL_FAILURE(check(-0x1p30));
}

TEST(SinCos, TinyArgumentsAreTheirOwnSine) {
    for (const double x :
         {0.0, -0.0, DBL_TRUE_MIN, -DBL_TRUE_MIN, 0x1p-1040, DBL_MIN, -0x1p-500, 0x1p-30, -0x1p-28}) {
        EXPECT_EQ(math::sin(x), x) << x;
        EXPECT_EQ(math::cos(x), 1.0) << x;
    }
}

TEST(SinCos, NoNumberGivesNoNumber) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double x : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_TRUE(std::isnan(math::sin(x)));
        EXPECT_TRUE(std::isnan(math::cos(x)));
        EXPECT_TRUE(std::isnan(math::sin_cos(x).sin));
        EXPECT_TRUE(std::isnan(math::sin_cos(x).cos));
    }
}

// Beyond 2^30 the angle is taken modulo the double kTwoPi, exactly.
TEST(SinCos, HugeArgumentsReduceModuloTheConstant) {
    Rng rng(4);
    for (int i = 0; i < testing::trials(20000); ++i) {
        const double x =
            std::ldexp(rng.between(0.5, 1.0), rng.between(31, 1024)) * (rng.below(2) ? 1.0 : -1.0);
        const math::SinCos want = math::sin_cos(std::fmod(x, kTwoPi));
        const math::SinCos got = math::sin_cos(x);
        ASSERT_EQ(bits_of(got.sin), bits_of(want.sin)) << x;
        ASSERT_EQ(bits_of(got.cos), bits_of(want.cos)) << x;
    }
    const double largest = std::numeric_limits<double>::max();
    EXPECT_EQ(math::sin(largest), math::sin(std::fmod(largest, kTwoPi)));
}

TEST(SinCos, OddAndEven) {
    Rng rng(5);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const double x = std::ldexp(rng.unit(), rng.between(-10, 30));
        ASSERT_EQ(math::sin(-x), -math::sin(x)) << x;
        ASSERT_EQ(math::cos(-x), math::cos(x)) << x;
    }
}

TEST(SinCos, OnTheUnitCircle) {
    Rng rng(6);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const double x = rng.between(-100.0, 100.0);
        const Vec2 d = math::direction(x);
        ASSERT_NEAR(dot(d, d), 1.0, 4e-16) << x;
        ASSERT_LE(std::fabs(d.x), 1.0);
        ASSERT_LE(std::fabs(d.y), 1.0);
    }
}

TEST(SinCos, RoundHeadings) {
    EXPECT_EQ(math::direction(0.0), (Vec2{1.0, 0.0}));
    EXPECT_EQ(math::sin(kHalfPi), 1.0);
    EXPECT_EQ(math::cos(kPi), -1.0);
    EXPECT_EQ(math::cos(kTwoPi), 1.0);
    EXPECT_NEAR(math::cos(kHalfPi), 6.123233995736766e-17, 1e-32);
    EXPECT_NEAR(math::sin(kPi), 1.2246467991473532e-16, 1e-31);
}

}  // namespace
}  // namespace fairlead::math_test
