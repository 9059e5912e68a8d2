#include <fairlead/curve/word.h>

#include <limits>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>

#include "cases.h"
#include "support/environment.h"
#include "support/test_allocator.h"

namespace fairlead::curve_test {
namespace {

using testing::trials;

/// A word of any kind between poses of any kind.
struct Sample {
    Ends ends;
    double radius;
    CurveWord word;
};

Sample any_word(Rng& rng) {
    Sample s;
    s.ends = any_ends(rng);
    s.radius = rng.between(0.3, 3.0);
    CurveWord words[kReedsSheppWords];
    const int count = reeds_shepp_words(s.ends.from, s.ends.to, s.radius, {.reverse_factor = 2.0}, words);
    s.word = words[rng.below(static_cast<std::uint32_t>(count))];
    return s;
}

TEST(CurveWord, PoseMovesAtUnitSpeedAndTurnsNoTighter) {
    Rng rng(1);
    for (int i = trials(3000); i > 0; --i) {
        const Sample s = any_word(rng);
        const double length = s.word.length * s.radius;
        const double step = length / 200.0;
        Pose last = pose_on_curve(s.ends.from, s.radius, s.word, 0.0);
        ASSERT_EQ(last, s.ends.from);
        for (int k = 1; k <= 200; ++k) {
            const Pose now = pose_on_curve(s.ends.from, s.radius, s.word, step * k);
            ASSERT_LE(distance(last.position, now.position), step * (1 + 1e-9) + 1e-9);
            ASSERT_LE(heading_apart(last.heading_rad, now.heading_rad), step / s.radius * (1 + 1e-9) + 1e-9);
            last = now;
        }
        ASSERT_LE(apart(last, s.ends.to), 1e-9);
    }
}

TEST(CurveWord, PoseFacesTheWayItMovesOrBackwards) {
    Rng rng(2);
    for (int i = trials(20000); i > 0; --i) {
        const Sample s = any_word(rng);
        const double at = rng.between(0.0, s.word.length) * s.radius;
        const Pose a = pose_on_curve(s.ends.from, s.radius, s.word, at);
        const Pose b = pose_on_curve(s.ends.from, s.radius, s.word, at + 1e-6);
        const Vec2 way = (b.position - a.position) * 1e6;
        if (length(way) < 0.999999) continue;  // the end, or a cusp
        ASSERT_NEAR(std::fabs(cross(way, math::direction(a.heading_rad))), 0.0, 1e-4);
    }
}

TEST(CurveWord, PoseIsClampedToTheWord) {
    const Pose from{{1, 2}, 0.5};
    const CurveWord word = shortest_dubins(from, {{4, 4}, 2.0}, 1.0);
    EXPECT_EQ(pose_on_curve(from, 1.0, word, -1.0), from);
    EXPECT_EQ(pose_on_curve(from, 1.0, word, 1e9), end_of_curve(from, 1.0, word));
    EXPECT_EQ(pose_on_curve(from, 1.0, CurveWord{}, 1.0), from);
}

TEST(CurveWord, BoundsHoldTheCurveAndNoMore) {
    Rng rng(3);
    for (int i = trials(3000); i > 0; --i) {
        const Sample s = any_word(rng);
        const Aabb box = bounds_of_curve(s.ends.from, s.radius, s.word);
        Aabb seen{s.ends.from.position, s.ends.from.position};
        constexpr int kSteps = 2000;
        for (int k = 0; k <= kSteps; ++k) {
            const Vec2 p =
                pose_on_curve(s.ends.from, s.radius, s.word, s.word.length * s.radius * k / kSteps).position;
            ASSERT_TRUE(box.contains(p));
            seen.low = {std::fmin(seen.low.x, p.x), std::fmin(seen.low.y, p.y)};
            seen.high = {std::fmax(seen.high.x, p.x), std::fmax(seen.high.y, p.y)};
        }
        // Between two samples an arc bulges by h^2 / 8 r, and a segment's end may stick out by h.
        const double step = s.word.length * s.radius / kSteps;
        ASSERT_NEAR(box.low.x, seen.low.x, step + 1e-9);
        ASSERT_NEAR(box.low.y, seen.low.y, step + 1e-9);
        ASSERT_NEAR(box.high.x, seen.high.x, step + 1e-9);
        ASSERT_NEAR(box.high.y, seen.high.y, step + 1e-9);
    }
}

TEST(CurveWord, BoundsOfAHalfCircle) {
    const Pose from{};
    const Aabb box = bounds_of_curve(from, 2.0, shortest_dubins(from, {{0, 4}, kPi}, 2.0));
    EXPECT_NEAR(box.low.x, 0.0, 1e-11);
    EXPECT_NEAR(box.high.x, 2.0, 1e-11);
    EXPECT_NEAR(box.low.y, 0.0, 1e-11);
    EXPECT_NEAR(box.high.y, 4.0, 1e-11);
}

TEST(CurveWord, LegsAreTheSameCurve) {
    Rng rng(4);
    for (int i = trials(3000); i > 0; --i) {
        const Sample s = any_word(rng);
        Route route;
        Pose end;
        ASSERT_TRUE(append_legs(s.word, s.ends.from, s.radius, 3, route.legs, end));
        route.end = {{end.position.x, end.position.y, 0.0}, end.heading_rad, 3};
        double sum = 0.0;
        for (const Leg& leg : route.legs) {
            ASSERT_GT(leg.length, 0.0);
            ASSERT_LE(std::fabs(leg.curvature) * s.radius, 1.0 + 1e-12);
            sum += leg.length;
        }
        ASSERT_NEAR(sum, s.word.length * s.radius, 1e-9 * (1 + sum));
        for (int k = 0; k <= 20; ++k) {
            const Pose pose = pose_on_curve(s.ends.from, s.radius, s.word, sum * k / 20);
            const Place place = place_on_route(route, sum * k / 20);
            ASSERT_LE(apart(pose, {ground(place.position), place.heading_rad}), 1e-9);
        }
    }
}

Pose pose_of(const Place& place) { return {ground(place.position), place.heading_rad}; }

// A drive on a yard had a leg of 1e-16: the line of a word that is two arcs.
TEST(CurveWord, SegmentsOfRoundingAreNoLegs) {
    CurveWord word;
    word.segments[0] = {1.0, Steer::left};
    word.segments[1] = {1e-16, Steer::straight};
    word.segments[2] = {-9e-13, Steer::right};
    word.segments[3] = {-2e-12, Steer::left};
    word.segments[4] = {0.5, Steer::right};
    word.count = 5;
    const Pose from{{3.0, 4.0}, 0.25};
    Array<Leg> legs;
    Pose end;
    ASSERT_TRUE(append_legs(word, from, 2.0, 0, legs, end));
    ASSERT_EQ(legs.size(), 3U);
    EXPECT_EQ(legs[0].length, 2.0);
    EXPECT_EQ(legs[1].length, 4e-12);
    EXPECT_EQ(legs[2].length, 1.0);
    EXPECT_LE(apart(pose_of(place_on_leg(legs[0], 2.0)), pose_of(legs[1].start)), 1e-11);
    EXPECT_LE(apart(end, end_of_curve(from, 2.0, word)), 0.0);
}

TEST(CurveWord, LegsOutOfMemory) {
    const Pose from{};
    const CurveWord word = shortest_dubins(from, {{4, 4}, kHalfPi}, 1.0);
    testing::TestAllocator allocator;
    allocator.fail_from_call = 0;
    Array<Leg> legs(allocator.allocator());
    Pose end;
    EXPECT_FALSE(append_legs(word, from, 1.0, 0, legs, end));
    EXPECT_EQ(legs.size(), 0U);
}

TEST(CurveWord, NamesAndCusps) {
    CurveWord word;
    word.segments[0] = {1.0, Steer::left};
    word.segments[1] = {-kHalfPi, Steer::right};
    word.segments[2] = {0.0, Steer::straight};
    word.segments[3] = {-1.0, Steer::left};
    word.segments[4] = {2.0, Steer::right};
    word.count = 5;
    EXPECT_STREQ(name(word).text, "L+ R- S+ L- R+");
    EXPECT_EQ(cusps(word), 2);
    EXPECT_EQ(cusps(CurveWord{}), 0);
    EXPECT_STREQ(name(CurveWord{}).text, "");
}

TEST(CurveWord, CheckSaysWhatIsWrong) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const Pose good{{1, 2}, 3};
    EXPECT_TRUE(check_curve(good, good, 1.0).has_value());
    EXPECT_TRUE(check_curve(good, {{-3, 4}, 1e9}, 1e-9).has_value());
    const auto expect = [](const Result<void>& result, ErrorCode code, Field field) {
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error(), (Error{code, field}));
    };
    expect(check_curve({{nan, 2}, 3}, good, 1.0), ErrorCode::not_finite, Field::from);
    expect(check_curve({{1, 2}, infinity}, good, 1.0), ErrorCode::not_finite, Field::from);
    expect(check_curve(good, {{1, -infinity}, 3}, 1.0), ErrorCode::not_finite, Field::to);
    expect(check_curve(good, good, nan), ErrorCode::not_finite, Field::agent_turning_radius);
    expect(check_curve(good, good, infinity), ErrorCode::not_finite, Field::agent_turning_radius);
    expect(check_curve(good, good, 0.0), ErrorCode::out_of_range, Field::agent_turning_radius);
    expect(check_curve(good, good, -1.0), ErrorCode::out_of_range, Field::agent_turning_radius);
    expect(check_curve(good, good, 1e13), ErrorCode::out_of_range, Field::agent_turning_radius);
    expect(check_curve(good, {{1e13, 2}, 3}, 1.0), ErrorCode::out_of_range, Field::to);
    expect(check_curve(good, {{2, 2}, 3}, 1e-13), ErrorCode::out_of_range, Field::to);
}

// What check_curve lets through has an answer.
TEST(CurveWord, AtTheLimits) {
    const double sizes[] = {1e-300, 1e-12, 1.0, 1e6, 1e11};
    for (const double radius : {1e-6, 1.0, 1e6, kCurveRadiusMax}) {
        for (const double size : sizes) {
            const Pose from{{0, 0}, 1e6};
            const Pose to{{-size, size / 3}, -1e7};
            if (!check_curve(from, to, radius)) continue;
            EXPECT_GE(dubins_distance(from, to, radius), size);
            EXPECT_LT(dubins_distance(from, to, radius), 2 * size + 12 * radius);
            EXPECT_GE(reeds_shepp_distance(from, to, radius), size * (1 - 1e-12));
        }
    }
}

}  // namespace
}  // namespace fairlead::curve_test
