// Where the ground distance begins: at the goal's cells, or around an exact goal off the lattice.
#pragma once

#include <fairlead/drive/drive_table.h>

#include "drive/ground/ground_distance.h"
#include "drive/ground/ground_way.h"
#include "drive/lattice/grid_lattice.h"

namespace fairlead::drive {

/// Gives `ground` its goals. With poses of the lattice that will do, those cells, at no distance. With an exact pose off
/// the lattice the cells that its short curves (kEndTurnMax) may come from, each with a lower bound of their length:
///   * the straight line;
///   * (k - 5) / sqrt 2, k the least number of steps between free cells from there to the goal's. A curve of length L
///     that turns by no more than 96 degrees is monotone in x, and in y, in at most two pieces; a piece that runs on for v
///     crosses at most v + 1 borders of cells. So it passes at most sqrt 2 L + 4 cells one after the other, and k steps do,
///     with one more where poses lie in the corners of cells.
/// False: out of memory.
[[nodiscard]] bool add_ground_goals(const GroundBits& free, const DriveTable& table, const LatticeGoal& goal,
                                    GroundDistance& ground);
[[nodiscard]] bool add_ground_goals(const GroundBits& free, const DriveTable& table, const LatticeGoal& goal,
                                    GroundWay& ground);

}  // namespace fairlead::drive
