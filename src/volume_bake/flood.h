// What nobody comes to from the bounds becomes solid.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/raster/voxels.h>

namespace fairlead::bake {

/// `bricks`: as voxelize() gives them; takes up those that are filled. Errors: cancelled, out_of_memory.
[[nodiscard]] Result<void> fill_inside(const VoxelFrame& frame, const Progress& progress,
                                       Array<BrickBits>& bricks, std::int64_t& filled);

}  // namespace fairlead::bake
