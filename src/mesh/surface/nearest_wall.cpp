#include "mesh/surface/nearest_wall.h"

#include <algorithm>
#include <cstring>

namespace fairlead::mesh {

namespace {

// The bits of numbers that are not negative are ordered as they are.
Cost key_of_distance(double distance) {
    Cost key = 0;
    std::memcpy(&key, &distance, sizeof key);
    return key;
}

double distance_of_key(Cost key) {
    double distance = 0.0;
    std::memcpy(&distance, &key, sizeof distance);
    return distance;
}

}  // namespace

bool find_nearest_wall(const StateData& state, std::uint32_t polygon, Vec2 at, double reach,
                       std::uint64_t closed_areas, FloodWork& work, NearestWall& out) {
    out = {.distance = reach};
    work.begin();
    work.nearest.reset();
    if (!work.nearest.push(0, 0, polygon)) return false;
    while (work.nearest.size() != 0) {
        const double passed = distance_of_key(work.nearest.floor());
        std::uint32_t here = kNone;
        (void)work.nearest.pop(here);
        if (passed >= out.distance) break;
        const std::size_t known = work.queue.size();
        if (!work.meet(here)) return false;
        if (work.queue.size() == known) continue;
        const TileView& view = state.tile_of(here);
        const std::uint32_t slot = here >> state.bits, local = state.local(here);
        for (std::uint32_t e = view.polygons[local].first; e < view.polygons[local + 1].first; ++e) {
            const MeshEdge& edge = view.edges[e];
            const Vec2 near = nearest_on(edge.from, view.tile->to(e), at);
            const double far = std::max(passed, distance(near, at));
            if (far >= out.distance) continue;
            if (state.is_shut(edge, closed_areas)) {
                out = {state.ref(slot, e), near, far};
                continue;
            }
            if (!work.nearest.push(key_of_distance(far), 0, state.polygon_ref(edge.twin))) return false;
        }
    }
    return true;
}

}  // namespace fairlead::mesh
