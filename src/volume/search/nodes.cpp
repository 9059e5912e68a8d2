// See nodes.h.
#include "volume/search/nodes.h"

#include <algorithm>

namespace fairlead::volume {

void NodePool::reset(Masks& masks) {
    masks_ = &masks;
    const Voxel size = masks.state().size;
    for (int kind = 0; kind < 2; ++kind) {
        const std::int32_t side = kind == 0 ? 4 : 8;
        count_[kind][0] = static_cast<std::uint64_t>((size.x + side - 1) / side);
        count_[kind][1] = static_cast<std::uint64_t>((size.y + side - 1) / side);
    }
    nodes_.clear();
    table_.reset();
}

std::uint32_t NodePool::find_or_add(std::uint64_t key, std::uint64_t bits, bool& added) {
    VolumeNode made;
    made.key = key;
    made.bits = bits;
    return table_.find_or_add(nodes_, made, added);
}

NodeBox NodePool::box(const VolumeNode& node) const {
    const bool part = node.is_part();
    std::uint64_t n = part ? node.key & ~VolumeNode::kPart : node.key >> 6;
    const std::uint64_t* count = count_[part ? 1 : 0];
    const std::int32_t side = part ? 8 : 4;
    const Voxel size = masks_->state().size;
    const std::int32_t sizes[3] = {size.x, size.y, size.z};
    NodeBox box;
    for (int k = 0; k < 3; ++k) {
        std::uint64_t i = n;
        if (k < 2) i = n % count[k], n /= count[k];
        box.low[k] = static_cast<std::int32_t>(i) * side;
        box.high[k] = std::min(box.low[k] + side, sizes[k]);
    }
    return box;
}

NodePool::Found NodePool::node_at(Voxel v) const {
    if (masks_->is_open(v.x >> 3, v.y >> 3, v.z >> 3)) return {part_key(v.x >> 3, v.y >> 3, v.z >> 3), kAll};
    const std::int32_t x = v.x >> 2, y = v.y >> 2, z = v.z >> 2;
    const std::uint64_t bits = flood_brick(std::uint64_t{1} << place64(v.x, v.y, v.z), masks_->free(x, y, z));
    return {brick_key(x, y, z, bits), bits};
}

}  // namespace fairlead::volume
