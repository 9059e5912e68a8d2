#include <fairlead/curve/dubins.h>

#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "cases.h"
#include "oracle/curve_oracle.h"
#include "suites/ompl_curves.h"
#include "support/environment.h"

namespace fairlead::curve_test {
namespace {

using testing::trials;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pose at(double x, double y, double degrees) { return {{x, y}, degrees * kPi / 180.0}; }

double golden(const Pose& to) {
    const Pose from = at(0, 0, 0);
    CurveWord words[kDubinsWords];
    EXPECT_GE(dubins_words(from, to, 1.0, words), 4);
    const CurveWord way = shortest_dubins(from, to, 1.0);
    EXPECT_NEAR(way.length, words[0].length, 1e-12);
    EXPECT_NEAR(dubins_distance(from, to, 1.0), way.length, 1e-12);
    EXPECT_NEAR(dubins_distance(from, {to.position * 3.0, to.heading_rad}, 3.0), 3.0 * way.length, 1e-11);
    return way.length;
}

TEST(Dubins, GoldenValues) {
    EXPECT_NEAR(golden(at(4, 4, 90)), 5.8134, 1e-4);
    EXPECT_NEAR(golden(at(0, 0, 180)), 7.3304, 1e-4);  // CCC; the best CSC is 11.4248 (erratum E5)
    EXPECT_NEAR(golden(at(1, 0, 180)), 7.0520, 1e-4);  // CCC; 11.6608
    EXPECT_NEAR(golden(at(5, 0, 0)), 5.0, 1e-12);
    EXPECT_EQ(golden(at(0, 0, 0)), 0.0);
    EXPECT_NEAR(golden(at(0, 2, 180)), kPi, 1e-12);
    EXPECT_NEAR(golden(at(-5, 0, 0)), 5.0 + kTwoPi, 1e-9);
}

TEST(Dubins, TheWordsOfE5) {
    CurveWord words[kDubinsWords];
    const int count = dubins_words(at(0, 0, 0), at(0, 0, 180), 1.0, words);
    double line = 1e9;
    for (int i = 0; i < count; ++i) {
        if (words[i].segments[1].steer == Steer::straight) line = std::fmin(line, words[i].length);
    }
    EXPECT_NEAR(line, 11.4248, 1e-4);
}

TEST(Dubins, AllWordsEndAtTheGoalInOrder) {
    Rng rng(1);
    CurveWord words[kDubinsWords];
    std::set<std::string> seen;
    for (int i = trials(100000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const double radius = i % 3 == 0 ? rng.between(0.2, 5.0) : 1.0;
        const int count = dubins_words(ends.from, ends.to, radius, words);
        ASSERT_GE(count, 2);
        for (int k = 0; k < count; ++k) {
            ASSERT_NO_FATAL_FAILURE(check_word(words[k], ends, radius));
            seen.insert(name(words[k]).text);
        }
        ASSERT_NO_FATAL_FAILURE(check_order(words, count));
        const CurveWord way = shortest_dubins(ends.from, ends.to, radius);
        ASSERT_NO_FATAL_FAILURE(check_word(way, ends, radius));
        ASSERT_NEAR(way.length, words[0].length, 1e-9 + 1e-12 * way.length);
        ASSERT_NEAR(dubins_distance(ends.from, ends.to, radius), radius * way.length,
                    radius * (1e-9 + 1e-12 * way.length));
    }
    EXPECT_EQ(seen, (std::set<std::string>{"L+ S+ L+", "R+ S+ R+", "L+ S+ R+", "R+ S+ L+", "R+ L+ R+",
                                           "L+ R+ L+"}));
}

TEST(Dubins, AgainstTheOracle) {
    Rng rng(2);
    for (int i = trials(300); i > 0; --i) {
        const Ends ends = ends_in(rng, i % 2 == 0 ? 2.0 : 8.0);
        const double length = dubins_distance(ends.from, ends.to, 1.0);
        ASSERT_NEAR(length, oracle::dubins_length(ends.from, ends.to), 1e-9 * (1.0 + length)) << i;
    }
}

TEST(Dubins, AgainstOmpl) {
    if (!bench::has_ompl()) GTEST_SKIP() << "skipped: built without libompl-dev";
    bench::OmplCurves ompl;
    Rng rng(3);
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = ends_in(rng, i % 2 == 0 ? 2.0 : 20.0);
        const double length = dubins_distance(ends.from, ends.to, 1.0);
        ASSERT_NEAR(length, ompl.dubins(ends.from, ends.to), 1e-9 * (1.0 + length)) << i;
    }
}

Pose turned_back(const Pose& pose) { return {pose.position, pose.heading_rad + kPi}; }
Pose mirrored(const Pose& pose) { return {{pose.position.x, -pose.position.y}, -pose.heading_rad}; }

TEST(Dubins, BackwardsAndMirroredAreAsLong) {
    Rng rng(4);
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = ends_in(rng, i % 2 == 0 ? 2.0 : 20.0);
        const double length = dubins_distance(ends.from, ends.to, 1.0);
        ASSERT_NEAR(dubins_distance(turned_back(ends.to), turned_back(ends.from), 1.0), length, 1e-9);
        ASSERT_NEAR(dubins_distance(mirrored(ends.from), mirrored(ends.to), 1.0), length, 1e-9);
        ASSERT_GE(length, distance(ends.from.position, ends.to.position) - 1e-12);
    }
}

TEST(Dubins, TriangleInequality) {
    Rng rng(5);
    for (int i = trials(50000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const Pose by = pose_in(rng, 5.0);
        const double length = dubins_distance(ends.from, ends.to, 1.0);
        const double round = dubins_distance(ends.from, by, 1.0) + dubins_distance(by, ends.to, 1.0);
        ASSERT_LE(length, round + 1e-9 * (1.0 + round));
    }
}

// Technique K6.
TEST(Dubins, AGoalDeadAheadNeverGivesAFullTurn) {
    Rng rng(6);
    for (int i = trials(1000000); i > 0; --i) {
        const Pose from = pose_in(rng, 1000.0);
        const double ahead = rng.between(0.01, 1.0) * (i % 2 == 0 ? 3.0 : 3000.0);
        const Pose to{from.position + math::direction(from.heading_rad) * ahead, from.heading_rad};
        ASSERT_NEAR(dubins_distance(from, to, 1.0), ahead, 1e-5) << ahead;
        ASSERT_NEAR(shortest_dubins(from, to, 1.0).length, ahead, 1e-5) << ahead;
    }
}

TEST(Dubins, FarGoalsToo) {
    Rng rng(7);
    CurveWord words[kDubinsWords];
    for (int i = trials(20000); i > 0; --i) {
        const double size = std::ldexp(1.0, rng.between(0, 30));
        const Ends ends = ends_in(rng, size);
        const int count = dubins_words(ends.from, ends.to, 1.0, words);
        const double close = 1e-10 + 2e-14 * size;
        for (int k = 0; k < count; ++k) ASSERT_NO_FATAL_FAILURE(check_word(words[k], ends, 1.0, close));
    }
}

TEST(Dubins, HeadingsOutsideOneTurn) {
    Rng rng(8);
    for (int i = trials(10000); i > 0; --i) {
        Ends ends = ends_in(rng, 5.0);
        const double length = dubins_distance(ends.from, ends.to, 1.0);
        ends.from.heading_rad += kTwoPi * rng.between(-5, 5);
        ends.to.heading_rad += kTwoPi * rng.between(-5, 5);
        ASSERT_NEAR(dubins_distance(ends.from, ends.to, 1.0), length, 1e-9);
    }
}

TEST(DubinsDeathTest, NonsenseIsACallersBug) {
    const Pose here = at(0, 0, 0);
    double out[1];
    const Pose nan[] = {at(kNan, 0, 0)};
    const Pose good[] = {here};
    EXPECT_DEATH((void)dubins_distance(here, at(1, 1, 0), 0.0), "");
    EXPECT_DEATH((void)dubins_distance(here, at(1, 1, 0), -1.0), "");
    EXPECT_DEATH((void)dubins_distance(here, at(1, 1, 0), kNan), "");
    EXPECT_DEATH((void)shortest_dubins(here, at(kNan, 1, 0), 1.0), "");
    EXPECT_DEATH((void)shortest_dubins(at(0, 0, kNan), here, 1.0), "");
    EXPECT_DEATH((void)shortest_dubins(here, at(kInfinity, 1, 0), 1.0), "");
    EXPECT_DEATH((void)dubins_distance(here, at(0, 0, kInfinity), 1.0), "");
    EXPECT_DEATH((void)dubins_distance(here, at(1e13, 0, 0), 1.0), "");
    EXPECT_DEATH(dubins_distances(nan, good, 1.0, out), "");
    EXPECT_DEATH(dubins_distances(good, {}, 1.0, out), "");
}

TEST(DubinsBatch, TheSameBitsAsOneAtATime) {
    Rng rng(9);
    for (std::size_t count = 0; count < 300; count += 1 + count / 20) {
        std::vector<Pose> from;
        std::vector<Pose> to;
        for (std::size_t i = 0; i < count; ++i) {
            Ends ends = any_ends(rng);
            if (rng.below(9) == 0) ends.to.heading_rad += kTwoPi * rng.between(-3, 3);
            if (rng.below(20) == 0) ends.to = ends.from;
            from.push_back(ends.from);
            to.push_back(ends.to);
        }
        std::vector<double> lengths(count + 1, -1.0);
        dubins_distances(from, to, 0.7, std::span<double>(lengths).first(count));
        for (std::size_t i = 0; i < count; ++i) {
            const double one = dubins_distance(from[i], to[i], 0.7);
            ASSERT_EQ(std::memcmp(&one, &lengths[i], sizeof one), 0) << one << ' ' << lengths[i];
        }
        EXPECT_EQ(lengths[count], -1.0);
    }
}

}  // namespace
}  // namespace fairlead::curve_test
