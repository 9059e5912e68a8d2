#include <fairlead/mesh/repair.h>

#include <algorithm>
#include <cmath>

#include "mesh/search_run.h"
#include "mesh/walk.h"

namespace fairlead {

using mesh::kNone;
using mesh::StateData;

namespace {

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

bool leg_legal(const StateData& state, Vec3 from, Vec3 to, std::uint64_t closed, double height_slack,
               double slack) {
    const mesh::SurfacePoint start =
        mesh::nearest_point(state, from, {slack, height_slack, height_slack}, closed);
    const mesh::SurfacePoint end =
        mesh::nearest_point(state, to, {slack, height_slack, height_slack}, closed);
    if (start.polygon == kNone || end.polygon == kNone) return false;
    mesh::Walk walk{.from = snap(state, start.polygon, start.position, slack),
                    .to = snap(state, end.polygon, end.position, slack),
                    .polygon = start.polygon};
    walk.closed_areas = closed;
    mesh::finish_walk(state, walk);
    return walk.wall == kNone || grazes(state, walk, slack);
}

}  // namespace

Revalidation revalidate(const NavMeshState& mesh, const Route& route, const MeshFilter& filter,
                        double height_slack) {
    const StateData& state = mesh.data();
    const double slack = mesh::contact_slack(state);
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
