// How far a place, or a way, is from the nearest solid voxel: by looking at each of them, in long double. Slow and
// plain.
#pragma once

#include <functional>

#include <fairlead/route/route.h>

#include "oracle/volume_dense.h"

namespace fairlead::oracle {

using WideReal = long double;
struct WideVec {
    WideReal x = 0, y = 0, z = 0;
};
[[nodiscard]] inline WideVec wide(Vec3 p) { return {p.x, p.y, p.z}; }

/// Square of the distance from a place to a voxel, 0 inside of it; world units.
[[nodiscard]] WideReal squared_to_voxel(const VolumeDense& world, WideVec p, Voxel v);
/// Square of the distance to the nearest solid voxel or to the outside, whichever is nearer.
[[nodiscard]] WideReal squared_room(const VolumeDense& world, WideVec p);

/// Where the middle of a body is at a share of a leg, as route.h has it; vertical legs as verify_volume.h has it.
[[nodiscard]] WideVec wide_on_leg(const Leg& leg, WideReal share);

/// The least distance along a leg to any solid voxel or to the outside: voxel by voxel, by sampling and then by thirds
/// round every sample that may still hold it. `samples` so fine that the distance has one valley between two of them.
[[nodiscard]] WideReal leg_room(const VolumeDense& world, const Leg& leg, int samples);

/// Is every voxel that the segment touches free, sides, edges and corners included? To 1e-9 of a voxel.
[[nodiscard]] bool clear_of_all(const VolumeDense& world, Vec3 a, Vec3 b);

/// How deep a place is among solid voxels: the least move along one axis each, the largest of the three, that brings it
/// to a free voxel; 0 in a free one. `far` where there is none within two voxels.
[[nodiscard]] WideReal depth_among_solid(const VolumeDense& world, WideVec p, WideReal far);

}  // namespace fairlead::oracle
