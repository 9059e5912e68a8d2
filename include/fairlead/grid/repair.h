// Routes and edits: is a route still legal after the map has changed, and if not, mend the broken part.
//
//     grid->fill(wall, 0);
//     Result<Revalidation> still = revalidate(*grid, route, query, scratch, &wall);
//     if (still && !still->legal) repair(*grid, route, query, scratch);
//
// Both look at the legs of a route that find_route made for the same query (its unit, terrain filter and blockers
// count; start and goal are the route's own). Neither touches the legs that are still good. As in find_route, a point is not led
// through the corner at which two walls meet diagonally unless the query's corner rule is always, neither within a leg nor from
// one to the next; verify, which knows geometry only, has nothing against that.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Tests the legs against `grid`, exactly. With `changed` only those that pass within the unit's reach of that rectangle are
/// tested: enough if the route was legal before and nothing else has changed. A legal route's revision becomes the grid's. A
/// route can stay legal while a better one has come up: revalidate does not look for it. A route without legs is illegal
/// (`first_bad` = -1) where the unit cannot stand at its end. Clearances that legs of a legal route claim
/// (GridQuery::certify) are those on this revision, near `changed` or everywhere; cost, line_cost and bound stay those of the search.
/// Cost: as for line of sight, about 60 ns a leg plus 6 ns a row crossed. Errors: those of a malformed unit in find_route.
/// `scratch` is not read.
[[nodiscard]] Result<Revalidation> revalidate(const GridState& grid, Route& route, const GridQuery& query,
                                              Scratch& scratch, const CellRect* changed = nullptr);

/// Mends a route: searches a way around the illegal legs, from the start of the first to the end of the last, and
/// puts it in their place. If one of those places is no longer free or cannot be reached, the gap is widened leg by
/// leg, at last to a new search from the route's start to its end. The result is legal on this revision, or has the
/// status that find_route gives for the whole way (unreachable, start_blocked, ...). A mended route claims no bound
/// (bound = infinity) and has its line_cost as cost, unless it was searched anew as a whole; a route that was legal stays as
/// it is, but for claims of clearance, which are made anew. Where the query asks for a partial route or has a reach, and the
/// route's own end cannot be reached any more, the whole way is searched anew for the query's goal. Errors: those of find_route;
/// the route is as it was then.
[[nodiscard]] Result<void> repair(const GridState& grid, Route& route, const GridQuery& query,
                                  Scratch& scratch);

}  // namespace fairlead
