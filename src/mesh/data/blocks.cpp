#include "mesh/data/blocks.h"

namespace fairlead::mesh {

bool BlockFinder::find(std::span<MeshEdge> edges, std::span<const MeshPolygon> polygons, std::uint32_t mask,
                       std::span<const std::uint32_t> outside) {
    edges_ = edges;
    polygons_ = polygons;
    outside_ = outside;
    mask_ = mask;
    clock_ = 0;
    const std::size_t count = polygons.size() - 1;  // the sentinel
    entered_.clear();
    low_.clear();
    flags_.clear();
    top_block.clear();
    block_top.clear();
    block_depth.clear();
    open_.clear();
    nodes_.clear();
    frames_.clear();
    if (!entered_.resize(count + 1) || !low_.resize(count + 1) || !top_block.resize(count) ||
        !flags_.resize(edges.size())) {
        return false;
    }
    for (std::uint32_t& block : top_block) block = kNone;
    for (const std::uint32_t edge : outside) flags_[edge] = 1;
    if (!outside.empty() && !walk(static_cast<std::uint32_t>(count))) return false;
    for (std::uint32_t polygon = 0; polygon < count; ++polygon) {
        if (entered_[polygon] == 0 && !walk(polygon)) return false;
    }
    measure_depths();
    return true;
}

void BlockFinder::free_work() {
    for (Array<std::uint32_t>* work : {&entered_, &low_, &open_, &nodes_}) work->free_memory();
    frames_.free_memory();
    flags_.free_memory();
}

bool BlockFinder::enter(std::uint32_t node, std::uint32_t via) {
    entered_[node] = low_[node] = ++clock_;
    const bool world = node + 1 == entered_.size();
    return nodes_.push_back(node) && frames_.push_back({node, world ? 0 : polygons_[node].first, via});
}

// What was met since the walk went through `via` to `node` forms a block that hangs on `top`.
bool BlockFinder::close_block(std::uint32_t top, std::uint32_t node, std::uint32_t via) {
    const bool through = top + 1 == entered_.size();
    const auto number = static_cast<std::uint32_t>(block_top.size());
    if (!block_top.push_back(through ? kNone : top) || !block_depth.push_back(0)) return false;
    for (;;) {
        const std::uint32_t member = nodes_.back();
        nodes_.pop_back();
        top_block[member] = number;
        if (member == node) break;
    }
    const std::uint32_t value = number | (through ? kThroughFlag : 0);
    for (;;) {
        const std::uint32_t edge = open_.back();
        open_.pop_back();
        MeshEdge& e = edges_[edge];
        e.block = value;
        if (flags_[edge] == 0) edges_[e.twin & mask_].block = value;
        if (edge == via) return true;
    }
}

// A block is completed before the one that it hangs on, so that one has a larger number.
void BlockFinder::measure_depths() {
    for (std::size_t block = block_top.size(); block-- > 0;) {
        const std::uint32_t top = block_top[block];
        if (top == kNone || top_block[top] == kNone) continue;
        block_depth[block] = block_depth[top_block[top]] + 1;
    }
}

// Depth first from one node, without recursion. An edge goes on `open_` when it is first met; a block is complete
// when the walk leaves a child from which nothing above its parent can be reached.
bool BlockFinder::walk(std::uint32_t root) {
    const auto world = static_cast<std::uint32_t>(entered_.size() - 1);
    if (!enter(root, kNone)) return false;
    while (!frames_.empty()) {
        Frame& frame = frames_.back();
        const std::uint32_t node = frame.node;
        const std::uint32_t end =
            node == world ? static_cast<std::uint32_t>(outside_.size()) : polygons_[node + 1].first;
        if (frame.at < end) {
            const std::uint32_t edge = node == world ? outside_[frame.at] : frame.at;
            ++frame.at;
            const MeshEdge& e = edges_[edge];
            const bool border = flags_[edge] != 0;
            if (!border && e.twin == kNone) continue;
            const std::uint32_t other = node == world ? e.polygon
                                        : border      ? world
                                                      : edges_[e.twin & mask_].polygon;
            const bool entry = frame.via == edge || (!border && frame.via == (e.twin & mask_));
            if (entry) continue;
            if (entered_[other] == 0) {
                if (!open_.push_back(edge) || !enter(other, edge)) return false;
            } else if (entered_[other] < entered_[node]) {
                if (!open_.push_back(edge)) return false;
                if (entered_[other] < low_[node]) low_[node] = entered_[other];
            }
            continue;
        }
        const std::uint32_t via = frame.via;
        frames_.pop_back();
        if (frames_.empty()) break;
        const std::uint32_t parent = frames_.back().node;
        if (low_[node] < low_[parent]) low_[parent] = low_[node];
        if (low_[node] >= entered_[parent] && !close_block(parent, node, via)) return false;
    }
    nodes_.clear();  // the root
    return true;
}

}  // namespace fairlead::mesh
