// The half lattice's part in a query: when it is asked, what it begins with, and the bends of the path it finds.
//
// Cells' centres are the whole truth for points, for squares and for discs of up to half a cell. For larger discs they are
// searched first, because that is fast; where they say that a place is blocked or that there is no way, the half lattice is
// asked, and what it says is the truth.
#pragma once

#include "grid/work.h"

namespace fairlead::grid {

/// May the cells' "no" be wrong for this unit, and can the half lattice be asked? Not for maps of more than 2^32 points
/// (2^30 cells), nor for a fixed window that must not grow.
[[nodiscard]] bool asks_half(const CellQuery& cells, const GridQuery& query);

/// Is a search over half tiles, whose straight steps are jumps, faster than one over tiles for a unit that is not registered, and does
/// it find all that the other finds? For the automatic planner on plain ground.
[[nodiscard]] bool half_is_faster(const CellQuery& cells, const GridQuery& query);

/// Sets work up for a search over the half lattice in one call (half_prepare.h). work.status is then complete, or what is known
/// without a search. False: out of memory.
[[nodiscard]] bool prepare_half(GridWork& work, const GridQuery& query);

/// As make_sections, for a path over the half lattice. False: out of memory.
[[nodiscard]] bool make_half_sections(GridWork& work);

}  // namespace fairlead::grid
