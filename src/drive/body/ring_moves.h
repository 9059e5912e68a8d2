// The moves of the article's directional search.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/drive/primitives.h>

namespace fairlead::drive {

/// Moves to all tiles of `options.rings` rings and all headings there, forward, in no order. False: out of memory.
[[nodiscard]] bool append_ring_moves(const PrimitiveOptions& options, Array<Primitive>& moves);

}  // namespace fairlead::drive
