#include <fairlead/mesh/repair.h>

#include <algorithm>
#include <cmath>

#include "mesh/surface.h"
#include "mesh/walk.h"

namespace fairlead {

using mesh::kNone;
using mesh::StateData;

namespace {

double contact_slack(const StateData& state) {
    const Vec2 size = state.box.high - state.box.low;
    return 1e-9 * std::max({size.x, size.y, std::fabs(state.origin.x), std::fabs(state.origin.y)});
}

// A position is known to rounding: on a corner within slack it is that corner.
Vec2 snap(const StateData& state, std::uint32_t polygon, Vec2 p, double slack) {
    const mesh::TileView& view = state.tile_of(polygon);
    const std::uint32_t at = state.local(polygon);
    for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
        if (distance(view.edges[e].from, p) <= slack) return view.edges[e].from;
    }
    return p;
}

// Is the place where a walk ended within slack of its goal, or does it only graze the wall there?
bool grazes(const StateData& state, const mesh::Walk& walk, double slack) {
    if (distance(walk.end, walk.to) <= slack) return true;
    const Vec2 a = state.edge(walk.wall).from, b = state.to(walk.wall);
    // What is behind the wall: how far the rest of the way leads into it at most.
    const double depth = -cross(b - a, walk.to - a) / distance(a, b);
    return depth <= slack;
}

bool leg_legal(const StateData& state, Vec3 from, Vec3 to, std::uint64_t closed, double height_slack, double slack) {
    const MeshReach reach{slack, height_slack, height_slack};
    const mesh::SurfacePoint end = mesh::nearest_point(state, to, reach, closed);
    if (end.polygon == kNone) return false;
    struct Leads {
        const StateData& state;
        Vec2 to;
        std::uint64_t closed;
        double slack;
    } leads{state, snap(state, end.polygon, end.position, slack), closed, slack};
    const auto gets_there = [](const mesh::SurfacePoint& start, void* user) {
        const Leads& self = *static_cast<const Leads*>(user);
        mesh::Walk walk{.from = snap(self.state, start.polygon, start.position, self.slack),
                        .to = self.to,
                        .polygon = start.polygon};
        walk.closed_areas = self.closed;
        mesh::finish_walk(self.state, walk);
        return walk.wall == kNone || grazes(self.state, walk, self.slack);
    };
    const mesh::SurfacePoint start = mesh::nearest_point(state, from, reach, closed);
    if (start.polygon == kNone) return false;
    return gets_there(start, &leads) || mesh::any_place(state, from, reach, closed, gets_there, &leads);
}

}  // namespace

Revalidation revalidate(const NavMeshState& mesh, const Route& route, const MeshFilter& filter, double height_slack) {
    const StateData& state = mesh.data();
    const double slack = contact_slack(state);
    Revalidation out;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind != LegKind::drive) continue;
        const Vec3 from = leg.start.position - state.origin, to = leg_end(route, i).position - state.origin;
        if (leg_legal(state, from, to, filter.closed_areas, height_slack, slack)) continue;
        out.legal = false;
        if (out.first_bad < 0) out.first_bad = static_cast<std::int64_t>(i);
        out.last_bad = static_cast<std::int64_t>(i);
    }
    return out;
}

}  // namespace fairlead
