#include <fairlead/math/predicates.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::math_test {
namespace {

/// A signed integer of 512 bits, schoolbook arithmetic in two's complement.
struct Big {
    std::array<std::uint32_t, 16> limb{};

    static Big of(std::int64_t value) {
        Big out;
        const auto bits = static_cast<std::uint64_t>(value);
        out.limb.fill(value < 0 ? 0xffffffffU : 0U);
        out.limb[0] = static_cast<std::uint32_t>(bits);
        out.limb[1] = static_cast<std::uint32_t>(bits >> 32);
        return out;
    }
    friend Big operator+(const Big& a, const Big& b) {
        Big out;
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < 16; ++i) {
            carry += std::uint64_t{a.limb[i]} + b.limb[i];
            out.limb[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        return out;
    }
    friend Big operator-(const Big& a) {
        Big out;
        for (std::size_t i = 0; i < 16; ++i) out.limb[i] = ~a.limb[i];
        return out + of(1);
    }
    friend Big operator-(const Big& a, const Big& b) { return a + -b; }
    friend Big operator*(const Big& a, const Big& b) {
        Big out;
        for (std::size_t i = 0; i < 16; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; i + j < 16; ++j) {
                carry += std::uint64_t{a.limb[i]} * b.limb[j] + out.limb[i + j];
                out.limb[i + j] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
        }
        return out;
    }
    [[nodiscard]] int sign() const {
        if ((limb[15] >> 31) != 0) return -1;
        for (const std::uint32_t part : limb) {
            if (part != 0) return 1;
        }
        return 0;
    }
};

struct Cell {
    std::int64_t x;
    std::int64_t y;
};

int circle_sign(Cell a, Cell b, Cell c, Cell d) {
    const auto minor = [&](Cell p, Cell q) {
        return Big::of(p.x - d.x) * Big::of(q.y - d.y) - Big::of(q.x - d.x) * Big::of(p.y - d.y);
    };
    const auto lift = [&](Cell p) {
        return Big::of(p.x - d.x) * Big::of(p.x - d.x) + Big::of(p.y - d.y) * Big::of(p.y - d.y);
    };
    return (lift(a) * minor(b, c) + lift(b) * minor(c, a) + lift(c) * minor(a, b)).sign();
}

int sign_of(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

Vec2 scaled_cell(Cell p, int exponent) {
    return {std::ldexp(static_cast<double>(p.x), exponent), std::ldexp(static_cast<double>(p.y), exponent)};
}

/// All 24 orders: the sign follows the permutation.
void check_all_orders(const std::array<Cell, 4>& p, int exponent) {
    const int want = circle_sign(p[0], p[1], p[2], p[3]);
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    for (int k = 0; k < 24; ++k) {
        int swaps = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = i + 1; j < 4; ++j) swaps += order[i] > order[j] ? 1 : 0;
        }
        const double got =
            math::in_circle(scaled_cell(p[order[0]], exponent), scaled_cell(p[order[1]], exponent),
                            scaled_cell(p[order[2]], exponent), scaled_cell(p[order[3]], exponent));
        ASSERT_EQ(sign_of(got), swaps % 2 == 0 ? want : -want);
        std::next_permutation(order.begin(), order.end());
    }
}

std::int64_t wide(Rng& rng, int bits) {
    const std::int64_t size = static_cast<std::int64_t>(rng.next() >> (64 - bits));
    return rng.below(2) == 0 ? size : -size;
}

TEST(InCircle, SmallLatticesHaveManyTies) {
    Rng rng(1);
    int ties = 0;
    for (int i = 0; i < testing::trials(40000); ++i) {
        std::array<Cell, 4> p{};
        const int side = rng.between(2, 12);
        for (Cell& cell : p) {
            cell.x = rng.between(0, side);
            cell.y = rng.between(0, side);
        }
        ties += circle_sign(p[0], p[1], p[2], p[3]) == 0 ? 1 : 0;
        const int exponent = rng.between(-200, 200);
        ASSERT_NO_FATAL_FAILURE(check_all_orders(p, exponent));
    }
    EXPECT_GT(ties, testing::trials(40000) / 10);
}

TEST(InCircle, AnyIntegers) {
    Rng rng(2);
    for (int i = 0; i < testing::trials(20000); ++i) {
        std::array<Cell, 4> p{};
        const int bits = rng.between(2, 53);
        for (Cell& cell : p) {
            cell.x = wide(rng, bits);
            cell.y = wide(rng, bits);
        }
        const int exponent = rng.between(-200, 150);
        ASSERT_NO_FATAL_FAILURE(check_all_orders(p, exponent));
    }
}

/// Exactly on a circle, moved by a step or two: (m^2 - n^2, 2 m n) and its mirror images lie on one.
TEST(InCircle, NearlyCocircular) {
    Rng rng(3);
    int ties = 0;
    for (int i = 0; i < testing::trials(20000); ++i) {
        const int bits = rng.between(2, 24);
        const std::int64_t m = wide(rng, bits), n = wide(rng, bits);
        const std::int64_t u = m * m - n * n, v = 2 * m * n;
        const std::int64_t east = wide(rng, 50), north = wide(rng, 50);
        std::array<Cell, 4> p{};
        for (Cell& cell : p) {
            const std::uint32_t image = rng.below(8);
            cell = (image & 4) != 0 ? Cell{u, v} : Cell{v, u};
            if ((image & 1) != 0) cell.x = -cell.x;
            if ((image & 2) != 0) cell.y = -cell.y;
            cell.x += east;
            cell.y += north;
            if (rng.below(6) == 0) cell.x += rng.between(-1, 1);
            if (rng.below(6) == 0) cell.y += rng.between(-1, 1);
        }
        ties += circle_sign(p[0], p[1], p[2], p[3]) == 0 ? 1 : 0;
        const int exponent = rng.between(-200, 150);
        ASSERT_NO_FATAL_FAILURE(check_all_orders(p, exponent));
    }
    EXPECT_GT(ties, testing::trials(20000) / 20);
}

/// Upright boxes and trapezoids anywhere, whose differences round; and the next number beside them.
TEST(InCircle, MirroredPointsAreOnACircle) {
    Rng rng(5);
    for (int i = 0; i < testing::trials(20000); ++i) {
        std::array<Cell, 4> p{};
        const std::int64_t middle = wide(rng, 52), low = wide(rng, 50), high = wide(rng, 53);
        const std::int64_t one = wide(rng, 51), two = rng.below(2) == 0 ? one : wide(rng, 30);
        p = {Cell{middle - one, low}, Cell{middle + one, low}, Cell{middle + two, high},
             Cell{middle - two, high}};
        if (rng.below(3) == 0) p[rng.below(4)].x += rng.between(-1, 1);
        if (rng.below(2) == 0) {
            for (Cell& cell : p) std::swap(cell.x, cell.y);
        }
        std::swap(p[0], p[rng.below(4)]);
        const int exponent = rng.between(-200, 150);
        ASSERT_NO_FATAL_FAILURE(check_all_orders(p, exponent));
    }
}

/// Coordinates of very different size: a lattice of 2^-100 with points up to 2^100 away has no lattice stage.
TEST(InCircle, CoordinatesOfDifferentSize) {
    const double big = 0x1p100, tiny = 0x1p-100;
    EXPECT_EQ(math::in_circle({-big, 0}, {0, -big}, {big, 0}, {0, big}), 0.0);
    EXPECT_GT(math::in_circle({-big, 0}, {0, -big}, {big, 0}, {tiny, tiny}), 0.0);
    EXPECT_GT(math::in_circle({1, tiny}, {-1, tiny}, {-1, -tiny}, {tiny, 0}), 0.0);
    EXPECT_EQ(math::in_circle({1, tiny}, {-1, tiny}, {-1, -tiny}, {1, -tiny}), 0.0);
    EXPECT_LT(math::in_circle({1, tiny}, {-1, tiny}, {-1, -tiny}, {1, -0x1.0000000000001p-100}), 0.0);
    EXPECT_GT(math::in_circle({1, tiny}, {-1, tiny}, {-1, -tiny}, {1, -0x1.fffffffffffffp-101}), 0.0);
}

}  // namespace
}  // namespace fairlead::math_test
