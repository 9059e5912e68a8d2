// Follower: at most one sight test a frame, back in the corridor after a push, links, jams and their reasons.

#include <fairlead/motion/follower.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/math/aabb.h>
#include <fairlead/motion/steering.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/route_maker.h"

namespace fairlead::testing {
namespace {

constexpr double kFrame = 1.0 / 30.0;

// Boxes as walls, and a sight that samples. By the definition; slow.
struct Yard {
    std::vector<Aabb> walls{};
    int asked = 0;

    [[nodiscard]] bool free(Vec3 at, double radius) const {
        for (const Aabb& box : walls) {
            const double dx = std::max({box.low.x - at.x, at.x - box.high.x, 0.0});
            const double dy = std::max({box.low.y - at.y, at.y - box.high.y, 0.0});
            if (std::hypot(dx, dy) < radius - 1e-9) return false;
        }
        return true;
    }
    [[nodiscard]] bool clear(Vec3 a, Vec3 b, double radius) const {
        const int parts = 1 + static_cast<int>(distance(a, b) / 0.02);
        for (int i = 0; i <= parts; ++i) {
            if (!free(a + (b - a) * (static_cast<double>(i) / parts), radius)) return false;
        }
        return true;
    }
    SightQuery sight() {
        return {[](Vec3 a, Vec3 b, double radius, void* user) {
                    Yard& yard = *static_cast<Yard*>(user);
                    ++yard.asked;
                    return yard.clear(a, b, radius);
                },
                this};
    }
};

// Distance from the route's lines.
double cross_track(const Route& route, Vec3 p) {
    double least = 1e300;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        if (route.legs[i].kind != LegKind::drive) continue;
        for (int k = 0; k <= 100; ++k) {
            const Vec3 at = place_on_leg(route.legs[i], route.legs[i].length * k / 100).position;
            least = std::min(least, distance(at, p));
        }
    }
    return least;
}

struct Walker {
    Vec3 at{};
    Vec3 velocity{};
    std::vector<FollowEvent> events{};
    std::vector<StuckReason> reasons{};

    FollowStep step(Follower& guide, const SightQuery& sight = {}) {
        const FollowStep out = guide.update(at, kFrame, sight);
        velocity = limit_change(velocity, out.velocity, guide.options().limits, kFrame);
        at += velocity * kFrame;
        if (out.event != FollowEvent::none) events.push_back(out.event);
        if (out.event != FollowEvent::none) reasons.push_back(out.reason);
        EXPECT_LE(out.sight_tests, 1);
        return out;
    }
    [[nodiscard]] bool saw(FollowEvent event) const {
        return std::find(events.begin(), events.end(), event) != events.end();
    }
};

SpeedLimits quick() {
    return {.speed_max = 2.0, .accel_max = 20.0, .brake_max = 20.0, .lateral_accel_max = 20.0};
}

Route zigzag(Rng& rng, int legs) {
    RouteMaker maker({0, 0});
    for (int i = 1; i <= legs; ++i) maker.line_to({4.0 * i, rng.between(-3.0, 3.0)});
    return maker.take();
}

TEST(Follower, ComesToTheGoalAndSkipsWhatItSees) {
    Rng rng(1);
    for (int i = 0; i < trials(30); ++i) {
        const Route route = zigzag(rng, 8);
        double lengths[2] = {};
        for (const bool skip : {false, true}) {
            Yard open;
            Result<Follower> guide = Follower::make({.limits = quick(), .skip = skip});
            ASSERT_TRUE(guide.has_value());
            guide->take(route);
            Walker unit{.at = route.legs[0].start.position};
            int frames = 0;
            for (; frames < 3000 && guide->state() != FollowState::arrived; ++frames) {
                const Vec3 before = unit.at;
                const int asked = open.asked;
                const FollowStep step = unit.step(*guide, open.sight());
                lengths[skip] += distance(before, unit.at);
                EXPECT_EQ(open.asked - asked, step.sight_tests);
            }
            EXPECT_EQ(guide->state(), FollowState::arrived);
            EXPECT_LE(distance(unit.at, route.end.position), 0.3);
            EXPECT_LE(open.asked, frames);
        }
        // Nothing is in the way: nearly the straight line.
        EXPECT_LT(lengths[1], 1.03 * distance(Vec3{}, route.end.position) + 0.5) << i;
        EXPECT_GT(lengths[0], 0.9 * route.length);
    }
}

// M3: pushed by up to 3, it is back within the corridor in the time that this takes at its speed, and a little.
TEST(Follower, RejoinsAfterPushes) {
    Rng rng(2);
    int pushes = 0;
    for (int i = 0; i < trials(30); ++i) {
        const Route route = zigzag(rng, 8);
        Result<Follower> guide = Follower::make({.limits = quick(), .skip = false});
        guide->take(route);
        Walker unit{.at = route.legs[0].start.position};
        double due = 0.0;  // seconds until it must be back
        bool pushed = false;
        for (int k = 0; k < 3000 && guide->state() != FollowState::arrived; ++k) {
            unit.step(*guide);
            due -= kFrame;
            if (due < 0.0) {
                ASSERT_LE(cross_track(route, unit.at), guide->options().corridor * 1.1)
                    << i << " frame " << k;
                pushed = false;
            }
            if (!pushed && rng.below(60) == 0 && guide->remaining() > 4.0) {
                const double push = rng.between(0.5, 3.0);
                unit.at += Vec3{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), 0.0} * push;
                due = 1.0 + 2.0 * push * 1.5 / guide->options().limits.speed_max;
                pushed = true;
                ++pushes;
            }
        }
        EXPECT_EQ(guide->state(), FollowState::arrived) << i;
        EXPECT_FALSE(unit.saw(FollowEvent::needs_route)) << i;
    }
    if (all_trials()) {
        EXPECT_GT(pushes, 60);
    }
}

