// The part of a tile world in which a knot of vehicles is planned.
#pragma once

#include <fairlead/drive/drive_map.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/grid/grid.h>

namespace fairlead::fleet {

/// Of the tiles that lie wholly in it. Errors: size_zero (there are none), those of DriveMap::make.
[[nodiscard]] Result<DriveMap> tile_window(const GridState& grid, const DriveTable& table,
                                           const FleetWindow& window);

}  // namespace fairlead::fleet
