#include <fairlead/curve/reeds_shepp.h>

#include <limits>
#include <set>
#include <string>

#include <fairlead/curve/dubins.h>

#include "cases.h"
#include "oracle/curve_oracle.h"
#include "suites/ompl_curves.h"
#include "support/environment.h"

namespace fairlead::curve_test {
namespace {

using testing::trials;

constexpr ReedsSheppCost kDear{.reverse_factor = 3.0, .cusp_cost = 2.0};

Pose at(double x, double y, double degrees) { return {{x, y}, degrees * kPi / 180.0}; }

TEST(ReedsShepp, KnownValues) {
    const Pose here = at(0, 0, 0);
    EXPECT_EQ(reeds_shepp_distance(here, here, 1.0), 0.0);
    EXPECT_NEAR(reeds_shepp_distance(here, at(5, 0, 0), 1.0), 5.0, 1e-12);
    EXPECT_NEAR(reeds_shepp_distance(here, at(-5, 0, 0), 1.0), 5.0, 1e-12);
    EXPECT_NEAR(reeds_shepp_distance(here, at(0, 2, 180), 1.0), kPi, 1e-12);
    EXPECT_NEAR(reeds_shepp_distance(here, at(0, -2, 180), 1.0), kPi, 1e-12);
    EXPECT_NEAR(reeds_shepp_distance(here, at(1, 1, 90), 1.0), kHalfPi, 1e-12);
    EXPECT_NEAR(reeds_shepp_distance(here, at(-1, 1, -90), 1.0), kHalfPi, 1e-12);
    EXPECT_NEAR(reeds_shepp_distance(here, at(0, 0, 180), 1.0), kPi, 1e-12);  // three arcs of 60 degrees
    EXPECT_NEAR(reeds_shepp_distance(at(0, 0, 0), at(10, 10, 90), 2.5), 2.5 * 5.8134, 2e-4);
}

TEST(ReedsShepp, AllWordsEndAtTheGoalInOrder) {
    Rng rng(1);
    CurveWord words[kReedsSheppWords];
    std::set<std::string> seen;
    for (int i = trials(100000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const double radius = i % 3 == 0 ? rng.between(0.2, 5.0) : 1.0;
        const ReedsSheppCost cost = i % 2 == 0 ? ReedsSheppCost{} : kDear;
        const int count = reeds_shepp_words(ends.from, ends.to, radius, cost, words);
        ASSERT_GE(count, 1);
        ASSERT_LE(count, kReedsSheppWords);
        for (int k = 0; k < count; ++k) {
            ASSERT_NO_FATAL_FAILURE(check_word(words[k], ends, radius));
            ASSERT_LE(cusps(words[k]), 2);
            seen.insert(name(words[k]).text);
        }
        ASSERT_NO_FATAL_FAILURE(check_order(words, count));
        const CurveWord way = shortest_reeds_shepp(ends.from, ends.to, radius, cost);
        ASSERT_NO_FATAL_FAILURE(check_word(way, ends, radius));
        ASSERT_NEAR(way.cost, words[0].cost, 1e-9 + 1e-12 * way.cost);
    }
    // 48 by name, and three arcs in one gear. Arcs of nothing have either gear, so there are more names.
    const std::set<std::string> kinds[] = {
        {"L+ S+ L+", "L- S- L-", "R+ S+ R+", "R- S- R-", "L+ S+ R+", "L- S- R-", "R+ S+ L+", "R- S- L-"},
        {"L+ R- L+", "L- R+ L-", "R+ L- R+", "R- L+ R-", "L+ R- L-", "L- R+ L+", "R+ L- R-", "R- L+ R+"},
        {"L- R- L+", "L+ R+ L-", "R- L- R+", "R+ L+ R-", "L+ R+ L+", "R+ L+ R+", "L- R- L-", "R- L- R-"},
        {"L+ R+ L- R-", "L- R- L+ R+", "R+ L+ R- L-", "R- L- R+ L+"},
        {"L+ R- L- R+", "L- R+ L+ R-", "R+ L- R- L+", "R- L+ R+ L-"},
        {"L+ R- S- L-", "L- R+ S+ L+", "R+ L- S- R-", "R- L+ S+ R+"},
        {"L- S- R- L+", "L+ S+ R+ L-", "R- S- L- R+", "R+ S+ L+ R-"},
        {"L+ R- S- R-", "L- R+ S+ R+", "R+ L- S- L-", "R- L+ S+ L+"},
        {"R- S- R- L+", "R+ S+ R+ L-", "L- S- L- R+", "L+ S+ L+ R-"},
        {"L+ R- S- L- R+", "L- R+ S+ L+ R-", "R+ L- S- R- L+", "R- L+ S+ R+ L-"},
    };
    std::size_t named = 0;
    for (const std::set<std::string>& kind : kinds) {
        for (const std::string& text : kind) EXPECT_TRUE(seen.contains(text)) << text;
        named += kind.size();
    }
    EXPECT_EQ(named, 48U + 4U);
}

TEST(ReedsShepp, AgainstTheOracle) {
    Rng rng(2);
    for (int i = trials(120); i > 0; --i) {
        const Ends ends = ends_in(rng, i % 2 == 0 ? 1.5 : 8.0);
        const double length = reeds_shepp_distance(ends.from, ends.to, 1.0);
        ASSERT_NEAR(length, oracle::reeds_shepp_length(ends.from, ends.to), 1e-9 * (1.0 + length)) << i;
    }
}

TEST(ReedsShepp, AgainstOmpl) {
    if (!bench::has_ompl()) GTEST_SKIP() << "skipped: built without libompl-dev";
    bench::OmplCurves ompl;
    Rng rng(3);
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = ends_in(rng, i % 2 == 0 ? 2.0 : 20.0);
        const double length = reeds_shepp_distance(ends.from, ends.to, 1.0);
        ASSERT_NEAR(length, ompl.reeds_shepp(ends.from, ends.to), 1e-9 * (1.0 + length)) << i;
    }
}

TEST(ReedsShepp, OmplOnALattice) {
    if (!bench::has_ompl()) GTEST_SKIP() << "skipped: built without libompl-dev";
    bench::OmplCurves ompl;
    Rng rng(13);
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = ends_on_lattice(rng, 4);
        const double length = reeds_shepp_distance(ends.from, ends.to, 1.0);
        ASSERT_LE(length, ompl.reeds_shepp(ends.from, ends.to) + 1e-9) << i;
    }
}

TEST(ReedsShepp, ThereAndBackAndMirroredAreAsLong) {
    Rng rng(4);
    const auto mirrored = [](const Pose& pose) {
        return Pose{{pose.position.x, -pose.position.y}, -pose.heading_rad};
    };
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const double length = reeds_shepp_distance(ends.from, ends.to, 1.0);
        ASSERT_NEAR(reeds_shepp_distance(ends.to, ends.from, 1.0), length, 1e-9 * (1.0 + length));
        ASSERT_NEAR(reeds_shepp_distance(mirrored(ends.from), mirrored(ends.to), 1.0), length,
                    1e-9 * (1.0 + length));
        ASSERT_LE(length, dubins_distance(ends.from, ends.to, 1.0) + 1e-9 * (1.0 + length));
        ASSERT_GE(length, distance(ends.from.position, ends.to.position) - 1e-9);
        ASSERT_GE(length, heading_apart(ends.from.heading_rad, ends.to.heading_rad) - 1e-9);
    }
}

