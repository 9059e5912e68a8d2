#include "mesh/surface/walk.h"

#include "mesh/data/plane.h"

namespace fairlead::mesh {

namespace {

// Does the way from the start of `edge` to `to` begin inside the polygon of the edge, or along one of its two sides there?
bool leads_into(const StateData& state, EdgeRef edge, Vec2 to) {
    const Vec2 at = state.edge(edge).from;
    const Vec2 after = state.to(edge), before = state.edge(state.previous(edge)).from;
    const double right = side_of(at, after, to), left = side_of(at, before, to);
    if (right < 0.0 || left > 0.0) return false;
    // On the line of one side: ahead, not behind.
    if (right == 0.0 && dot(after - at, to - at) < 0.0) return side_of(at, after, before) == 0.0;
    if (left == 0.0 && dot(before - at, to - at) < 0.0) return side_of(at, after, before) == 0.0;
    return true;
}

// The side that starts at the same vertex, of the polygon around it that the walk goes on in; kNone: none does.
EdgeRef turn_round(const StateData& state, EdgeRef start, const Walk& walk) {
    for (EdgeRef edge = start;;) {
        if (leads_into(state, edge, walk.to)) return edge;
        const EdgeRef before = state.previous(edge);
        if (state.is_shut(before, walk.closed_areas)) break;
        edge = state.edge(before).twin;
        if (edge == start) return kNone;
    }
    for (EdgeRef edge = start; !state.is_shut(edge, walk.closed_areas);) {
        edge = state.next(state.edge(edge).twin);
        if (edge == start) return kNone;
        if (leads_into(state, edge, walk.to)) return edge;
    }
    return kNone;
}

Vec2 crossing(Vec2 a, Vec2 b, Vec2 from, Vec2 to) {
    const Vec2 d = to - from;
    const double at_a = cross(d, a - from), at_b = cross(d, b - from);
    // Along the side, as far as rounding can tell: it is crossed somewhere, at the latest opposite `to`.
    const Vec2 side = b - a;
    const double t = at_a != at_b ? at_a / (at_a - at_b) : dot(to - a, side) / dot(side, side);
    return a + (b - a) * (t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t);
}

void hit(Walk& walk, EdgeRef wall) {
    walk.wall = wall;
    walk.done = true;
}

}  // namespace

// The side to leave by has its start on the right of the line or on it, its end on the left or on it, and `to` beyond.
bool step_walk(const StateData& state, Walk& walk) {
    if (walk.done) return false;
    const TileView& view = state.tile_of(walk.polygon);
    const std::uint32_t slot = walk.polygon >> state.bits;
    const std::uint32_t polygon = state.local(walk.polygon);
    const std::uint32_t first = view.polygons[polygon].first, end = view.polygons[polygon + 1].first;
    std::uint32_t exit = kNone;
    for (std::uint32_t e = first; e < end && exit == kNone; ++e) {
        if (state.ref(slot, e) == walk.entry) continue;
        const Vec2 a = view.edges[e].from, b = view.edges[e + 1 < end ? e + 1 : first].from;
        if (side_of(a, b, walk.to) >= 0.0) continue;
        if (side_of(walk.from, walk.to, a) <= 0.0 && side_of(walk.from, walk.to, b) >= 0.0) exit = e;
    }
    if (exit == kNone) {
        walk.end = walk.to;
        walk.done = true;
        return false;
    }
    const Vec2 a = view.edges[exit].from;
    const std::uint32_t after = exit + 1 < end ? exit + 1 : first;
    const Vec2 b = view.edges[after].from;
    const EdgeRef edge = state.ref(slot, exit);
    const bool at_a = side_of(walk.from, walk.to, a) == 0.0, at_b = side_of(walk.from, walk.to, b) == 0.0;
    if (!at_a && !at_b) {
        walk.end = crossing(a, b, walk.from, walk.to);
        if (state.is_shut(edge, walk.closed_areas)) {
            hit(walk, edge);
            return false;
        }
        walk.entry = view.edges[exit].twin;
        walk.polygon = state.polygon_ref(walk.entry);
        return true;
    }
    // Over a vertex. (Both ends on the line would put `to` on the line of the side, not beyond it.)
    walk.end = at_a ? a : b;
    const EdgeRef onward = turn_round(state, at_a ? edge : state.ref(slot, after), walk);
    const std::uint32_t there = onward == kNone ? kNone : state.polygon_ref(onward);
    if (there == kNone || there == walk.polygon) {
        hit(walk, edge);
        return false;
    }
    walk.polygon = there;
    walk.entry = kNone;
    return true;
}

void finish_walk(const StateData& state, Walk& walk) {
    while (step_walk(state, walk)) {
    }
}

}  // namespace fairlead::mesh
