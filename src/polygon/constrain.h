// Segments become edges.
#pragma once

#include "polygon/work.h"

namespace fairlead::polygon {

/// Flips the edges in work.dirty, and those that this upsets, until all that no segment covers are Delaunay. False
/// without memory.
[[nodiscard]] bool legalize_dirty(Work& work);

/// Makes the edge from -> to of a piece through the channel that `work` has gathered (channel, left, right), and
/// covers it. False without memory.
[[nodiscard]] bool cut_channel(Work& work, const Piece& piece);

/// The piece crosses the edge h (from its right to its left), which is covered: splits one of the two or both, and
/// puts the parts back into work.pieces. False (work.failure says why) without memory or vertices.
[[nodiscard]] bool split_crossing(Work& work, const Piece& piece, Index h);

/// Makes edges of all pieces. False: work.failure says why.
[[nodiscard]] bool insert_pieces(Work& work);

}  // namespace fairlead::polygon
