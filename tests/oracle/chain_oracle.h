// Whether a disc can move from one place to another among blocked tiles, without any lattice.
//
// Two places where the disc fits are apart iff a closed chain of blocked tiles, each nearer than 2 r to the next, winds round
// one of them and not the other: the disc passes between no two tiles of it. (What lies past the edges of the map is a ring of
// tiles.) So: join the tiles by such steps, each drawn as a line from the middle of the one tile to that of the other through
// their nearest points; note whether the line crosses a way, any way, from a to b; look for a closed chain that crosses it an
// odd number of times. A forest with parities finds one or shows that there is none.
//
// Tiles with eight blocked neighbours are left out: whatever a chain does inside a block of tiles, the tiles along one of its rims
// do as well, for a chain that crosses the block from one rim to another must cross back.
//
// Shares nothing with the library but Vec2.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::oracle {

class ChainOracle {
  public:
    /// blocked[y * width + x]; everything outside is blocked. radius > 0; it counts as smaller by 5e-13 of itself, so that
    /// touching is passing.
    ChainOracle(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked, double radius);

    /// Is nothing blocked nearer than the radius?
    [[nodiscard]] bool fits(Vec2 p) const;
    /// Can the disc move from a to b? Both fit.
    [[nodiscard]] bool joined(Vec2 a, Vec2 b) const;

  private:
    struct Tile {
        std::int32_t x = 0;
        std::int32_t y = 0;
    };
    struct Step {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        Vec2 points[4] = {};  ///< middle, nearest, nearest, middle
    };
    [[nodiscard]] bool is_free(std::int32_t x, std::int32_t y) const;

    double square_ = 0.0;  ///< 4 r^2
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::vector<bool> blocked_;
    std::vector<Tile> tiles_;
    std::vector<Step> steps_;
};

}  // namespace fairlead::oracle
