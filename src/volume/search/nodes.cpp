// Nodes by their keys, in a table that is not cleared from search to search: entries with an old stamp are free.
#include "volume/search/nodes.h"

#include <algorithm>
#include "volume/search/key_hash.h"

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
    if (++stamp_ == 0) {
        std::fill(table_.begin(), table_.end(), Slot{});
        stamp_ = 1;
    }
}

bool NodePool::grow() {
    const std::size_t size = std::max<std::size_t>(1024, table_.size() * 2);
    Array<Slot> larger(table_.allocator());
    if (!larger.resize(size)) return false;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        std::size_t at = key_hash(nodes_[i].key) & (size - 1);
        while (larger[at].stamp == stamp_) at = (at + 1) & (size - 1);
        larger[at] = {stamp_, i};
    }
    table_ = std::move(larger);
    return true;
}

std::uint32_t NodePool::find_or_add(std::uint64_t key, std::uint64_t bits, bool& added) {
    if (2 * nodes_.size() >= table_.size() && !grow()) return kNoNode;
    const std::size_t mask = table_.size() - 1;
    std::size_t at = key_hash(key) & mask;
    for (; table_[at].stamp == stamp_; at = (at + 1) & mask) {
        if (nodes_[table_[at].node].key != key) continue;
        added = false;
        return table_[at].node;
    }
    added = true;
    const std::uint32_t made = size();
    VolumeNode node;
    node.key = key;
    node.bits = bits;
    if (!nodes_.push_back(node)) return kNoNode;
    table_[at] = {stamp_, made};
    return made;
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
