// What a tile knows of its neighbours: the twins of the sides on its border, and the corners there.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh/data/state.h"

namespace fairlead::mesh {

/// Joins every tile of the draft to its neighbours. All tiles must be the draft's own.
void stitch_all(StateData& draft);

/// A place of the raster.
struct TilePlace {
    std::int32_t x = 0;
    std::int32_t y = 0;
};

/// Joins the tile at a place (there may be none) to its neighbours, which must be the draft's own.
void stitch_around(StateData& draft, TilePlace place);
/// Finds the corners on the border of that place anew. When all places that changed have been stitched.
void find_corners_around(StateData& draft, TilePlace place);

/// Sets the first numbers in the views and the totals of the draft. 2 ns a tile.
void number_tiles(StateData& draft);
/// The box around all polygons, from all tiles.
void bound_tiles(StateData& draft);

}  // namespace fairlead::mesh
