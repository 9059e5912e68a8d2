#include <fairlead/math/swept.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include <fairlead/base/rng.h>

#include "support/environment.h"
#include "wide.h"

namespace fairlead::math_test {
namespace {

struct Lattice {
    std::int64_t x;
    std::int64_t y;
};

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 Integer;

/// Exact for coordinates below 2^61.
int exact_sign(Lattice a, Lattice b, Lattice c) {
    const Integer left = static_cast<Integer>(b.x - a.x) * (c.y - a.y);
    const Integer right = static_cast<Integer>(b.y - a.y) * (c.x - a.x);
    return left > right ? 1 : (left < right ? -1 : 0);
}
#endif

int sign(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

Vec2 scaled(Lattice p, int exponent) {
    return {std::ldexp(static_cast<double>(p.x), exponent), std::ldexp(static_cast<double>(p.y), exponent)};
}

/// All six orders of the points: the sign follows the permutation.
void check_orders(Vec2 a, Vec2 b, Vec2 c, int want) {
    ASSERT_EQ(sign(math::orient2d(a, b, c)), want);
    ASSERT_EQ(sign(math::orient2d(b, c, a)), want);
    ASSERT_EQ(sign(math::orient2d(c, a, b)), want);
    ASSERT_EQ(sign(math::orient2d(b, a, c)), -want);
    ASSERT_EQ(sign(math::orient2d(a, c, b)), -want);
    ASSERT_EQ(sign(math::orient2d(c, b, a)), -want);
}

#if defined(__SIZEOF_INT128__)

std::int64_t wide_integer(Rng& rng, int bits) {
    return static_cast<std::int64_t>(rng.next() >> (64 - bits)) - (std::int64_t{1} << (bits - 1));
}

TEST(Orient2d, AgainstIntegersAtRandom) {
    Rng rng(1);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const int bits = rng.between(2, 53);
        const Lattice a{wide_integer(rng, bits), wide_integer(rng, bits)};
        const Lattice b{wide_integer(rng, bits), wide_integer(rng, bits)};
        const Lattice c{wide_integer(rng, bits), wide_integer(rng, bits)};
        const int e = rng.between(-300, 300);
        ASSERT_NO_FATAL_FAILURE(check_orders(scaled(a, e), scaled(b, e), scaled(c, e), exact_sign(a, b, c)));
    }
}

// Points on a line through the lattice, and up to two units off it: areas of 0, 1, 2 beside products of
// 2^106.
TEST(Orient2d, AgainstIntegersNearALine) {
    Rng rng(2);
    int flat = 0;
    for (int i = 0; i < testing::trials(100000); ++i) {
        const int bits = rng.between(4, 26);
        const Lattice step{wide_integer(rng, bits), wide_integer(rng, bits)};
        const Lattice a{wide_integer(rng, 52), wide_integer(rng, 52)};
        const auto along = [&](std::int64_t k, int jitter) {
            return Lattice{a.x + k * step.x + rng.between(-jitter, jitter),
                           a.y + k * step.y + rng.between(-jitter, jitter)};
        };
        const int jitter = rng.between(0, 2);
        const Lattice b = along(rng.between(-1000000, 1000000), jitter);
        const Lattice c = along(rng.between(-1000000, 1000000), jitter);
        const int want = exact_sign(a, b, c);
        flat += want == 0 ? 1 : 0;
        const int e = rng.between(-300, 300);
        ASSERT_NO_FATAL_FAILURE(check_orders(scaled(a, e), scaled(b, e), scaled(c, e), want));
    }
    if (testing::all_trials()) {
        EXPECT_GT(flat, 10000);
    }
}

// The classic picture: a 256 x 256 grid of neighbouring doubles around a point on a diagonal.
TEST(Orient2d, AgainstIntegersOnNeighbouringDoubles) {
    const Lattice b{12LL << 48, 12LL << 48}, c{24LL << 48, 24LL << 48};
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            const Lattice a{(1LL << 47) + x, (1LL << 47) + y};
            ASSERT_EQ(sign(math::orient2d(scaled(a, -48), scaled(b, -48), scaled(c, -48))),
                      exact_sign(a, b, c));
        }
    }
}

