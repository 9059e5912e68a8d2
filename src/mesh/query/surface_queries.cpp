#include <fairlead/mesh/surface.h>

#include <algorithm>
#include <cmath>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/search/any_angle.h"
#include "mesh/surface/flood.h"
#include "mesh/surface/nearest_wall.h"
#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"
#include "route/check_filter.h"

namespace fairlead {

using mesh::FloodWork;
using mesh::kNone;
using mesh::nearest_on;
using mesh::StateData;
using mesh::TileView;

namespace {

MeshPoint point_at(const StateData& state, std::uint32_t polygon, Vec2 p) {
    return {{polygon}, state.origin + Vec3{p.x, p.y, mesh::ground_at(state, polygon, p)}};
}

Vec2 local(const StateData& state, Vec2 world) { return world - ground(state.origin); }

// Beyond every mesh, and near enough for exact arithmetic.
constexpr double kFarthest = 8.0 * kMeshSpan;

// The same way, but no farther than out of every mesh.
Vec2 shortened(Vec2 from, Vec2 to) {
    const Vec2 way = to - from;
    const double far = std::max(std::fabs(way.x), std::fabs(way.y));
    return far > kFarthest ? from + way * (kFarthest / far) : to;
}

Result<void> check_length(double length, Field field) {
    if (std::isnan(length)) return Error{ErrorCode::not_finite, field};
    if (!(length >= 0.0)) return Error{ErrorCode::out_of_range, field};
    return {};
}

}  // namespace

MeshHit cast_ray(const NavMeshState& mesh, const MeshPoint& from, Vec2 to, const MeshFilter& filter) {
    FAIRLEAD_ASSERT(mesh.valid(from.polygon));
    const StateData& state = mesh.data();
    mesh::Walk walk{
        .from = local(state, ground(from.position)), .to = local(state, to), .polygon = from.polygon.value};
    walk.end = walk.from;
    walk.closed_areas = filter.areas.closed_mask();
    MeshHit out;
    if (!is_finite(to)) {
        out.hit = true;
        out.end = point_at(state, walk.polygon, walk.end);
        out.wall_a = out.wall_b = ground(from.position);
        return out;
    }
    walk.to = shortened(walk.from, walk.to);
    mesh::finish_walk(state, walk);
    out.hit = walk.wall != kNone;
    out.end = point_at(state, walk.polygon, walk.end);
    out.length = distance(walk.from, walk.end);
    if (out.hit) {
        out.wall_a = state.edge(walk.wall).from + ground(state.origin);
        out.wall_b = state.to(walk.wall) + ground(state.origin);
    }
    return out;
}

Result<MeshPoint> move_along(const NavMeshState& mesh, const MeshPoint& from, Vec2 to, Scratch& scratch,
                             const MeshFilter& filter) {
    FAIRLEAD_ASSERT(mesh.valid(from.polygon));
    if (!is_finite(to)) return Error{ErrorCode::not_finite, Field::to};
    const StateData& state = mesh.data();
    auto* const work = scratch.get<FloodWork>();
    if (work == nullptr) return kNoMemory;
    const Vec2 start = local(state, ground(from.position));
    const Vec2 goal = shortened(start, local(state, to));
    const Vec2 middle = (start + goal) * 0.5;
    const double reach = distance(start, goal) * 0.5 * (1.0 + 1e-9) + 1e-9;
    Vec2 best = start;
    double least = dot(goal - start, goal - start);
    std::uint32_t there = from.polygon.value;
    const auto wall = [&](mesh::EdgeRef edge, Vec2 a, Vec2 b) {
        const Vec2 p = nearest_on(a, b, goal);
        const double square = dot(p - goal, p - goal);
        if (square >= least) return;
        least = square;
        best = p;
        there = state.polygon_ref(edge);
    };
    if (!flood(state, from.polygon.value, middle, reach, filter.areas.closed_mask(), *work, wall))
        return kNoMemory;
    for (const std::uint32_t polygon : work->queue) {
        if (mesh::contains(state, polygon, goal)) return point_at(state, polygon, goal);
    }
    const mesh::SurfacePoint settled = mesh::settle_in(state, there, {best.x, best.y, 0.0});
    return point_at(state, there, settled.position);
}

Result<MeshWall> find_wall(const NavMeshState& mesh, const MeshPoint& from, double reach, Scratch& scratch,
                           const MeshFilter& filter) {
    FAIRLEAD_ASSERT(mesh.valid(from.polygon));
    const Result<void> checked = check_length(reach, Field::reach);
    if (!checked) return checked.error();
    const StateData& state = mesh.data();
    auto* const work = scratch.get<FloodWork>();
    if (work == nullptr) return kNoMemory;
    mesh::NearestWall near;
    const Vec2 at = local(state, ground(from.position));
    if (!mesh::find_nearest_wall(state, from.polygon.value, at, reach, filter.areas.closed_mask(), *work,
                                 near))
        return kNoMemory;
    if (near.wall == kNone) return MeshWall{.distance = reach};
    const Vec2 origin = ground(state.origin);
    return MeshWall{true, near.distance, near.point + origin, state.edge(near.wall).from + origin,
                    state.to(near.wall) + origin};
}

MeshPoint random_point(const NavMeshState& mesh, Rng& rng, const MeshFilter& filter) {
    const StateData& state = mesh.data();
    // Twice the area of a polygon, or nothing if it is closed.
    const auto area_of = [&](const TileView& view, std::uint32_t polygon) {
        if ((filter.areas.closed_mask() >> view.polygons[polygon].area() & 1U) != 0) return 0.0;
        const std::uint32_t first = view.polygons[polygon].first;
        double sum = 0.0;
        for (std::uint32_t e = first + 1; e + 1 < view.polygons[polygon + 1].first; ++e) {
            sum += cross(view.edges[e].from - view.edges[first].from,
                         view.edges[e + 1].from - view.edges[first].from);
        }
        return sum;
    };
    double total = 0.0;
    for (const std::uint32_t slot : state.order) {
        for (std::uint32_t i = 0; i < state.tiles[slot].tile->count.polygons; ++i)
            total += area_of(state.tiles[slot], i);
    }
    if (!(total > 0.0)) return {};
    double wanted = rng.between(0.0, total);
    std::uint32_t chosen = kNone;
    for (const std::uint32_t slot : state.order) {
        for (std::uint32_t i = 0; i < state.tiles[slot].tile->count.polygons && wanted >= 0.0; ++i) {
            const double area = area_of(state.tiles[slot], i);
            if (area > 0.0) chosen = state.ref(slot, i);
            wanted -= area;
        }
    }
    const TileView& view = state.tile_of(chosen);
    const std::uint32_t first = view.polygons[state.local(chosen)].first,
                        end = view.polygons[state.local(chosen) + 1].first;
    double rest = rng.between(0.0, area_of(view, state.local(chosen)));
    const Vec2 a = view.edges[first].from;
    std::uint32_t e = first + 1;
    for (; e + 2 < end; ++e) {
        rest -= cross(view.edges[e].from - a, view.edges[e + 1].from - a);
        if (rest < 0.0) break;
    }
    // Uniform on a triangle: fold the square.
    double s = rng.between(0.0, 1.0), t = rng.between(0.0, 1.0);
    if (s + t > 1.0) {
        s = 1.0 - s;
        t = 1.0 - t;
    }
    const Vec2 p = a + (view.edges[e].from - a) * s + (view.edges[e + 1].from - a) * t;
    const Vec3 at{p.x, p.y, mesh::ground_at(state, chosen, p)};
    const mesh::SurfacePoint settled = mesh::settle_in(state, chosen, at);
    return {{chosen}, state.origin + Vec3{settled.position.x, settled.position.y, settled.z}};
}

namespace {

/// A search over everything within reach.
struct WithinWork {
    explicit WithinWork(const Allocator& allocator)
        : space(allocator), open(allocator), nodes(allocator), met(allocator) {
        space.set_open(&open);
    }
    mesh::AnyAngleSpace space;
    HeapOpen open;
    mesh::ListedNodes nodes;
    HashedNodes met;

