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

// The largest in 6e7 arguments: 0.692 (asin), 0.680 (acos).
constexpr double kAsinUlp = 0.72;
constexpr double kAcosUlp = 0.72;

void check(double x) {
    ASSERT_LE(ulp_error(math::asin(x), std::asin(static_cast<long double>(x))), kAsinUlp) << x;
    ASSERT_EQ(math::asin(-x), -math::asin(x)) << x;
    for (const double v : {x, -x}) {
        ASSERT_LE(ulp_error(math::acos(v), std::acos(static_cast<long double>(v))), kAcosUlp) << v;
    }
}

TEST(Asin, WithinOneUlpOnADenseGrid) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    for (int i = 0; i <= 400000; ++i) ASSERT_NO_FATAL_FAILURE(check(i / 400000.0));
}

TEST(Asin, WithinOneUlpAtRandom) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(1);
    for (int i = 0; i < testing::trials(300000); ++i) {
        ASSERT_NO_FATAL_FAILURE(check(rng.unit()));
        ASSERT_NO_FATAL_FAILURE(check(std::ldexp(rng.unit(), rng.between(-60, 0))));
        ASSERT_NO_FATAL_FAILURE(check(1.0 - std::ldexp(rng.unit(), rng.between(-53, -1))));
    }
}

TEST(Asin, WithinOneUlpBesideTheSeams) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    for (int step = -1000; step <= 1000; ++step) {
        ASSERT_NO_FATAL_FAILURE(check(next_up(0.5, step)));
        ASSERT_NO_FATAL_FAILURE(check(next_up(1.0, step < 0 ? step : -step)));
    }
}

TEST(Asin, Special) {
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(math::acos(1.0), 0.0);
    EXPECT_EQ(math::acos(-1.0), kPi);
    EXPECT_EQ(math::acos(0.0), kHalfPi);
    EXPECT_EQ(math::asin(1.0), kHalfPi);
    EXPECT_EQ(math::asin(-1.0), -kHalfPi);
    for (const double x : {0.0, -0.0, DBL_TRUE_MIN, -DBL_MIN, 0x1p-600, -0x1p-30}) {
        EXPECT_EQ(bits_of(math::asin(x)), bits_of(x)) << x;
        EXPECT_EQ(math::acos(x), kHalfPi - x) << x;
    }
    EXPECT_TRUE(std::isnan(math::acos(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_TRUE(std::isnan(math::asin(std::numeric_limits<double>::quiet_NaN())));
    for (const double x : {next_up(1.0, 1), 1.5, 1e300, infinite}) {  // clamped
        EXPECT_EQ(math::acos(x), 0.0);
        EXPECT_EQ(math::acos(-x), kPi);
        EXPECT_EQ(math::asin(x), kHalfPi);
        EXPECT_EQ(math::asin(-x), -kHalfPi);
    }
}

TEST(Asin, Monotone) {
    Rng rng(2);
    for (int i = 0; i < testing::trials(200000); ++i) {
        const double x = rng.between(-1.0, 0.999);
        const double more = next_up(x, 1 + static_cast<int>(rng.below(4)));
        ASSERT_LE(math::asin(x), math::asin(more)) << x;
        ASSERT_GE(math::acos(x), math::acos(more)) << x;
    }
    for (const double seam : {0.5, -0.5}) {
        for (int step = -20; step < 20; ++step) {
            const double x = next_up(seam, step);
            ASSERT_LE(math::asin(x), math::asin(next_up(x, 1)));
            ASSERT_GE(math::acos(x), math::acos(next_up(x, 1)));
        }
    }
}

}  // namespace
}  // namespace fairlead::math_test
