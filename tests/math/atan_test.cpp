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

// The largest in 6e7 arguments: 0.788 (atan), 0.773 (atan2); 0.81 by the argument in atan.cpp.
constexpr double kAtanUlp = 0.82;
constexpr double kAtan2Ulp = 0.82;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void check_atan(double x) {
    ASSERT_LE(ulp_error(math::atan(x), std::atan(static_cast<long double>(x))), kAtanUlp) << x;
    ASSERT_EQ(math::atan(-x), -math::atan(x)) << x;
}

void check_atan2(double y, double x) {
    const double got = math::atan2(y, x);
    ASSERT_LE(ulp_error(got, std::atan2(static_cast<long double>(y), static_cast<long double>(x))), kAtan2Ulp)
        << y << " " << x;
    if (y != 0.0) {
        ASSERT_EQ(math::atan2(-y, x), -got) << y << " " << x;
    }
    ASSERT_LE(std::fabs(got), kPi) << y << " " << x;
}

TEST(Atan, WithinOneUlpOnADenseGrid) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    for (int i = 0; i <= 600000; ++i) ASSERT_NO_FATAL_FAILURE(check_atan(i * 1.1e-5));
}

TEST(Atan, WithinOneUlpAtRandom) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(1);
    for (int i = 0; i < testing::trials(500000); ++i) {
        ASSERT_NO_FATAL_FAILURE(check_atan(std::ldexp(rng.between(0.5, 1.0), rng.between(-70, 70))));
        ASSERT_NO_FATAL_FAILURE(check_atan(std::ldexp(rng.between(0.5, 1.0), rng.between(-6, 6))));
    }
}

TEST(Atan, WithinOneUlpBesideTheSeams) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    for (int k = 1; k <= 64; ++k) {
        const double seam = k / 64.0;
        for (int step = -50; step <= 50; ++step) {
            ASSERT_NO_FATAL_FAILURE(check_atan(next_up(seam, step)));
            ASSERT_NO_FATAL_FAILURE(check_atan(next_up(1.0 / seam, step)));
        }
    }
    for (const double seam : {0x1p-28, 0x1p-27, 0x1p-26, 0x1p60, 0x1p28}) {
        for (int step = -50; step <= 50; ++step) ASSERT_NO_FATAL_FAILURE(check_atan(next_up(seam, step)));
    }
}

TEST(Atan, Special) {
    for (const double x : {0.0, -0.0, DBL_TRUE_MIN, -DBL_MIN, 0x1p-600, -0x1p-30}) {
        EXPECT_EQ(bits_of(math::atan(x)), bits_of(x)) << x;
    }
    EXPECT_EQ(math::atan(1.0), kPi / 4);
    EXPECT_EQ(math::atan(kInfinite), kHalfPi);
    EXPECT_EQ(math::atan(-kInfinite), -kHalfPi);
    EXPECT_EQ(math::atan(DBL_MAX), kHalfPi);
    EXPECT_EQ(math::atan(-0x1p60), -kHalfPi);
    EXPECT_TRUE(std::isnan(math::atan(kNaN)));
}

TEST(Atan, NeverFalls) {
    Rng rng(2);
    for (int i = 0; i < testing::trials(200000); ++i) {
        const double x = std::ldexp(rng.between(-1.0, 1.0), rng.between(-8, 8));
        ASSERT_LE(math::atan(x), math::atan(next_up(x, 1 + static_cast<int>(rng.below(4))))) << x;
    }
    for (int k = 1; k <= 64; ++k) {
        for (int step = -20; step < 20; ++step) {
            const double x = next_up(k / 64.0, step);
            ASSERT_LE(math::atan(x), math::atan(next_up(x, 1))) << x;
        }
    }
}

TEST(Atan2, WithinOneUlpAtRandom) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(3);
    for (int i = 0; i < testing::trials(700000); ++i) {
        const double y = rng.between(-10.0, 10.0);
        ASSERT_NO_FATAL_FAILURE(check_atan2(y, rng.between(-10.0, 10.0)));
        const double small = std::ldexp(rng.between(-1.0, 1.0), rng.between(-40, 0));
        const double other = rng.between(-1.0, 1.0);
        ASSERT_NO_FATAL_FAILURE(check_atan2(small, other));
        ASSERT_NO_FATAL_FAILURE(check_atan2(other, small));
    }
}

TEST(Atan2, WithinOneUlpOnLatticeDirections) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    for (int y = -150; y <= 150; ++y) {
        for (int x = -150; x <= 150; ++x) {
            if (x == 0 && y == 0) continue;
            ASSERT_NO_FATAL_FAILURE(check_atan2(y * 0.1, x * 0.1));
        }
    }
}

