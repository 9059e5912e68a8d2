// Dubins airplane curves: where they end, by stepping the equations of motion; that they are no steeper and no
// tighter than allowed; that none is shorter, by trying ways of other shapes.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/curve/airplane.h>
#include <fairlead/curve/dubins.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

struct Flight {
    Place from{};
    Place to{};
    double radius = 1.0;
    ClimbLimits climb{};
};

Flight draw_flight(Rng& rng) {
    Flight f;
    f.radius = rng.between(0.5, 4.0);
    f.climb.up_rad = rng.between(0.1, 1.2);
    f.climb.down_rad = rng.between(0.1, 1.2);
    const double wide = rng.below(2) == 0 ? 4.0 : 25.0, tall = rng.below(2) == 0 ? 3.0 : 60.0;
    f.from.position = {rng.between(-5.0, 5.0), rng.between(-5.0, 5.0), rng.between(-5.0, 5.0)};
    f.to.position.x = f.from.position.x + rng.between(-wide, wide);
    f.to.position.y = f.from.position.y + rng.between(-wide, wide);
    f.to.position.z = f.from.position.z + (rng.below(5) == 0 ? 0.0 : rng.between(-tall, tall));
    f.from.heading_rad = rng.between(-7.0, 7.0);
    f.to.heading_rad = rng.between(-7.0, 7.0);
    return f;
}

double ground_needed(const Flight& f) {
    const double rise = f.to.position.z - f.from.position.z;
    return std::fabs(rise) / std::tan(rise > 0.0 ? f.climb.up_rad : f.climb.down_rad);
}

/// x' = cos h, y' = sin h, h' = curvature, z' = slope: by Runge and Kutta's fourth order.
Place integrate(const Leg* legs, int count, const Place& from) {
    double x = from.position.x, y = from.position.y, z = from.position.z, h = from.heading_rad;
    for (int i = 0; i < count; ++i) {
        const int steps = 4 + static_cast<int>(std::fabs(legs[i].curvature) * legs[i].length * 24.0);
        const double ds = legs[i].length / steps, k = legs[i].curvature;
        for (int n = 0; n < steps; ++n) {
            const double middle = h + k * ds / 2, end = h + k * ds;
            x += ds / 6 * (std::cos(h) + 4 * std::cos(middle) + std::cos(end));
            y += ds / 6 * (std::sin(h) + 4 * std::sin(middle) + std::sin(end));
            h = end;
        }
        z += legs[i].rise;
    }
    return {{x, y, z}, h, 0};
}

void expect_flies(const Flight& f, const AirplaneCurve& curve) {
    Leg legs[kAirplaneLegs];
    Place end;
    const int count = legs_of(curve, f.from, f.to.position.z, legs, end);
    const Place there = integrate(legs, count, f.from);
    const double size = f.radius + curve.ground;
    EXPECT_LT(distance(there.position, f.to.position), 1e-8 * size);
    EXPECT_LT(std::fabs(std::remainder(there.heading_rad - f.to.heading_rad, kTwoPi)), 1e-8);
    EXPECT_LT(distance(end.position, f.to.position), 1e-9 * size);
    double ground = 0.0;
    for (int i = 0; i < count; ++i) {
        ground += legs[i].length;
        EXPECT_LE(std::fabs(legs[i].curvature) * f.radius, 1.0 + 1e-12);
        const double steepest = std::tan(legs[i].rise > 0.0 ? f.climb.up_rad : f.climb.down_rad);
        EXPECT_LE(std::fabs(legs[i].rise), legs[i].length * steepest * (1.0 + 1e-9) + 1e-12 * size);
    }
    EXPECT_NEAR(ground, curve.ground, 1e-9 * size);
    EXPECT_NEAR(std::hypot(curve.ground, curve.rise), curve.length, 1e-9 * size);
}

/// The least ground length, of at least `needed`, among ways of another family: an arc of any radius and angle, then the
/// Dubins path at another radius.
double least_by_trying(const Flight& f, double needed, Rng& rng) {
    double best = std::numeric_limits<double>::infinity();
    const Pose from{ground(f.from.position), f.from.heading_rad}, to{ground(f.to.position), f.to.heading_rad};
    for (int i = 0; i < 400; ++i) {
        const double radius = f.radius * (1.0 + rng.between(0.0, 2.0) * rng.below(2));
        const double other = f.radius * (1.0 + rng.between(0.0, 2.0) * rng.below(2));
        const double side = rng.below(2) == 0 ? 1.0 : -1.0;
        const double angle = rng.between(0.0, 2.0 * kTwoPi);
        Pose middle = from;
        middle.position.x +=
            radius * side * (std::sin(from.heading_rad + side * angle) - std::sin(from.heading_rad));
        middle.position.y -=
            radius * side * (std::cos(from.heading_rad + side * angle) - std::cos(from.heading_rad));
        middle.heading_rad += side * angle;
        const double length = radius * angle + dubins_distance(middle, to, other);
        if (length >= needed) best = std::min(best, length);
    }
    return best;
}

