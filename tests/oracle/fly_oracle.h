// Is there a way for a turning unit through a volume? By flooding poses: half voxels, 24 headings, left, straight and right at three
// climbs, and from each pose an arc, a line and an arc to the goal. All is sampled, and the goal counts as reached within half a voxel and
// half a heading: what it finds may be a little more than can be flown. Shares no code with the library but its value types.
#pragma once

#include <cstdint>

#include <fairlead/route/route.h>

#include "oracle/volume_dense.h"

namespace fairlead::oracle {

struct FlyFlood {
    const VolumeDense* world = nullptr;  ///< voxels are cubes
    double radius = 0.0;                 ///< of the body; world units
    double turning_radius = 1.0;
    double climb_rad = 0.5;  ///< up and down
    double cell = 0.5;       ///< voxels
    int headings = 24;
    bool near_will_do =
        true;  ///< half a voxel and half a heading from the goal; else only curves to it count
    std::int64_t poses_max = 150000;
};

enum class FlyAnswer : std::uint8_t { found, none, gave_up };

[[nodiscard]] FlyAnswer flood_poses(const FlyFlood& flood, const Place& start, const Place& goal);

/// Is there room for the sphere?
[[nodiscard]] bool sphere_fits(const VolumeDense& world, Vec3 at, double radius);

}  // namespace fairlead::oracle
