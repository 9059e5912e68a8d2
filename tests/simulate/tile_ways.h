// The mesh driver's witness: shortest ways of a point over the free tiles of a map, with boxes in the way, by corners that see
// each other. Slow and plain; shares no code with the library but Vec2.
#pragma once

#include <vector>

#include "oracle/grid_oracle.h"

namespace fairlead::simulate {

/// In cells, along the axes.
struct Box {
    Vec2 low, high;
};

class TileWays {
  public:
    /// One layer of the map; the boxes are closed to the unit, their sides are not.
    TileWays(const oracle::GridOracle& tiles, std::int32_t layer, std::vector<Box> boxes);

    /// Length in cells of the shortest way; infinite if there is none.
    [[nodiscard]] double shortest(Vec2 from, Vec2 to) const;
    /// Is the point in the middle of a free tile, at least `room` from its sides and from all boxes?
    [[nodiscard]] bool clear_of_all(Vec2 p, double room) const;

  private:
    [[nodiscard]] bool wall(std::int32_t x, std::int32_t y) const;
    [[nodiscard]] bool sees(Vec2 a, Vec2 b) const;

    const oracle::GridOracle* tiles_;
    std::int32_t layer_;
    std::vector<Box> boxes_;
    std::vector<Vec2> corners_;
    std::vector<Vec2> pinches_;  ///< where two walls meet at their corners alone
};

}  // namespace fairlead::simulate