// Round a wall, pushed about within the free room: it never walks into the wall by itself.
TEST(Follower, RoundsWallsUnderPushes) {
    Rng rng(3);
    const Route route = RouteMaker({0, 0}).line_to({9.6, 4.4}).line_to({12.4, 4.4}).line_to({22, 0}).take();
    int arrived = 0, asked_again = 0;
    const int count = trials(60);
    for (int i = 0; i < count; ++i) {
        Yard yard{.walls = {{{10, -4}, {12, 4}}}};
        Result<Follower> guide = Follower::make({.radius = 0.4, .limits = quick()});
        guide->take(route);
        Walker unit{.at = route.legs[0].start.position};
        for (int k = 0; k < 2000; ++k) {
            unit.step(*guide, yard.sight());
            ASSERT_TRUE(yard.free(unit.at, 0.4 - 0.05))
                << i << " frame " << k << " at " << unit.at.x << ", " << unit.at.y;
            if (rng.below(50) == 0) {
                const Vec3 to = unit.at + Vec3{rng.between(-2.0, 2.0), rng.between(-2.0, 2.0), 0.0};
                if (yard.clear(unit.at, to, 0.45)) unit.at = to;
            }
            if (guide->state() == FollowState::arrived || guide->state() == FollowState::lost) break;
        }
        arrived += guide->state() == FollowState::arrived;
        asked_again += guide->state() == FollowState::lost;
    }
    EXPECT_EQ(arrived + asked_again, count);
    if (all_trials()) {
        EXPECT_GE(arrived, 50);
    }
}

// M4: off its net, behind a wall, where neither its aim nor its track is seen.
TEST(Follower, AsksForARouteWhenItIsKnockedBehindAWall) {
    Yard yard{.walls = {{{-50, 3}, {50, 4}}}};
    const Route route = RouteMaker({0, 0}).line_to({20, 0}).take();
    Result<Follower> guide = Follower::make({.limits = quick(), .lost = 4.0});
    guide->take(route);
    Walker unit;
    for (int k = 0; k < 30; ++k) unit.step(*guide, yard.sight());
    unit.at.y = 6.0;
    for (int k = 0; k < 5 && !unit.saw(FollowEvent::needs_route); ++k) unit.step(*guide, yard.sight());
    ASSERT_TRUE(unit.saw(FollowEvent::needs_route));
    EXPECT_EQ(unit.reasons.back(), StuckReason::off_route);
    EXPECT_EQ(guide->state(), FollowState::lost);
    // Told once; then it stands.
    const FollowStep after = guide->update(unit.at, kFrame, yard.sight());
    EXPECT_EQ(after.event, FollowEvent::none);
    EXPECT_EQ(after.velocity, Vec3{});
    guide->take(route);
    EXPECT_EQ(guide->state(), FollowState::following);
}

