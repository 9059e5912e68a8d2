// Random volumes as lists of voxels, and the library's volumes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/volume/volume.h>

#include "support/plain_volume.h"

namespace fairlead::testing {

/// Boxes, crumbs and holes, or nothing, or everything: of cells of 16 and bricks of 4 some are full.
inline PlainVolume random_plain_volume(Rng& rng, int side_max = 100) {
    const auto side = [&] {
        return rng.below(4) == 0 ? 16 * rng.between(1, side_max / 16) : rng.between(1, side_max);
    };
    const int nx = side(), ny = side(), nz = side();
    PlainVolume v(nx, ny, nz);
    for (double& at : v.origin) at = rng.between(-50, 50) * 0.37;
    for (double& length : v.voxel) length = rng.between(1, 8) * 0.25;
    const int kind = rng.between(0, 9);
    for (int n = kind == 0 ? 0 : rng.between(1, 4); n > 0; --n) {
        int low[3], high[3];
        for (int k = 0; k < 3; ++k) {
            low[k] = kind == 1 ? 0 : rng.between(0, v.size(k) - 1);
            high[k] = kind == 1 ? v.size(k) : std::min(v.size(k), low[k] + rng.between(1, 40));
        }
        const bool solid = kind == 1 || n != 1;
        for (int z = low[2]; z < high[2]; ++z) {
            for (int y = low[1]; y < high[1]; ++y) {
                for (int x = low[0]; x < high[0]; ++x) v.set(x, y, z, solid);
            }
        }
    }
    for (int n = kind <= 1 ? 0 : rng.between(0, 200); n > 0; --n) {
        // the same on every compiler: one after the other
        const int z = rng.between(0, v.size(2) - 1);
        const int y = rng.between(0, v.size(1) - 1);
        const int x = rng.between(0, v.size(0) - 1);
        v.set(x, y, z, true);
    }
    return v;
}

inline std::vector<VoxelBrick> bricks_of(const PlainVolume& v) {
    std::vector<VoxelBrick> out;
    for (int z = 0; z < v.size(2); z += 4) {
        for (int y = 0; y < v.size(1); y += 4) {
            for (int x = 0; x < v.size(0); x += 4) {
                VoxelBrick brick{x / 4, y / 4, z / 4, 0};
                for (int i = 0; i < 64; ++i) {
                    if (v.has(x + i % 4, y + i / 4 % 4, z + i / 16)) brick.solid |= std::uint64_t{1} << i;
                }
                if (brick.solid != 0) out.push_back(brick);
            }
        }
    }
    return out;
}

/// `bricks` must outlive it.
inline VolumeOptions options_of(const PlainVolume& v, const std::vector<VoxelBrick>& bricks,
                                const Allocator& allocator = {}) {
    return {.origin = {v.origin[0], v.origin[1], v.origin[2]},
            .voxel_size = {v.voxel[0], v.voxel[1], v.voxel[2]},
            .size = {v.size(0), v.size(1), v.size(2)},
            .bricks = bricks,
            .allocator = allocator};
}

inline Volume make_volume(const PlainVolume& v) {
    const std::vector<VoxelBrick> bricks = bricks_of(v);
    return *Volume::make(options_of(v, bricks));
}

}  // namespace fairlead::testing
