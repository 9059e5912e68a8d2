// The parts of the ground: free cells that are joined by steps between neighbours, as the ground distance takes them. Whatever a
// unit's heading and curves, it never leaves its part, if its axle lies in its body.
//
// Runs of free cells of a row are joined with those of the row below that touch them (Rosenfeld and Pfaltz 1966; sets of
// Tarjan 1975).
//
// Cost: linear in words and runs, 0.1 to 0.2 ms for 512 x 512; 8 bytes a run. A look takes a search among the runs of a row.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/drive/drive_map.h>

#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

/// Fills the runs, row by row, and where those of each row begin (and of the row behind the last). False: out of memory.
[[nodiscard]] bool find_ground_parts(const GroundBits& free, GroundCorner corner, Array<GroundRun>& runs,
                                     Array<std::uint32_t>& first);

inline constexpr std::uint32_t kNoPart = UINT32_MAX;

/// The part that a cell is in. Not a free cell: kNoPart.
[[nodiscard]] std::uint32_t ground_part(const Array<GroundRun>& runs, const Array<std::uint32_t>& first,
                                        std::int32_t x, std::int32_t y);

}  // namespace fairlead::drive
