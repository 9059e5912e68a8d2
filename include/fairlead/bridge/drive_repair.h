// Routes of turning units and edits, where a grid or a level mesh is asked: is a route still legal, and if not, mend the broken part.
//
//     town->fill(wall, 0);
//     const Result<Revalidation> still = revalidate(*town, route, query, scratch, &wall);
//     if (still && !still->legal) repair(*town, route, query, scratch);
//
// What is tested, what a mended route is worth, when the whole is searched anew: drive/repair.h says so, which has the same
// questions for a DriveMap. Both look at the routes that find_route made for the same query (and setup); start and goal are the
// route's own.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/math/aabb.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// The unit's map is kept in the scratch and brought up to date first, as in find_route. With `changed` only legs on its layer that
/// pass within the unit's reach of it are tested, and links. Errors: those of find_route over a grid. Cost: that of bringing the map up
/// to date (1 us for 1000 cells of the map), and 0.2 to 1 us a leg.
[[nodiscard]] Result<Revalidation> revalidate(const GridState& grid, Route& route, const DriveQuery& query,
                                              Scratch& scratch, const CellRect* changed = nullptr,
                                              const GridDriveSetup& setup = {});
[[nodiscard]] Result<void> repair(const GridState& grid, Route& route, const DriveQuery& query,
                                  Scratch& scratch, const GridDriveSetup& setup = {});

/// Each leg is swept with the body over the surface from where it starts: a leg is illegal as well where the surface under its start
/// or end is gone, or more than 0.5 above or below it. Links are none for wheeled units: illegal. `changed`: world units, all floors.
/// Errors: those of a malformed filter or lattice in find_route, out_of_memory. Cost: 2 us a leg. Warm, nothing is allocated.
[[nodiscard]] Result<Revalidation> revalidate(const NavMeshState& mesh, Route& route,
                                              const MeshDriveQuery& query, Scratch& scratch,
                                              const Aabb* changed = nullptr);
[[nodiscard]] Result<void> repair(const NavMeshState& mesh, Route& route, const MeshDriveQuery& query,
                                  Scratch& scratch);

}  // namespace fairlead
