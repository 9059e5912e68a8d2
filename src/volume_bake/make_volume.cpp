// Bakes and makes a Volume.

#include <fairlead/volume_bake/volume_bake.h>

namespace fairlead::bake {

Result<Volume> volume(const TriangleSoup& soup, const VolumeBakeOptions& options, VolumeReport* report) {
    const Result<BakedVolume> baked = bake_volume(soup, options);
    if (!baked) return baked.error();
    if (report != nullptr) *report = baked->report;
    return Volume::make(baked->options(options.allocator));
}

}  // namespace fairlead::bake
