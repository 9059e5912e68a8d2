// The shortest chain of neighbouring cells within the few that a curve passes.
#pragma once

#include <span>

#include <fairlead/drive/drive_table.h>

namespace fairlead::drive {

/// From cell (0, 0) to (dx, dy) through the cells of `runs`, in the measure of the ground distance (a diagonal step is 1.4),
/// in cells. The cells hang together.
[[nodiscard]] double chain_length(std::span<const CellRun> runs, std::int32_t dx, std::int32_t dy);

}  // namespace fairlead::drive
