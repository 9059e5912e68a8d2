// A straight piece and the box of one voxel.
#pragma once

#include "verify/volume_frame.h"

namespace fairlead::witness {

/// Square of the distance between the piece and the box; 0 where they meet.
[[nodiscard]] double gap_squared(const Chord& chord, const VoxelSides& box);

/// Distance from the box; inside of it minus the distance to its nearest side.
[[nodiscard]] double signed_gap(const Triple& p, const VoxelSides& box);

/// Which part of a piece is within `grow` of the box on each axis, as shares of it. None: low > high.
struct Shares {
    double low = 1.0;
    double high = 0.0;
    [[nodiscard]] bool none() const { return low > high; }
};
[[nodiscard]] Shares shares_within(const Chord& chord, const VoxelSides& box, double grow);

/// The first share at which the piece is nearer to the box than `reach`; the piece is, somewhere.
[[nodiscard]] double first_within(const Chord& chord, const VoxelSides& box, double reach);

}  // namespace fairlead::witness
