// Flood fill, voxel by voxel.
#include "oracle/volume_dense.h"

namespace fairlead::oracle {

std::vector<std::int32_t> volume_components(const VolumeDense& world) {
    std::vector<std::int32_t> label(world.solid.size(), -1);
    std::vector<std::size_t> open;
    std::int32_t count = 0;
    for (std::size_t first = 0; first < label.size(); ++first) {
        if (world.solid[first] != 0 || label[first] >= 0) continue;
        label[first] = count;
        open.push_back(first);
        while (!open.empty()) {
            const Voxel v = world.at(open.back());
            open.pop_back();
            const Voxel around[] = {{v.x - 1, v.y, v.z}, {v.x + 1, v.y, v.z}, {v.x, v.y - 1, v.z},
                                    {v.x, v.y + 1, v.z}, {v.x, v.y, v.z - 1}, {v.x, v.y, v.z + 1}};
            for (const Voxel& next : around) {
                if (!world.is_free(next) || label[world.index(next)] >= 0) continue;
                label[world.index(next)] = count;
                open.push_back(world.index(next));
            }
        }
        ++count;
    }
    return label;
}

}  // namespace fairlead::oracle
