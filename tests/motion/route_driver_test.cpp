// RouteDriver: exactly on the route, within its limits at every tick, in the seconds of the profile; events, links, new routes.

#include <fairlead/motion/route_driver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/curve/facings.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/motion_oracle.h"
#include "support/route_maker.h"

namespace fairlead::testing {
namespace {

constexpr double kLinkSeconds = 1.75;

LegTimes with_links() {
    return {.link_seconds = [](const Leg&, void*) { return kLinkSeconds; }};
}

// Twice as slow on every other two units of a leg.
LegTimes with_mud() {
    LegTimes out = with_links();
    out.slowdown = [](const Leg&, double from, void*) {
        const double stripe = std::floor(from / 2.0 + 1e-12);
        const bool mud = std::fmod(stripe, 2.0) == 1.0;
        return Slowdown{.factor = mud ? 2.0 : 1.0, .until = 2.0 * (stripe + 1.0)};
    };
    return out;
}

double seconds_of(const Route& route, const SpeedLimits& limits, const LegTimes& times) {
    SpeedProfile profile;
    const Result<void> made = make_speed_profile(route, limits, {.times = times}, profile);
    EXPECT_TRUE(made.has_value());
    EXPECT_FALSE(profile.too_fast());
    return profile.seconds();
}

// What it tells on the way to the goal.
std::vector<RouteEventKind> events_of(RouteDriver& unit, double dt) {
    std::vector<RouteEventKind> out;
    for (int k = 0; k < 100000; ++k) {
        double left = dt;
        for (RouteEvent e = unit.update(left); e.happened(); e = unit.update(left)) {
            out.push_back(e.kind);
            if (e.kind == RouteEventKind::goal) return out;
        }
    }
    return out;
}

TEST(RouteDriver, DrivesAsTheProfileSays) {
    Rng rng(1);
    int with_turns = 0;
    for (int i = 0; i < trials(300); ++i) {
        const Route route = random_route(rng);
        const SpeedLimits limits = random_limits(rng);
        const LegTimes times = rng.below(2) == 0 ? with_links() : with_mud();
        SpeedProfile profile;
        ASSERT_TRUE(make_speed_profile(route, limits, {.times = times}, profile).has_value());
        Result<RouteDriver> unit = RouteDriver::make({.limits = limits, .times = times}, route.legs[0].start);
        ASSERT_TRUE(unit.has_value());
        ASSERT_EQ(unit->take(route), RouteTaken::taken);
        const double dt = rng.below(3) == 0 ? 1.0 : 1.0 / 60.0;
        double now = 0.0;
        for (int k = 0; now < profile.seconds() && k < 200000; ++k) {
            double left = dt;
            while (unit->update(left).happened()) {
            }
            now += dt;
            const Place wanted = place_at(route, profile.knots(), now);
            const Place at = unit->place();
            ASSERT_NEAR(distance(at.position, wanted.position), 0.0, 1e-5) << "trial " << i << " at " << now;
            // At the edge of a turn without time both headings are right.
            if (limits.turn_rate_max < kNoLimit) {
                ASSERT_NEAR(math::wrap_pi(at.heading_rad - wanted.heading_rad), 0.0, 2e-4)
                    << "trial " << i << " at " << now;
            }
            with_turns += unit->state() == DriverState::turning;
        }
        double left = 1.0;
        while (unit->update(left).happened()) {
        }
        EXPECT_EQ(unit->state(), DriverState::arrived) << "trial " << i;
        EXPECT_EQ(unit->place(), route.end);
    }
    if (all_trials()) {
        EXPECT_GT(with_turns, 100);
    }
}

TEST(RouteDriver, KeepsItsLimitsAtEveryTickAndStaysOnTheRoute) {
    Rng rng(2);
    int ticks = 0;
    for (int i = 0; i < trials(200); ++i) {
        const Route route = random_route(rng);
        const SpeedLimits limits = random_limits(rng);
        Result<RouteDriver> unit =
            RouteDriver::make({.limits = limits, .times = with_links()}, route.legs[0].start);
        ASSERT_EQ(unit->take(route), RouteTaken::taken);
        MotionJudge judge(route, limits, *unit);
        double cap = kNoLimit;
        for (int k = 0; k < 3000 && unit->state() != DriverState::arrived; ++k, ++ticks) {
            // Traffic: a new cap now and then.
            if (rng.below(40) == 0)
                cap = rng.below(4) == 0   ? 0.0
                      : rng.below(2) == 0 ? kNoLimit
                                          : rng.between(0.0, limits.speed_max);
            const double dt = 1.0 / 60.0;
            double left = dt;
            while (unit->update(left, cap).happened()) {
            }
            judge.tick(*unit, dt);
            ASSERT_EQ(judge.fault(), "") << "trial " << i << " tick " << k;
        }
    }
    if (all_trials()) {
        EXPECT_GT(ticks, 20000);
    }
}

TEST(RouteDriver, OneStepOrAThousand) {
    Rng rng(3);
    for (int i = 0; i < trials(60); ++i) {
        const Route route = random_route(rng);
        const SpeedLimits limits = random_limits(rng);
        const double cap = rng.below(2) == 0 ? kNoLimit : rng.between(0.3, 1.0) * limits.speed_max;
        const double all = 0.8 * seconds_of(route, limits, with_mud()) * rng.unit();
        Place ends[2];
        for (const int steps : {1, 1000}) {
            Result<RouteDriver> unit =
                RouteDriver::make({.limits = limits, .times = with_mud()}, route.legs[0].start);
            ASSERT_EQ(unit->take(route), RouteTaken::taken);
            for (int k = 0; k < steps; ++k) {
                double left = all / steps;
                while (unit->update(left, cap).happened()) {
                }
            }
            ends[steps > 1] = unit->place();
        }
        EXPECT_NEAR(distance(ends[0].position, ends[1].position), 0.0, 1e-6) << i;
    }
}

// The cursor tells the same of the route, in the same order.
TEST(RouteDriver, TellsTheEventsOfTheCursor) {
    Rng rng(4);
    for (int i = 0; i < trials(100); ++i) {
        const Route route = random_route(rng);
        std::vector<RouteEventKind> wanted;
        RouteCursor cursor(route);
        double far = 1e9;
        for (RouteEvent e = cursor.advance(far); e.happened(); e = cursor.advance(far)) {
            // A climb is driven, not jumped.
            const bool climb = e.kind == RouteEventKind::jump && route.legs[e.leg - 1].rise != 0.0;
            if (!climb) {
                wanted.push_back(e.kind);
            } else if (e.gear_from != e.gear_to) {
                wanted.push_back(RouteEventKind::gear);
            } else if (std::abs(e.turn_rad) > 1e-6) {
                wanted.push_back(RouteEventKind::corner);
            }
        }
        Result<RouteDriver> unit = RouteDriver::make({.limits = random_limits(rng)}, route.legs[0].start);
        ASSERT_EQ(unit->take(route), RouteTaken::taken);
        EXPECT_EQ(events_of(*unit, 0.5), wanted) << i;
    }
}

TEST(RouteDriver, LinksTakeTheGamesTime) {
    const Route route = RouteMaker({0, 0}).line_to({4, 0}).link(7, {4, 9}, 1).line_to({9, 9}).take();
    const LegTimes endless{.link_seconds = [](const Leg&, void*) { return kNoLimit; }};
    Result<RouteDriver> unit =
        RouteDriver::make({.limits = SpeedLimits::only(2.0), .times = endless}, route.legs[0].start);
    ASSERT_EQ(unit->take(route), RouteTaken::taken);
    double left = 10.0;
    RouteEvent e = unit->update(left);
    EXPECT_EQ(e.kind, RouteEventKind::link_enter);
    EXPECT_EQ(e.link_id, 7U);
    EXPECT_DOUBLE_EQ(left, 8.0);
    EXPECT_FALSE(unit->update(left).happened());
    EXPECT_EQ(left, 0.0);
    EXPECT_EQ(unit->state(), DriverState::in_link);
    EXPECT_EQ(unit->place().position, (Vec3{4, 0, 0}));
    EXPECT_EQ(unit->take(route), RouteTaken::in_link);
    unit->leave_link();
    left = 1.0;
    EXPECT_EQ(unit->update(left).kind, RouteEventKind::link_leave);
    EXPECT_FALSE(unit->update(left).happened());
    EXPECT_EQ(unit->place().position, (Vec3{6, 9, 0}));
    EXPECT_EQ(unit->place().layer, 1);
}

TEST(RouteDriver, StopsHoldsAndGoesOn) {
    const Route route = RouteMaker({0, 0}).line_to({100, 0}).take();
    const SpeedLimits limits{.speed_max = 4.0, .accel_max = 2.0, .brake_max = 4.0};
    Result<RouteDriver> unit = RouteDriver::make({.limits = limits}, route.legs[0].start);
    ASSERT_EQ(unit->take(route), RouteTaken::taken);
    const auto pass = [&](double seconds) {
        while (unit->update(seconds).happened()) {
        }
    };
    pass(4.0);
    EXPECT_DOUBLE_EQ(unit->speed(), 4.0);
    EXPECT_DOUBLE_EQ(unit->distance(), 12.0);
    EXPECT_DOUBLE_EQ(unit->stopping_place().position.x, 14.0);
    unit->stop();
    pass(5.0);
    EXPECT_EQ(unit->speed(), 0.0);
    EXPECT_NEAR(unit->distance(), 14.0, 1e-12);
    unit->resume();
    unit->hold_at(30.0);
    pass(100.0);
    EXPECT_EQ(unit->speed(), 0.0);
    EXPECT_NEAR(unit->distance(), 30.0, 1e-9);
    unit->hold_at(kNoLimit);
    pass(4.0);
    unit->hold_at(unit->distance() + 0.5);  // too near: it brakes all the same
    const double from = unit->distance();
    pass(4.0);
    EXPECT_NEAR(unit->distance(), from + 2.0, 1e-9);
}

// T6: 1,000 new goals in motion.
TEST(RouteDriver, NewRoutesInMotionKeepPoseHeadingAndSpeed) {
    Rng rng(5);
    const SpeedLimits limits{
        .speed_max = 5.0, .accel_max = 2.0, .brake_max = 3.0, .lateral_accel_max = 2.0, .turn_rate_max = 1.5};
    std::vector<Route> routes;
    routes.reserve(2000);
    routes.push_back(RouteMaker({0, 0}).drive(8.0).drive(5.0, 0.2).take());
    Result<RouteDriver> unit = RouteDriver::make({.limits = limits}, routes[0].legs[0].start);
    ASSERT_EQ(unit->take(routes[0]), RouteTaken::taken);
    int taken = 0, refused = 0;
    const int wanted = std::min(trials(1000), 1000);
    while (taken < wanted && routes.size() < 1990U) {
        double left = rng.between(0.05, 1.5);
        while (unit->update(left).happened()) {
        }
        const Place before = unit->place();
        const double speed = unit->speed();
        RouteMaker maker(ground(before.position), before.heading_rad);
        for (int k = 0; k < 2; ++k) {
            const double far = rng.between(1.0, 6.0);
            maker.drive(far, rng.between(-0.4, 0.4));
        }
        routes.push_back(maker.take());
        const RouteTaken answer = unit->take(routes.back());
        taken += answer == RouteTaken::taken;
        refused += answer == RouteTaken::too_fast;
        ASSERT_TRUE(answer == RouteTaken::taken || answer == RouteTaken::too_fast);
        // As it was, either way.
        EXPECT_NEAR(distance(unit->place().position, before.position), 0.0, 1e-12);
        EXPECT_NEAR(math::wrap_pi(unit->place().heading_rad - before.heading_rad), 0.0, 1e-12);
        EXPECT_EQ(unit->speed(), speed);
        if (answer == RouteTaken::too_fast) continue;
        MotionJudge judge(routes.back(), limits, *unit);
        for (int k = 0; k < 5; ++k) {
            left = 0.01;
            while (unit->update(left).happened()) {
            }
            judge.tick(*unit, 0.01);
            ASSERT_EQ(judge.fault(), "");
        }
    }
    EXPECT_EQ(taken, wanted);
    if (all_trials()) {
        EXPECT_GT(refused, 20);
    }
}

TEST(RouteDriver, RefusesARouteThatBeginsElsewhereOrTheOtherWay) {
    const Route ahead = RouteMaker({0, 0}).line_to({20, 0}).take();
    Result<RouteDriver> unit = RouteDriver::make({.limits = {.turn_rate_max = 2.0}}, ahead.legs[0].start);
    ASSERT_EQ(unit->take(ahead), RouteTaken::taken);
    double left = 1.0;
    (void)unit->update(left);
    const Vec2 at = ground(unit->place().position);
    const Route back = RouteMaker(at).line_to({-5, 0}).take();
    const Route reverse = RouteMaker(at).drive(5.0, 0.0, Gear::reverse).take();
    EXPECT_EQ(unit->take(back), RouteTaken::too_fast);
    EXPECT_EQ(unit->take(reverse), RouteTaken::too_fast);
    EXPECT_EQ(unit->take(ahead), RouteTaken::elsewhere);
    unit->stop();
    left = 5.0;
    (void)unit->update(left);
    const Route round = RouteMaker(ground(unit->place().position)).line_to({-5, 0}).take();
    EXPECT_EQ(unit->take(round), RouteTaken::taken);
    unit->resume();
    left = kHalfPi / 2.0;
    (void)unit->update(left);
    EXPECT_EQ(unit->state(), DriverState::turning);
    EXPECT_NEAR(std::abs(unit->place().heading_rad), kHalfPi, 1e-9);
}

// A1 to A4 on the way: every frame's motion goes along the facing that is shown.
TEST(RouteDriver, FixedFacingsNeverSlide) {
    Rng rng(6);
    int corners = 0;
    for (int i = 0; i < trials(100); ++i) {
        const std::int32_t facings = i % 3 == 0 ? 8 : i % 3 == 1 ? 16 : 32;
        RouteMaker maker({0, 0}, facing_rad(facings, 0));
        Vec2 at{};
        for (int k = 0; k < 6; ++k) {
            const double heading = facing_rad(facings, rng.between(0, facings - 1));
            at += math::direction(heading) * rng.between(0.5, 4.0);
            maker.line_to(at);
        }
        Route route = maker.take();
        const bool snaps = i % 2 == 0;
        SpeedLimits limits{.speed_max = 3.0, .accel_max = 2.0, .lateral_accel_max = kNoLimit};
        if (!snaps) limits.turn_rate_max = 4.0;
        Result<RouteDriver> unit =
            RouteDriver::make({.limits = limits, .one_heading_a_frame = true}, route.legs[0].start);
        ASSERT_EQ(unit->take(route), RouteTaken::taken);
        for (int k = 0; k < 2000 && unit->state() != DriverState::arrived; ++k) {
            const Vec2 before = ground(unit->place().position);
            double left = 1.0 / 30.0;
            double shown = unit->place().heading_rad;
            for (RouteEvent e = unit->update(left); e.happened(); e = unit->update(left)) {
                corners += e.kind == RouteEventKind::corner;
                if (e.kind == RouteEventKind::corner) break;
            }
            const Vec2 moved = ground(unit->place().position) - before;
            const double length_moved = length(moved);
            if (length_moved < 1e-9) continue;
            if (unit->state() == DriverState::turning)
                shown = route.legs[unit->leg_index() > 0 ? unit->leg_index() - 1 : 0].start.heading_rad;
            const double off = math::wrap_pi(std::atan2(moved.y, moved.x) - shown);
            const double later = math::wrap_pi(std::atan2(moved.y, moved.x) - unit->place().heading_rad);
            ASSERT_LT(std::min(std::abs(off), std::abs(later)), 1e-6) << i << " " << k;
        }
        EXPECT_EQ(unit->state(), DriverState::arrived);
    }
    if (all_trials()) {
        EXPECT_GT(corners, 300);
    }
}

TEST(RouteDriver, AllocatesNothing) {
    Rng rng(7);
    const Route route = random_route(rng);
    Result<RouteDriver> unit = RouteDriver::make({}, route.legs[0].start);
    const std::uint64_t before = heap_calls();
    (void)unit->take(route);
    for (int k = 0; k < 1000; ++k) {
        double left = 0.05;
        while (unit->update(left).happened()) {
        }
    }
    EXPECT_EQ(heap_calls(), before);
}

TEST(RouteDriver, BadInput) {
    EXPECT_EQ(RouteDriver::make({.limits = {.speed_max = 0.0}}, {}).error(),
              (Error{ErrorCode::out_of_range, Field::speed_max}));
    EXPECT_EQ(RouteDriver::make({.limits = {.turn_rate_max = 0.0}}, {}).error(),
              (Error{ErrorCode::out_of_range, Field::turn_rate_max}));
    EXPECT_EQ(RouteDriver::make({}, {.heading_rad = NAN}).error(),
              (Error{ErrorCode::not_finite, Field::start}));
    Result<RouteDriver> unit = RouteDriver::make({}, {});
    double left = 1.0;
    EXPECT_FALSE(unit->update(left).happened());
    EXPECT_EQ(left, 0.0);
    const Route nothing;
    EXPECT_EQ(unit->take(nothing), RouteTaken::taken);
    left = 1.0;
    EXPECT_EQ(unit->update(left).kind, RouteEventKind::goal);
    EXPECT_FALSE(unit->update(left).happened());
    EXPECT_EQ(unit->state(), DriverState::idle);
}

}  // namespace
}  // namespace fairlead::testing
