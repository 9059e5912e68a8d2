// One heap, keyed by cost and then by voxel; costs are counts of the three kinds of steps, so that nothing is rounded
// on the way.
#include "oracle/volume_graph.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <queue>
#include <tuple>

namespace fairlead::oracle {

namespace {

constexpr std::int32_t kNobody = -1;

int kind_of(Voxel by) { return std::abs(by.x) + std::abs(by.y) + std::abs(by.z); }

VolumeCost with_step(VolumeCost cost, Voxel by) {
    switch (kind_of(by)) {
        case 1: ++cost.faces; break;
        case 2: ++cost.edges; break;
        default: ++cost.corners; break;
    }
    return cost;
}

struct Entry {
    long double key;
    std::size_t voxel;
    VolumeCost cost;
    friend bool operator>(const Entry& a, const Entry& b) {
        return std::tie(a.key, a.voxel) > std::tie(b.key, b.voxel);
    }
};

using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

}  // namespace

VolumeGraph::VolumeGraph(const VolumeDense& world, VolumeSteps steps) : world_(world), allowed_(steps) {
    const int most = steps == VolumeSteps::faces ? 1 : (steps == VolumeSteps::edges ? 2 : 3);
    for (std::int32_t z = -1; z <= 1; ++z) {
        for (std::int32_t y = -1; y <= 1; ++y) {
            for (std::int32_t x = -1; x <= 1; ++x) {
                const Voxel by{x, y, z};
                if (kind_of(by) >= 1 && kind_of(by) <= most) moves_.push_back(by);
            }
        }
    }
}

bool VolumeGraph::step_free(Voxel from, Voxel by) const {
    for (int part = 0; part < 8; ++part) {
        const Voxel v{from.x + (part & 1 ? by.x : 0), from.y + (part & 2 ? by.y : 0),
                      from.z + (part & 4 ? by.z : 0)};
        if (!world_.is_free(v)) return false;
    }
    return true;
}

/// Of a world without solid voxels.
VolumeCost VolumeGraph::least(Voxel from, Voxel to) const {
    std::int32_t d[3] = {std::abs(to.x - from.x), std::abs(to.y - from.y), std::abs(to.z - from.z)};
    std::sort(d, d + 3);
    if (allowed_ == VolumeSteps::corners) return {d[2] - d[1], d[1] - d[0], d[0]};
    if (allowed_ == VolumeSteps::faces) return {d[0] + d[1] + d[2], 0, 0};
    // Each step over an edge serves two axes: as many as fit.
    const std::int32_t pairs = std::min((d[0] + d[1] + d[2]) / 2, d[0] + d[1]);
    return {d[0] + d[1] + d[2] - 2 * pairs, pairs, 0};
}

std::optional<VolumeGraph::Way> VolumeGraph::shortest(Voxel from, Voxel to) const {
    if (!world_.is_free(from) || !world_.is_free(to)) return std::nullopt;
    constexpr long double kSame = 1e-12L;
    std::vector<std::int8_t> came(world_.solid.size(), kNobody);
    std::vector<bool> closed(world_.solid.size());
    Heap heap;
    std::vector<long double> best(world_.solid.size(), -1.0L);
    heap.push({least(from, to).value(), world_.index(from), {}});
    best[world_.index(from)] = 0.0L;
    while (!heap.empty()) {
        const Entry top = heap.top();
        heap.pop();
        if (closed[top.voxel]) continue;
        closed[top.voxel] = true;
        const Voxel at = world_.at(top.voxel);
        if (at == to) {
            Way way{top.cost, {to}};
            for (Voxel v = to; !(v == from);) {
                const Voxel by = moves_[static_cast<std::size_t>(came[world_.index(v)])];
                v = {v.x - by.x, v.y - by.y, v.z - by.z};
                way.voxels.push_back(v);
            }
            std::reverse(way.voxels.begin(), way.voxels.end());
            return way;
        }
        for (std::size_t m = 0; m < moves_.size(); ++m) {
            if (!step_free(at, moves_[m])) continue;
            const Voxel next{at.x + moves_[m].x, at.y + moves_[m].y, at.z + moves_[m].z};
            const std::size_t there = world_.index(next);
            const VolumeCost cost = with_step(top.cost, moves_[m]);
            const long double g = cost.value();
            if (closed[there] || (best[there] >= 0.0L && best[there] <= g + kSame)) continue;
            best[there] = g;
            came[there] = static_cast<std::int8_t>(m);
            heap.push({g + least(next, to).value(), there, cost});
        }
    }
    return std::nullopt;
}

std::vector<long double> VolumeGraph::costs_from(Voxel from) const {
    std::vector<long double> best(world_.solid.size(), -1.0L);
    if (!world_.is_free(from)) return best;
    std::vector<bool> closed(world_.solid.size());
    Heap heap;
    heap.push({0.0L, world_.index(from), {}});
    best[world_.index(from)] = 0.0L;
    while (!heap.empty()) {
        const Entry top = heap.top();
        heap.pop();
        if (closed[top.voxel]) continue;
        closed[top.voxel] = true;
        const Voxel at = world_.at(top.voxel);
        for (const Voxel& by : moves_) {
            if (!step_free(at, by)) continue;
            const std::size_t there = world_.index({at.x + by.x, at.y + by.y, at.z + by.z});
            const VolumeCost cost = with_step(top.cost, by);
            if (closed[there] || (best[there] >= 0.0L && best[there] <= cost.value())) continue;
            best[there] = cost.value();
            heap.push({cost.value(), there, cost});
        }
    }
    return best;
}

}  // namespace fairlead::oracle
