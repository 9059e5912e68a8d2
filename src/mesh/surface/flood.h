// The polygons around a point: breadth first over the surface, through sides within reach.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>
#include <fairlead/search/open_list.h>

#include "mesh/data/plane.h"
#include "mesh/data/state.h"

namespace fairlead::mesh {

/// Polygons met, and what marks them.
struct FloodWork {
    explicit FloodWork(const Allocator& allocator) : queue(allocator), met(allocator), nearest(allocator) {}
    Array<std::uint32_t> queue;
    HashedNodes met;
    HeapOpen nearest;  ///< for nearest_wall.h

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

/// Over the sides that in_reach(a, b) lets through, as far as those where stops(polygon, side): wall(side, a, b) for every one of
/// these. False: out of memory.
template <class InReach, class Stops, class Wall>
[[nodiscard]] bool flood_until(const StateData& state, std::uint32_t first, FloodWork& work, InReach in_reach,
                               Stops stops, Wall wall) {
    work.begin();
    if (!work.meet(first)) return false;
    for (std::size_t i = 0; i < work.queue.size(); ++i) {
        const std::uint32_t polygon = work.queue[i];
        const TileView& view = state.tile_of(polygon);
        const std::uint32_t slot = polygon >> state.bits, at = state.local(polygon);
        for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
            const MeshEdge& edge = view.edges[e];
            const Vec2 b = view.tile->to(e);
            if (!in_reach(edge.from, b)) continue;
            if (stops(polygon, edge)) {
                wall(state.ref(slot, e), edge.from, b);
            } else if (!work.meet(state.polygon_ref(edge.twin))) {
                return false;
            }
        }
    }
    return true;
}

/// The same, as far as walls and closed areas.
template <class InReach, class Wall>
[[nodiscard]] bool flood_where(const StateData& state, std::uint32_t first, std::uint64_t closed_areas,
                               FloodWork& work, InReach in_reach, Wall wall) {
    const auto stops = [&](std::uint32_t, const MeshEdge& side) { return state.is_shut(side, closed_areas); };
    return flood_until(state, first, work, in_reach, stops, wall);
}

/// Over the sides within `reach` of a point.
template <class Wall>
[[nodiscard]] bool flood(const StateData& state, std::uint32_t first, Vec2 middle, double reach,
                         std::uint64_t closed_areas, FloodWork& work, Wall wall) {
    const auto in_reach = [=](Vec2 a, Vec2 b) {
        const Vec2 off = nearest_on(a, b, middle) - middle;
        return dot(off, off) <= reach * reach;
    };
    return flood_where(state, first, closed_areas, work, in_reach, wall);
}

}  // namespace fairlead::mesh