TEST(Airplane, EndsWhereItShouldWithinTheLimits) {
    Rng rng(31);
    int cases[3] = {}, exact[3] = {};
    for (int i = 0; i < trials(600); ++i) {
        const Flight f = draw_flight(rng);
        const AirplaneCurve curve = shortest_airplane(f.from, f.to, f.radius, f.climb);
        expect_flies(f, curve);
        const double bound = airplane_distance(f.from, f.to, f.radius, f.climb);
        EXPECT_GE(curve.length, bound * (1.0 - 1e-12));
        if (curve.shortest) {
            EXPECT_LE(curve.length, bound * (1.0 + 1e-9) + 1e-9);
        }
        ++cases[static_cast<int>(curve.altitude)];
        exact[static_cast<int>(curve.altitude)] += curve.shortest ? 1 : 0;
        AirplaneCurve all[kAirplaneCurves];
        const int count = airplane_curves(f.from, f.to, f.radius, f.climb, all);
        ASSERT_GE(count, 1);
        EXPECT_NEAR(all[0].length, curve.length, 1e-9 * (1.0 + curve.length));
        for (int k = 0; k < count; ++k) {
            expect_flies(f, all[k]);
            if (k > 0) {
                EXPECT_GE(all[k].length, all[k - 1].length);
            }
        }
        if (::testing::Test::HasFailure()) return;
    }
    if (!all_trials()) return;
    for (const int n : cases) EXPECT_GT(n, 50);
    EXPECT_EQ(exact[0], cases[0]);
    EXPECT_EQ(exact[2], cases[2]);
    EXPECT_GT(exact[1], cases[1] * 9 / 10);
    RecordProperty("medium_exact_percent", cases[1] > 0 ? 100 * exact[1] / cases[1] : 0);
}

TEST(Airplane, NoneOfManyOtherWaysIsShorter) {
    Rng rng(32);
    int gaps = 0;
    for (int i = 0; i < trials(800); ++i) {
        const Flight f = draw_flight(rng);
        const AirplaneCurve curve = shortest_airplane(f.from, f.to, f.radius, f.climb);
        const double least = least_by_trying(f, ground_needed(f), rng);
        if (curve.shortest) {
            EXPECT_GE(least, curve.ground * (1.0 - 1e-9));
        } else {
            ++gaps;
            EXPECT_GE(least, curve.ground * 0.5);
        }
    }
    EXPECT_LT(gaps, trials(800) / 8 + 2);
}

TEST(Airplane, TheThreeCasesByHand) {
    const Place here{{0, 0, 0}, 0.0, 0};
    const ClimbLimits climb{.up_rad = kPi / 4, .down_rad = kPi / 6};
    const AirplaneCurve low = shortest_airplane(here, {{10, 0, 10}, 0.0, 0}, 1.0, climb);
    EXPECT_EQ(low.altitude, AirplaneCase::low);
    EXPECT_NEAR(low.length, std::sqrt(200.0), 1e-12);
    // Down by 10 at 30 degrees: 17.32 on the ground where the way is 12.
    const AirplaneCurve medium = shortest_airplane(here, {{12, 0, -10}, 0.0, 0}, 1.0, climb);
    EXPECT_EQ(medium.altitude, AirplaneCase::medium);
    EXPECT_TRUE(medium.shortest);
    EXPECT_NEAR(medium.ground, 10.0 * std::sqrt(3.0), 1e-9);
    EXPECT_NEAR(medium.length, 20.0, 1e-9);
    const AirplaneCurve high = shortest_airplane(here, {{10, 0, 50}, 0.0, 0}, 1.0, climb);
    EXPECT_EQ(high.altitude, AirplaneCase::high);
    EXPECT_EQ(high.loops, 6);
    EXPECT_NEAR(high.ground, 50.0, 1e-9);
    EXPECT_GE(high.loop_radius, 1.0);
    // Straight up: nothing but turns.
    const AirplaneCurve up = shortest_airplane(here, {{0, 0, 20}, 0.0, 0}, 1.0, climb);
    EXPECT_EQ(up.loops, 3);
    EXPECT_NEAR(up.ground, 20.0, 1e-9);
    EXPECT_EQ(shortest_airplane(here, here, 1.0, climb).length, 0.0);
}

TEST(Airplane, BadNumbersAreNamed) {
    const Place here{{0, 0, 0}, 0.0, 0}, there{{9, 0, 3}, 0.0, 0};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto expect = [](const Result<void>& result, ErrorCode code, Field field) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, code);
        EXPECT_EQ(result.error().field, field);
    };
    EXPECT_TRUE(check_airplane(here, there, 1.0, {}));
    expect(check_airplane(here, there, 1.0, {.up_rad = 0.0}), ErrorCode::out_of_range, Field::climb);
    expect(check_airplane(here, there, 1.0, {.down_rad = 1.6}), ErrorCode::out_of_range, Field::climb);
    expect(check_airplane(here, there, 1.0, {.up_rad = nan}), ErrorCode::not_finite, Field::climb);
    expect(check_airplane(here, {{9, 0, nan}, 0.0, 0}, 1.0, {}), ErrorCode::not_finite, Field::to);
    expect(check_airplane({{9, 0, nan}, 0.0, 0}, here, 1.0, {}), ErrorCode::not_finite, Field::from);
    expect(check_airplane(here, {{0, 0, 1e300}, 0.0, 0}, 1.0, {}), ErrorCode::out_of_range, Field::to);
    expect(check_airplane(here, there, -1.0, {}), ErrorCode::out_of_range, Field::agent_turning_radius);
}

}  // namespace
}  // namespace fairlead::testing
