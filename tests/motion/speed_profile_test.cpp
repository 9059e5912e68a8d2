// make_speed_profile on random routes: legal by verify_speed, as quick as a fine integration says, and pose at time.

#include <fairlead/route/speed_profile.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/verify/verify_speed.h>

#include "support/environment.h"
#include "support/motion_oracle.h"
#include "support/route_maker.h"
#include "support/speed_rules.h"

namespace fairlead::testing {
namespace {

constexpr double kLinkSeconds = 2.5;

LegTimes links_only() {
    return {.link_seconds = [](const Leg&, void*) { return kLinkSeconds; }};
}

// The least time by integrating along the way in small steps: stops are where speeds must be 0, their times added.
double fine_seconds(std::vector<double> caps, double step, const SpeedLimits& limits) {
    const std::size_t n = caps.size();
    caps.front() = caps.back() = 0.0;
    for (std::size_t i = 1; i < n; ++i)
        caps[i] = std::min(caps[i], caps[i - 1] + 2.0 * limits.accel_max * step);
    for (std::size_t i = n - 1; i-- > 0;)
        caps[i] = std::min(caps[i], caps[i + 1] + 2.0 * limits.brake_max * step);
    double seconds = 0.0;
    for (std::size_t i = 1; i < n; ++i) seconds += 2.0 * step / (std::sqrt(caps[i - 1]) + std::sqrt(caps[i]));
    return seconds;
}

double turn_time(double angle, const SpeedLimits& limits) {
    const double size = std::abs(std::remainder(angle, kTwoPi));
    return size > 1e-6 && limits.turn_rate_max < kNoLimit ? size / limits.turn_rate_max : 0.0;
}

// Stretches between stops, each integrated.
double oracle_seconds(const Route& route, const SpeedLimits& limits) {
    double total = 0.0;
    std::vector<double> caps{1e300};
    double heading = route.legs[0].start.heading_rad;
    bool moved = false;
    Gear gear = Gear::forward;
    const double step = 1e-3;
    const auto stop = [&] {
        if (caps.size() > 1) total += fine_seconds(caps, step, limits);
        caps.assign(1, 1e300);
    };
    bool behind_link = false;  // there it faces as the link has it
    for (const Leg& leg : route.legs) {
        if (behind_link) heading = leg.start.heading_rad;
        behind_link = leg.kind == LegKind::link;
        const bool corner = std::abs(std::remainder(leg.start.heading_rad - heading, kTwoPi)) > 1e-6;
        if (corner && (limits.turn_rate_max < kNoLimit || limits.lateral_accel_max < kNoLimit)) stop();
        total += turn_time(leg.start.heading_rad - heading, limits);
        heading = leg.start.heading_rad;
        if (leg.kind != LegKind::drive) {
            stop();
            total += leg.kind == LegKind::link ? kLinkSeconds : std::abs(leg.turn_rad) / limits.turn_rate_max;
            if (leg.kind == LegKind::turn) heading += leg.turn_rad;
            continue;
        }
        if (moved && leg.gear != gear) {
            stop();
            total += limits.cusp_seconds;
        }
        moved = true;
        gear = leg.gear;
        const double way = std::hypot(leg.length, leg.rise);
        const double share = leg.length / way;
        double most = gear == Gear::reverse && limits.reverse_speed_max > 0.0 ? limits.reverse_speed_max
                                                                              : limits.speed_max;
        if (leg.speed_max >= 0.0) most = std::min(most, leg.speed_max);
        const double bend = std::abs(leg.curvature);
        if (bend * share > 0.0) {
            most = std::min(most, std::sqrt(limits.lateral_accel_max / bend) / share);
            most = std::min(most, limits.turn_rate_max / bend / share);
        }
        if (leg.length == 0.0) stop();
        const int steps = std::max(1, static_cast<int>(std::lround(way / step)));
        caps.back() = std::min(caps.back(), most * most);
        for (int i = 0; i < steps; ++i) caps.push_back(most * most);
        heading += leg.curvature * leg.length;
        if (leg.length == 0.0) stop();
    }
    stop();
    if (behind_link) return total;
    const double last = std::remainder(route.end.heading_rad - heading, kTwoPi);
    return total + turn_time(last, limits);
}

TEST(SpeedProfile, RandomRoutesAreLegalAndAsQuickAsCanBe) {
    Rng rng(11);
    SpeedProfile profile;
    for (int i = 0; i < trials(150); ++i) {
        const Route route = random_route(rng);
        SpeedLimits limits = random_limits(rng);
        const bool plain = limits.accel_max < kNoLimit && limits.brake_max < kNoLimit;
        ASSERT_TRUE(make_speed_profile(route, limits, {.times = links_only()}, profile).has_value());
        ASSERT_FALSE(profile.too_fast());
        const std::vector<double> seconds = link_seconds_of(route, kLinkSeconds);
        const SpeedViolation bad = verify_speed(route, profile.knots(), rules_of(limits, seconds));
        ASSERT_FALSE(bad) << i << ": " << speed_violation_name(bad.kind) << " at " << bad.distance << " knot "
                          << bad.knot << " by " << bad.depth;
        if (plain) {
            const double wanted = oracle_seconds(route, limits);
            EXPECT_NEAR(profile.seconds(), wanted, 0.01 * wanted + 0.02) << i;
        }
    }
}

// Each limit a little lower, and the same knots are no longer legal.
TEST(SpeedProfile, VerifyNoticesEachLimit) {
    Rng rng(12);
    SpeedProfile profile;
    int found[static_cast<int>(SpeedViolationKind::count_)] = {};
    for (int i = 0; i < trials(150); ++i) {
        const Route route = random_route(rng);
        const SpeedLimits limits = random_limits(rng);
        ASSERT_TRUE(make_speed_profile(route, limits, {.times = links_only()}, profile).has_value());
        const std::vector<double> seconds = link_seconds_of(route, kLinkSeconds);
        for (int k = 0; k < 6; ++k) {
            SpeedRules rules = rules_of(limits, seconds);
            double* const each[] = {&rules.speed_max,         &rules.accel_max,     &rules.brake_max,
                                    &rules.lateral_accel_max, &rules.turn_rate_max, &rules.cusp_seconds};
            *each[k] *= k == 5 ? 1.05 : 0.95;
            if (k == 0) rules.reverse_speed_max = std::min(rules.speed_max, 0.95 * rules.reverse_speed_max);
            ++found[static_cast<int>(verify_speed(route, profile.knots(), rules).kind)];
        }
        std::vector<double> longer = link_seconds_of(route, kLinkSeconds + 0.1);
        ++found[static_cast<int>(verify_speed(route, profile.knots(), rules_of(limits, longer)).kind)];
    }
    if (!all_trials()) return;
    for (const SpeedViolationKind kind :
         {SpeedViolationKind::speed, SpeedViolationKind::accel, SpeedViolationKind::brake,
          SpeedViolationKind::lateral, SpeedViolationKind::turn, SpeedViolationKind::cusp,
          SpeedViolationKind::link})
        EXPECT_GT(found[static_cast<int>(kind)], 5) << speed_violation_name(kind);
}

// Between two moments the unit moves no faster than its limits, and turns no faster; so nothing jumps.
TEST(SpeedProfile, PlaceAtIsContinuousInTurnsClimbsAndGears) {
    Rng rng(13);
    SpeedProfile profile;
    for (int i = 0; i < trials(100); ++i) {
        const Route route = random_route(rng);
        const SpeedLimits limits = random_limits(rng);
        ASSERT_TRUE(make_speed_profile(route, limits, {.times = links_only()}, profile).has_value());
        EXPECT_EQ(place_at(route, profile.knots(), 1e9), route.end);
        Place before = place_at(route, profile.knots(), 0.0);
        EXPECT_EQ(before, route.legs[0].start);
        bool has_link = false;
        for (const Leg& leg : route.legs) has_link = has_link || leg.kind == LegKind::link;
        const double dt = 1.0 / 64.0;
        for (double t = dt; t < profile.seconds(); t += dt) {
            const Place now = place_at(route, profile.knots(), t);
            const double turn = std::abs(math::wrap_pi(now.heading_rad - before.heading_rad));
            if (!has_link) {
                ASSERT_LE(distance(now.position, before.position),
                          limits.speed_max * dt * (1.0 + 1e-9) + 1e-9)
                    << i << " " << t;
                ASSERT_LE(turn, limits.turn_rate_max * dt * (1.0 + 1e-9) + 1e-9) << i << " " << t;
            }
            before = now;
        }
    }
}

// X2: the way with 2 turns beats the shorter one with 8 for those who gather speed slowly, and only for them.
TEST(SpeedProfile, SlowAcceleratorsLikeFewTurns) {
    RouteMaker stairs({0, 0});
    for (int i = 1; i <= 4; ++i) {
        stairs.line_to({8.0 * i, 8.0 * (i - 1)});
        stairs.line_to({8.0 * i, 8.0 * i});
    }
    const Route many = stairs.line_to({40, 32}).take();
    const Route few = RouteMaker({0, 0}).line_to({0, -6}).line_to({40, -6}).line_to({40, 32}).take();
    ASSERT_LT(many.length, few.length);
    SpeedProfile profile;
    const auto seconds = [&](const Route& route, double accel) {
        const SpeedLimits limits{.speed_max = 8.0, .accel_max = accel, .brake_max = accel};
        EXPECT_TRUE(make_speed_profile(route, limits, {}, profile).has_value());
        return profile.seconds();
    };
    EXPECT_LT(seconds(few, 1.0), 0.8 * seconds(many, 1.0));
    EXPECT_GT(seconds(few, 1e6), seconds(many, 1e6));
    EXPECT_NEAR(seconds(many, kNoLimit), many.length / 8.0, 1e-9);
    EXPECT_NEAR(seconds(few, kNoLimit), few.length / 8.0, 1e-9);
    // By hand: each straight of length d from rest to rest takes 2 sqrt(d / a) while 8 is not reached.
    EXPECT_NEAR(seconds(many, 1.0), 9.0 * 2.0 * std::sqrt(8.0), 1e-9);
}

TEST(SpeedProfile, TerrainThatSlows) {
    const Route route = RouteMaker({0, 0}).line_to({10, 0}).take();
    const LegTimes mud{.slowdown = [](const Leg&, double from, void*) {
        return from < 4.0 ? Slowdown{1.0, 4.0} : from < 6.0 ? Slowdown{3.0, 6.0} : Slowdown{};
    }};
    SpeedProfile profile;
    ASSERT_TRUE(make_speed_profile(route, SpeedLimits::only(2.0), {.times = mud}, profile).has_value());
    EXPECT_DOUBLE_EQ(profile.seconds(), 2.0 + 3.0 + 2.0);
    EXPECT_DOUBLE_EQ(distance_at(profile.knots(), 3.5), 5.0);
}

TEST(SpeedProfile, VerifyNoticesClimbsAndSlopes) {
    const SpeedLimits limits{.speed_max = 2.0, .accel_max = 1.0, .brake_max = 1.0};
    SpeedProfile profile;
    Route up = RouteMaker({0, 0}).drive(4.0).climb(3.0).drive(4.0).take();
    ASSERT_TRUE(make_speed_profile(up, limits, {}, profile).has_value());
    EXPECT_DOUBLE_EQ(profile.seconds(), 4.0 + 2.0 * std::sqrt(3.0) + 4.0);
    EXPECT_FALSE(verify_speed(up, profile.knots(), rules_of(limits, {})));
    EXPECT_NEAR(place_at(up, profile.knots(), 4.0 + std::sqrt(3.0)).position.z, 1.5, 1e-12);
    up.legs[1].rise = 3.5;
    EXPECT_EQ(verify_speed(up, profile.knots(), rules_of(limits, {})).kind, SpeedViolationKind::climb);
    up.legs[1].rise = 0.0;
    EXPECT_EQ(verify_speed(up, profile.knots(), rules_of(limits, {})).kind, SpeedViolationKind::climb);

    Route slope = RouteMaker({0, 0}).drive(6.0).rise(8.0).take();
    ASSERT_TRUE(make_speed_profile(slope, SpeedLimits::only(2.0), {}, profile).has_value());
    EXPECT_DOUBLE_EQ(profile.seconds(), 5.0);  // 10 long in space
    EXPECT_FALSE(verify_speed(slope, profile.knots(), rules_of(SpeedLimits::only(2.0), {})));
    slope.legs[0].rise = 9.0;
    EXPECT_EQ(verify_speed(slope, profile.knots(), rules_of(SpeedLimits::only(2.0), {})).kind,
              SpeedViolationKind::time);
}

TEST(SpeedProfile, SpeedsAtTheEnds) {
    const Route route = RouteMaker({0, 0}).line_to({10, 0}).take();
    const SpeedLimits limits{.speed_max = 8.0, .accel_max = 2.0, .brake_max = 1.0};
    SpeedProfile profile;
    ASSERT_TRUE(make_speed_profile(route, limits, {.start_speed = 4.0, .goal_speed = kAnySpeed}, profile)
                    .has_value());
    EXPECT_DOUBLE_EQ(profile.knots().back().speed, std::sqrt(16.0 + 40.0));
    ASSERT_TRUE(make_speed_profile(route, limits, {.start_speed = 5.0}, profile).has_value());
    EXPECT_TRUE(profile.too_fast());
    EXPECT_TRUE(profile.knots().empty());
}

TEST(SpeedProfile, BadInput) {
    SpeedProfile profile;
    const Route route = RouteMaker({0, 0}).line_to({10, 0}).link(1, {12, 0}, 0).take();
    const auto error = [&](const SpeedLimits& limits, const SpeedProfileOptions& options) {
        return make_speed_profile(route, limits, options, profile).error();
    };
    EXPECT_EQ(error({.speed_max = NAN}, {}), (Error{ErrorCode::not_finite, Field::speed_max}));
    EXPECT_EQ(error({.accel_max = 0.0}, {}), (Error{ErrorCode::out_of_range, Field::accel_max}));
    EXPECT_EQ(error({.turn_rate_max = NAN}, {}), (Error{ErrorCode::not_finite, Field::turn_rate_max}));
    EXPECT_EQ(error({}, {.start_speed = -1.0}), (Error{ErrorCode::out_of_range, Field::start_speed}));
    EXPECT_EQ(error({}, {.goal_speed = 9.0}), (Error{ErrorCode::out_of_range, Field::goal_speed}));
    EXPECT_EQ(error({}, {.times = {.link_seconds = [](const Leg&, void*) { return -1.0; }}}),
              (Error{ErrorCode::out_of_range, Field::link_seconds, 1, 0}));
    EXPECT_EQ(error({}, {.times = {.slowdown = [](const Leg&, double, void*) { return Slowdown{0.5}; }}}),
              (Error{ErrorCode::out_of_range, Field::slowdown, 0, 0}));
    EXPECT_EQ(error({}, {.times = {.slowdown =
                                       [](const Leg&, double from, void*) {
                                           return Slowdown{1.0, from};
                                       }}}),
              (Error{ErrorCode::out_of_range, Field::slowdown, 0, 0}));
    Route forged = RouteMaker({0, 0}).line_to({10, 0}).take();
    forged.legs[0].speed_max = 0.0;
    EXPECT_EQ(make_speed_profile(forged, {}, {}, profile).error(),
              (Error{ErrorCode::out_of_range, Field::route, 0, 0}));
    forged.legs[0].length = NAN;
    EXPECT_EQ(make_speed_profile(forged, {}, {}, profile).error(),
              (Error{ErrorCode::not_finite, Field::route, 0, 0}));
    EXPECT_TRUE(make_speed_profile(Route{}, {}, {}, profile).has_value());
    EXPECT_TRUE(profile.knots().empty());
}

}  // namespace
}  // namespace fairlead::testing
