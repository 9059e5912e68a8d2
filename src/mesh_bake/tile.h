// One tile from solid columns to polygons.
#pragma once

#include <fairlead/mesh_bake/baked_mesh.h>

#include "mesh_bake/borders.h"

namespace fairlead::bake {

/// Adds the tile's polygons to `out`: convex pieces of every layer between its segments.
[[nodiscard]] Result<void> make_polygons(const Settings& settings, const CellBox& interior,
                                         const Borders& borders, const Array<Segment>& segments,
                                         BakedMesh& out);

/// All steps. `interior` is the tile, `solid` holds at least its columns and those of the halo, where there are any.
[[nodiscard]] Result<void> bake_columns(const Settings& settings, const SolidRows& solid,
                                        const CellBox& interior, BakedTile tile, BakedMesh& out);

}  // namespace fairlead::bake
