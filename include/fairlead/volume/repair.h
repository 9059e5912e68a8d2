// Routes and edits: is a route through space still legal after the volume has changed, and if not, mend the broken part.
//
//     const VoxelBox changed = rock_moved(*space);
//     Result<Revalidation> still = revalidate(*space, route, query, scratch, &changed);
//     if (still && !still->legal) repair(*space, route, query, scratch);
//
// Both look at the legs of a route that find_route made for the same query (its unit and blockers count; start and goal are the
// route's own).
// Neither touches the legs that are still good. With many units on their way, RouteIndex (route/route_index.h, `space`) tells which
// routes an edit may have broken: touched_box makes its question.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/route/route_index.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

/// Tests the legs, by sight for the query's sphere, of any radius. With `changed` only those that pass within the radius of that box are
/// tested: enough if the route was legal before and nothing else has changed. A legal route gets the volume's revision; its bound
/// becomes infinite where that is another one, for a shorter way may have opened: revalidate does not look for it. Its cost stays, also
/// where areas have changed since. An illegal route stays as it is. A leg that no planner of volumes makes (bent, over a link, on the
/// spot) is illegal. A route without legs is illegal (`first_bad` = -1) where the unit does not fit at its end; one that found no way is
/// legal.
///
/// What is legal here, verify (verify/verify_volume.h) accepts. Cost: as for sight, some 0.2 us a leg. Errors: those of a malformed unit,
/// blockers or areas in find_route. Without blockers `scratch` is not read and nothing is allocated; with them it must be free
/// (scratch_in_use).
[[nodiscard]] Result<Revalidation> revalidate(const VolumeState& volume, Route& route,
                                              const VolumeQuery& query, Scratch& scratch,
                                              const VoxelBox* changed = nullptr);

/// Mends a route: searches a way around the illegal legs, from the start of the first to the end of the last, and puts it in their
/// place. If one of those places is no longer free or cannot be reached, the gap is widened leg by leg, at last to a new search from the
/// route's start to its end. The result is legal on this revision, or has the status that find_route gives for the whole way
/// (unreachable, start_blocked, ...). A mended route claims no bound and has its line_cost as cost, unless it was searched anew as a
/// whole; a route that was legal stays as it is, as revalidate has it. Where the query asks for a partial route or has a reach, and the
/// route's own end cannot be reached any more, the whole way is searched anew for the query's goal. Errors: those of find_route; the
/// route is as it was then. Warm, nothing is allocated.
[[nodiscard]] Result<void> repair(const VolumeState& volume, Route& route, const VolumeQuery& query,
                                  Scratch& scratch);

/// What RouteIndex::touched is asked after an edit of these voxels.
[[nodiscard]] TouchedBox touched_box(const VolumeState& volume, const VoxelBox& changed);
/// The voxels that an edit may change, in bounds; empty where there are none.
[[nodiscard]] VoxelBox changed_voxels(const VolumeState& volume, const VolumeEdit& edit);

}  // namespace fairlead
