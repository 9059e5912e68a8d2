// Terrain under a curve (technique W7): driving costs its length times the cost of the cell that the axle is in, cut
// exactly at the borders of the cells.
#pragma once

#include <cstdint>

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>

#include "drive/cells_along.h"

namespace fairlead::drive {

/// Costs of a map's cells, row by row. No cells: all cost 1.
struct Terrain {
    const std::uint16_t* cells = nullptr;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t cheapest = 1;  ///< of all cells

    [[nodiscard]] bool uniform() const { return cells == nullptr; }
    /// Off the map the nearest cell's.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t at(std::int32_t x, std::int32_t y) const {
        const std::int32_t column = x < 0 ? 0 : x >= width ? width - 1 : x;
        const std::int32_t row = y < 0 ? 0 : y >= height ? height - 1 : y;
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(column)];
    }
    /// What a curve costs, without changes of gear. Lengths in reverse count `reverse_penalty` times.
    [[nodiscard]] double cost_of(const CurveWord& word, const Pose& start, double radius,
                                 double reverse_penalty) const;
};

}  // namespace fairlead::drive
