// Which cells a body sweeps along a curve.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/curve/word.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/math/pose.h>

namespace fairlead::drive {

/// What a body may reach into a wall without counting as in it, in cells: a thousandth of what is found on the largest
/// map, far above rounding.
inline constexpr double kSweepSlack = 1e-9;

/// Appends the cells that the body sweeps along `word` from `start` (coordinates in cells; cell (i, j) is [i, i + 1) x
/// [j, j + 1)), in rows. Radius in cells. An empty word: the cells that it covers where it stands. False: out of memory.
[[nodiscard]] bool append_swept_cells(const BodyCore& body, const Pose& start, double radius,
                                      const CurveWord& word, Array<CellRun>& runs);

}  // namespace fairlead::drive
