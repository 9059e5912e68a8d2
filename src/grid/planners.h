// Planners: the one engine with the policies that each GridPlanner stands for.
#pragma once

#include <fairlead/grid/find_route.h>

#include "grid/work.h"

namespace fairlead::grid {

/// Sets the engine of work.query.planner up and puts its start on the open list. False: out of memory.
[[nodiscard]] bool start_planner(GridWork& work, const GridQuery& query, const TraceHook& trace);

/// The same for a search over the half lattice, prepared by prepare_half.
[[nodiscard]] bool start_half(GridWork& work, const GridQuery& query, const TraceHook& trace);

/// Expands at most `budget` states. After found, work holds path, tile_cost and bound; after any end, stats. The
/// anytime planner goes on after its first route: it is running with work.has_path set.
[[nodiscard]] SearchProgress step_planner(GridWork& work, const GridQuery& query, const TraceHook& trace,
                                          std::uint64_t budget);

}  // namespace fairlead::grid