TEST(ReedsShepp, TriangleInequality) {
    Rng rng(5);
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const Pose by = pose_in(rng, 5.0);
        const double length = reeds_shepp_distance(ends.from, ends.to, 1.0);
        const double round =
            reeds_shepp_distance(ends.from, by, 1.0) + reeds_shepp_distance(by, ends.to, 1.0);
        ASSERT_LE(length, round + 1e-9 * (1.0 + round));
    }
}

// A unit that may reverse gets near places by short ways: the distance is continuous, which Dubins' is not.
TEST(ReedsShepp, NearPosesHaveShortWays) {
    Rng rng(6);
    for (int i = trials(20000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const double step = std::ldexp(1.0, -rng.between(4, 40));
        Pose near = ends.to;
        near.position.x += rng.between(-step, step);
        near.position.y += rng.between(-step, step);
        near.heading_rad += rng.between(-step, step);
        const double a = reeds_shepp_distance(ends.from, ends.to, 1.0);
        const double b = reeds_shepp_distance(ends.from, near, 1.0);
        ASSERT_LE(std::fabs(a - b), 8.0 * std::sqrt(step) + 1e-9 * (1.0 + a)) << step;
    }
}

TEST(ReedsShepp, PenaltiesAreInTheCost) {
    Rng rng(7);
    for (int i = trials(20000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const CurveWord way = shortest_reeds_shepp(ends.from, ends.to, 1.0, kDear);
        double cost = kDear.cusp_cost * cusps(way);
        for (const CurveSegment& segment : way.used()) {
            cost += segment.amount < 0 ? -segment.amount * kDear.reverse_factor : segment.amount;
        }
        ASSERT_NEAR(way.cost, cost, 1e-12 * (1.0 + cost));
        const double free = reeds_shepp_distance(ends.from, ends.to, 1.0);
        ASSERT_GE(way.length, free - 1e-9 * (1.0 + free));
        ASSERT_LE(way.cost, dubins_distance(ends.from, ends.to, 1.0) + 1e-9 * (1.0 + way.cost));
    }
}

TEST(ReedsShepp, AtAnyPriceForward) {
    Rng rng(8);
    for (int i = trials(20000); i > 0; --i) {
        const Ends ends = ends_in(rng, 5.0);
        const CurveWord way =
            shortest_reeds_shepp(ends.from, ends.to, 1.0, {.reverse_factor = 1e6, .cusp_cost = 1e6});
        ASSERT_NEAR(way.length, dubins_distance(ends.from, ends.to, 1.0), 1e-9);
        ASSERT_EQ(cusps(way), 0);
    }
}

TEST(ReedsShepp, WithoutCuspsAtAnyPrice) {
    Rng rng(18);
    for (int i = trials(20000); i > 0; --i) {
        const Ends ends = ends_in(rng, 5.0);
        const CurveWord way = shortest_reeds_shepp(ends.from, ends.to, 1.0, {.cusp_cost = 1e6});
        const double forward = dubins_distance(ends.from, ends.to, 1.0);
        const double back = dubins_distance(ends.to, ends.from, 1.0);
        ASSERT_NEAR(way.length, std::fmin(forward, back), 1e-9);
        ASSERT_EQ(cusps(way), 0);
    }
}

TEST(ReedsShepp, FarGoalsToo) {
    Rng rng(9);
    CurveWord words[kReedsSheppWords];
    for (int i = trials(20000); i > 0; --i) {
        const double size = std::ldexp(1.0, rng.between(0, 30));
        const Ends ends = ends_in(rng, size);
        const int count = reeds_shepp_words(ends.from, ends.to, 1.0, {}, words);
        const double close = 1e-10 + 2e-14 * size;
        for (int k = 0; k < count; ++k) ASSERT_NO_FATAL_FAILURE(check_word(words[k], ends, 1.0, close));
    }
}

TEST(ReedsSheppDeathTest, NonsenseIsACallersBug) {
    const Pose here = at(0, 0, 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_DEATH((void)reeds_shepp_distance(here, at(1, 1, 0), 0.0), "");
    EXPECT_DEATH((void)reeds_shepp_distance(here, at(1, nan, 0), 1.0), "");
    EXPECT_DEATH((void)shortest_reeds_shepp(here, at(1, 1, nan), 1.0), "");
    EXPECT_DEATH((void)shortest_reeds_shepp(here, here, 1.0, {.reverse_factor = 0.5}), "");
    EXPECT_DEATH((void)shortest_reeds_shepp(here, here, 1.0, {.cusp_cost = -1.0}), "");
}

}  // namespace
}  // namespace fairlead::curve_test