TEST(Atan2, WithinOneUlpBesideTheSeams) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(4);
    for (int k = 1; k <= 64; ++k) {
        for (int i = 0; i < 300; ++i) {
            const double x = rng.between(0.5, 1.0);
            const double y = next_up(x * (k / 64.0), rng.between(-3, 3));
            ASSERT_NO_FATAL_FAILURE(check_atan2(y, x));
            ASSERT_NO_FATAL_FAILURE(check_atan2(x, y));
            ASSERT_NO_FATAL_FAILURE(check_atan2(y, -x));
            ASSERT_NO_FATAL_FAILURE(check_atan2(x, -y));
        }
    }
}

// The whole range of doubles: nothing overflows, and results below the normal range are right to half a unit.
TEST(Atan2, WithinOneUlpAtAllMagnitudes) {
    if (!kLongDoubleIsWider) GTEST_SKIP() << "no wider type to compare with";
    Rng rng(5);
    for (int i = 0; i < testing::trials(300000); ++i) {
        const int exponent = rng.between(-1074, 1024);
        const int other = rng.below(2) != 0 ? rng.between(-1074, 1024) : exponent + rng.between(-70, 70);
        const double y = std::ldexp(rng.between(0.5, 1.0), exponent);
        double x = std::ldexp(rng.between(0.5, 1.0), other > 1024 ? 1024 : (other < -1074 ? -1074 : other));
        if (rng.below(2) != 0) x = -x;
        ASSERT_NO_FATAL_FAILURE(check_atan2(y, x));
    }
}

TEST(Atan2, Axes) {
    for (const double size : {1.0, 0.3, 1e-3, 1e200, 1e-200, 1e-310, DBL_TRUE_MIN, DBL_MAX, kInfinite}) {
        EXPECT_EQ(math::atan2(0.0, size), 0.0) << size;
        EXPECT_EQ(math::atan2(-0.0, size), 0.0) << size;
        EXPECT_EQ(math::atan2(0.0, -size), kPi) << size;
        EXPECT_EQ(math::atan2(-0.0, -size), kPi) << size;  // in (-pi, pi]: the west is +pi
        EXPECT_EQ(math::atan2(size, 0.0), kHalfPi) << size;
        EXPECT_EQ(math::atan2(-size, 0.0), -kHalfPi) << size;
        EXPECT_EQ(math::atan2(size, -0.0), kHalfPi) << size;
        EXPECT_EQ(math::atan2(size, size), kPi / 4) << size;
        EXPECT_EQ(math::atan2(size, -size), 3 * (kPi / 4)) << size;
        EXPECT_EQ(math::atan2(-size, size), -kPi / 4) << size;
        EXPECT_EQ(math::atan2(-size, -size), -3 * (kPi / 4)) << size;
    }
    for (const double y : {0.0, -0.0}) {
        EXPECT_EQ(math::atan2(y, 0.0), 0.0);
        EXPECT_EQ(math::atan2(y, -0.0), 0.0);
    }
}

TEST(Atan2, InfinitiesAndNaN) {
    EXPECT_EQ(math::atan2(1.0, kInfinite), 0.0);
    EXPECT_EQ(math::atan2(1.0, -kInfinite), kPi);
    EXPECT_EQ(math::atan2(-1.0, -kInfinite), -kPi);
    EXPECT_EQ(math::atan2(kInfinite, -5.0), kHalfPi);
    EXPECT_EQ(math::atan2(-kInfinite, 5.0), -kHalfPi);
    EXPECT_TRUE(std::isnan(math::atan2(kNaN, 1.0)));
    EXPECT_TRUE(std::isnan(math::atan2(1.0, kNaN)));
    EXPECT_TRUE(std::isnan(math::atan2(kInfinite, kNaN)));
    EXPECT_TRUE(std::isnan(math::atan2(kNaN, 0.0)));
}

TEST(Atan2, SymmetricAboutBothAxesToTheBit) {
    Rng rng(6);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const double y = rng.between(0.0, 1.0), x = rng.between(0.0, 1.0);
        ASSERT_EQ(math::atan2(-y, x), -math::atan2(y, x));
        ASSERT_EQ(math::atan2(y * 0x1p20, x * 0x1p20), math::atan2(y, x));
    }
}

TEST(Atan2, UndoesDirection) {
    Rng rng(7);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const double heading = rng.between(-kPi, kPi);
        const Vec2 d = math::direction(heading);
        ASSERT_NEAR(math::atan2(d.y, d.x), heading, 5e-16);
    }
}

}  // namespace
}  // namespace fairlead::math_test
