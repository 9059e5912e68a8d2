// Dilation: from the walls to the cells where a body cannot stand, 64 cells at a time.
//
// A cell is blocked for a body iff one of the cells that the body would cover is a wall: the walls are dilated
// by the mirrored body. Row by row the body is an interval, so 64 cells cost log2(width) shifts per row.
#pragma once

#include <span>

#include "grid/state.h"

namespace fairlead::grid {

/// Blocked-for-the-body bits of cells 64 word .. 64 word + 63 of a line.
[[nodiscard]] std::uint64_t dilated_word(const WallReader& walls, std::span<const BodyRow> body,
                                         std::int32_t line, std::int32_t word);

}  // namespace fairlead::grid
