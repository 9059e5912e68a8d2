// See coarse.h.
#include "volume/search/coarse.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "volume/search/metric.h"
#include "volume/search/tell.h"

namespace fairlead::volume {

namespace {

std::uint64_t cells(std::int32_t side) { return static_cast<std::uint64_t>((side + 15) >> 4); }

}  // namespace

std::uint64_t CoarseSearch::key_of(std::int32_t x, std::int32_t y, std::int32_t z,
                                   std::uint32_t component) const {
    const std::uint64_t cell =
        (static_cast<std::uint64_t>(z) * cells(state_->size.y) + static_cast<std::uint64_t>(y)) *
            cells(state_->size.x) +
        static_cast<std::uint64_t>(x);
    return cell << 12 | component;
}

std::uint64_t CoarseSearch::key_of(Voxel v) const {
    return key_of(v.x >> 4, v.y >> 4, v.z >> 4, component_of(*state_, v));
}

Vec3 CoarseSearch::middle(std::uint64_t key) const {
    std::uint64_t n = key >> 12;
    const std::uint64_t x = n % cells(state_->size.x);
    n /= cells(state_->size.x);
    const std::uint64_t y = n % cells(state_->size.y), z = n / cells(state_->size.y);
    const auto axis = [](std::uint64_t cell, std::int32_t size) {
        const auto low = static_cast<std::int32_t>(cell) * 16;
        return 0.5 * (low + std::min(low + 16, size));
    };
    return {axis(x, state_->size.x), axis(y, state_->size.y), axis(z, state_->size.z)};
}

double CoarseSearch::away(Vec3 a, Vec3 b) const { return metric_length(metric_, b - a); }

std::uint32_t CoarseSearch::find_or_add(std::uint64_t key) {
    bool added = false;
    return table_.find_or_add(nodes_, {key, std::numeric_limits<double>::infinity(), kNoNode, false}, added);
}

bool CoarseSearch::begin(const StateData& state, Voxel goal, Voxel start, double weight,
                         const SearchTrace& trace) {
    state_ = &state;
    trace_ = trace;
    metric_ = metric_of(state);
    weight_ = weight;
    expanded_ = 0;
    nodes_.clear();
    open_.reset();
    table_.reset();
    start_key_ = key_of(start);
    start_ = middle(start_key_);
    const std::uint32_t first = find_or_add(key_of(goal));
    if (first == kNoNode) return false;
    nodes_[first].g = 0.0;
    nodes_[first].next = first;
    return open_.push(0, 0, first);
}

bool CoarseSearch::relax(std::uint32_t from, std::uint64_t key) {
    const double g = nodes_[from].g + away(middle(nodes_[from].key), middle(key));
    const std::uint32_t node = find_or_add(key);
    if (node == kNoNode) return false;
    Node& n = nodes_[node];
    if (n.closed || !(g < n.g)) return true;
    n.g = g;
    n.next = from;
    const double h = away(middle(key), start_);
    return open_.push(as_cost(g + weight_ * h), as_cost(h), node);
}

bool CoarseSearch::expand(std::uint32_t node) {
    const std::uint64_t key = nodes_[node].key;
    std::uint64_t n = key >> 12;
    const auto component = static_cast<std::uint32_t>(key & 4095);
    const auto x = static_cast<std::int32_t>(n % cells(state_->size.x));
    n /= cells(state_->size.x);
    const auto y = static_cast<std::int32_t>(n % cells(state_->size.y)),
               z = static_cast<std::int32_t>(n / cells(state_->size.y));
    const std::uint32_t place = place64(x, y, z);
    if (state_->cell_entry(x, y, z).is_mixed()) {
        const ChunkLinks* links = state_->links[state_->chunk_index(x >> 2, y >> 2, z >> 2)];
        for (const Link& link : links->links_of(place)) {
            if (link.from() != component) continue;
            const std::int32_t* step = kFaceStep[link.face()];
            if (!relax(node, key_of(x + step[0], y + step[1], z + step[2], link.to()))) return false;
        }
        return true;
    }
    for (std::uint32_t face = 0; face < 6; ++face) {
        const std::int32_t a = x + kFaceStep[face][0], b = y + kFaceStep[face][1], c = z + kFaceStep[face][2];
        if ((a | b | c) < 0 || !state_->cell_in_bounds(a, b, c)) continue;
        const CellEntry& entry = state_->cell_entry(a, b, c);
        if (entry.node == CellEntry::kEmpty) {
            if (!relax(node, key_of(a, b, c, 0))) return false;
        } else if (entry.is_mixed()) {
            const ChunkLinks* links = state_->links[state_->chunk_index(a >> 2, b >> 2, c >> 2)];
            for (const Link& link : links->links_of(place64(a, b, c))) {
                if (link.face() == (face ^ 1U) && !relax(node, key_of(a, b, c, link.from()))) return false;
            }
        }
    }
    return true;
}

// A cell, all of it, whichever of its components.
void CoarseSearch::tell_opened(std::uint32_t node) const {
    const Vec3 at = middle(nodes_[node].key);
    const double p[3] = {at.x, at.y, at.z};
    const std::int32_t sizes[3] = {state_->size.x, state_->size.y, state_->size.z};
    NodeBox box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = static_cast<std::int32_t>(p[k]) / 16 * 16;
        box.high[k] = std::min(box.low[k] + 16, sizes[k]);
    }
    tell(trace_, *state_, {TraceEventKind::expanded, node, as_cost(nodes_[node].g)}, at, box);
}

SearchProgress CoarseSearch::step(std::uint64_t budget) {
    while (budget > 0) {
        std::uint32_t node = 0;
        if (!open_.pop(node)) return SearchProgress::exhausted;
        if (nodes_[node].closed) continue;
        nodes_[node].closed = true;
        if (nodes_[node].key == start_key_) return SearchProgress::found;
        --budget;
        ++expanded_;
        if (trace_.event != nullptr) tell_opened(node);
        if (!expand(node)) return SearchProgress::no_memory;
    }
    return SearchProgress::running;
}

bool CoarseSearch::rest(Voxel voxel, Vec3 at, Vec3 goal, double& length) const {
    const std::uint32_t node = table_.find(nodes_, key_of(voxel));
    if (node == kNoNode) return false;
    const std::uint32_t next = nodes_[node].next;
    if (next == node) {
        length = away(at, goal);
        return true;
    }
    // The goal's own cell counts from the goal on.
    const bool last = nodes_[next].next == next;
    length = last ? away(at, goal) : away(at, middle(nodes_[next].key)) + nodes_[next].g;
    return true;
}

}  // namespace fairlead::volume
