// Behaviours one by one, their sum, and limits of change at every tick.

#include <fairlead/motion/steering.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

void expect_close(Vec3 a, Vec3 b) { EXPECT_LT(distance(a, b), 1e-12) << a.x << ", " << a.y << ", " << a.z; }

TEST(Steering, SeekAndArrive) {
    expect_close(steer_seek({1, 1, 0}, {4, 5, 0}, 2.0), {1.2, 1.6, 0});
    expect_close(steer_seek({1, 1, 0}, {1, 1, 0}, 2.0), {});
    expect_close(steer_arrive({0, 0, 0}, {100, 0, 0}, 2.0, 4.0, 0.1), {2, 0, 0});
    expect_close(steer_arrive({0, 0, 0}, {0, 0, 0}, 2.0, 4.0, 0.1), {});
    // After each step it can still brake, and it comes to the place.
    Vec3 at{};
    double before = 2.0;
    for (int k = 0; k < 400; ++k) {
        const Vec3 v = steer_arrive(at, {5, 0, 0}, 2.0, 1.0, 0.05);
        EXPECT_GE(v.x, before - 1.0 * 0.05 - 1e-9);
        before = v.x;
        at += v * 0.05;
        EXPECT_LE(v.x * v.x / 2.0, 5.0 - at.x + 1e-9);
    }
    EXPECT_NEAR(at.x, 5.0, 1e-3);
}

TEST(Steering, FollowStaysInItsCorridor) {
    const SteerTrack track{.from = {0, 0, 0}, .to = {20, 0, 0}, .corridor = 0.5};
    Rng rng(31);
    for (int i = 0; i < trials(50); ++i) {
        Vec3 at{rng.between(0.0, 8.0), rng.between(-5.0, 5.0), 0.0};
        const double off = std::abs(at.y);
        const double due = off * 1.5 + 1.0;  // at speed 1
        for (double t = 0.0; t < 40.0; t += 0.05) {
            at += steer_follow(at, track, 1.0) * std::min(0.05, distance(at, track.to));
            if (t > due) {
                EXPECT_LE(std::abs(at.y), 0.55);
            }
        }
        EXPECT_LT(distance(at, track.to), 0.06);
    }
}

TEST(Steering, SeparateAndEvade) {
    const Vec3 others[] = {{1, 0, 0}, {0, 4, 0}};
    expect_close(steer_separate({0, 0, 0}, others, 2.0, 3.0), {-1.5, 0, 0});
    expect_close(steer_separate({1, 0, 0}, others, 2.0, 3.0), {3, 0, 0});  // at the very place: along +x
    expect_close(steer_separate({9, 9, 0}, others, 2.0, 3.0), {});
    expect_close(steer_evade({0, 0, 0}, {.position = {3, 0, 0}}, 5.0, 2.0), {-2, 0, 0});
    expect_close(steer_evade({0, 0, 0}, {.position = {6, 0, 0}}, 5.0, 2.0), {});
    // Where it will be: a threat that passes ahead is left behind, not run into.
    EXPECT_LT(steer_evade({0, 0, 0}, {.position = {3, -3, 0}, .velocity = {0, 4, 0}}, 9.0, 2.0).x, -1.9);
    const WeightedVelocity wants[] = {{{1, 0, 0}, 1.0}, {{0, 2, 0}, 0.5}, {{}, 5.0}};
    expect_close(blend(wants, 10.0), {1, 1, 0});
    expect_close(blend(wants, 1.0), {std::sqrt(0.5), std::sqrt(0.5), 0});
}

TEST(Steering, LimitChangeKeepsEveryLimit) {
    Rng rng(32);
    int turned = 0;
    for (int i = 0; i < trials(300); ++i) {
        SpeedLimits limits{.speed_max = rng.between(1.0, 5.0),
                           .accel_max = rng.between(0.5, 9.0),
                           .brake_max = rng.between(0.5, 9.0),
                           .lateral_accel_max = rng.between(0.5, 9.0)};
        if (rng.below(2) == 0) limits.turn_rate_max = rng.between(0.3, 6.0);
        const double dt = rng.between(0.005, 0.1);
        const bool space = rng.below(2) == 0;
        const auto any = [&] {
            const double x = rng.between(-6.0, 6.0), y = rng.between(-6.0, 6.0);
            return Vec3{x, y, space ? rng.between(-6.0, 6.0) : 0.0};
        };
        Vec3 velocity{};
        Vec3 wanted = any();
        for (int k = 0; k < 100; ++k) {
            if (rng.below(20) == 0) wanted = rng.below(4) == 0 ? Vec3{} : any();
            const Vec3 next = limit_change(velocity, wanted, limits, dt);
            const double v0 = length(velocity), v1 = length(next);
            ASSERT_LE(v1, limits.speed_max + 1e-9);
            ASSERT_LE(v1 - v0, limits.accel_max * dt + 1e-9);
            ASSERT_LE(v0 - v1, limits.brake_max * dt + 1e-9);
            if (v0 > 1e-3 && v1 > 1e-3) {
                const double angle = std::atan2(length(cross(velocity, next)), dot(velocity, next));
                ASSERT_LE(angle, limits.turn_rate_max * dt + 1e-9);
                ASSERT_LE(angle * std::max(v0, v1), limits.lateral_accel_max * dt * (1.0 + 1e-9) + 1e-9);
                turned += angle > 1e-6;
            }
            velocity = next;
        }
        // It comes to what is wanted.
        const Vec3 target = any() * 0.1;
        for (int k = 0; k < 4000; ++k) velocity = limit_change(velocity, target, limits, dt);
        EXPECT_LT(distance(velocity, target), 1e-6 + (length(target) > limits.speed_max ? 9.0 : 0.0)) << i;
    }
    if (all_trials()) {
        EXPECT_GT(turned, 1000);
    }
}

}  // namespace
}  // namespace fairlead::testing
