// One tile from solid columns to polygons.
#pragma once

#include <fairlead/mesh_bake/baked_mesh.h>

#include "mesh_bake/borders.h"

namespace fairlead::bake {

/// Adds the tile's polygons to `out`: convex pieces of every layer between its segments.
[[nodiscard]] Result<void> make_polygons(const Settings& settings, const CellBox& interior,
                                         const Floors& floors, const Borders& borders,
                                         const Array<Segment>& segments, BakedMesh& out);

/// Where a tile's parts begin in a mesh.
struct TileStart {
    std::size_t vertex = 0;
    std::size_t polygon = 0;
    std::size_t corner = 0;
};

/// Makes edges of the tile with the same two vertices the same edge, by a vertex in the middle of those that are not.
[[nodiscard]] Result<void> part_edges(const Settings& settings, const TileStart& start, BakedMesh& out);

/// The columns that a tile depends on: its own and those of the halo.
[[nodiscard]] CellBox window_of(const Settings& settings, const CellBox& interior);

/// All steps from floors on, which find_floors() has found in the window. `interior` is the tile.
[[nodiscard]] Result<void> bake_floors(const Settings& settings, Floors& floors, const CellBox& interior,
                                       BakedTile tile, BakedMesh& out);

}  // namespace fairlead::bake
