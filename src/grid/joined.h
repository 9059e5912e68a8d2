// Joined: does a route lead from one cell to another, where no index can tell?
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/route/agent.h>
#include <fairlead/search/scratch.h>

namespace fairlead::grid {

/// By a search, between the places where the body stands in the cells, under the grid's corner rule.
[[nodiscard]] Result<bool> joined_by_search(const GridState& grid, Cell a, Cell b, const Agent& agent,
                                            Scratch& scratch);
/// The same in a scratch of its own.
[[nodiscard]] Result<bool> joined_by_search(const GridState& grid, Cell a, Cell b, const Agent& agent);

}  // namespace fairlead::grid
