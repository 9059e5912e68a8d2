// Height fields from floors.
#pragma once

#include <fairlead/mesh_bake/baked_mesh.h>

#include "mesh_bake/layers.h"

namespace fairlead::bake {

/// Adds the heights of the tile's layers to `out`, and says in `tile` where they are.
[[nodiscard]] Result<void> make_heights(const Settings& settings, const CellBox& interior,
                                        const Floors& floors, const Layers& layers, BakedTile& tile,
                                        BakedMesh& out);

}  // namespace fairlead::bake
