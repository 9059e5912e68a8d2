// What a tile knows of its neighbours: the twins of the sides on its border, and the corners there.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh/state.h"

namespace fairlead::mesh {

/// Joins every tile of the draft to its neighbours. All tiles must be the draft's own.
void stitch_all(StateData& draft);

/// Numbers the parts and corners of all tiles, and the components: parts joined by borders. `parent` is scratch; `out`
/// has room for draft.parts numbers. False: out of memory.
[[nodiscard]] bool find_components(StateData& draft, Array<std::uint32_t>& parent, std::uint32_t* out);

/// Sets the first numbers in the views and the totals of the draft.
void number_tiles(StateData& draft);

}  // namespace fairlead::mesh
