// Straight planes that keep a way, and a disc that goes along it, off pieces of walls.
#pragma once

#include <cstddef>
#include <span>

#include <fairlead/crowd/crowd_world.h>
#include <fairlead/math/vec.h>

namespace fairlead::crowd {

struct WallSide {
    Vec2 normal{};     ///< away from the wall
    double gap = 0.0;  ///< between the disc on its way and the plane; 0 if it touches
};

struct WallAsk {
    Vec2 from{};
    Vec2 to{};            ///< the way is straight
    double radius = 0.0;  ///< of the disc; 0: a point
    double size = 1.0;    ///< of the unit: what rounding is measured by
    double reach = 0.0;   ///< what lies farther off is left out of what is before the disc
    Vec2 wanted{};        ///< where it would like to go: planes that let it are taken first
};

/// At most one a piece; `out` has room for all pieces. Returns how many. Every piece lies behind one of them, to the rounding of places.
[[nodiscard]] std::size_t find_wall_sides(const WallAsk& ask, std::span<const WallPiece> pieces,
                                          std::span<WallSide> out);

}  // namespace fairlead::crowd
