// The slack of a volume is that of its largest side and of its largest coordinate, on all three axes.
#include "verify/volume_frame.h"

#include <fairlead/math/contact.h>

namespace fairlead::witness {

VolumeFrame make_frame(const VolumeState& volume) {
    const Vec3 origin = volume.origin();
    const Vec3 voxel = volume.voxel_size();
    const Voxel count = volume.size();
    VolumeFrame frame;
    frame.origin = {origin.x, origin.y, origin.z};
    frame.voxel = {voxel.x, voxel.y, voxel.z};
    frame.count = {count.x, count.y, count.z};
    double coordinate = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        frame.extent[k] = static_cast<double>(frame.count[k]) * frame.voxel[k];
        coordinate = larger(coordinate,
                            larger(std::fabs(frame.origin[k]), std::fabs(frame.origin[k] + frame.extent[k])));
    }
    frame.slack = contact_slack(frame.size(), coordinate);
    frame.far = frame.slack / (4.0 * kErrorRounds * kRound);
    return frame;
}

}  // namespace fairlead::witness
