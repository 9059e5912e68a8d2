// One piece of a path against one obstacle: does the body reach into it deeper than allowed, and if so where.
#pragma once

#include <array>

#include <fairlead/math/aabb.h>

#include "verify/piece.h"

namespace fairlead::witness {

/// Counter-clockwise.
[[nodiscard]] constexpr std::array<Vec2, 4> corners(const Aabb& box) {
    return {box.low, Vec2{box.high.x, box.low.y}, box.high, Vec2{box.low.x, box.high.y}};
}

/// An open box, grown by a disc of radius `round`. The body is already in it: for a square body the box is
/// grown by half its side, for a disc `round` is its radius; so what moves is a point.
struct Obstacle {
    Aabb box{};
    double round = 0.0;
};

/// Does the piece somewhere go deeper than `threshold` (> 0) into the obstacle? Closed form; the only
/// arithmetic that a verdict rests on (proof and error bound in verify.h).
[[nodiscard]] bool goes_deeper(const Piece& piece, const Obstacle& obstacle, double threshold);

/// How deep a point is in the obstacle: its smallest distance to leave; negative outside.
[[nodiscard]] double depth_at(Vec2 point, const Obstacle& obstacle);

inline constexpr int kHalvings = 60;  ///< of a distance, until what is left of it is rounding

struct Contact {
    double begin = 0.0;  ///< distance along the track where the threshold is passed
    double worst = 0.0;  ///< distance along the track of the deepest point
    double depth = 0.0;  ///< there
};

/// Where a piece for which goes_deeper holds does so. For reports; slower, and no verdict rests on it.
[[nodiscard]] Contact find_contact(const Track& track, const Piece& piece, const Obstacle& obstacle,
                                   double threshold);

}  // namespace fairlead::witness
