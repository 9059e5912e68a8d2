#include "mesh/nearest_wall.h"

#include <algorithm>

namespace fairlead::mesh {

bool find_nearest_wall(const StateData& state, std::uint32_t polygon, Vec2 at, double reach,
                       std::uint64_t closed_areas, FloodWork& work, NearestWall& out) {
    out = {.distance = reach};
    work.begin();
    work.nearest.clear();
    if (!work.nearest.push_back({0.0, polygon})) return false;
    // total order: what is equal in both is the same
    const auto later = [](const FloodStep& p, const FloodStep& q) {
        return p.distance != q.distance ? p.distance > q.distance : p.polygon > q.polygon;
    };
    while (!work.nearest.empty()) {
        std::pop_heap(work.nearest.begin(), work.nearest.end(), later);
        const FloodStep step = work.nearest.back();
        work.nearest.pop_back();
        if (step.distance >= out.distance) break;
        const std::size_t known = work.queue.size();
        if (!work.meet(step.polygon)) return false;
        if (work.queue.size() == known) continue;
        const TileView& view = state.tile_of(step.polygon);
        const std::uint32_t slot = step.polygon >> state.bits, local = state.local(step.polygon);
        for (std::uint32_t e = view.polygons[local].first; e < view.polygons[local + 1].first; ++e) {
            const MeshEdge& edge = view.edges[e];
            const Vec2 near = nearest_on(edge.from, view.tile->to(e), at);
            const double far = std::max(step.distance, distance(near, at));
            if (far >= out.distance) continue;
            if (state.is_shut(edge, closed_areas)) {
                out = {state.ref(slot, e), near, far};
                continue;
            }
            if (!work.nearest.push_back({far, state.polygon_ref(edge.twin)})) return false;
            std::push_heap(work.nearest.begin(), work.nearest.end(), later);
        }
    }
    return true;
}

}  // namespace fairlead::mesh