TEST(Follower, TellsWhyItIsStuck) {
    const Route route = RouteMaker({0, 0}).line_to({20, 0}).take();
    for (const bool walled : {false, true}) {
        Yard yard;
        Result<Follower> guide = Follower::make({.limits = quick(), .stuck_seconds = 1.0});
        guide->take(route);
        std::vector<FollowEvent> events;
        std::vector<StuckReason> reasons;
        for (int k = 0; k < 200; ++k) {
            if (walled && k == 1) yard.walls.push_back({{3, -5}, {4, 5}});
            // Held where it is; with a wall before it, pushed aside.
            const Vec3 at = walled && k > 0 ? Vec3{1, 1, 0} : Vec3{0.05, 0, 0};
            const FollowStep step = guide->update(at, kFrame, yard.sight());
            if (step.event == FollowEvent::none) continue;
            events.push_back(step.event);
            reasons.push_back(step.reason);
        }
        ASSERT_EQ(events, (std::vector<FollowEvent>{FollowEvent::stuck, FollowEvent::needs_route}));
        EXPECT_EQ(reasons[0], walled ? StuckReason::blocked : StuckReason::no_progress);
    }
}

TEST(Follower, IsToldThatTheWorldHasChanged) {
    const Route route = RouteMaker({0, 0}).line_to({5, 0}).line_to({9, 3}).line_to({14, 3}).take();
    Result<Follower> guide = Follower::make({.limits = quick()});
    guide->take(route);
    Walker unit;
    while (guide->leg_index() < 1 && unit.at.x < 30.0) unit.step(*guide);
    guide->revalidated({.legal = false, .first_bad = 0, .last_bad = 0});  // behind it
    EXPECT_EQ(unit.step(*guide).event, FollowEvent::none);
    guide->revalidated({.legal = false, .first_bad = 2, .last_bad = 2});
    const FollowStep step = unit.step(*guide);
    EXPECT_EQ(step.event, FollowEvent::needs_route);
    EXPECT_EQ(step.reason, StuckReason::world_changed);
}

TEST(Follower, EntersTraversesAndLeavesLinks) {
    const Route route = RouteMaker({0, 0}).line_to({5, 0}).link(3, {5, 20}, 1).line_to({9, 20}).take();
    const LegTimes times{.link_seconds = [](const Leg& leg, void*) { return leg.link_id == 3 ? 0.5 : 0.0; }};
    for (const bool game_says : {false, true}) {
        FollowerOptions options{.limits = quick(), .times = times};
        if (game_says) options.times.link_seconds = [](const Leg&, void*) { return kNoLimit; };
        Result<Follower> guide = Follower::make(options);
        guide->take(route);
        Walker unit;
        int frames = 0, in_link = 0;
        for (; frames < 600 && guide->state() != FollowState::arrived; ++frames) {
            const FollowStep step = unit.step(*guide);
            if (step.event == FollowEvent::link_enter) {
                EXPECT_LE(distance(unit.at, {5, 0, 0}), 0.2);
                EXPECT_EQ(step.place.layer, 1);
            }
            if (guide->state() == FollowState::traversing) {
                EXPECT_EQ(step.velocity, Vec3{});
                unit.velocity = {};
                if (++in_link == 20 && game_says) guide->leave_link();
            }
            if (step.event == FollowEvent::link_leave) unit.at = step.place.position;
        }
        EXPECT_EQ(guide->state(), FollowState::arrived);
        EXPECT_EQ(unit.events, (std::vector<FollowEvent>{FollowEvent::link_enter, FollowEvent::link_leave,
                                                         FollowEvent::arrived}));
        EXPECT_NEAR(in_link, game_says ? 20 : 15, 1);
    }
}

