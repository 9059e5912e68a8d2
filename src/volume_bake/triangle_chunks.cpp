// Chunk by chunk what volume_chunk() bakes.
#include <fairlead/volume_bake/triangle_chunks.h>

#include "base/no_memory.h"

namespace fairlead::bake {

VolumeSource TriangleChunks::source() {
    const auto chunk = [](Voxel place, Array<VoxelBrick>& bricks, void* user) -> Result<void> {
        const auto& self = *static_cast<const TriangleChunks*>(user);
        const Result<BakedVolume> baked = volume_chunk(self.soup_, self.options_, place.x, place.y, place.z);
        if (!baked) return baked.error();
        return bricks.assign(baked->bricks.span()) ? Result<void>{} : Result<void>{kNoMemory};
    };
    return {.chunk = chunk, .user = this};
}

}  // namespace fairlead::bake
