// Which tile does a body that turns with its heading reach into?
#pragma once

#include <fairlead/drive/drive_map.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>

namespace fairlead::explaining {

/// The blocked tile nearest to the axle that the body reaches into, each one looked at alone. `at` in cells of the map's lattice.
/// x < 0: none.
[[nodiscard]] Cell touched_tile(const drive::MapData& map, const Pose& at);

}  // namespace fairlead::explaining
