#include <fairlead/mesh/repair.h>

#include <algorithm>
#include <cmath>

#include "mesh/flood.h"
#include "mesh/plane.h"
#include "mesh/search_run.h"
#include "mesh/surface.h"
#include "mesh/walk.h"

namespace fairlead {

using mesh::kNone;
using mesh::StateData;

namespace {

constexpr int kCornersMax = 64;  ///< scratched by one leg

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

double off_line(Vec2 a, Vec2 b, Vec2 p) { return distance(mesh::nearest_on(a, b, p), p); }

// From a vertex along one of the two walls that meet there, if the way lies on it within slack: the side at the wall's
// other end; kNone if it does not.
mesh::EdgeRef along_wall(const StateData& state, mesh::EdgeRef edge, Vec2 to, std::uint64_t closed,
                         double slack) {
    const Vec2 at = state.edge(edge).from;
    mesh::EdgeRef out = edge;
    while (!state.is_shut(out, closed)) {
        out = state.next(state.edge(out).twin);
        if (out == edge) return kNone;
    }
    mesh::EdgeRef in = state.previous(edge);
    while (!state.is_shut(in, closed)) in = state.previous(state.edge(in).twin);
    for (const mesh::EdgeRef end : {state.next(out), in}) {
        const Vec2 far = state.edge(end).from;
        if (dot(to - at, far - at) > 0.0 && off_line(at, to, far) <= slack) return end;
    }
    return kNone;
}

// Straight from a point of the surface to another, but for what is within slack.
bool leads_there(const StateData& state, const mesh::SurfacePoint& start, Vec2 to, std::uint64_t closed,
                 double slack) {
    mesh::Walk walk{
        .from = snap(state, start.polygon, start.position, slack), .to = to, .polygon = start.polygon};
    walk.closed_areas = closed;
    for (int corner = 0; corner < kCornersMax; ++corner) {
        mesh::finish_walk(state, walk);
        if (walk.wall == kNone || grazes(state, walk, slack)) return true;
        // A corner that it only scratches: on from the corner itself.
        const mesh::EdgeRef next = state.next(walk.wall);
        const bool at_start = distance(state.edge(walk.wall).from, walk.end) <= slack;
        if (!at_start && distance(state.edge(next).from, walk.end) > slack) return false;
        mesh::EdgeRef on = at_start ? walk.wall : next;
        if (state.edge(on).from == walk.from) {
            // It begins there and does not get away: then only along one of the walls.
            on = along_wall(state, on, walk.to, closed, slack);
            if (on == kNone) return false;
        }
        walk = {.from = state.edge(on).from, .to = walk.to, .polygon = state.polygon_ref(on)};
        walk.end = walk.from;
        walk.closed_areas = closed;
    }
    return false;
}

bool leg_legal(const StateData& state, Vec3 from, Vec3 to, std::uint64_t closed, double height_slack,
               double slack) {
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
        return leads_there(self.state, start, self.to, self.closed, self.slack);
    };
    const mesh::SurfacePoint start = mesh::nearest_point(state, from, reach, closed);
    if (start.polygon == kNone) return false;
    return gets_there(start, &leads) || mesh::any_place(state, from, reach, closed, gets_there, &leads);
}

// Is there a part of the link that leads from one place to the other?
bool link_legal(const StateData& state, const Leg& leg, Vec3 from, Vec3 to, const MeshFilter& filter,
                double height_slack, double slack) {
    const mesh::LinkTable& table = state.links;
    const std::uint32_t place = table.find(leg.link_id);
    if (place == table.records.size()) return false;
    const mesh::LinkRecord& record = table.records[place];
    const std::uint8_t kind = record.link.kind;
    if ((filter.closed_links >> kind & 1U) != 0) return false;
    if (kind < filter.link_costs.size() && filter.link_costs[kind] == 0.0) return false;
    const auto stands = [&](std::uint32_t polygon, Vec3 at) {
        const mesh::TileView& view = state.tile_of(polygon);
        if ((filter.closed_areas >> view.polygons[state.local(polygon)].area() & 1U) != 0) return false;
        const mesh::SurfacePoint there = mesh::settle_in(state, polygon, at);
        return distance(there.position, ground(at)) <= slack && std::fabs(there.z - at.z) <= height_slack;
    };
    for (std::uint32_t i = record.first; i < record.first + record.count; ++i) {
        const mesh::LinkPiece& piece = table.pieces[i];
        if (piece.against) continue;
        const Vec2 entry = mesh::entry_of(piece, ground(to));
        const Vec2 exit = mesh::nearest_on(piece.out[0], piece.out[1], ground(to));
        if (distance(entry, ground(from)) > slack || distance(exit, ground(to)) > slack) continue;
        if (stands(piece.polygon_in, from) && stands(piece.polygon_out, to)) return true;
    }
    return false;
}

}  // namespace

Revalidation revalidate(const NavMeshState& mesh, const Route& route, const MeshFilter& filter,
                        double height_slack) {
    const StateData& state = mesh.data();
    const double slack = mesh::contact_slack(state);
    Revalidation out;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind == LegKind::turn) continue;
        const Vec3 from = leg.start.position - state.origin, to = leg_end(route, i).position - state.origin;
        const bool legal = leg.kind == LegKind::link
                               ? link_legal(state, leg, from, to, filter, height_slack, slack)
                               : leg_legal(state, from, to, filter.closed_areas, height_slack, slack);
        if (legal) continue;
        out.legal = false;
        if (out.first_bad < 0) out.first_bad = static_cast<std::int64_t>(i);
        out.last_bad = static_cast<std::int64_t>(i);
    }
    return out;
}

}  // namespace fairlead
