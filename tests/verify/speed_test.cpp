// verify_speed: a legal profile passes, and each rule that is broken a little is named.

#include <fairlead/verify/verify_speed.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace fairlead::testing {
namespace {

constexpr double kArc = 1.5;  // length of the arc

/// Ten ahead, an arc of radius 1, four back: from rest to rest.
struct Drive {
    Route route;
    std::vector<SpeedKnot> knots;
    SpeedRules rules{.speed_max = 4.0,
                     .reverse_speed_max = 2.0,
                     .accel_max = 2.0,
                     .brake_max = 4.0,
                     .lateral_accel_max = 1.0,
                     .cusp_seconds = 0.5};

    Drive() {
        Leg line{.length = 10.0};
        Leg arc{.length = kArc, .curvature = 1.0};
        Leg back{.length = 4.0, .gear = Gear::reverse};
        for (const Leg& leg : {line, arc, back}) EXPECT_TRUE(route.legs.push_back(leg));
        // 4 up to 4, 4.125 at 4, 1.875 down to 1; at 1 along the arc, the last eighth down to 0; a wait; 1 up to 2, 2.5 at 2, 0.5 down.
        go(4.0, 4.0);
        go(4.125, 4.0);
        go(1.875, 1.0);
        go(kArc - 0.125, 1.0);
        go(0.125, 0.0);
        knots.push_back(knots.back());
        knots.back().time += 0.5;
        go(1.0, 2.0);
        go(2.5, 2.0);
        go(0.5, 0.0);
        route.cost = knots.back().time;
    }
    void go(double length, double speed) {
        if (knots.empty()) knots.push_back({});
        const SpeedKnot& from = knots.back();
        const double seconds = 2.0 * length / (from.speed + speed);
        knots.push_back({from.distance + length, from.time + seconds, speed, 1.0});
    }
    /// The same in another unit of time.
    void speed_up(double factor) {
        for (SpeedKnot& knot : knots) {
            knot.speed *= factor;
            knot.time /= factor;
        }
        for (double* speed : {&rules.speed_max, &rules.reverse_speed_max}) *speed *= factor;
        for (double* accel : {&rules.accel_max, &rules.brake_max, &rules.lateral_accel_max})
            *accel *= factor * factor;
        rules.cusp_seconds /= factor;
        route.cost = knots.back().time;
    }
    [[nodiscard]] SpeedViolation judge() const { return verify_speed(route, knots, rules); }
};

struct Spoiled {
    SpeedViolationKind kind;
    std::function<void(Drive&)> spoil;
};

TEST(VerifySpeed, ALegalDriveIsLegal) {
    const Drive drive;
    const SpeedViolation bad = drive.judge();
    EXPECT_FALSE(bad) << speed_violation_name(bad.kind) << " " << bad.distance << " " << bad.depth;
}

TEST(VerifySpeed, EachRuleIsKept) {
    using Kind = SpeedViolationKind;
    const Spoiled cases[] = {
        {Kind::speed, [](Drive& d) { d.rules.speed_max = 3.999; }},
        {Kind::speed, [](Drive& d) { d.rules.reverse_speed_max = 1.999; }},
        {Kind::lateral, [](Drive& d) { d.rules.lateral_accel_max = 0.9999; }},
        {Kind::lateral, [](Drive& d) { d.route.legs[1].curvature = -1.001; }},
        {Kind::lateral, [](Drive& d) { d.route.legs[0].curvature = 0.063; }},
        {Kind::leg, [](Drive& d) { d.route.legs[0].speed_max = 3.999; }},
        {Kind::leg, [](Drive& d) { d.route.legs[2].speed_max = 1.999; }},
        {Kind::accel, [](Drive& d) { d.rules.accel_max = 1.999; }},
        {Kind::brake, [](Drive& d) { d.rules.brake_max = 3.999; }},
        {Kind::time, [](Drive& d) { d.knots[2].slowdown = 1.001; }},
        {Kind::time, [](Drive& d) { d.knots.back().time -= 1e-6; }},
        {Kind::cusp, [](Drive& d) { d.rules.cusp_seconds = 0.501; }},
        {Kind::cusp, [](Drive& d) { d.route.legs[1].gear = Gear::reverse; }},
        {Kind::cost, [](Drive& d) { d.route.cost += 1e-6; }},
        {Kind::ends, [](Drive& d) { d.rules.start_speed = 0.001; }},
        {Kind::ends, [](Drive& d) { d.rules.goal_speed = 0.001; }},
        {Kind::ends, [](Drive& d) { d.route.legs[2].length += 1e-5; }},
        {Kind::ends, [](Drive& d) { d.knots.clear(); }},
        {Kind::bad_number, [](Drive& d) { d.knots[3].speed = std::numeric_limits<double>::quiet_NaN(); }},
        {Kind::bad_number, [](Drive& d) { d.knots[3].speed = -1.0; }},
        {Kind::bad_number, [](Drive& d) { d.knots[3].slowdown = 0.5; }},
        {Kind::bad_number, [](Drive& d) { d.knots[3].time = 0.0; }},
    };
    int number = 0;
    for (const Spoiled& one : cases) {
        Drive drive;
        one.spoil(drive);
        EXPECT_STREQ(speed_violation_name(drive.judge().kind), speed_violation_name(one.kind)) << number;
        ++number;
    }
}

// A drive that is a little too fast anywhere within a leg is caught, wherever the knots lie.
TEST(VerifySpeed, TheWorstPointIsBetweenKnots) {
    Drive drive;
    drive.route.legs[0].curvature = 0.0;
    drive.route.legs[1].length -= 0.5;  // the arc begins where the unit still brakes
    drive.route.legs[0].length += 0.5;
    EXPECT_FALSE(drive.judge());
    drive.route.legs[0].length -= 0.6;
    drive.route.legs[1].length += 0.6;
    EXPECT_EQ(drive.judge().kind, SpeedViolationKind::lateral);
}

// Slow or fast, the speeds of the ends may be off by the same share of the top speed.
TEST(VerifySpeed, TheUnitOfTimeDoesNotCount) {
    for (const double factor : {1e-4, 1e-2, 1.0, 1e2, 1e4}) {
        Drive drive;
        drive.speed_up(factor);
        EXPECT_FALSE(drive.judge()) << factor;
        for (double* speed : {&drive.rules.start_speed, &drive.rules.goal_speed}) {
            *speed = 0.5e-9 * drive.rules.speed_max;
            EXPECT_FALSE(drive.judge()) << factor;
            *speed = 2e-9 * drive.rules.speed_max;
            EXPECT_EQ(drive.judge().kind, SpeedViolationKind::ends) << factor;
            *speed = 0.0;
        }
    }
}

TEST(VerifySpeed, EveryKindHasAName) {
    for (int i = 0; i < static_cast<int>(SpeedViolationKind::count_); ++i)
        EXPECT_FALSE(std::string(speed_violation_name(static_cast<SpeedViolationKind>(i))).empty());
}

}  // namespace
}  // namespace fairlead::testing
