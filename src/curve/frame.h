// What all curve problems begin with: the goal as seen from the start, in units of the turning radius.
#pragma once

#include <fairlead/base/assert.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "curve/lanes.h"

namespace fairlead::curve {

/// Arcs nearer than this to nothing or to a full turn are nothing.
inline constexpr double kNoArc = 1e-10;

/// The angle in [0, 2 pi), those within kNoArc of a full turn being 0.
[[nodiscard]] inline double turn(double angle) {
    if (angle < 0.0) angle += kTwoPi;
    if (angle >= kTwoPi) angle -= kTwoPi;
    if (angle < 0.0 || angle >= kTwoPi) angle = math::wrap_two_pi(angle);
    return angle < kNoArc || angle > kTwoPi - kNoArc ? 0.0 : angle;
}

[[nodiscard]] inline double in_one_turn(double heading) {
    return heading >= -kPi && heading < kPi ? heading : math::wrap_pi(heading);
}

struct Ends {
    Vec2 to{};      ///< from start to goal, in radii
    double start;   ///< headings, in [-pi, pi)
    double goal;
    Vec2 start_way; ///< unit vectors of the headings
    Vec2 goal_way;

    Ends(const Pose& a, const Pose& b, double radius)
        : to((b.position - a.position) * (1.0 / radius)),
          start(in_one_turn(a.heading_rad)),
          goal(in_one_turn(b.heading_rad)) {
        FAIRLEAD_ASSERT(radius > 0.0 && is_finite(to));
        const LaneSinCos ways = sin_cos(pair(start, goal));
        start_way = {ways.cos[0], ways.sin[0]};
        goal_way = {ways.cos[1], ways.sin[1]};
    }
};

}  // namespace fairlead::curve
