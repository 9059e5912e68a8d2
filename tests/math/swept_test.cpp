// How deep and how near a moving body comes to a box, and whether it does.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/swept.h>

#include "support/environment.h"
#include "swept_cases.h"

namespace fairlead::math_test {
namespace {

// ---- Values.

TEST(SweptDistance, WithinSixHalfUlpsOfItself) {
    for_all_kinds(60000, [](const Case& c) {
        const Wide want = oracle_distance(c.a, c.b, c.box);
        const double got = math::distance_segment_box(c.a, c.b, c.box);
        const double allowed = 6.0 * 0x1p-53 * static_cast<double>(want) + 0x1p-88 * largest_number(c);
        ASSERT_GE(got, 0.0);
        ASSERT_LE(static_cast<double>(wide_abs(got - want)), allowed) << got;
    });
}

TEST(SweptDistance, AgainstDenseSampling) {
    Rng rng(8);
    constexpr int kSteps = 400;
    for (int i = 0; i < testing::trials(4000); ++i) {
        const Case c = rng.below(2) != 0 ? free_case(rng) : lattice_case(rng);
        Wide nearest = point_box(widen(c.a), c.box);
        for (int k = 1; k <= kSteps; ++k) {
            nearest =
                least(nearest, point_box(at(widen(c.a), widen(c.b), static_cast<Wide>(k) / kSteps), c.box));
        }
        const double got = math::distance_segment_box(c.a, c.b, c.box);
        const double step = distance(c.a, c.b) / kSteps;
        ASSERT_LE(got, static_cast<double>(nearest) * (1.0 + 1e-15));
        ASSERT_GE(got, static_cast<double>(nearest) - 0.5 * step * (1.0 + 1e-12));
    }
}

TEST(SweptDisc, WithinEightUlps) {
    for_all_kinds(60000, [](const Case& c) {
        for (const double radius : {0.0, c.body}) {
            const Wide want = oracle_disc(c.a, c.b, radius, c.box);
            const double got = math::penetration_disc_box(c.a, c.b, radius, c.box);
            ASSERT_LE(static_cast<double>(wide_abs(got - want)), tolerance(c, got)) << got;
        }
    });
}

TEST(SweptSquare, WithinEightUlps) {
    for_all_kinds(60000, [](const Case& c) {
        const Wide want = oracle_depth(c.a, c.b, c.body, c.box);
        const double got = math::penetration_square_box(c.a, c.b, c.body, c.box);
        ASSERT_LE(static_cast<double>(wide_abs(got - want)), tolerance(c, got)) << got;
    });
}

/// Past the upper left corner of a box that is far larger, ending where the depth by the side x = 0 is a hair
/// more or less than the depth that the line reaches at best.
Case balanced_case(Rng& rng) {
    const double slope = rng.between(0.1, 0.9);
    const Vec2 a{-rng.unit(), rng.between(-1.0, 0.0)};
    const Vec2 d{1.0 - slope, slope};
    const double best = slope * a.x + d.x * (1.0 - a.y);
    const double hair = std::ldexp(rng.between(-1.0, 1.0), -rng.between(20, 60));
    const double t = (best * (1.0 + hair) - a.x) / d.x;
    return {a, a + d * t, {{0.0, -4.0}, {4.0, 1.0}}, 0.0};
}

TEST(SweptSquare, WithinEightUlpsWhereTwoLimitsBalance) {
    Rng rng(14);
    for (int i = 0; i < testing::trials(100000); ++i) {
        const Case c = balanced_case(rng);
        const Wide want = oracle_depth(c.a, c.b, 0, c.box);
        for (const Vec2 mirror : {Vec2{1.0, 1.0}, Vec2{-1.0, 1.0}}) {
            const auto map = [&](Vec2 p) { return Vec2{p.x * mirror.x, p.y}; };
            const Vec2 p = map(c.box.low), q = map(c.box.high);
            const Aabb box{{std::min(p.x, q.x), p.y}, {std::max(p.x, q.x), q.y}};
            const double got = math::penetration_square_box(map(c.a), map(c.b), 0.0, box);
            ASSERT_LE(static_cast<double>(wide_abs(got - want)), tolerance(c, got)) << i;
        }
    }
}

TEST(SweptSquare, AgainstDenseSampling) {
    Rng rng(9);
    constexpr int kSteps = 400;
    for (int i = 0; i < testing::trials(4000); ++i) {
        const Case c = rng.below(2) != 0 ? free_case(rng) : lattice_case(rng);
        double deepest = -1e300;
        for (int k = 0; k <= kSteps; ++k) {
            // Overlap of two boxes along each axis, as anybody would write it.
            const Vec2 p = c.a + (c.b - c.a) * (static_cast<double>(k) / kSteps);
            const double x = std::min(p.x + c.body, c.box.high.x) - std::max(p.x - c.body, c.box.low.x);
            const double y = std::min(p.y + c.body, c.box.high.y) - std::max(p.y - c.body, c.box.low.y);
            const double across_x = std::min(p.x + c.body - c.box.low.x, c.box.high.x - p.x + c.body);
            const double across_y = std::min(p.y + c.body - c.box.low.y, c.box.high.y - p.y + c.body);
            deepest = std::max(deepest, std::min(across_x, across_y));
            ASSERT_LE(std::min(x, y), std::min(across_x, across_y) + 1e-12 * largest_number(c));
        }
        const double got = math::penetration_square_box(c.a, c.b, c.body, c.box);
        const Vec2 d = c.b - c.a;
        const double step = std::max(std::fabs(d.x), std::fabs(d.y)) / kSteps;
        ASSERT_GE(got, deepest - tolerance(c, deepest));
        ASSERT_LE(got, deepest + 0.5 * step + tolerance(c, deepest));
    }
}

// ---- The quick predicates: on the right side of slack, everywhere further from it than 8 ulp.

struct Truth {
    Wide point;
    Wide disc;
    Wide square;

