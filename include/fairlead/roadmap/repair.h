// Routes and edits: may a route still be walked after the roadmap has changed, what does it cost now, and if it may
// not, mend the broken part.
//
//     harbour->remove_edge({.from = WaypointId{7}, .to = WaypointId{8}});
//     Result<Revalidation> still = revalidate(*harbour, route, query, scratch);
//     if (still && !still->legal) repair(*harbour, route, query, scratch);
//
// Both look at the legs of a route that find_route made for the same query (its filter, unit and walls count; start
// and goal are the route's own). A leg is legal if it runs along an edge that is there, is open to this query and goes
// that way (with check_edges: clear for the unit as well), or passes a link by its label, and starts where the one
// before it has arrived. The first and the last leg may also leave the net: along a straight line that is clear.
//
// Legs do not say which edge they run along (leg_names.h tells): any edge under one will do, and the cheapest counts. A place off the
// net may stay attached where it is, although find_route would choose among other places by now (attach_max; without
// walls: only the nearest), so that an old route may even cost less than a new one.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/math/aabb.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Tests all legs. A legal route gets the roadmap's revision and the cost that it has now; its bound becomes infinite
/// if either has changed, for a better way may have come up: revalidate does not look for it. An illegal route stays
/// as it is. A route without legs is illegal (`first_bad` = -1) where the unit's place is not clear any more: not where it goes
/// from a waypoint to the same one. One that found no way is legal.
///
/// With `changed` the tests of sight are made only for legs that pass within the unit's radius of that rectangle:
/// enough if the route was legal before and the user's walls have changed nowhere else. Edges are always looked up, and where the
/// roadmap itself has changed a first or last leg off the net is always tested: the edge under it may have gone.
///
/// Errors: those of a malformed query in find_route, out_of_memory. An unknown waypoint as start or goal is none: it
/// may have been removed. Cost: about 1 us a leg, and the tests of sight. A warm call allocates nothing.
[[nodiscard]] Result<Revalidation> revalidate(const RoadmapState& roadmap, Route& route,
                                              const RoadmapQuery& query, Scratch& scratch,
                                              const Aabb* changed = nullptr);

/// Mends a route: searches a way around the illegal legs, from the waypoint before the first to the waypoint after
/// the last, and puts it in their place. If there is none, the gap is widened leg by leg, at last to a new search from
/// the route's start to its end. The result is legal on this revision, or has the status that find_route gives for the
/// whole way (unreachable, start_blocked, ...). Its cost is exact. A mended route claims no bound (bound = infinity)
/// unless it was searched anew as a whole, and then it costs what find_route finds. A route that was legal stays as it
/// is, and is priced as revalidate does it. Where the end of a partial route cannot be kept, or the query asks for a partial
/// one and there is no other, the whole way is searched anew for the query's own goal. Errors: as above; the route is as it was
/// then.
[[nodiscard]] Result<void> repair(const RoadmapState& roadmap, Route& route, const RoadmapQuery& query,
                                  Scratch& scratch);

}  // namespace fairlead
