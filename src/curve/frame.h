// What all curve problems begin with: the goal as seen from the start, in units of the turning radius.
#pragma once

#include <fairlead/base/assert.h>
#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "curve/lanes.h"

namespace fairlead::curve {

/// Ends that lie this near, in radii, are one: an arc that is a full turn only because of such a difference is none.
inline constexpr double kNear = 1e-10;
/// What rounding does to an angle.
inline constexpr double kAngleRounding = 4e-15;

[[nodiscard]] FAIRLEAD_INLINE double in_one_turn(double heading) {
    return heading >= -kPi && heading < kPi ? heading : math::wrap_pi(heading);
}

/// From (-2 pi, 2 pi) to [-pi, pi).
[[nodiscard]] FAIRLEAD_INLINE double half_turn(double angle) {
    angle = angle < -kPi ? angle + kTwoPi : angle;
    return angle >= kPi ? angle - kTwoPi : angle;
}

/// The start is at the origin and heads along x.
struct Goal {
    double x, y;      ///< in radii
    double phi;       ///< heading, in [-pi, pi)
    double cos, sin;  ///< of it

    FAIRLEAD_INLINE Goal(const Pose& a, const Pose& b, double radius) {
        const Vec2 to = (b.position - a.position) * (1.0 / radius);
        const double start = in_one_turn(a.heading_rad);
        phi = half_turn(in_one_turn(b.heading_rad) - start);
        FAIRLEAD_ASSERT(are_good(to, phi, radius));
        const two::SinCos ways = two::sin_cos(two::pair(start, phi));
        x = ways.cos[0] * to.x + ways.sin[0] * to.y;
        y = ways.cos[0] * to.y - ways.sin[0] * to.x;
        cos = ways.cos[1];
        sin = ways.sin[1];
    }

    /// NaN fails each of these.
    [[nodiscard]] static FAIRLEAD_INLINE bool are_good(Vec2 to, double phi, double radius) {
        return radius > 0.0 && radius <= kCurveRadiusMax && phi >= -kPi &&
               dot(to, to) <= kCurveSpanMax * kCurveSpanMax;
    }
};

/// Puts a word into a list that is in order of cost; of equal ones the first comes first.
template <std::size_t room>
void insert_by_cost(const CurveWord& word, std::span<CurveWord, room> words, int& count) {
    auto at = static_cast<std::size_t>(count++);
    for (; at > 0 && words[at - 1].cost > word.cost; --at) words[at] = words[at - 1];
    words[at] = word;
}

}  // namespace fairlead::curve
