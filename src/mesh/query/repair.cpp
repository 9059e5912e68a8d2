#include <fairlead/mesh/repair.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/query/search_run.h"
#include "mesh/search/arc.h"
#include "mesh/surface/flood.h"
#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"
#include "route/leads_nowhere.h"

namespace fairlead {

using mesh::kNone;
using mesh::StateData;

namespace {

constexpr int kCornersMax = 64;       ///< scratched by one leg
constexpr std::size_t kFanMax = 128;  ///< polygons around one point

// A position is known to rounding: on a corner within slack it is that corner.
Vec2 snap(const StateData& state, std::uint32_t polygon, Vec2 p, double slack) {
    const mesh::TileView& view = state.tile_of(polygon);
    const std::uint32_t at = state.local(polygon);
    for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
        if (distance(view.edges[e].from, p) <= slack) return view.edges[e].from;
    }
    return p;
}

// Is the rest of the way within slack of the wall where a walk ended, or nothing?
bool ends_there(const StateData& state, const mesh::Walk& walk, double slack) {
    if (distance(walk.end, walk.to) <= slack) return true;
    const Vec2 a = state.edge(walk.wall).from, b = state.to(walk.wall);
    return distance(mesh::nearest_on(a, b, walk.to), walk.to) <= slack;
}

// How far the rest of the way leads behind the wall at most.
double depth_behind(const StateData& state, const mesh::Walk& walk) {
    const Vec2 a = state.edge(walk.wall).from, b = state.to(walk.wall);
    return -cross(b - a, walk.to - a) / distance(a, b);
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

// Straight from a point of the surface to another, but for what is within slack: the polygon where it ends, or kNone.
std::uint32_t walk_there(const StateData& state, const mesh::SurfacePoint& start, Vec2 to,
                         std::uint64_t closed, double slack) {
    mesh::Walk walk{
        .from = snap(state, start.polygon, start.position, slack), .to = to, .polygon = start.polygon};
    walk.closed_areas = closed;
    for (int corner = 0; corner < kCornersMax; ++corner) {
        mesh::finish_walk(state, walk);
        if (walk.wall == kNone || ends_there(state, walk, slack)) return walk.polygon;
        // A corner that it only scratches, or a wall that it runs along: on from the corner itself.
        const mesh::EdgeRef next = state.next(walk.wall);
        const auto is_scratched = [&](mesh::EdgeRef edge) {
            const Vec2 at = state.edge(edge).from;
            return distance(at, walk.end) <= slack || (dot(at - walk.end, walk.to - walk.end) > 0.0 &&
                                                       off_line(walk.from, walk.to, at) <= slack);
        };
        const bool at_start = is_scratched(walk.wall);
        if (!at_start && !is_scratched(next)) {
            // It leaves the wall again.
            if (depth_behind(state, walk) > slack || walk.end == walk.from) return kNone;
            walk = {.from = walk.end, .to = walk.to, .polygon = state.polygon_ref(walk.wall)};
            walk.end = walk.from;
            walk.closed_areas = closed;
            continue;
        }
        mesh::EdgeRef on = at_start ? walk.wall : next;
        if (state.edge(on).from == walk.from) {
            // It begins there and does not get away: then only along one of the walls.
            on = along_wall(state, on, walk.to, closed, slack);
            if (on == kNone) return kNone;
        }
        walk = {.from = state.edge(on).from, .to = walk.to, .polygon = state.polygon_ref(on)};
        walk.end = walk.from;
        walk.closed_areas = closed;
    }
    return kNone;
}

// Do two polygons hang together at a point, through sides within slack of it? Where walls meet in one vertex, polygons may
// only touch there, and nothing gets from one to the other.
bool hang_together(const StateData& state, std::uint32_t a, std::uint32_t b, Vec2 at, std::uint64_t closed,
                   double slack) {
    std::array<std::uint32_t, kFanMax> met{a};
    std::size_t size = 1;
    for (std::size_t i = 0; i < size; ++i) {
        if (met[i] == b) return true;
        const mesh::TileView& view = state.tile_of(met[i]);
        const std::uint32_t local = state.local(met[i]);
        for (std::uint32_t e = view.polygons[local].first; e < view.polygons[local + 1].first; ++e) {
            const mesh::MeshEdge& edge = view.edges[e];
            if (off_line(edge.from, view.tile->to(e), at) > slack || state.is_shut(edge, closed)) continue;
            const std::uint32_t next = state.polygon_ref(edge.twin);
            const auto end = met.begin() + static_cast<std::ptrdiff_t>(size);
            if (size < kFanMax && std::find(met.begin(), end, next) == end) met[size++] = next;
        }
    }
    return false;
}

/// Where the legs so far may have ended: polygons around the place between two legs, one for each part of the surface there.
struct Joint {
    std::array<std::uint32_t, 8> polygons{};
    std::size_t size = 0;
    bool unknown = true;  ///< nothing is known of it: before the first leg, after a link or a bad leg
};

/// Walks straight legs one after the other.
struct LegWalker {
    const StateData& state;
    std::uint64_t closed = 0;
    double height_slack = 0.0;
    double slack = 0.0;
    Joint joint{};
    Joint next{};
    Vec2 to{};
    std::uint32_t walked = kNone;  ///< from there first

    void forget() { joint = {}; }

    [[nodiscard]] bool legal(Vec3 start, Vec3 goal) {
        next = {.unknown = false};
        const MeshReach reach{slack, height_slack, height_slack};
        const mesh::SurfacePoint end = mesh::nearest_point(state, goal, reach, closed);
        const mesh::SurfacePoint near = mesh::nearest_point(state, start, reach, closed);
        if (end.polygon != kNone && near.polygon != kNone) {
            to = snap(state, end.polygon, end.position, slack);
            walk_from(near);
            walked = near.polygon;
            const auto walk_on = [](const mesh::SurfacePoint& at, void* user) {
                LegWalker& self = *static_cast<LegWalker*>(user);
                if (at.polygon != self.walked) self.walk_from(at);
                return false;
            };
            (void)mesh::any_place(state, start, reach, closed, walk_on, this);
        }
        joint = next.size > 0 ? next : Joint{};
        return next.size > 0;
    }

  private:
    [[nodiscard]] bool among(const Joint& some, std::uint32_t polygon, Vec2 at) const {
        for (std::size_t i = 0; i < some.size; ++i) {
            if (hang_together(state, some.polygons[i], polygon, at, closed, slack)) return true;
        }
        return some.unknown;
    }
    void walk_from(const mesh::SurfacePoint& start) {
        if (next.size == next.polygons.size() || !among(joint, start.polygon, start.position)) return;
        const std::uint32_t end = walk_there(state, start, to, closed, slack);
        if (end != kNone && !among(next, end, to)) next.polygons[next.size++] = end;
    }
};

// Is there a part of the link that leads from one place to the other?
bool link_legal(const StateData& state, const Leg& leg, Vec3 from, Vec3 to, const MeshFilter& filter,
                double radius, double height_slack, double slack) {
    const mesh::LinkTable& table = state.links;
    const std::uint32_t place = table.find(leg.link_id);
    if (place == table.records.size()) return false;
    const mesh::LinkRecord& record = table.records[place];
    const std::uint8_t kind = record.link.kind;
    if (!filter.links.open(kind) || radius > record.link.radius_max) return false;
    const auto stands = [&](std::uint32_t polygon, Vec3 at) {
        const mesh::TileView& view = state.tile_of(polygon);
        if ((filter.areas.closed_mask() >> view.polygons[state.local(polygon)].area() & 1U) != 0)
            return false;
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

/// A disc on a leg.
struct DiscOnLeg {
    const StateData& state;
    mesh::FloodWork& work;
    double room = 0.0;
    double height_slack = 0.0;
    double slack = 0.0;
    std::uint64_t closed = 0;
    bool failed = false;

    // Is nothing shut within `room` of a line that the distance to sides is told of, and do its ends hang together there? If
    // a wall of another floor is come to, then round the end of one that is too near.
    template <class Away>
    [[nodiscard]] bool fits(Vec3 from, Vec3 to, Away away) {
        const MeshReach reach{slack, height_slack, height_slack};
        const mesh::SurfacePoint start = mesh::nearest_point(state, from, reach, closed);
        const mesh::SurfacePoint end = mesh::nearest_point(state, to, reach, closed);
        if (start.polygon == kNone || end.polygon == kNone) return false;
        bool clear = true;
        const auto near = [&](Vec2 a, Vec2 b) { return away(a, b) <= room; };
        const auto wall = [&](mesh::EdgeRef, Vec2, Vec2) { clear = false; };
        if (!mesh::flood_where(state, start.polygon, closed, work, near, wall)) failed = true;
        return clear && !failed &&
               std::find(work.queue.begin(), work.queue.end(), end.polygon) != work.queue.end();
    }
    [[nodiscard]] bool fits_at(Vec3 at) {
        const Vec2 p = ground(at);
        return fits(at, at, [=](Vec2 a, Vec2 b) { return mesh::segment_distance(a, b, p); });
    }
    [[nodiscard]] bool fits(const Leg& leg, Vec3 from, Vec3 to) {
        const Vec2 p = ground(from), q = ground(to);
        if (leg.kind == LegKind::link) return fits_at(from) && fits_at(to);
        if (leg.curvature == 0.0)
            return fits(from, to, [=](Vec2 a, Vec2 b) { return mesh::between_segments(p, q, a, b); });
        const Vec2 ahead = math::direction(leg.start.heading_rad);
        const mesh::Arc arc{.centre = p + Vec2{-ahead.y, ahead.x} * (1.0 / leg.curvature),
                            .from = p,
                            .to = q,
                            .side = leg.curvature > 0.0 ? 1.0 : -1.0,
                            .radius = 1.0 / std::fabs(leg.curvature)};
        return fits(from, to, [&](Vec2 a, Vec2 b) { return arc.away(a, b); });
    }
};

bool stands(const StateData& state, Vec3 at, std::uint64_t closed, double height_slack, double slack) {
    return mesh::nearest_point(state, at, {slack, height_slack, height_slack}, closed).polygon != kNone;
}

// `stand`: may the unit stand where a route without legs ends?
template <class Legal, class Stand>
Revalidation look_at_legs(const StateData& state, const Route& route, Legal legal, Stand stand) {
    Revalidation out;
    if (route.legs.empty()) {
        out.legal = leads_nowhere(route) || stand(route.end.position - state.origin);
        return out;
    }
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind == LegKind::turn) continue;
        const Vec3 from = leg.start.position - state.origin, to = leg_end(route, i).position - state.origin;
        if (legal(leg, from, to)) continue;
        out.legal = false;
        if (out.first_bad < 0) out.first_bad = static_cast<std::int64_t>(i);
        out.last_bad = static_cast<std::int64_t>(i);
    }
    return out;
}

}  // namespace

Revalidation revalidate(const NavMeshState& mesh, const Route& route, const MeshFilter& filter,
                        double height_slack) {
    const StateData& state = mesh.data();
    const double slack = state.touching();
    const std::uint64_t closed = filter.areas.closed_mask();
    LegWalker walker{state, closed, height_slack, slack};
    const auto legal = [&](const Leg& leg, Vec3 from, Vec3 to) {
        if (leg.kind != LegKind::link) return walker.legal(from, to);
        walker.forget();
        return link_legal(state, leg, from, to, filter, 0.0, height_slack, slack);
    };
    const auto stand = [&](Vec3 at) { return stands(state, at, closed, height_slack, slack); };
    return look_at_legs(state, route, legal, stand);
}

Result<Revalidation> revalidate(const NavMeshState& mesh, const Route& route, const MeshQuery& query,
                                Scratch& scratch, double height_slack) {
    const StateData& state = mesh.data();
    const double slack = state.touching();
    const double room = query.agent.radius - state.agent_radius - slack;
    if (!(room > 0.0)) return revalidate(mesh, route, query.filter, height_slack);
    auto* const work = scratch.get<mesh::FloodWork>();
    if (work == nullptr) return kNoMemory;
    DiscOnLeg disc{state, *work, room, height_slack, slack, query.filter.areas.closed_mask()};
    const auto legal = [&](const Leg& leg, Vec3 from, Vec3 to) {
        return (leg.kind != LegKind::link ||
                link_legal(state, leg, from, to, query.filter, query.agent.radius, height_slack, slack)) &&
               disc.fits(leg, from, to);
    };
    const auto stand = [&](Vec3 at) { return disc.fits_at(at); };
    const Revalidation out = look_at_legs(state, route, legal, stand);
    if (disc.failed) return kNoMemory;
    return out;
}

}  // namespace fairlead
