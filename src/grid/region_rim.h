// The rim of a goal region for units whose searches run from cell to cell: places of the region in cells whose stand points lie outside.
//
// `within` a range that holds no stand point, or none that can be reached, may hold places of the cells along its rim. For a disc of up
// to half a cell (and a point) all that fits in a cell can be seen from its middle: discs round the cell's corners and strips along its
// sides are all that walls take away. So a straight leg from the middle leads to the cell's place nearest the goal, and no cell of the
// rim is missed. Of `in_sight` that place alone is tried. Footprints stay on their cells.
#pragma once

#include <algorithm>
#include <cmath>

#include "grid/general_space.h"

namespace fairlead::grid {

/// Can the goal be a place on the rim?
[[nodiscard]] bool has_rim(const CellQuery& cells);

/// The place of the goal's region in a cell whose stand point is none, reached straight from there. False: there is none.
[[nodiscard]] bool rim_place(const CellQuery& cells, const Cell& cell, Vec2& place);

/// look(cell) for the cells of the map that the rim passes through, and some beside; over seams perhaps more than once.
template <class Look>
void each_rim_cell(const CellQuery& cells, Look look) {
    constexpr double kRimDiagonal = 0.75;  // of half a cell, and a little
    const StateData& state = *cells.state;
    const Vec2 at = cells.goal.point;
    const double outer = cells.goal.range + kRimDiagonal;
    const double inner = cells.goal.range - kRimDiagonal;
    const auto width_at = [](double radius, double off) {
        return radius > off ? std::sqrt(radius * radius - off * off) : 0.0;
    };
    const auto line = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
    const auto row = [&](std::int32_t y, double low, double high) {
        std::int32_t first = line(low), last = line(high);
        if (!state.wrap_x) {
            first = std::max(first, 0);
            last = std::min(last, state.width - 1);
        }
        for (std::int32_t x = first; x <= last; ++x)
            look(Cell{state.wrap_x ? wrapped(x, state.width) : x, y, cells.goal.layer});
    };
    std::int32_t bottom = line(at.y - outer), top = line(at.y + outer);
    if (!state.wrap_y) {
        bottom = std::max(bottom, 0);
        top = std::min(top, state.height - 1);
    }
    for (std::int32_t y = bottom; y <= top; ++y) {
        const double off = std::fabs(y + 0.5 - at.y);
        const double most = width_at(outer, off), least = width_at(inner, off);
        const std::int32_t on_map = state.wrap_y ? wrapped(y, state.height) : y;
        if (least < 1.0) {
            row(on_map, at.x - most, at.x + most);
        } else {
            row(on_map, at.x - most, at.x - least);
            row(on_map, at.x + least, at.x + most);
        }
    }
}

}  // namespace fairlead::grid
