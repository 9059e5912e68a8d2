// The outline of a body, and the ground between two of them that lie close together.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include <fairlead/math/pose.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>

namespace fairlead::debug {

/// Radians that a chord may span where it strays by 0.05 points at most from its arc, whose radius is in points: over the
/// angle a it strays by radius (1 - cos(a / 2)), about radius a^2 / 8.
[[nodiscard]] inline double chord_angle(double radius) {
    constexpr double kStray = 0.05;
    return std::sqrt(8.0 * kStray / std::max(radius, kStray));
}

inline constexpr int kOutlineMax = 4 * 17;

struct BodyOutline {
    Vec2 points[kOutlineMax];
    int count = 0;

    [[nodiscard]] std::span<const Vec2> used() const { return {points, static_cast<std::size_t>(count)}; }
};

/// Counter-clockwise. `point`: length of a point (sink.h), for the number of chords of round corners.
[[nodiscard]] BodyOutline outline_of(const BodyCore& body, const Pose& pose, double point);

/// The convex hull of both, counter-clockwise: what is swept on a straight way from one to the other.
struct Hull {
    Vec2 points[2 * kOutlineMax];
    int count = 0;

    [[nodiscard]] std::span<const Vec2> used() const { return {points, static_cast<std::size_t>(count)}; }
};
[[nodiscard]] Hull hull_of(const BodyOutline& a, const BodyOutline& b);

}  // namespace fairlead::debug
