// Planners: the one engine with the policies that each GridPlanner stands for.
#pragma once

#include <fairlead/grid/find_route.h>

#include "grid/work.h"

namespace fairlead::grid {

/// Sets the engine of work.query.planner up and puts its start on the open list. False: out of memory.
[[nodiscard]] bool start_planner(GridWork& work, const GridQuery& query);

/// The same for a search over the half lattice, prepared by prepare_half.
[[nodiscard]] bool start_half(GridWork& work);

/// Of a query that says `partial`: keeps the way to the nearest place that the running search has expanded, if none before it
/// came nearer. Before another search of the query begins. False: out of memory.
[[nodiscard]] bool keep_best_so_far(GridWork& work);

/// The query ends with budget_spent: the path is the way to the nearest place that was expanded, if it is nearer than the start;
/// else there is none (has_path). False: out of memory.
[[nodiscard]] bool take_best_so_far(GridWork& work, const GridQuery& query);

/// Expands at most `budget` states. After found, work holds path, tile_cost and bound; after any end, stats. The
/// anytime planner goes on after its first route: it is running with work.has_path set.
[[nodiscard]] SearchProgress step_planner(GridWork& work, const GridQuery& query, std::uint64_t budget);

}  // namespace fairlead::grid
