// The outline of a body, and the ground between two of them that lie close together.
#pragma once

#include <span>

#include <fairlead/math/pose.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>

namespace fairlead::debug {

inline constexpr double kChordError = 0.05;  ///< points: how far a chord may stray from its arc

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
