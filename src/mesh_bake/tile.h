// One tile from solid columns to polygons.
#pragma once

#include <fairlead/mesh_bake/baked_mesh.h>

#include "mesh_bake/borders.h"

namespace fairlead::bake {

/// Adds the tile's polygons to `out`: convex pieces of every layer between its segments.
[[nodiscard]] Result<void> make_polygons(const Settings& settings, const CellBox& interior,
                                         const Borders& borders, const Array<Segment>& segments,
                                         BakedMesh& out);

/// The columns that a tile depends on: its own and those of the halo.
[[nodiscard]] CellBox window_of(const Settings& settings, const CellBox& interior);

/// All steps from floors on, which find_floors() has found in the window. `interior` is the tile.
[[nodiscard]] Result<void> bake_floors(const Settings& settings, Floors& floors, const CellBox& interior,
                                       BakedTile tile, BakedMesh& out);

}  // namespace fairlead::bake