// Far points of few bits against near ones of many: the differences of coordinates round.
TEST(Orient2d, AgainstIntegersOfDifferentScales) {
    Rng rng(3);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const auto any = [&] {
            const int bits = rng.between(2, 53);
            const int shift = rng.between(0, 60 - bits);
            const std::int64_t x = wide_integer(rng, bits) * (std::int64_t{1} << shift);
            return Lattice{x, wide_integer(rng, bits) * (std::int64_t{1} << shift)};
        };
        const Lattice a = any(), b = any(), c = any();
        const int e = rng.between(-200, 200);
        ASSERT_NO_FATAL_FAILURE(check_orders(scaled(a, e), scaled(b, e), scaled(c, e), exact_sign(a, b, c)));
    }
}

// Full doubles on a line, rounded off it by an ulp or two, with differences that round: every rounding that
// the filter has to allow for.
TEST(Orient2d, AgainstIntegersNearALineWithRoundedDifferences) {
    Rng rng(6);
    const auto representable = [](double x) { return static_cast<std::int64_t>(x); };
    for (int i = 0; i < testing::trials(400000); ++i) {
        const Lattice a{wide_integer(rng, 53), wide_integer(rng, 53)};
        const int shift = rng.between(0, 7);
        const Lattice b{wide_integer(rng, 53) * (std::int64_t{1} << shift),
                        wide_integer(rng, 53) * (std::int64_t{1} << shift)};
        const Vec2 from = scaled(a, 0), to = scaled(b, 0);
        const Vec2 on = from + (to - from) * rng.between(-1.0, 1.0);
        const Lattice c{representable(next_up(std::round(on.x), rng.between(-1, 1))),
                        representable(next_up(std::round(on.y), rng.between(-1, 1)))};
        const int e = rng.between(-200, 200);
        ASSERT_NO_FATAL_FAILURE(check_orders(scaled(a, e), scaled(b, e), scaled(c, e), exact_sign(a, b, c)));
    }
}

#endif

TEST(Orient2d, DegenerateTriangles) {
    Rng rng(4);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const Vec2 a{rng.between(-1e6, 1e6), rng.between(-1e6, 1e6)};
        const Vec2 b{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)};
        ASSERT_EQ(math::orient2d(a, a, b), 0.0);
        ASSERT_EQ(math::orient2d(a, b, a), 0.0);
        ASSERT_EQ(math::orient2d(b, a, a), 0.0);
        ASSERT_EQ(math::orient2d(a, -a, {0.0, 0.0}), 0.0);
        ASSERT_EQ(math::orient2d({0.0, 0.0}, b, b * 4.0), 0.0);
    }
}

TEST(Orient2d, ValueIsTwiceTheArea) {
    EXPECT_EQ(math::orient2d({0, 0}, {1, 0}, {0, 1}), 1.0);
    EXPECT_EQ(math::orient2d({1, 1}, {4, 1}, {1, 3}), 6.0);
    Rng rng(5);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const Vec2 a{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)};
        const Vec2 b{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)};
        const Vec2 c = rng.below(2) != 0 ? a + (b - a) * rng.unit() : Vec2{rng.unit(), rng.unit()};
        const Wide want = (static_cast<Wide>(b.x) - a.x) * (static_cast<Wide>(c.y) - a.y) -
                          (static_cast<Wide>(b.y) - a.y) * (static_cast<Wide>(c.x) - a.x);
        const double got = math::orient2d(a, b, c);
        ASSERT_LE(std::fabs(got - static_cast<double>(want)), 0x1p-50 * distance(a, b) * distance(a, c));
    }
}

}  // namespace
}  // namespace fairlead::math_test
