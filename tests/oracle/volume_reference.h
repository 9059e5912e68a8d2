// How long a short way through a volume is: the length that planners are compared with. Theta* over the voxels' middles
// with 26 neighbours (Nash, Daniel, Koenig, Felner 2007), then every bend is moved until no move makes the way shorter.
// A way that is there, for a point that keeps off what is solid; not a proof that none is shorter.
#pragma once

#include <vector>

#include "oracle/volume_dense.h"

namespace fairlead::oracle {

struct VolumeWay {
    std::vector<Vec3> points{};  ///< from the first to the last; empty: there is no way
    [[nodiscard]] double length() const;
};

/// Theta* alone: every leg is clear (volume_room.h).
[[nodiscard]] VolumeWay theta_star(const VolumeDense& world, Voxel from, Voxel to);

/// Bends moved, dropped and cut off until a round gains less than 1e-5 of the length.
void relax(const VolumeDense& world, VolumeWay& way);

/// Both.
[[nodiscard]] VolumeWay reference_way(const VolumeDense& world, Voxel from, Voxel to);

}  // namespace fairlead::oracle
