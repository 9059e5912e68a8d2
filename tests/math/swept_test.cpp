#include <fairlead/math/swept.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/rng.h>

#include "wide.h"

namespace fairlead::math_test {
namespace {

// ---- Oracles, written apart from the library: wide arithmetic, textbook cases, no shared formula.

struct Wide2 {
    Wide x;
    Wide y;
};

Wide2 widen(Vec2 p) { return {p.x, p.y}; }
Wide2 at(Wide2 a, Wide2 b, Wide t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }
Wide least(Wide a, Wide b) { return a < b ? a : b; }
Wide most(Wide a, Wide b) { return a < b ? b : a; }

Wide clamped(Wide t) { return t < 0 ? Wide{0} : (t > 1 ? Wide{1} : t); }

Wide point_segment(Wide2 p, Wide2 a, Wide2 b) {
    const Wide2 d{b.x - a.x, b.y - a.y};
    const Wide square = d.x * d.x + d.y * d.y;
    const Wide t = square > 0 ? clamped(((p.x - a.x) * d.x + (p.y - a.y) * d.y) / square) : Wide{0};
    const Wide2 q = at(a, b, t);
    const Wide2 gap{p.x - q.x, p.y - q.y};
    return wide_sqrt(gap.x * gap.x + gap.y * gap.y);
}

/// Clips the segment against the four sides of the closed box (Liang and Barsky 1984).
bool meets(Wide2 a, Wide2 b, const Aabb& box) {
    Wide first = 0, last = 1;
    const auto clip = [&](Wide start, Wide delta, Wide low, Wide high) {
        if (delta == 0) return low <= start && start <= high;
        const Wide enter = ((delta > 0 ? low : high) - start) / delta;
        const Wide leave = ((delta > 0 ? high : low) - start) / delta;
        first = most(first, enter);
        last = least(last, leave);
        return true;
    };
    return clip(a.x, b.x - a.x, box.low.x, box.high.x) && clip(a.y, b.y - a.y, box.low.y, box.high.y) &&
           first <= last;
}

Wide point_box(Wide2 p, const Aabb& box) {
    const Wide x = most(most(box.low.x - p.x, p.x - box.high.x), 0);
    const Wide y = most(most(box.low.y - p.y, p.y - box.high.y), 0);
    return wide_sqrt(x * x + y * y);
}

Wide oracle_distance(Vec2 from, Vec2 to, const Aabb& box) {
    const Wide2 a = widen(from), b = widen(to);
    if (meets(a, b, box)) return 0;
    Wide result = least(point_box(a, box), point_box(b, box));
    for (const double x : {box.low.x, box.high.x}) {
        for (const double y : {box.low.y, box.high.y}) result = least(result, point_segment({x, y}, a, b));
    }
    return result;
}

/// Depth of one point: distance to the nearest side's line, negative outside, in the largest-coordinate norm.
Wide depth_of_point(Wide2 p, Wide2 low, Wide2 high) {
    return least(least(p.x - low.x, high.x - p.x), least(p.y - low.y, high.y - p.y));
}

/// The depth is concave and piecewise linear in t with breaks where two of the four terms are equal: the
/// maximum is at one of those or at an end.
Wide oracle_depth(Vec2 from, Vec2 to, Wide half, const Aabb& box) {
    const Wide2 a = widen(from), b = widen(to);
    const Wide2 low{box.low.x - half, box.low.y - half}, high{box.high.x + half, box.high.y + half};
    const Wide2 d{b.x - a.x, b.y - a.y};
    const Wide offset[4] = {a.x - low.x, high.x - a.x, a.y - low.y, high.y - a.y};
    const Wide slope[4] = {d.x, -d.x, d.y, -d.y};
    Wide best = most(depth_of_point(a, low, high), depth_of_point(b, low, high));
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
            if (slope[i] == slope[j]) continue;
            const Wide t = (offset[j] - offset[i]) / (slope[i] - slope[j]);
            best = most(best, depth_of_point(at(a, b, clamped(t)), low, high));
        }
    }
    return best;
}

Wide oracle_disc(Vec2 a, Vec2 b, double radius, const Aabb& box) {
    if (radius > 0.0) return radius - oracle_distance(a, b, box);
    const Wide depth = oracle_depth(a, b, 0, box);
    return depth > 0 ? depth : -oracle_distance(a, b, box);
}

// ---- Cases.

struct Case {
    Vec2 a;
    Vec2 b;
    Aabb box;
    double body;  ///< radius or half-width
};

double largest_number(const Case& c) {
    double result = std::fabs(c.body);
    for (const Vec2 p : {c.a, c.b, c.box.low, c.box.high}) {
        result = std::max(result, std::max(std::fabs(p.x), std::fabs(p.y)));
    }
    return result;
}

