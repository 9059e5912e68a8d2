// Sections: from the cells of a path to points in the plane, split where a portal is taken.
#pragma once

#include "grid/work.h"

namespace fairlead::grid {

/// Fills work.points and work.sections from work.path: the exact start point, the turning points of the tile route,
/// the exact goal point. Runs of one direction become one segment (technique P6). On wrapped axes the coordinates
/// run on past the seam. False: out of memory.
[[nodiscard]] bool make_sections(GridWork& work);

/// Adds a point to the current section; drops repetitions, and the middle one of three on a line. False: out of memory.
[[nodiscard]] bool add_point(GridWork& work, Vec2 p);
[[nodiscard]] bool begin_section(GridWork& work, std::int32_t layer);
/// The cheapest portal that leads from one cell to another.
[[nodiscard]] std::uint32_t portal_between(const CellQuery& cells, std::uint32_t from, std::uint32_t to);

/// Writes the legs of work.taut (one group of points per section) into the route, with length, cost and bound.
/// False: out of memory.
[[nodiscard]] bool write_route(const GridWork& work, const GridQuery& query, Route& route);

}  // namespace fairlead::grid
