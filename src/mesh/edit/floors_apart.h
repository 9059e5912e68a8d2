// Do two floors of a tile lie in one place? No search could tell them apart: floors are told by their heights.
#pragma once

#include <cstdint>

#include "mesh/data/state.h"

namespace fairlead::mesh {

/// The first polygon of a tile that has another one over or under it no more than 2 kHeightSlack away; kNone: there is none. Looked for
/// in the middle of each polygon and half-way from there to its corners, as long as that is linear work.
[[nodiscard]] std::uint32_t coinciding_polygon(const TileView& view);

}  // namespace fairlead::mesh
