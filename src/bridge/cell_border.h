// The borders between cells of different codes in a window of one layer: points where borders bend or meet, and straight pieces between
// them. Read by bit planes, 64 cells at a time.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/polygon/regions.h>
#include <fairlead/polygon/triangulate.h>

namespace fairlead::bridge {

/// By terrain: 0 for a wall, else area + 1; kBadCode for one that has no area.
inline constexpr std::uint8_t kBadCode = 255;
struct CellCodes {
    std::uint8_t of[256] = {};
};

/// Cells x0 <= x < x1, y0 <= y < y1 of a layer. Sides of it inside the map are borders where there is a free cell on either side,
/// with the same points seen from both.
struct CellWindow {
    std::int32_t x0 = 0;
    std::int32_t y0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y1 = 0;
    std::int32_t layer = 0;
};

/// What find_cell_borders() gives: input for a constrained triangulation.
struct CellBorders {
    explicit CellBorders(const Allocator& allocator)
        : points(allocator), pieces(allocator), sides(allocator) {}

    Array<Vec2> points;               ///< in cells, of the map
    Array<ConstraintSegment> pieces;  ///< along +x or +y
    Array<SegmentSides>
        sides;  ///< of each piece: code - 1, or kNoRegion for walls and what is outside the window
};

/// Errors: out_of_range (index 0, detail = the terrain that has no area), out_of_memory.
[[nodiscard]] Result<void> find_cell_borders(const GridState& grid, const CellWindow& window,
                                             const CellCodes& codes, CellBorders& out);

}  // namespace fairlead::bridge
