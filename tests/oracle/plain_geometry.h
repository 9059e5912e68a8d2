// Plain geometry for the oracle, in cells. Straightforward formulas; on the half-integer coordinates of tile steps they
// are exact.
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

namespace fairlead::oracle {

/// Overlaps below this (in cells) are touching.
inline constexpr double kTouch = 1e-9;

/// Distance from p to the segment ab.
[[nodiscard]] double point_to_segment(Vec2 p, Vec2 a, Vec2 b);

/// Does the segment run through the open box by more than touching it?
[[nodiscard]] bool segment_enters_box(Vec2 a, Vec2 b, const Aabb& box);

/// Distance from the segment to the closed box, 0 when they meet.
[[nodiscard]] double segment_to_box(Vec2 a, Vec2 b, const Aabb& box);

/// A body: a disc of a radius (0 is a point), or a square of a half-width.
struct Body {
    double radius = 0.0;
    double half = 0.0;  ///< > 0: the square
};

/// Does the body, moved from a to b, overlap the open box?
[[nodiscard]] bool body_meets_box(const Body& body, Vec2 a, Vec2 b, const Aabb& box);

/// Does the body, moved from a to b, overlap the open disc? A radius of 0 is a post: it must not be inside the body.
[[nodiscard]] bool body_meets_disc(const Body& body, Vec2 a, Vec2 b, Vec2 centre, double radius);

}  // namespace fairlead::oracle