    explicit Truth(const Case& c)
        : point(oracle_disc(c.a, c.b, 0.0, c.box)),
          disc(oracle_disc(c.a, c.b, c.body, c.box)),
          square(oracle_depth(c.a, c.b, c.body, c.box)) {}
};

void check_answer(bool got, bool got_reversed, Wide want, double slack, double within) {
    ASSERT_EQ(got, got_reversed) << slack;
    if (wide_abs(want - static_cast<Wide>(slack)) <= static_cast<Wide>(within)) return;  // either will do
    ASSERT_EQ(got, want > static_cast<Wide>(slack)) << slack;
}

void check_predicates(const Case& c, const Truth& truth, double slack) {
    const double within = 8.0 * ulp_of(std::max(largest_number(c), std::fabs(slack)));
    const auto disc = [&](Vec2 a, Vec2 b, double r) {
        return math::disc_sweep_overlaps_box(a, b, r, c.box, slack);
    };
    const auto square = [&](Vec2 a, Vec2 b) {
        return math::square_sweep_overlaps_box(a, b, c.body, c.box, slack);
    };
    check_answer(disc(c.a, c.b, 0.0), disc(c.b, c.a, 0.0), truth.point, slack, within);
    check_answer(disc(c.a, c.b, c.body), disc(c.b, c.a, c.body), truth.disc, slack, within);
    check_answer(square(c.a, c.b), square(c.b, c.a), truth.square, slack, within);
}

TEST(SweptPredicates, AgreeWithTheOracle) {
    for_all_kinds(25000, [](const Case& c) {
        const Truth truth(c);
        for (const double slack : {0.0, 1e-9, -1e-9, 0.25, -0.25, c.body}) check_predicates(c, truth, slack);
    });
}

// A slack within a few ulps of the penetration itself: the uncertain band of the quick path.
TEST(SweptPredicates, AgreeWithTheOracleAtTheEdge) {
    for_all_kinds(20000, [](const Case& c) {
        const Truth truth(c);
        const double unit = ulp_of(largest_number(c));
        for (const double k : {-20.0, -9.0, -1.0, 0.0, 1.0, 9.0, 20.0}) {
            check_predicates(c, truth, static_cast<double>(truth.point) + k * unit);
            check_predicates(c, truth, static_cast<double>(truth.disc) + k * unit);
            check_predicates(c, truth, static_cast<double>(truth.square) + k * unit);
        }
    });
}

TEST(SweptPredicates, AreThePenetrationsOnTheHalfLattice) {
    Rng rng(10);
    for (int i = 0; i < testing::trials(200000); ++i) {
        const Case c = lattice_case(rng);
        const double disc = math::penetration_disc_box(c.a, c.b, c.body, c.box);
        ASSERT_EQ(math::disc_sweep_overlaps_box(c.a, c.b, c.body, c.box, 1e-9), disc > 1e-9);
        const double square = math::penetration_square_box(c.a, c.b, c.body, c.box);
        for (const double slack : {0.0, 1e-9, 0.25}) {
            ASSERT_EQ(math::square_sweep_overlaps_box(c.a, c.b, c.body, c.box, slack), square > slack);
        }
    }
}

}  // namespace
}  // namespace fairlead::math_test
