// MeshFleet: a level mesh for a Fleet (fleet/world_fleet.h). Walkers of any radius up to the mesh's radius_max, vehicles with a turning
// circle.
//
//     MeshFleet level_port(*level);
//     Result<Fleet> fleet = Fleet::make(level_port.port());
//
// For each kind of vehicle it makes a DriveTable when the kind is added; for the first kind of walker it finds the narrow places of
// the mesh, if it is one floor.
#pragma once

#include <fairlead/fleet/world_fleet.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead {

using MeshFleet = WorldFleet<NavMesh>;
extern template class WorldFleet<NavMesh>;

}  // namespace fairlead
