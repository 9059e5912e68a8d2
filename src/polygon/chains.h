// Which segments lie over an edge: lists of links, shared by the pieces of a segment. A list is named by twice its
// first link, plus one where it is read against its direction.
#pragma once

#include "polygon/work.h"

namespace fairlead::polygon {

/// A list of one segment. kNone without memory.
[[nodiscard]] Index make_chain(Work& work, std::uint32_t segment);

/// Puts the segments of `chain` over the edge of h, in its direction. False without memory.
[[nodiscard]] bool cover_edge(Work& work, Index h, Index chain);

}  // namespace fairlead::polygon
