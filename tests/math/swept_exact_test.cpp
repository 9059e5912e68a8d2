// Where a moving body's depth in a box is exact, and what must not change it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/swept.h>

#include "support/environment.h"
#include "swept_cases.h"

namespace fairlead::math_test {
namespace {

// ---- Exactness.

TEST(SweptExact, AxisMovesOnTheHalfLattice) {
    Rng rng(11);
    for (int i = 0; i < testing::trials(200000); ++i) {
        Case c = lattice_case(rng);
        (rng.below(2) != 0 ? c.b.x = c.a.x : c.b.y = c.a.y);
        ASSERT_EQ(static_cast<Wide>(math::penetration_square_box(c.a, c.b, c.body, c.box)),
                  oracle_depth(c.a, c.b, c.body, c.box));
        const double gap = static_cast<double>(oracle_distance(c.a, c.b, c.box));
        const double got = math::distance_segment_box(c.a, c.b, c.box);
        if (gap * 4.0 == std::floor(gap * 4.0)) {
            ASSERT_EQ(got, gap);
            ASSERT_EQ(math::penetration_disc_box(c.a, c.b, 0.5, c.box), 0.5 - gap);
        }
    }
}

TEST(SweptExact, KnownCases) {
    const Aabb box{{0, 0}, {1, 1}};
    using math::distance_segment_box;
    using math::penetration_disc_box;
    using math::penetration_square_box;
    EXPECT_EQ(distance_segment_box({-1, 0.5}, {2, 0.5}, box), 0.0);     // through
    EXPECT_EQ(distance_segment_box({0.2, 0.2}, {0.3, 0.4}, box), 0.0);  // inside
    EXPECT_EQ(distance_segment_box({0.5, 0.5}, {0.5, 0.5}, box), 0.0);  // a point inside
    EXPECT_EQ(distance_segment_box({-3, -4}, {-3, -4}, box), 5.0);
    EXPECT_NEAR(distance_segment_box({-1, 1}, {1, 3}, box), std::sqrt(0.5),
                1.2e-16);                                        // passes the corner (0, 1)
    EXPECT_EQ(distance_segment_box({-1, 0}, {1, 2}, box), 0.0);  // through the corner
    EXPECT_EQ(distance_segment_box({-1, 2}, {3, 2}, box), 1.0);  // along a side
    EXPECT_EQ(distance_segment_box({-1, 1}, {3, 1}, box), 0.0);  // on a side
    EXPECT_EQ(distance_segment_box({-2, -1}, {-1, -1}, box), std::sqrt(2.0));

    EXPECT_EQ(penetration_disc_box({-1, 0.5}, {2, 0.5}, 0.0, box), 0.5);
    EXPECT_EQ(penetration_disc_box({-1, 0.25}, {2, 0.25}, 0.0, box), 0.25);
    EXPECT_EQ(penetration_disc_box({0, 1}, {1, 0}, 0.0, box), 0.5);   // the diagonal
    EXPECT_EQ(penetration_disc_box({-1, 0}, {1, 2}, 0.0, box), 0.0);  // touches a corner
    EXPECT_EQ(penetration_disc_box({-1, 1}, {3, 1}, 0.0, box), 0.0);  // along a side
    EXPECT_EQ(penetration_disc_box({0.25, 0}, {0, 0.25}, 0.0, box), 0.125);
    EXPECT_EQ(penetration_disc_box({-1, 2}, {3, 2}, 0.0, box), -1.0);
    EXPECT_EQ(penetration_disc_box({-1, 2}, {3, 2}, 1.0, box), 0.0);
    EXPECT_EQ(penetration_disc_box({-1, 2}, {3, 2}, 1.5, box), 0.5);
    EXPECT_EQ(penetration_disc_box({-1, 0.5}, {2, 0.5}, 0.25, box),
              0.25);  // a disc: never more than its radius

    EXPECT_EQ(penetration_square_box({-1, 0.5}, {2, 0.5}, 0.5, box), 1.0);
    EXPECT_EQ(penetration_square_box({-0.5, -5}, {-0.5, 5}, 0.5, box), 0.0);
    EXPECT_EQ(penetration_square_box({-0.25, -5}, {-0.25, 5}, 0.5, box), 0.25);
    EXPECT_EQ(penetration_square_box({-1, -1}, {-1, -1}, 0.5, box), -0.5);
    EXPECT_EQ(penetration_square_box({-0.5, 0.5}, {0.5, 1.5}, 0.5, box), 0.5);  // cuts the corner diagonally
    EXPECT_EQ(penetration_square_box({-1.5, 0.5}, {0.5, 2.5}, 0.5, box), 0.0);  // touches corner to corner
    EXPECT_EQ(penetration_square_box({-2.5, 0.5}, {0.5, 3.5}, 0.5, box), -0.5);
}

// A box without an interior lets a point through.
TEST(SweptExact, FlatBoxesHaveNoDepth) {
    const Aabb flat{{0, 0}, {0, 4}};
    EXPECT_EQ(math::penetration_disc_box({-1, 2}, {1, 2}, 0.0, flat), 0.0);
    EXPECT_EQ(math::penetration_square_box({-1, 2}, {1, 2}, 0.0, flat), 0.0);
    EXPECT_EQ(math::penetration_square_box({-1, 2}, {1, 2}, 0.5, flat), 0.5);
    EXPECT_EQ(math::penetration_disc_box({-1, 2}, {1, 2}, 0.5, flat), 0.5);
}

// One ulp into the box is seen, one ulp short of it is not an overlap.
TEST(SweptExact, OneUlpAtASide) {
    const Aabb box{{3, 3}, {4, 4}};
    const double below = next_up(3.0, -1), above = next_up(3.0, 1);
    EXPECT_EQ(math::penetration_disc_box({0, 3}, {9, 3}, 0.0, box), 0.0);
    EXPECT_EQ(math::penetration_disc_box({0, above}, {9, above}, 0.0, box), above - 3.0);
    EXPECT_EQ(math::penetration_disc_box({0, below}, {9, below}, 0.0, box), below - 3.0);
    EXPECT_TRUE(math::disc_sweep_overlaps_box({0, above}, {9, above}, 0.0, box, 0.0));
    EXPECT_FALSE(math::disc_sweep_overlaps_box({0, 3}, {9, 3}, 0.0, box, 0.0));
    EXPECT_TRUE(math::square_sweep_overlaps_box({0, 2.5}, {9, next_up(2.5, 1)}, 0.5, box, 0.0));
    EXPECT_FALSE(math::square_sweep_overlaps_box({0, 2.5}, {9, 2.5}, 0.5, box, 0.0));
}

TEST(SweptExact, SegmentsTooShortToSquare) {
    const Aabb box{{0, 0}, {1, 1}};
    for (const double tiny : {1e-100, 1e-150, 1e-170, 1e-300, DBL_TRUE_MIN}) {
        EXPECT_EQ(math::distance_segment_box({-tiny, 2}, {tiny, 2}, box), 1.0) << tiny;
        EXPECT_EQ(math::distance_segment_box({0.5, 0.5}, {0.5 + tiny, 0.5}, box), 0.0) << tiny;
        EXPECT_NEAR(math::distance_segment_box({-3 * tiny, -4 * tiny}, {-4 * tiny, -3 * tiny}, box), 0.0,
                    6 * tiny);
        EXPECT_FALSE(math::disc_sweep_overlaps_box({-tiny, 2}, {tiny, 2}, 1.0, box, 0.0)) << tiny;
        EXPECT_TRUE(math::disc_sweep_overlaps_box({-tiny, 2}, {tiny, 2}, 1.5, box, 0.0)) << tiny;
    }
}

// ---- Symmetries.

/// Equal to the bit, except where all digits but the last 13 have cancelled.
void check_same(const Case& c, double got, double want) {
    if (std::fabs(want) > 0x1p-40 * largest_number(c)) {
        ASSERT_EQ(got, want);
    } else {
        ASSERT_NEAR(got, want, 0x1p-88 * largest_number(c));
    }
}

template <class Map>
void check_symmetry(const Case& c, Map map) {
    const Vec2 a = map(c.a), b = map(c.b), p = map(c.box.low), q = map(c.box.high);
    const Aabb box{{std::min(p.x, q.x), std::min(p.y, q.y)}, {std::max(p.x, q.x), std::max(p.y, q.y)}};
    const double gap = math::distance_segment_box(a, b, box);
    check_same(c, gap, math::distance_segment_box(c.a, c.b, c.box));
    ASSERT_EQ(math::distance_segment_box(b, a, box), gap);
    for (const double radius : {0.0, c.body}) {
        const double disc = math::penetration_disc_box(a, b, radius, box);
        check_same(c, disc, math::penetration_disc_box(c.a, c.b, radius, c.box));
        ASSERT_EQ(math::penetration_disc_box(b, a, radius, box), disc);
    }
    const double square = math::penetration_square_box(a, b, c.body, box);
    check_same(c, square, math::penetration_square_box(c.a, c.b, c.body, c.box));
    ASSERT_EQ(math::penetration_square_box(b, a, c.body, box), square);
}

// To the bit: the one sum that could tell a direction from its mirror image is rounded from twice the digits.
TEST(SweptSymmetry, MirrorsRotationsAndReversal) {
    for_all_kinds(25000, [](const Case& c) {
        check_symmetry(c, [](Vec2 v) { return v; });
        check_symmetry(c, [](Vec2 v) { return Vec2{-v.x, v.y}; });
        check_symmetry(c, [](Vec2 v) { return Vec2{v.x, -v.y}; });
        check_symmetry(c, [](Vec2 v) { return Vec2{-v.x, -v.y}; });
        check_symmetry(c, [](Vec2 v) { return Vec2{v.y, v.x}; });
        check_symmetry(c, [](Vec2 v) { return Vec2{-v.y, v.x}; });
        check_symmetry(c, [](Vec2 v) { return Vec2{v.y, -v.x}; });
    });
}

// On the lattice a translation is exact, and so must its results be.
TEST(SweptSymmetry, TranslationByPowersOfTwo) {
    Rng rng(12);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const Case c = lattice_case(rng);
        const Vec2 offset{std::ldexp(1.0, rng.between(0, 40)), -std::ldexp(1.0, rng.between(0, 40))};
        check_symmetry(c, [&](Vec2 p) { return p + offset; });
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(SweptSymmetry, ScalingByPowersOfTwo) {
    for_all_kinds(25000, [](const Case& c) {
        for (const double s : {0x1p-30, 0x1p30}) {
            const Aabb box{c.box.low * s, c.box.high * s};
            ASSERT_EQ(math::distance_segment_box(c.a * s, c.b * s, box),
                      math::distance_segment_box(c.a, c.b, c.box) * s);
            ASSERT_EQ(math::penetration_square_box(c.a * s, c.b * s, c.body * s, box),
                      math::penetration_square_box(c.a, c.b, c.body, c.box) * s);
        }
    });
}

// Growing the box, the body or the sweep never makes the overlap smaller (within rounding).
TEST(SweptSymmetry, MoreBodyIsMoreOverlap) {
    Rng rng(13);
    for_all_kinds(15000, [&](const Case& c) {
        const double grow = rng.unit();
        const Aabb larger{c.box.low - Vec2{grow, 0.0}, c.box.high + Vec2{0.0, grow}};
        const double disc = math::penetration_disc_box(c.a, c.b, c.body, c.box);
        const double square = math::penetration_square_box(c.a, c.b, c.body, c.box);
        const double allowed = 2.0 * tolerance(c, disc) + 2.0 * tolerance(c, square);
        ASSERT_GE(math::penetration_disc_box(c.a, c.b, c.body, larger), disc - allowed);
        ASSERT_GE(math::penetration_square_box(c.a, c.b, c.body, larger), square - allowed);
        ASSERT_GE(math::penetration_square_box(c.a, c.b, c.body + grow, c.box), square - allowed);
        const Vec2 further = c.b + (c.b - c.a) * grow;
        ASSERT_GE(math::penetration_square_box(c.a, further, c.body, c.box),
                  square - 1e-9 * (1.0 + largest_number(c)));
    });
}

}  // namespace
}  // namespace fairlead::math_test
