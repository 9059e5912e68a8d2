// steer_towards: every limit at every tick, by the poses alone; it stops at the aim and does not pass it.

#include <fairlead/motion/unicycle.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr double kSlack = 1e-9;

SpeedLimits limits_of_people(Rng& rng) {
    SpeedLimits out;
    out.speed_max = rng.between(0.5, 6.0);
    out.accel_max = rng.below(4) == 0 ? kNoLimit : rng.between(0.5, 10.0);
    out.brake_max = rng.below(4) == 0 ? kNoLimit : rng.between(0.5, 10.0);
    out.lateral_accel_max = rng.below(4) == 0 ? kNoLimit : rng.between(0.3, 10.0);
    out.turn_rate_max = rng.below(4) == 0 ? kNoLimit : rng.between(0.3, 6.0);
    return out;
}

// What two states a tick apart tell of the arc between them.
std::string fault_of(const UnicycleState& a, const UnicycleState& b, const SpeedLimits& limits, double dt,
                     double radius) {
    const double turn = std::abs(std::remainder(b.pose.heading_rad - a.pose.heading_rad, kTwoPi));
    const Vec2 gap = b.pose.position - a.pose.position;
    const double chord = std::hypot(gap.x, gap.y);
    const double arc = turn > 1e-9 ? chord * (turn / 2.0) / std::sin(turn / 2.0) : chord;
    if (b.speed > limits.speed_max + kSlack) return "speed";
    if (b.speed - a.speed > limits.accel_max * dt * (1.0 + kSlack) + kSlack) return "accel";
    if (a.speed - b.speed > limits.brake_max * dt * (1.0 + kSlack) + kSlack) return "brake";
    if (turn > limits.turn_rate_max * dt * (1.0 + kSlack) + kSlack) return "turn rate";
    if (arc > limits.speed_max * dt * (1.0 + kSlack) + kSlack) return "way";
    if (radius > 0.0 && turn * radius > arc * (1.0 + 1e-6) + kSlack) return "turning radius";
    if (turn == 0.0 || chord < 1e-7) return "";
    // Nor is the chord off the arc of that curvature: it leaves at half the turn.
    const double bend = turn / arc;
    // Where braking has no limit it slows at once.
    const double fast = std::max(limits.brake_max < kNoLimit ? a.speed : arc / dt, b.speed);
    const double excess = 1e-6 + 1e-12 / arc;
    if (fast * fast * bend > limits.lateral_accel_max * (1.0 + excess)) return "lateral";
    if (fast * bend > limits.turn_rate_max * (1.0 + excess)) return "turn rate at speed";
    const double half = std::remainder(std::atan2(gap.y, gap.x) - a.pose.heading_rad, kTwoPi);
    const double wanted = std::remainder(b.pose.heading_rad - a.pose.heading_rad, kTwoPi) / 2.0;
    if (std::abs(std::remainder(half - wanted, kTwoPi)) > 1e-5) return "slides";
    return "";
}

struct Trip {
    double seconds = 0.0;
    double nearest = 1e300;
    std::string fault;
};

Trip trip(UnicycleState unit, Vec2 aim, const SpeedLimits& limits, double dt, double radius, double most) {
    Trip out;
    while (out.seconds < most && !(unit.pose.position == aim && unit.speed == 0.0)) {
        const UnicycleState next = steer_towards(unit, aim, limits, dt, radius);
        if (out.fault.empty()) out.fault = fault_of(unit, next, limits, dt, radius);
        out.nearest = std::min(out.nearest, distance(next.pose.position, aim));
        unit = next;
        out.seconds += dt;
    }
    return out;
}

