// Routes of turning units in a volume and edits: is a route still legal, and if not, mend the broken part.
//
//     const VoxelBox changed = rock_moved(*space);
//     Result<Revalidation> still = revalidate(*space, route, query, scratch, &changed);
//     if (still && !still->legal) repair(*space, route, query, scratch);
//
// Both look at the legs of a route that find_route made for the same query (its unit and blockers count; start and goal are the route's
// own). Neither touches the legs that are still good.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

/// Tests the legs, straight and bent, as fly/curve_sight.h says, blockers included. With `changed` only those that pass within the radius
/// of that box are tested: enough if the route was legal before and nothing else has changed. A legal route gets the volume's
/// revision; its bound becomes infinite where that is another one: a shorter way may have opened, revalidate does not look for it. An
/// illegal route stays as it is. A route without legs is illegal (`first_bad` = -1) where the unit does not fit at its end; one that
/// found no way is legal. What a turn or a climb of the legs is, is not looked at: an edit does not change it.
///
/// Cost: 0.1 to 0.5 us a voxel of length near solid voxels. Errors: those of a malformed unit or blockers in find_route; with blockers
/// also scratch_in_use, out_of_memory.
[[nodiscard]] Result<Revalidation> revalidate(const VolumeState& volume, Route& route, const FlyQuery& query,
                                              Scratch& scratch, const VoxelBox* changed = nullptr);

/// Mends a route: searches a way around the illegal legs, from the pose before the first to the pose behind the last, and puts it in
/// their place. If there is none, the gap is widened leg by leg, at last to a new search from the route's start to its end. The result
/// is legal on this revision, or has the status that find_route gives for the whole way. A mended route has its line_cost as cost; a
/// route that was legal stays as it is, as revalidate has it. Where it ends short of the goal and its last leg is illegal, the whole way
/// is searched anew for the query's goal. Each search spends at most the query's expansions_max. Errors: those of find_route; the route
/// is as it was then. Warm, nothing is allocated.
[[nodiscard]] Result<void> repair(const VolumeState& volume, Route& route, const FlyQuery& query,
                                  Scratch& scratch);

}  // namespace fairlead
