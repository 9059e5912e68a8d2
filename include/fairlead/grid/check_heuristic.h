// check_heuristic on a tile world: is a heuristic admissible (never too high) and consistent (never falls by more than a step costs)?
//
//     const GridQuery query{.goal = there, .heuristic = GridHeuristic::own, .own = by_table};
//     const Result<HeuristicReport> told = check_heuristic(*town, query, scratch);
//     if (told && !told->admissible()) warn(told->worst_high.from, told->worst_high.excess);
//
// Exhaustive: the truth is found from the goal backward over the whole map, and every cell that has a way to the goal is compared, every
// step out of it looked at, with the costs, body, corner rule, portals and blockers of the query. The query's start does not matter; its
// `heuristic` is what is checked, whatever its planner (the planner must read heuristics, or be automatic). The measure is
// the route over tiles: a heuristic for taut routes that is too low for tiles is as good here.
//
// What exceeds by no more than 1e-9 of itself is rounding, and no fault.
//
// Errors: those of find_route; unsupported (goal) for regions (within, in_sight). A goal where the unit cannot be: a report without places.
// Cost: a Dijkstra search of the whole map and some 0.3 us a cell; 24 bytes a cell in the scratch. For tools and tests.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/heuristic.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

[[nodiscard]] Result<HeuristicReport> check_heuristic(const GridState& grid, const GridQuery& query,
                                                      Scratch& scratch);

}  // namespace fairlead