TEST(Follower, InSpaceHeightsCount) {
    const Route route = RouteMaker({0, 0}).drive(6.0).climb(5.0).drive(4.0, 0.1).rise(3.0).take();
    Result<Follower> guide = Follower::make({.limits = quick(), .space = true});
    guide->take(route);
    Walker unit;
    double highest_error = 0.0;
    for (int k = 0; k < 1000 && guide->state() != FollowState::arrived; ++k) {
        unit.step(*guide);
        highest_error = std::max(highest_error, guide->track_error());
        if (k == 100) unit.at += Vec3{0.5, 0.5, -1.5};
    }
    EXPECT_EQ(guide->state(), FollowState::arrived);
    EXPECT_NEAR(unit.at.z, 8.0, 0.2);
    EXPECT_GT(highest_error, 0.3);
}

// The wanted speed never falls faster than the unit can brake, on random polylines; and at a corner it can take the turn.
TEST(Follower, SlowsDownInTime) {
    Rng rng(4);
    for (int i = 0; i < trials(60); ++i) {
        const Route route = zigzag(rng, 6);
        SpeedLimits limits{.speed_max = 3.0,
                           .accel_max = kNoLimit,
                           .brake_max = rng.between(1.0, 6.0),
                           .lateral_accel_max = rng.between(0.5, 6.0)};
        if (i % 2 == 0) limits.turn_rate_max = rng.between(0.5, 4.0);
        Result<Follower> guide = Follower::make({.limits = limits, .corridor = 0.3, .skip = false});
        guide->take(route);
        Vec3 at = route.legs[0].start.position;
        double before = -1.0;
        int frames = 0;
        for (; frames < 6000 && guide->state() != FollowState::arrived; ++frames) {
            const FollowStep step = guide->update(at, kFrame);
            const double speed = length(step.velocity);
            EXPECT_LE(speed, limits.speed_max + 1e-9);
            if (before >= 0.0 && guide->state() != FollowState::arrived) {
                EXPECT_GE(speed, before - limits.brake_max * kFrame * 1.05 - 0.02)
                    << i << " frame " << frames;
            }
            before = speed;
            at += step.velocity * kFrame;
        }
        EXPECT_EQ(guide->state(), FollowState::arrived) << i;
    }
}

TEST(Follower, AllocatesNothing) {
    Rng rng(5);
    const Route route = zigzag(rng, 8);
    Yard open;
    Result<Follower> guide = Follower::make({.limits = quick()});
    Vec3 at{};
    const SightQuery sight = open.sight();
    const std::uint64_t before = heap_calls();
    guide->take(route);
    for (int k = 0; k < 600; ++k) at += guide->update(at, kFrame, sight).velocity * kFrame;
    EXPECT_EQ(heap_calls(), before);
}

TEST(Follower, BadInput) {
    const auto error = [](const FollowerOptions& options) { return Follower::make(options).error(); };
    EXPECT_EQ(error({.radius = NAN}), (Error{ErrorCode::not_finite, Field::agent_radius}));
    EXPECT_EQ(error({.corridor = 0.0}), (Error{ErrorCode::out_of_range, Field::corridor}));
    EXPECT_EQ(error({.corridor = 2.0, .lost = 1.0}), (Error{ErrorCode::out_of_range, Field::corridor}));
    EXPECT_EQ(error({.limits = {.speed_max = -1.0}}), (Error{ErrorCode::out_of_range, Field::speed_max}));
    EXPECT_EQ(error({.stuck_seconds = 0.0}), (Error{ErrorCode::out_of_range, Field::times}));
    Result<Follower> guide = Follower::make();
    EXPECT_EQ(guide->update({1, 2, 3}, kFrame).velocity, Vec3{});
    const Route route = RouteMaker({0, 0}).line_to({5, 0}).take();
    guide->take(route);
    EXPECT_EQ(guide->update({NAN, 0, 0}, kFrame).velocity, Vec3{});
    EXPECT_EQ(guide->update({0, 0, 0}, NAN).velocity, Vec3{});
    EXPECT_GT(length(guide->update({0, 0, 0}, kFrame).velocity), 0.0);
    const Route nothing;
    guide->take(nothing);
    EXPECT_EQ(guide->update({0, 0, 0}, kFrame).event, FollowEvent::arrived);
}

}  // namespace
}  // namespace fairlead::testing
