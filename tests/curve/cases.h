// Pairs of poses for the tests of curves.
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/curve/word.h>
#include <fairlead/math/trig.h>

namespace fairlead::curve_test {

struct Ends {
    Pose from;
    Pose to;
};

inline Pose pose_in(Rng& rng, double size) {
    const double x = rng.between(-size, size);
    const double y = rng.between(-size, size);
    return {{x, y}, rng.between(-kPi, kPi)};
}

inline Ends ends_in(Rng& rng, double size) {
    const Pose from = pose_in(rng, size);
    return {from, pose_in(rng, size)};
}

/// Whole places and headings of 45 degrees, where words meet, vanish and are equally long.
inline Ends ends_on_lattice(Rng& rng, std::int32_t size) {
    const auto pose = [&] {
        const double x = rng.between(-size, size);
        const double y = rng.between(-size, size);
        return Pose{{x, y}, rng.between(-4, 3) * (kPi / 4)};
    };
    const Pose from = pose();
    return {from, pose()};
}

/// Of all kinds: near, far, on a lattice.
inline Ends any_ends(Rng& rng) {
    switch (rng.below(4)) {
        case 0: return ends_in(rng, 2.0);
        case 1: return ends_in(rng, 20.0);
        case 2: return ends_on_lattice(rng, 4);
        default: return ends_in(rng, 300.0);
    }
}

inline double heading_apart(double a, double b) { return std::fabs(std::remainder(a - b, kTwoPi)); }

/// Where two poses differ most: place or heading.
inline double apart(const Pose& a, const Pose& b) {
    return std::fmax(distance(a.position, b.position), heading_apart(a.heading_rad, b.heading_rad));
}

/// Well formed: amounts that add up, no full turn, and its end at the goal.
inline void check_word(const CurveWord& word, const Ends& ends, double radius, double close = 1e-9) {
    double sum = 0.0;
    for (const CurveSegment& segment : word.used()) {
        sum += std::fabs(segment.amount);
        if (segment.steer != Steer::straight) {
            ASSERT_LT(std::fabs(segment.amount), kTwoPi) << name(word).text;
        }
    }
    ASSERT_NEAR(sum, word.length, 1e-12 * (1.0 + sum)) << name(word).text;
    ASSERT_LE(apart(end_of_curve(ends.from, radius, word), ends.to), close)
        << name(word).text << " from " << ends.from.position.x << ' ' << ends.from.position.y << ' '
        << ends.from.heading_rad << " to " << ends.to.position.x << ' ' << ends.to.position.y << ' '
        << ends.to.heading_rad;
}

template <class Words>
void check_order(const Words& words, int count) {
    for (int i = 1; i < count; ++i) {
        ASSERT_LE(words[static_cast<std::size_t>(i - 1)].cost, words[static_cast<std::size_t>(i)].cost);
    }
}

}  // namespace fairlead::curve_test
