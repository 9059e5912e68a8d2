// The polygons around a point: breadth first over the surface, through sides within reach.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

#include "mesh/state.h"

namespace fairlead::mesh {

/// Polygons met, and what marks them.
struct FloodWork {
    explicit FloodWork(const Allocator& allocator) : queue(allocator), met(allocator) {}
    Array<std::uint32_t> queue;
    HashedNodes met;

    void begin() {
        queue.clear();
        met.reset();
    }
    /// False: out of memory.
    [[nodiscard]] bool meet(std::uint32_t polygon) {
        bool added = false;
        if (met.find_or_add(polygon, added) == kNoNode) return false;
        return !added || queue.push_back(polygon);
    }
};

[[nodiscard]] inline Vec2 nearest_on(Vec2 a, Vec2 b, Vec2 p) {
    const Vec2 d = b - a;
    const double square = dot(d, d);
    const double t = square > 0.0 ? dot(p - a, d) / square : 0.0;
    return t <= 0.0 ? a : t >= 1.0 ? b : a + d * t;
}

/// Is it a wall, or a closed area beyond?
[[nodiscard]] inline bool is_shut(const StateData& state, const MeshEdge& edge, std::uint64_t closed_areas) {
    if (edge.twin == kNone) return true;
    const std::uint32_t polygon = state.polygon_ref(edge.twin);
    return (closed_areas >> state.tile_of(polygon).polygons[state.local(polygon)].area() & 1U) != 0;
}

/// wall(polygon, a, b, nearest point) for every wall within reach of `middle`. False: out of memory.
template <class Wall>
[[nodiscard]] bool flood(const StateData& state, std::uint32_t first, Vec2 middle, double reach,
                         std::uint64_t closed_areas, FloodWork& work, Wall wall) {
    work.begin();
    if (!work.meet(first)) return false;
    for (std::size_t i = 0; i < work.queue.size(); ++i) {
        const std::uint32_t polygon = work.queue[i];
        const TileView& view = state.tile_of(polygon);
        const std::uint32_t at = state.local(polygon);
        for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
            const MeshEdge& edge = view.edges[e];
            const Vec2 b = view.tile->to(e);
            const Vec2 near = nearest_on(edge.from, b, middle);
            if (dot(near - middle, near - middle) > reach * reach) continue;
            if (is_shut(state, edge, closed_areas)) {
                wall(polygon, edge.from, b, near);
            } else if (!work.meet(state.polygon_ref(edge.twin))) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace fairlead::mesh
