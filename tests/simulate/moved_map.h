// What the drivers of units that move share: a map drawn as text, and how near its walls are, in long double and without the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/math/vec.h>

#include "simulate/dice.h"
#include "simulate/script.h"

namespace fairlead::simulate {

/// Tiles of side 1 from (0, 0); outside of them all is wall.
struct MovedMap {
    std::int32_t width = 1;
    std::int32_t height = 1;
    std::vector<std::uint8_t> tiles{1};  ///< row by row; 0 is a wall

    [[nodiscard]] bool wall(std::int32_t x, std::int32_t y) const;
    void fill(std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::uint8_t tile);
    /// From the nearest wall to the line from a to b, `reach` if there is none so near.
    [[nodiscard]] double to_walls(Vec2 a, Vec2 b, double reach) const;
};

/// How far apart the lines from a to b and from c to d are.
[[nodiscard]] double lines_apart(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

/// Jobs in the other order: that must not matter.
inline void run_backwards(void*, std::size_t count, void (*job)(void*, std::size_t), void* context) {
    for (std::size_t i = count; i > 0; --i) job(context, i - 1);
}

/// rows= of a step, '@' is a wall.
[[nodiscard]] MovedMap moved_map_of(const Step& step);
/// Rooms with doors, pillars, corridors, or an empty hall.
[[nodiscard]] std::string draw_moved_rows(Dice& dice, std::int32_t width, std::int32_t height);
/// A place on a map: mostly in the middle of a free tile.
[[nodiscard]] std::vector<double> draw_moved_place(Dice& dice, const MovedMap& map);

}  // namespace fairlead::simulate
