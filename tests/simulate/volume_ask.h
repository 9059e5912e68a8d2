// Questions and edits of volumes, made from steps.
#pragma once

#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

#include "simulate/script.h"
#include "simulate/volume_model.h"

namespace fairlead::simulate {

[[nodiscard]] Vec3 point_of(const Step& step, const char* key);
[[nodiscard]] VolumeQuery volume_query_of(const Step& step, std::vector<VolumeBlocker>& blockers);
[[nodiscard]] VolumeEdit volume_edit_of(const Step& step, Voxel size, std::vector<VoxelBrick>& bricks);
/// Are all fields in their documented ranges?
[[nodiscard]] bool good_volume_query(const VolumeQuery& query);
/// May the edit be refused?
[[nodiscard]] bool good_volume_edit(const VolumeEdit& edit, Voxel size);
/// The world that a `make` means; its numbers may be anything.
[[nodiscard]] oracle::VolumeDense volume_of(const Step& step);

}  // namespace fairlead::simulate