    Array<MeshDistance>* out = nullptr;
    double reach = 0.0;
    bool failed = false;

    static void note(std::uint32_t polygon, double far, void* user) {
        auto* const self = static_cast<WithinWork*>(user);
        bool added = false;
        if (far > self->reach) return;
        if (self->met.find_or_add(polygon, added) == kNoNode ||
            (added && !self->out->push_back({{polygon}, far}))) {
            self->failed = true;
        }
    }
};

}  // namespace

Result<void> find_within_into(const NavMeshState& mesh, const MeshPoint& from, double reach, Scratch& scratch,
                              Array<MeshDistance>& out, const MeshFilter& filter) {
    FAIRLEAD_ASSERT(mesh.valid(from.polygon));
    out.clear();
    const Result<void> checked = check_length(reach, Field::reach);
    if (!checked) return checked;
    auto* const work = scratch.get<WithinWork>();
    if (work == nullptr) return kNoMemory;
    work->met.reset();
    work->out = &out;
    work->reach = reach;
    work->failed = false;
    const StateData& state = mesh.data();
    const mesh::PathEnd start{local(state, ground(from.position)), from.polygon.value};
    mesh::LinkUse links{.closed = filter.links.closed_mask(), .factors = filter.links.factors};
    if (const Result<void> good = check_filter(filter.links, kLinkKindsMax, Field::links); !good)
        return good.error();
    if (!work->space.prepare_within(state, start, {&WithinWork::note, work}, filter.areas.closed_mask(),
                                    links))
        return kNoMemory;
    BestFirst<mesh::AnyAngleSpace, AStarKey, HeapOpen, mesh::ListedNodes> engine(work->space, work->open,
                                                                                 work->nodes);
    const double limit = reach * work->space.units();
    if (limit < 0x1p62) engine.set_cost_limit(static_cast<Cost>(limit) + 1);
    engine.begin();
    SearchProgress progress = SearchProgress::running;
    while (progress == SearchProgress::running) progress = engine.step(UINT64_MAX);
    if (work->failed || work->space.failed() || progress == SearchProgress::no_memory) {
        out.clear();
        return kNoMemory;
    }
    return {};
}

}  // namespace fairlead