TEST(Unicycle, KeepsItsLimitsAndStopsAtTheAim) {
    Rng rng(21);
    int tight = 0;
    for (int i = 0; i < trials(400); ++i) {
        const SpeedLimits limits = limits_of_people(rng);
        const double radius = rng.below(2) == 0 ? 0.0 : rng.between(0.2, 2.0);
        UnicycleState unit{
            .pose = {{rng.between(-5.0, 5.0), rng.between(-5.0, 5.0)}, rng.between(-3.0, 3.0)}};
        const Vec2 aim{rng.between(-8.0, 8.0), rng.between(-8.0, 8.0)};
        const double dt = rng.below(2) == 0 ? 1.0 / 60.0 : 1.0 / 15.0;
        const Trip done = trip(unit, aim, limits, dt, radius, 300.0);
        ASSERT_EQ(done.fault, "") << i;
        EXPECT_LT(done.seconds, 300.0) << i << " radius " << radius << " nearest " << done.nearest;
        tight += radius > 0.0 && distance(unit.pose.position, aim) < 2.0 * radius;
    }
    if (all_trials()) {
        EXPECT_GT(tight, 5);
    }
}

// Sent elsewhere at any time, also nearer than it can stop.
TEST(Unicycle, KeepsItsLimitsWhenItIsSentElsewhere) {
    Rng rng(22);
    for (int i = 0; i < trials(100); ++i) {
        const SpeedLimits limits = limits_of_people(rng);
        const double radius = rng.below(2) == 0 ? 0.0 : rng.between(0.2, 2.0);
        UnicycleState unit;
        Vec2 aim{4, 0};
        for (int k = 0; k < 600; ++k) {
            if (rng.below(40) == 0) {
                aim.x = rng.between(-5.0, 5.0);
                aim.y = rng.between(-5.0, 5.0);
            }
            const UnicycleState next = steer_towards(unit, aim, limits, 1.0 / 30.0, radius);
            ASSERT_EQ(fault_of(unit, next, limits, 1.0 / 30.0, radius), "") << i << " tick " << k;
            unit = next;
        }
    }
}

// Straight ahead: the time of speeding up, holding and braking, and never beyond.
TEST(Unicycle, TakesTheLeastTimeStraightAhead) {
    const SpeedLimits limits{.speed_max = 3.0, .accel_max = 2.0, .brake_max = 4.0, .turn_rate_max = 2.0};
    for (const double far : {0.5, 3.0, 20.0}) {
        UnicycleState unit;
        const double peak = std::min(3.0, std::sqrt(2.0 * far / (1.0 / 2.0 + 1.0 / 4.0)));
        const double ramps = peak * peak / 2.0 * (1.0 / 2.0 + 1.0 / 4.0);
        const double least = peak / 2.0 + peak / 4.0 + (far - ramps) / peak;
        const double dt = 1.0 / 128.0;
        double seconds = 0.0;
        while (unit.pose.position.x < far && seconds < 100.0) {
            unit = steer_towards(unit, {far, 0.0}, limits, dt);
            seconds += dt;
            EXPECT_LE(unit.pose.position.x, far);
        }
        EXPECT_EQ(unit.speed, 0.0);
        EXPECT_NEAR(seconds, least, 2.0 * dt) << far;
    }
}

// X3: as the speed goes to 0 so does the radius; what is right behind is met by turning on the spot.
TEST(Unicycle, TurnsTighterWhenItIsSlower) {
    const SpeedLimits limits{
        .speed_max = 2.0, .accel_max = 2.0, .brake_max = 2.0, .lateral_accel_max = 2.0, .turn_rate_max = 3.0};
    EXPECT_EQ(turning_radius_at(limits, 0.0), 0.0);
    EXPECT_DOUBLE_EQ(turning_radius_at(limits, 2.0), 2.0);
    EXPECT_DOUBLE_EQ(turning_radius_at(limits, 0.3), 0.1);
    UnicycleState unit;
    double far = 0.0;
    for (int k = 0; k < 60 * 10; ++k) {
        unit = steer_towards(unit, {-5.0, 0.0}, limits, 1.0 / 60.0);
        far = std::max(far, std::hypot(std::max(unit.pose.position.x, 0.0), unit.pose.position.y));
    }
    EXPECT_EQ(unit.pose.position, (Vec2{-5.0, 0.0}));
    EXPECT_LT(far, 1e-6 + 2.0);
    unit = turn_towards(unit, 0.5, limits, 10.0);
    EXPECT_NEAR(unit.pose.heading_rad, 0.5, 1e-12);
}

}  // namespace
}  // namespace fairlead::testing
