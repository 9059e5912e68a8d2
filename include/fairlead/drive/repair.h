// Routes of turning units and edits: is a route still legal after its map has changed, and if not, mend the broken part.
//
//     update_drive_map(*map, *town);                                // after edits
//     const Result<Revalidation> still = revalidate(*map, route, query, scratch);
//     if (still && !still->legal) repair(*map, route, query, scratch);
//
// The routes are those that find_route made for the same query: its blockers count; start and goal are the route's own. Other routes
// over the map are looked at as well: of fixed angles, of round corners, of a TimedQuery.
// Over a grid itself, and on meshes: bridge/drive_repair.h.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/math/aabb.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Tests the legs: each is swept with the unit's body over the map's free cells, exactly as the planner does it: lines, arcs, turns on
/// the spot; a link must be there, lead to the same place, and have room for the body at both ends; where the map has roads, their rules
/// must allow the leg. With `changed` (world units, all floors) only legs that pass within the unit's reach of it are tested: enough if
/// the route was legal before and nothing else has changed. A legal route gets the map's revision; its bound becomes infinite where
/// that is another one: a shorter way may have opened, revalidate does not look for it. Clearances that its legs claim are those of
/// this revision. An illegal route stays as it is. A route without legs is illegal (`first_bad` = -1) where the unit does not stand at
/// its end; one that found no way is legal.
///
/// The query's blockers are walls too. With `changed` they are those for which the route was legal before, but for what lies there.
///
/// Cost: 0.2 to 1 us a leg. Errors: incompatible (agent: not the map's unit); with blockers those of find_route for them, and
/// scratch_in_use, out_of_memory. Without blockers `scratch` is not read.
[[nodiscard]] Result<Revalidation> revalidate(const DriveMapState& map, Route& route, const DriveQuery& query,
                                              Scratch& scratch, const Aabb* changed = nullptr);

/// Mends a route: searches a way around the illegal legs, from the pose before the first to the pose behind the last, and puts it in
/// their place. If there is none, the gap is widened leg by leg, at last to a new search from the route's start to its end. The
/// result is legal on this revision, or has the status that find_route gives for the whole way (unreachable, start_blocked, ...). A
/// mended route claims no bound and has its line_cost as cost, unless it was searched anew as a whole; a route that was legal stays as
/// it is, as revalidate has it. Where the goal is a range or leaves the heading free and the route's own end cannot be reached any
/// more, or the route ends short of the goal and its last leg is illegal, the whole way is searched anew for the query's goal. Errors:
/// those of find_route; the route is as it was then. Warm, nothing is allocated.
[[nodiscard]] Result<void> repair(const DriveMapState& map, Route& route, const DriveQuery& query,
                                  Scratch& scratch);

/// The legs, as above. Speeds are not looked at: an edit that leaves the legs legal leaves them as they are. Errors: incompatible
/// (times).
[[nodiscard]] Result<Revalidation> revalidate(const DriveMapState& map, Route& route, const TimedQuery& query,
                                              Scratch& scratch, const Aabb* changed = nullptr);

/// An illegal route is searched anew as a whole, from its start to the query's goal: what is driven behind a gap depends on how fast
/// the unit leaves it. Errors: those of find_route; the route is as it was then.
[[nodiscard]] Result<void> repair(const DriveMapState& map, Route& route, const TimedQuery& query,
                                  Scratch& scratch);

}  // namespace fairlead
