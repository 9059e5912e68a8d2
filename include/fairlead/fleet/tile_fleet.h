// TileFleet: a tile world for a Fleet (fleet/world_fleet.h). Walkers of any radius, vehicles with a turning circle.
//
//     TileFleet town_port(*town);
//     Result<Fleet> fleet = Fleet::make(town_port.port());
//
// For each kind of vehicle it makes a DriveTable and a DriveMap, when the kind is added and after edits; for the first kind of walker
// it finds the narrow places. Walkers' radii are looked up in the grid: register the sizes that are common (Grid::register_size).
#pragma once

#include <fairlead/fleet/world_fleet.h>
#include <fairlead/grid/grid.h>

namespace fairlead {

using TileFleet = WorldFleet<Grid>;
extern template class WorldFleet<Grid>;

}  // namespace fairlead
