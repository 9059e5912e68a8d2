// Legs over the surface as it is now: straight ones are walked, round those of discs the surface is flooded as far as the disc reaches.
#include "mesh/query/leg_look.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fairlead/math/trig.h>

#include "mesh/data/plane.h"
#include "mesh/search/arc.h"
#include "mesh/search/corridor_space.h"
#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"
#include "route/mend.h"

namespace fairlead::mesh {

namespace {

constexpr int kCornersMax = 64;       ///< scratched by one leg
constexpr std::size_t kFanMax = 128;  ///< polygons around one point

// A position is known to rounding: on a corner within slack it is that corner.
Vec2 snap(const StateData& state, std::uint32_t polygon, Vec2 p, double slack) {
    const TileView& view = state.tile_of(polygon);
    const std::uint32_t at = state.local(polygon);
    for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
        if (distance(view.edges[e].from, p) <= slack) return view.edges[e].from;
    }
    return p;
}

// Is the rest of the way within slack of the wall where a walk ended, or nothing?
bool ends_there(const StateData& state, const Walk& walk, double slack) {
    if (distance(walk.end, walk.to) <= slack) return true;
    const Vec2 a = state.edge(walk.wall).from, b = state.to(walk.wall);
    return segment_distance(a, b, walk.to) <= slack;
}

// How far the rest of the way leads behind the wall at most.
double depth_behind(const StateData& state, const Walk& walk) {
    const Vec2 a = state.edge(walk.wall).from, b = state.to(walk.wall);
    return -cross(b - a, walk.to - a) / distance(a, b);
}

// From a vertex along one of the two walls that meet there, if the way lies on it within slack: the side at the wall's
// other end; kNone if it does not.
EdgeRef along_wall(const StateData& state, EdgeRef edge, Vec2 to, std::uint64_t closed, double slack) {
    const Vec2 at = state.edge(edge).from;
    EdgeRef out = edge;
    while (!state.is_shut(out, closed)) {
        out = state.next(state.edge(out).twin);
        if (out == edge) return kNone;
    }
    EdgeRef in = state.previous(edge);
    while (!state.is_shut(in, closed)) in = state.previous(state.edge(in).twin);
    for (const EdgeRef end : {state.next(out), in}) {
        const Vec2 far = state.edge(end).from;
        if (dot(to - at, far - at) > 0.0 && segment_distance(at, to, far) <= slack) return end;
    }
    return kNone;
}

// Straight from a point of the surface to another, but for what is within slack: the polygon where it ends, or kNone.
std::uint32_t walk_there(const StateData& state, const SurfacePoint& start, Vec2 to, std::uint64_t closed,
                         double slack) {
    Walk walk{.from = snap(state, start.polygon, start.position, slack), .to = to, .polygon = start.polygon};
    walk.closed_areas = closed;
    for (int corner = 0; corner < kCornersMax; ++corner) {
        finish_walk(state, walk);
        if (walk.wall == kNone || ends_there(state, walk, slack)) return walk.polygon;
        // A corner that it only scratches, or a wall that it runs along: on from the corner itself.
        const EdgeRef next = state.next(walk.wall);
        const auto is_scratched = [&](EdgeRef edge) {
            const Vec2 at = state.edge(edge).from;
            return distance(at, walk.end) <= slack || (dot(at - walk.end, walk.to - walk.end) > 0.0 &&
                                                       segment_distance(walk.from, walk.to, at) <= slack);
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
        EdgeRef on = at_start ? walk.wall : next;
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

// Are two polygons joined at a point, through sides within slack of it? Where walls meet in one vertex, polygons may
// only touch there, and nothing gets from one to the other.
bool joined_at(const StateData& state, std::uint32_t a, std::uint32_t b, Vec2 at, std::uint64_t closed,
               double slack) {
    std::array<std::uint32_t, kFanMax> met{a};
    std::size_t size = 1;
    for (std::size_t i = 0; i < size; ++i) {
        if (met[i] == b) return true;
        const TileView& view = state.tile_of(met[i]);
        const std::uint32_t local = state.local(met[i]);
        for (std::uint32_t e = view.polygons[local].first; e < view.polygons[local + 1].first; ++e) {
            const MeshEdge& edge = view.edges[e];
            if (segment_distance(edge.from, view.tile->to(e), at) > slack || state.is_shut(edge, closed))
                continue;
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
        const SurfacePoint end = nearest_point(state, goal, reach, closed);
        const SurfacePoint near = nearest_point(state, start, reach, closed);
        if (end.polygon != kNone && near.polygon != kNone) {
            to = snap(state, end.polygon, end.position, slack);
            walk_from(near);
            walked = near.polygon;
            const auto walk_on = [](const SurfacePoint& at, void* user) {
                LegWalker& self = *static_cast<LegWalker*>(user);
                if (at.polygon != self.walked) self.walk_from(at);
                return false;
            };
            (void)any_place(state, start, reach, closed, walk_on, this);
        }
        joint = next.size > 0 ? next : Joint{};
        return next.size > 0;
    }

  private:
    [[nodiscard]] bool among(const Joint& some, std::uint32_t polygon, Vec2 at) const {
        for (std::size_t i = 0; i < some.size; ++i) {
            if (joined_at(state, some.polygons[i], polygon, at, closed, slack)) return true;
        }
        return some.unknown;
    }
    void walk_from(const SurfacePoint& start) {
        if (next.size == next.polygons.size() || !among(joint, start.polygon, start.position)) return;
        const std::uint32_t end = walk_there(state, start, to, closed, slack);
        if (end != kNone && !among(next, end, to)) next.polygons[next.size++] = end;
    }
};

// The part of the link that leads from one place to the other; null: there is none.
const LinkPiece* piece_taken(const StateData& state, const LinkRecord& record, Vec3 from, Vec3 to,
                             double slack, double height_slack, const MeshFilter& filter) {
    const auto stands = [&](std::uint32_t polygon, Vec3 at) {
        const TileView& view = state.tile_of(polygon);
        if ((filter.areas.closed_mask() >> view.polygons[state.local(polygon)].area() & 1U) != 0)
            return false;
        const SurfacePoint there = settle_in(state, polygon, at);
        return distance(there.position, ground(at)) <= slack && std::fabs(there.z - at.z) <= height_slack;
    };
    for (std::uint32_t i = record.first; i < record.first + record.count; ++i) {
        const LinkPiece& piece = state.links.pieces[i];
        if (piece.against) continue;
        const Vec2 entry = entry_of(piece, ground(to));
        const Vec2 exit = nearest_on(piece.out[0], piece.out[1], ground(to));
        if (distance(entry, ground(from)) > slack || distance(exit, ground(to)) > slack) continue;
        if (stands(piece.polygon_in, from) && stands(piece.polygon_out, to)) return &piece;
    }
    return nullptr;
}

bool link_legal(const StateData& state, const Leg& leg, Vec3 from, Vec3 to, const MeshFilter& filter,
                double radius, double height_slack, double slack) {
    const LinkTable& table = state.links;
    const std::uint32_t place = table.find(leg.link_id);
    if (place == table.records.size()) return false;
    const LinkRecord& record = table.records[place];
    if (!filter.links.open(record.link.kind) || radius > record.link.radius_max) return false;
    return piece_taken(state, record, from, to, slack, height_slack, filter) != nullptr;
}

/// A disc on a leg.
struct DiscOnLeg {
    const StateData& state;
    FloodWork& work;
    double room = 0.0;
    double height_slack = 0.0;
    double slack = 0.0;
    std::uint64_t closed = 0;
    bool failed = false;

    // Is nothing shut within `room` of a line whose distance to sides `away` tells, and are its ends joined there? A wall of another
    // floor is reached only round the end of one that is too near.
    template <class Away>
    [[nodiscard]] bool fits(Vec3 from, Vec3 to, Away away) {
        const MeshReach reach{slack, height_slack, height_slack};
        const SurfacePoint start = nearest_point(state, from, reach, closed);
        const SurfacePoint end = nearest_point(state, to, reach, closed);
        if (start.polygon == kNone || end.polygon == kNone) return false;
        bool clear = true;
        const auto near = [&](Vec2 a, Vec2 b) { return away(a, b) <= room; };
        const auto wall = [&](EdgeRef, Vec2, Vec2) { clear = false; };
        if (!flood_where(state, start.polygon, closed, work, near, wall)) failed = true;
        return clear && !failed &&
               std::find(work.queue.begin(), work.queue.end(), end.polygon) != work.queue.end();
    }
    [[nodiscard]] bool fits_at(Vec3 at) {
        const Vec2 p = ground(at);
        return fits(at, at, [=](Vec2 a, Vec2 b) { return segment_distance(a, b, p); });
    }
    [[nodiscard]] bool fits(const Leg& leg, Vec3 from, Vec3 to) {
        const Vec2 p = ground(from), q = ground(to);
        if (leg.kind == LegKind::link) return fits_at(from) && fits_at(to);
        if (leg.curvature == 0.0)
            return fits(from, to, [=](Vec2 a, Vec2 b) { return segments_distance(p, q, a, b); });
        const Vec2 ahead = math::direction(leg.start.heading_rad);
        const Arc arc{.centre = p + Vec2{-ahead.y, ahead.x} * (1.0 / leg.curvature),
                      .from = p,
                      .to = q,
                      .side = leg.curvature > 0.0 ? 1.0 : -1.0,
                      .radius = 1.0 / std::fabs(leg.curvature)};
        return fits(from, to, [&](Vec2 a, Vec2 b) { return arc.away(a, b); });
    }
};

// Does the leg, or the disc about it, come near the box? Every point of an arc is within half its length of one of its ends.
bool comes_near(const Leg* leg, Vec3 a, Vec3 b, const Aabb& box, double reach) {
    if (leg != nullptr && leg->kind == LegKind::link) return true;
    if (!is_finite(a) || !is_finite(b)) return true;
    const double grow = reach + (leg != nullptr && leg->curvature != 0.0 ? 0.5 * leg->length : 0.0);
    const auto meets = [&](double p, double q, double low, double high) {
        return std::min(p, q) - grow <= high && std::max(p, q) + grow >= low;
    };
    return meets(a.x, b.x, box.low.x, box.high.x) && meets(a.y, b.y, box.low.y, box.high.y);
}

}  // namespace

LegLook::LegLook(const StateData& state, const MeshQuery& query, FloodWork& work)
    : state_(state),
      query_(query),
      work_(work),
      slack_(state.touching()),
      room_(query.agent.radius - state.agent_radius - slack_) {}

Revalidation LegLook::look(std::span<const Leg> legs, const Place& end, const Aabb* changed) {
    const std::uint64_t closed = query_.filter.areas.closed_mask();
    const bool wide = room_ > 0.0;
    LegWalker walker{state_, closed, kRouteHeightSlack, slack_};
    DiscOnLeg disc{state_, work_, room_, kRouteHeightSlack, slack_, closed};
    const double reach = std::max(query_.agent.radius, state_.agent_radius) + slack_;
    const auto legal = [&](const Leg& leg, Vec3 from, Vec3 to) {
        if (leg.kind == LegKind::link) {
            walker.forget();
            const double radius = wide ? query_.agent.radius : 0.0;
            if (!link_legal(state_, leg, from, to, query_.filter, radius, kRouteHeightSlack, slack_))
                return false;
            return !wide || disc.fits(leg, from, to);
        }
        return wide ? disc.fits(leg, from, to) : walker.legal(from, to);
    };
    Revalidation out;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& leg = legs[i];
        const Vec3 to = i + 1 < legs.size() ? legs[i + 1].start.position : end.position;
        if (leg.kind == LegKind::turn) continue;
        if (changed != nullptr && !comes_near(&leg, leg.start.position, to, *changed, reach)) {
            walker.forget();
            continue;
        }
        if (!legal(leg, leg.start.position - state_.origin, to - state_.origin)) note_bad(out, i, i);
    }
    failed_ = failed_ || disc.failed;
    return out;
}

Revalidation LegLook::look(const Route& route, const Aabb* changed) {
    if (!route.legs.empty()) return look(route.legs.span(), route.end, changed);
    Revalidation out;
    const Vec3 at = route.end.position;
    const double away = std::max(query_.agent.radius, state_.agent_radius) + slack_;
    if (leads_nowhere(route) || (changed != nullptr && !comes_near(nullptr, at, at, *changed, away)))
        return out;
    const std::uint64_t closed = query_.filter.areas.closed_mask();
    if (room_ > 0.0) {
        DiscOnLeg disc{state_, work_, room_, kRouteHeightSlack, slack_, closed};
        out.legal = disc.fits_at(at - state_.origin);
        failed_ = failed_ || disc.failed;
    } else {
        const MeshReach reach{slack_, kRouteHeightSlack, kRouteHeightSlack};
        out.legal = nearest_point(state_, at - state_.origin, reach, closed).polygon != kNone;
    }
    return out;
}

// Length times factor of what lies under a straight line; of an arc as of its chord, in proportion.
double LegLook::priced(const Leg& leg, Vec3 to) const {
    const KindFilter& areas = query_.filter.areas;
    if (areas.factors.empty()) return leg.length;
    const MeshReach near{slack_, kRouteHeightSlack, kRouteHeightSlack};
    const Vec3 from = leg.start.position - state_.origin, end = to - state_.origin;
    const SurfacePoint start = nearest_point(state_, from, near, areas.closed_mask());
    const double chord = distance(ground(from), ground(end));
    if (start.polygon == kNone || !(chord > 0.0)) return leg.length;
    Walk walk{.from = ground(from), .to = ground(end), .polygon = start.polygon};
    walk.end = walk.from;
    walk.closed_areas = areas.closed_mask();
    double sum = 0.0;
    for (bool more = true; more;) {
        const Vec2 before = walk.end;
        const TileView& view = state_.tile_of(walk.polygon);
        const double factor = areas.factor(view.polygons[state_.local(walk.polygon)].area());
        more = step_walk(state_, walk);
        sum += distance(before, walk.end) * factor;
    }
    return sum * (leg.length / chord);
}

double LegLook::line_cost(const Route& route) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Vec3 to = leg_end(route, i).position;
        if (leg.kind == LegKind::drive) sum += priced(leg, to);
        if (leg.kind != LegKind::link) continue;
        const LinkTable& table = state_.links;
        const std::uint32_t place = table.find(leg.link_id);
        if (place == table.records.size()) continue;
        const LinkPiece* const piece =
            piece_taken(state_, table.records[place], leg.start.position - state_.origin, to - state_.origin,
                        slack_, kRouteHeightSlack, query_.filter);
        if (piece != nullptr) sum += piece->cost * query_.filter.links.factor(piece->kind);
    }
    return sum;
}

}  // namespace fairlead::mesh
