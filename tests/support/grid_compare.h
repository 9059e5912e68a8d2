// Are two grids the same in all that is derived from their tiles?
#pragma once

#include <string>

#include <fairlead/grid/grid.h>

namespace fairlead::testing {

/// The first difference of two grids of one shape and the same sizes: tiles, counts, the free and reach planes of all
/// bodies, clearance, which cells connectivity joins, the hierarchies byte by byte. Revisions, memory and the components' numbers may
/// differ. Empty: none.
[[nodiscard]] std::string grid_difference(const GridState& a, const GridState& b);

/// Of the hierarchies alone.
[[nodiscard]] std::string hierarchy_difference(const GridState& a, const GridState& b);

}  // namespace fairlead::testing
