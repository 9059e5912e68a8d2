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

constexpr double kSeam = 5e-16;  // kPi and -kPi are one heading: what that may cost

/// The distance between two angles modulo 2 pi.
Wide apart(Wide a, Wide b) {
    const Wide turn = 2 * wide_pi();
    Wide d = a - b;
    const double turns = std::nearbyint(static_cast<double>(d / turn));
    d -= static_cast<Wide>(turns) * turn;
    return wide_abs(d);
}

void check(double x) {
    const double centred = math::wrap_pi(x);
    ASSERT_GE(centred, -kPi) << x;
    ASSERT_LT(centred, kPi) << x;
    const double seam = std::fabs(centred) > 3.1415 ? kSeam : 0.0;
    ASSERT_LE(static_cast<double>(apart(centred, x)), 0.51 * ulp_of(centred) + seam + 1e-24) << x;
    ASSERT_EQ(math::wrap_pi(centred), centred) << x;

    const double positive = math::wrap_two_pi(x);
    ASSERT_GE(positive, 0.0) << x;
    ASSERT_FALSE(std::signbit(positive)) << x;
    ASSERT_LT(positive, kTwoPi - 1e-8) << x;
    const double snapped = positive == 0.0 ? 1.0000001e-8 : 0.0;
    ASSERT_LE(static_cast<double>(apart(positive, x)), ulp_of(positive) + snapped + 1e-24) << x;
    ASSERT_EQ(math::wrap_two_pi(positive), positive) << x;
}

TEST(Wrap, AgainstWideArithmetic) {
    Rng rng(1);
    for (int i = 0; i < testing::trials(300000); ++i) {
        ASSERT_NO_FATAL_FAILURE(check(rng.between(-20.0, 20.0)));
        ASSERT_NO_FATAL_FAILURE(check(std::ldexp(rng.between(-1.0, 1.0), rng.between(-20, 30))));
        ASSERT_NO_FATAL_FAILURE(check(static_cast<double>(rng.between(-1000000, 1000000)) * kPi / 4.0));
    }
}

TEST(Wrap, BesideTheSeams) {
    Rng rng(2);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const double half_turns = static_cast<double>(i < 1000 ? i : rng.between(0, 341000000));
        const double seam = static_cast<double>(static_cast<Wide>(half_turns) * wide_pi());
        for (int step = -2; step <= 2; ++step) {
            ASSERT_NO_FATAL_FAILURE(check(next_up(seam, step)));
            ASSERT_NO_FATAL_FAILURE(check(-next_up(seam, step)));
        }
        if (seam < 1e6) {
            ASSERT_NO_FATAL_FAILURE(check(seam - 1e-8));
            ASSERT_NO_FATAL_FAILURE(check(seam + 1e-8));
        }
    }
}

// Technique K6: headings that should be equal differ by rounding, and the arc between them must not become a
// full turn.
TEST(Wrap, JitterNeverMakesAFullTurn) {
    Rng rng(3);
    for (int i = 0; i < testing::trials(1000000); ++i) {
        const double heading = rng.between(-10.0, 10.0);
        const double turns = static_cast<double>(rng.between(-1000, 1000));
        const double jitter = rng.between(-1.0, 1.0) * std::ldexp(1.0, -27 - static_cast<int>(rng.below(30)));
        const double arc = math::wrap_two_pi((heading + turns * kTwoPi + jitter) - heading);
        ASSERT_LT(arc, 1e-8) << heading << " " << turns << " " << jitter;
    }
}

TEST(Wrap, SnapsOnlyWithinItsRange) {
    EXPECT_EQ(math::wrap_two_pi(-1e-8), 0.0);
    EXPECT_EQ(math::wrap_two_pi(-0.999e-8), 0.0);
    EXPECT_EQ(math::wrap_two_pi(kTwoPi - 0.999e-8), 0.0);
    EXPECT_EQ(math::wrap_two_pi(kTwoPi), 0.0);
    EXPECT_GT(math::wrap_two_pi(-1.001e-8), 6.0);
    EXPECT_GT(math::wrap_two_pi(kTwoPi - 1.001e-8), 6.0);
    EXPECT_EQ(math::wrap_two_pi(1e-9), 1e-9);  // a short arc the other way stays
}

TEST(Wrap, KeepsWhatIsInRange) {
    Rng rng(4);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const double centred = rng.between(-kPi, kPi), positive = rng.between(0.0, kTwoPi - 1e-8);
        ASSERT_EQ(math::wrap_pi(centred), centred);
        ASSERT_EQ(math::wrap_two_pi(positive), positive);
    }
}

TEST(Wrap, Special) {
    EXPECT_EQ(math::wrap_pi(kPi), -kPi);
    EXPECT_EQ(math::wrap_pi(-kPi), -kPi);
    EXPECT_EQ(math::wrap_pi(next_up(kPi, 1)), -kPi);
    EXPECT_NEAR(std::fabs(math::wrap_pi(3.0 * kPi)), kPi, 1e-15);
    EXPECT_NEAR(std::fabs(math::wrap_pi(-3.0 * kPi)), kPi, 1e-15);
    EXPECT_EQ(math::wrap_pi(0.0), 0.0);
    EXPECT_NEAR(math::wrap_two_pi(-kPi), kPi, 5e-16);
    EXPECT_NEAR(math::wrap_two_pi(-kHalfPi), 3.0 * kHalfPi, 5e-16);
    EXPECT_EQ(bits_of(math::wrap_two_pi(-0.0)), bits_of(0.0));
    EXPECT_EQ(math::wrap_pi(DBL_TRUE_MIN), DBL_TRUE_MIN);
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double x : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_TRUE(std::isnan(math::wrap_pi(x)));
        EXPECT_TRUE(std::isnan(math::wrap_two_pi(x)));
    }
}

TEST(Wrap, HugeAnglesStayInRange) {
    Rng rng(5);
    for (int i = 0; i < testing::trials(20000); ++i) {
        const double x = std::ldexp(rng.between(-1.0, 1.0), rng.between(31, 1024));
        const double centred = math::wrap_pi(x), positive = math::wrap_two_pi(x);
        ASSERT_TRUE(-kPi <= centred && centred < kPi) << x;
        ASSERT_TRUE(0.0 <= positive && positive < kTwoPi - 1e-8) << x;
    }
}

}  // namespace
}  // namespace fairlead::math_test
