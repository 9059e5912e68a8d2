// Questions and edits of volumes, made from steps.
#pragma once

#include <fairlead/volume/query.h>
#include <fairlead/volume/volume.h>

#include "simulate/script.h"
#include "simulate/volume_model.h"

namespace fairlead::simulate {

/// A query with the memory behind its spans.
struct VolumeAsk {
    VolumeQuery query;
    std::vector<VolumeBlocker> blockers;

    [[nodiscard]] const VolumeQuery& bind() {
        query.blockers = blockers;
        return query;
    }
};

[[nodiscard]] Vec3 point_of(const Step& step, const char* key);
[[nodiscard]] VolumeAsk volume_ask_of(const Step& step);
[[nodiscard]] VolumeEdit volume_edit_of(const Step& step, Voxel size, std::vector<VoxelBrick>& bricks);
/// Are all fields in their documented ranges?
[[nodiscard]] bool good_volume_query(const VolumeQuery& query);
/// May the edit be refused?
[[nodiscard]] bool good_volume_edit(const VolumeEdit& edit, Voxel size);
/// The world that a `make` means; its numbers may be anything.
[[nodiscard]] oracle::VolumeDense volume_of(const Step& step);

}  // namespace fairlead::simulate
