// Routes and edits: is a route still good after the level has changed, and if not, mend the broken part.
//
//     mesh->apply(edits);
//     Result<Revalidation> still = revalidate(*mesh, route, query, scratch);
//     if (still && !still->legal) repair(*mesh, route, query, scratch);
//
// Both look at the legs of a route that find_route made for the same query (its unit and filter count; start and goal are the route's
// own). Neither touches the legs that are still good. For units with a turning circle: bridge/drive_repair.h.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/math/aabb.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// Walks the legs over the surface as it is now. A leg is bad where the surface under its start is gone (farther off than contact slack
/// on the ground plane, or than 0.5 in height), or a wall or closed area is in its way, or nearer to it than the disc of query.agent
/// allows. A leg over a link is bad where the link is gone, asleep or closed there, leads to another place, or the disc has no room at
/// its ends. With `changed` (world units, all floors) only legs that pass within reach of it are looked at: enough if the route was legal
/// before and nothing else has changed. Legal without doubt where it says so, up to the contact slack (math/contact.h).
///
/// A legal route gets the mesh's revision; its bound becomes infinite where that is another one: a shorter way may have opened,
/// revalidate does not look for it. Its cost stays. An illegal route stays as it is. A route without legs is illegal (`first_bad` =
/// -1) where the unit does not fit at its end; one that found no way is legal.
///
/// Cost: 20 ns a polygon and 0.2 us a leg; of discs wider than NavMeshState::agent_radius() 50 ns for each side of a polygon near the leg.
/// Errors: those of a malformed unit or filter in find_route, out_of_memory. A warm call allocates nothing.
[[nodiscard]] Result<Revalidation> revalidate(const NavMeshState& mesh, Route& route, const MeshQuery& query,
                                              Scratch& scratch, const Aabb* changed = nullptr);

/// Mends a route: searches a way around the illegal legs, from the start of the first to the end of the last, and puts it in their
/// place. If one of those places is gone or cannot be reached, the gap is widened leg by leg, at last to a new search from the
/// route's start to its end. The result is legal on this revision, or has the status that find_route gives for the whole way
/// (unreachable, start_blocked, ...). A mended route claims no bound and has its line_cost as cost, unless it was searched anew as a
/// whole; a route that was legal stays as it is, as revalidate has it. Where the route's own end cannot be reached any more and
/// the query has a reach or asks for a partial route, or the route ends short of the goal and its last leg is illegal, the whole way is
/// searched anew for the query's goal. Errors: those of find_route; the route is as it was then. Warm, nothing is allocated.
[[nodiscard]] Result<void> repair(const NavMeshState& mesh, Route& route, const MeshQuery& query,
                                  Scratch& scratch);

}  // namespace fairlead
