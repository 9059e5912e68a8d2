// What an upright capsule meets: a sphere of its radius in the world whose solid voxels, and bounds, reach so many voxels farther up
// and down.
#pragma once

#include "oracle/volume_dense.h"

namespace fairlead::testing {

[[nodiscard]] inline oracle::VolumeDense taller_volume(const oracle::VolumeDense& world, std::int32_t by) {
    oracle::VolumeDense tall = world;
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Voxel v = world.at(i);
        bool free = true;
        for (std::int32_t z = v.z - by; z <= v.z + by && free; ++z) free = world.is_free({v.x, v.y, z});
        tall.set(v, !free);
    }
    return tall;
}

/// Every voxel cut in two along each axis; all sides stay as long as they are, in voxels: places are twice as far off.
[[nodiscard]] inline oracle::VolumeDense halved_volume(const oracle::VolumeDense& world) {
    oracle::VolumeDense fine({world.size.x * 2, world.size.y * 2, world.size.z * 2});
    for (std::size_t i = 0; i < fine.solid.size(); ++i) {
        const Voxel v = fine.at(i);
        fine.set(v, !world.is_free({v.x / 2, v.y / 2, v.z / 2}));
    }
    return fine;
}

}  // namespace fairlead::testing
