#include <fairlead/curve/relaxed.h>

#include <fairlead/curve/dubins.h>

#include "cases.h"
#include "support/environment.h"

namespace fairlead::curve_test {
namespace {

using testing::trials;

const Pose kOrigin{};

TEST(Relaxed, GoldenValuesOfK2) {
    const CurveWord turn = shortest_to_point(kOrigin, {0, 5}, 1.0);
    EXPECT_NEAR(turn.length, 5.6965, 1e-4);
    EXPECT_NEAR(turn.segments[0].amount * 180.0 / kPi, 104.48, 0.01);
    EXPECT_NEAR(distance_to_point(kOrigin, {5, 0}, 1.0), 5.0, 1e-12);
    EXPECT_NEAR(distance_to_point(kOrigin, {-5, 0}, 1.0), 8.5364, 1e-4);
    EXPECT_NEAR(distance_to_point(kOrigin, {0, 2}, 1.0), kPi, 1e-9);  // on the circle: h = r, no line (K3)
    EXPECT_NEAR(distance_to_point(kOrigin, {0, 4}, 2.0), kTwoPi, 1e-9);
    EXPECT_EQ(distance_to_point(kOrigin, {0, 0}, 1.0), 0.0);
}

// Erratum E6: inside a circle two arcs are best; by way of the other circle it is 6.968.
TEST(Relaxed, InsideACircleTwoArcs) {
    const CurveWord way = shortest_to_point(kOrigin, {0, 1}, 1.0);
    EXPECT_NEAR(way.length, 5.470, 1e-3);
    EXPECT_STREQ(name(way).text, "R+ L+");
    CurveWord words[kRelaxedWords];
    const int count = words_to_point(kOrigin, {0, 1}, 1.0, words);
    double line = 1e9;
    for (int i = 0; i < count; ++i) {
        if (words[i].segments[1].steer == Steer::straight) line = std::fmin(line, words[i].length);
    }
    EXPECT_NEAR(line, 6.968, 1e-3);
}

TEST(Relaxed, AllWordsEndAtThePlaceInOrder) {
    Rng rng(1);
    CurveWord words[kRelaxedWords];
    for (int i = trials(100000); i > 0; --i) {
        const Ends ends = any_ends(rng);
        const int count = words_to_point(ends.from, ends.to.position, 1.0, words);
        ASSERT_GE(count, 1);
        for (int k = 0; k < count; ++k) {
            ASSERT_LE(distance(end_of_curve(ends.from, 1.0, words[k]).position, ends.to.position), 1e-9)
                << name(words[k]).text;
        }
        ASSERT_NO_FATAL_FAILURE(check_order(words, count));
        const CurveWord way = shortest_to_point(ends.from, ends.to.position, 1.0);
        ASSERT_NEAR(way.length, words[0].length, 1e-9 * (1.0 + way.length));
        ASSERT_LE(distance(end_of_curve(ends.from, 1.0, way).position, ends.to.position), 1e-9);
    }
}

TEST(Relaxed, NeverLongerThanAnyHeadingAndAsShortAsTheBest) {
    Rng rng(2);
    for (int i = trials(2000); i > 0; --i) {
        const Ends ends = ends_in(rng, i % 2 == 0 ? 1.5 : 6.0);
        const double length = distance_to_point(ends.from, ends.to.position, 1.0);
        double best = 1e9;
        for (int k = 0; k < 720; ++k) {
            best = std::fmin(best, dubins_distance(ends.from, {ends.to.position, k * kPi / 360.0}, 1.0));
        }
        ASSERT_LE(length, best + 1e-9);
        const CurveWord way = shortest_to_point(ends.from, ends.to.position, 1.0);
        const double heading = end_of_curve(ends.from, 1.0, way).heading_rad;
        ASSERT_NEAR(length, dubins_distance(ends.from, {ends.to.position, heading}, 1.0), 1e-9);
        ASSERT_NEAR(length, best, 0.01);
    }
}

}  // namespace
}  // namespace fairlead::curve_test
