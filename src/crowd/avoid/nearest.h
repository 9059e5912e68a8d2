// The nearest points of a straight way and a piece of a wall.
#pragma once

#include <fairlead/crowd/crowd_world.h>
#include <fairlead/math/vec.h>

namespace fairlead::crowd {

/// Of two things: a point of each.
struct NearestPoints {
    Vec2 on_way{};
    Vec2 on_other{};
};

/// Of two lines from a to b. Where they meet both points are the same.
[[nodiscard]] NearestPoints nearest_points(Vec2 a, Vec2 b, Vec2 other_a, Vec2 other_b);
/// Of a line and a piece of a wall, on the ground.
[[nodiscard]] NearestPoints nearest_points(Vec2 a, Vec2 b, const WallPiece& piece);

}  // namespace fairlead::crowd
