// Everything that moves: profiles, drivers under traffic, followers under pushes, unicycles, steering.
#include <fairlead/base/rng.h>
#include <fairlead/motion/follower.h>
#include <fairlead/motion/route_driver.h>
#include <fairlead/motion/steering.h>
#include <fairlead/motion/unicycle.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"
#include "support/random_motion.h"

namespace fairlead::testing {
namespace {

constexpr double kTick = 1.0 / 30.0;

LegTimes motion_times() {
    return {.link_seconds = [](const Leg&, void*) { return 0.75; },
            .slowdown =
                [](const Leg&, double from, void*) {
                    return from < 2.0 ? Slowdown{1.0, 2.0} : Slowdown{1.5};
                }};
}

void add_vector(Digest& digest, Vec3 v) {
    digest.add(v.x);
    digest.add(v.y);
    digest.add(v.z);
}

void add_profile(Digest& digest, const Route& route, const SpeedLimits& limits) {
    SpeedProfile profile;
    const Result<void> made = make_speed_profile(route, limits, {.times = motion_times()}, profile);
    digest.add(static_cast<std::uint32_t>(made.has_value()));
    for (const SpeedKnot& knot : profile.knots()) {
        digest.add(knot.distance);
        digest.add(knot.time);
        digest.add(knot.speed);
        digest.add(knot.slowdown);
        digest.add(knot.leg);
    }
    for (int i = 0; i < 8; ++i)
        add_place(digest, place_at(route, profile.knots(), profile.seconds() * i / 7.0));
}

void add_drive(Digest& digest, const Route& route, const SpeedLimits& limits, Rng& rng) {
    Result<RouteDriver> unit =
        RouteDriver::make({.limits = limits, .times = motion_times()}, route.legs[0].start);
    if (!unit) return digest.add(std::uint64_t{3});
    digest.add(static_cast<std::uint32_t>(unit->take(route)));
    double cap = kNoLimit;
    for (int k = 0; k < 300; ++k) {
        if (rng.below(30) == 0) cap = rng.below(2) == 0 ? kNoLimit : rng.between(0.0, limits.speed_max);
        double left = kTick;
        for (RouteEvent e = unit->update(left, cap); e.happened(); e = unit->update(left, cap))
            digest.add(static_cast<std::uint32_t>(e.kind));
        add_place(digest, unit->place());
        digest.add(unit->speed());
    }
}

// Sight over a row of posts, without trigonometry.
bool between_posts(Vec3 a, Vec3 b, double radius, void*) {
    for (int i = 0; i < 20; ++i) {
        const Vec3 post{3.0 * i - 30.0, 2.5, 0.0};
        const Vec3 way = b - a;
        const double squared = dot(way, way);
        const double share = squared > 0.0 ? dot(post - a, way) / squared : 0.0;
        const Vec3 near_post = a + way * (share < 0.0 ? 0.0 : (share > 1.0 ? 1.0 : share));
        if (distance(near_post, post) < radius + 0.5) return false;
    }
    return true;
}

void add_follow(Digest& digest, const Route& route, const SpeedLimits& limits, Rng& rng) {
    Result<Follower> guide =
        Follower::make({.limits = limits, .times = motion_times(), .space = rng.below(2) == 0});
    if (!guide) return digest.add(std::uint64_t{4});
    guide->take(route);
    Vec3 at = route.legs[0].start.position;
    Vec3 velocity{};
    const bool sees = rng.below(2) == 0;
    for (int k = 0; k < 300; ++k) {
        const FollowStep step = guide->update(at, kTick, sees ? SightQuery{between_posts} : SightQuery{});
        velocity = limit_change(velocity, step.velocity, limits, kTick);
        at += velocity * kTick;
        if (step.event == FollowEvent::link_leave || step.event == FollowEvent::jump)
            at = step.place.position;
        if (rng.below(50) == 0) at += Vec3{rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), 0.0};
        add_vector(digest, at);
        digest.add(static_cast<std::uint32_t>(step.event) << 8 | static_cast<std::uint32_t>(step.reason));
    }
}

void add_unicycle(Digest& digest, const SpeedLimits& limits, Rng& rng) {
    UnicycleState unit;
    const double radius = rng.below(2) == 0 ? 0.0 : rng.between(0.2, 2.0);
    Vec2 aim{3.0, 1.0};
    for (int k = 0; k < 200; ++k) {
        if (rng.below(50) == 0) aim = Vec2{rng.between(-5.0, 5.0), rng.between(-5.0, 5.0)};
        unit = steer_towards(unit, aim, limits, kTick, radius);
        digest.add(unit.pose.position.x);
        digest.add(unit.pose.position.y);
        digest.add(unit.pose.heading_rad);
        digest.add(unit.speed);
    }
}

void add_steering(Digest& digest, Rng& rng) {
    Vec3 others[4];
    for (Vec3& other : others) other = Vec3{rng.between(-3.0, 3.0), rng.between(-3.0, 3.0), rng.unit()};
    const Vec3 at{rng.between(-3.0, 3.0), rng.between(-3.0, 3.0), 0.0};
    const WeightedVelocity wants[] = {
        {steer_follow(at, {.from = others[0], .to = others[1]}, 2.0), 1.0},
        {steer_separate(at, others, 2.0, 1.5), 0.5},
        {steer_evade(at, {.position = others[2], .velocity = others[3]}, 4.0, 2.0), 0.75},
        {steer_arrive(at, others[3], 2.0, 1.0, kTick), 0.25}};
    add_vector(digest, blend(wants, 2.5));
}

}  // namespace
}  // namespace fairlead::testing

FAIRLEAD_DIGEST_SCENE(motion) {
    using namespace fairlead::testing;
    fairlead::Rng rng(24);
    for (int i = 0; i < 60; ++i) {
        const fairlead::Route route = random_route(rng);
        const fairlead::SpeedLimits limits = random_limits(rng);
        add_profile(digest, route, limits);
        add_drive(digest, route, limits, rng);
        add_follow(digest, route, limits, rng);
        add_unicycle(digest, limits, rng);
        add_steering(digest, rng);
    }
}