double tolerance(const Case& c, double result) {
    return 8.0 * ulp_of(std::max(largest_number(c), std::fabs(result)));
}

/// Half-integer lattice, boxes of whole sides, now and then without width: every kind of touching.
Case lattice_case(Rng& rng) {
    const auto half = [&] { return 0.5 * rng.between(-6, 6); };
    const double ax = half(), ay = half(), bx = half(), by = half(), x = half(), y = half();
    const double width = rng.between(0, 3);
    return {{ax, ay}, {bx, by}, {{x, y}, {x + width, y + rng.between(0, 3)}}, 0.5 * rng.between(0, 3)};
}

Case free_case(Rng& rng) {
    const double scale = std::ldexp(1.0, rng.between(-12, 12));
    const auto any = [&] { return scale * rng.between(-4.0, 4.0); };
    const double ax = any(), ay = any(), bx = any(), by = any(), x = any(), y = any();
    const double width = scale * rng.unit() * 3.0;
    return {{ax, ay},
            {bx, by},
            {{x, y}, {x + width, y + scale * rng.unit() * 3.0}},
            rng.below(3) * scale * rng.unit()};
}

/// A free case within rounding of touching: the segment's line through a corner of the box, or a body as
/// large as the gap, or an end on a side; and far from the origin.
Case touching_case(Rng& rng) {
    Case c = rng.below(2) != 0 ? free_case(rng) : lattice_case(rng);
    const Vec2 offset{static_cast<double>(rng.between(-1000000, 1000000)),
                      static_cast<double>(rng.between(-1000000, 1000000))};
    if (rng.below(2) != 0)
        c = {c.a + offset, c.b + offset, {c.box.low + offset, c.box.high + offset}, c.body};
    const Vec2 corner{rng.below(2) != 0 ? c.box.low.x : c.box.high.x,
                      rng.below(2) != 0 ? c.box.low.y : c.box.high.y};
    switch (rng.below(4)) {
        case 0: c.b = corner + (corner - c.a) * rng.unit(); break;
        case 1: c.a = corner; break;
        case 2: c.body = static_cast<double>(oracle_distance(c.a, c.b, c.box)); break;
        default: c.b.x = c.box.low.x; break;
    }
    return c;
}

Case short_case(Rng& rng) {
    Case c = rng.below(2) != 0 ? free_case(rng) : touching_case(rng);
    const double x = std::ldexp(rng.between(-1.0, 1.0), rng.between(-60, 0));
    c.b = c.a + Vec2{x, rng.below(4) == 0 ? 0.0 : x * rng.between(-1.0, 1.0)};
    if (rng.below(8) == 0) c.b = c.a;
    return c;
}

template <class Check>
void for_all_kinds(int count, Check check) {
    Rng rng(7);
    for (int i = 0; i < count; ++i) {
        for (Case (*make)(Rng&) : {lattice_case, free_case, touching_case, short_case}) {
            const Case c = make(rng);
            check(c);
            if (testing::Test::HasFatalFailure()) {
                ADD_FAILURE() << testing::PrintToString(i) << ": a " << c.a.x << " " << c.a.y << " b "
                              << c.b.x << " " << c.b.y << " box " << c.box.low.x << " " << c.box.low.y << " "
                              << c.box.high.x << " " << c.box.high.y << " body " << c.body;
                return;
            }
        }
    }
}

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
    for (int i = 0; i < 4000; ++i) {
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
    for (int i = 0; i < 100000; ++i) {
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
    for (int i = 0; i < 4000; ++i) {
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
    for (int i = 0; i < 200000; ++i) {
        const Case c = lattice_case(rng);
        const double disc = math::penetration_disc_box(c.a, c.b, c.body, c.box);
        ASSERT_EQ(math::disc_sweep_overlaps_box(c.a, c.b, c.body, c.box, 1e-9), disc > 1e-9);
        const double square = math::penetration_square_box(c.a, c.b, c.body, c.box);
        for (const double slack : {0.0, 1e-9, 0.25}) {
            ASSERT_EQ(math::square_sweep_overlaps_box(c.a, c.b, c.body, c.box, slack), square > slack);
        }
    }
}

// ---- Exactness.

TEST(SweptExact, AxisMovesOnTheHalfLattice) {
    Rng rng(11);
    for (int i = 0; i < 200000; ++i) {
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
    for (int i = 0; i < 100000; ++i) {
        const Case c = lattice_case(rng);
        const Vec2 offset{std::ldexp(1.0, rng.between(0, 40)), -std::ldexp(1.0, rng.between(0, 40))};
        check_symmetry(c, [&](Vec2 p) { return p + offset; });
        if (testing::Test::HasFatalFailure()) return;
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
