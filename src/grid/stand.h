// Standing: may a body be at a cell? By a registered bitmap, by clearance class, or by looking at the walls.
#pragma once

#include "grid/state.h"

namespace fairlead::grid {

/// May a body with this key stand at (x, y), which is inside the map? O(1) for registered bodies and for discs up
/// to the clearance cap; otherwise the rows that the body covers are read, 64 cells at a time.
[[nodiscard]] bool body_fits(const StateData& state, BodyKey key, std::int32_t x, std::int32_t y,
                             std::int32_t layer);

/// The registered body whose free cells are this key's: its own, or the point's for bodies of one cell. Null if
/// there is none.
[[nodiscard]] const Body* lines_body(const StateData& state, BodyKey key);

/// The registered body whose connectivity index answers for this key under the grid's corner rule, or null.
[[nodiscard]] const Body* connectivity_body(const StateData& state, BodyKey key);

/// The largest registered body that can stand and go wherever this one can: where it finds no way there is none for this
/// one either. The point at least.
[[nodiscard]] const Body* contained_body(const StateData& state, BodyKey key);

}  // namespace fairlead::grid
