// All tiles of a world.
#pragma once

#include <fairlead/mesh_bake/baked_mesh.h>

#include "mesh_bake/settings.h"
#include "raster/soup_rows.h"

namespace fairlead::bake {

/// Adds the tiles of a soup with triangles, whose rows are `rows`, to `out`.
/// Errors: size_limit, out_of_memory, incompatible (10: stopped by Progress).
[[nodiscard]] Result<void> bake_world(const Settings& settings, const BakeOptions& options,
                                      const GridSoup& soup, Array<raster::CellRows> rows, BakedMesh& out);

}  // namespace fairlead::bake
