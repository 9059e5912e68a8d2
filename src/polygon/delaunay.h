// Insertion of a point: walk to its triangle, split it, flip until every edge is Delaunay again.
#pragma once

#include "math/predicates.h"
#include "polygon/work.h"

namespace fairlead::polygon {

FAIRLEAD_INLINE double turn(const Mesh& mesh, Index a, Index b, Index c) {
    return math::detail::orient2d_inline(mesh.point(a), mesh.point(b), mesh.point(c));
}

FAIRLEAD_INLINE bool before(Vec2 p, Vec2 q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

/// Of the diagonals of the quadrilateral a d b c, is c-d the right one rather than a-b? Cocircular points: the
/// diagonal at the least point, as if every point were lowered, the least most (a "pulling" of the lifted points;
/// so the flips of a whole mesh never run in a circle and end in one and the same triangulation).
FAIRLEAD_INLINE bool other_diagonal(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const double side = math::detail::in_circle_inline(a, b, c, d);
    if (FAIRLEAD_LIKELY(side != 0.0)) return side > 0.0;
    const Vec2 ab = before(a, b) ? a : b;
    const Vec2 cd = before(c, d) ? c : d;
    return before(cd, ab);
}

/// Must the edge of h, whose apex p is a new and finite vertex, be flipped? A triangle at infinity is in the way of
/// p if p lies beyond its edge of the hull.
template <bool kChains>
FAIRLEAD_INLINE bool opposes(const Mesh& mesh, Index h, Index p) {
    if constexpr (kChains) {
        if (mesh.chains[h] != kNone) return false;
    }
    const Index a = mesh.from(h), b = mesh.to(h), d = mesh.apex(mesh.twin(h));
    if (FAIRLEAD_UNLIKELY(a == kInfinity)) return turn(mesh, d, b, p) > 0.0;
    if (FAIRLEAD_UNLIKELY(b == kInfinity)) return turn(mesh, a, d, p) > 0.0;
    if (FAIRLEAD_UNLIKELY(d == kInfinity)) return false;
    return other_diagonal(mesh.point(a), mesh.point(b), mesh.point(p), mesh.point(d));
}

/// Flips what opposes the new vertex p; h: an edge opposite to it. Walks once around p, edges that flips bring in
/// included: their ends stay neighbours of p.
template <bool kChains>
FAIRLEAD_INLINE void legalize_star(Mesh& mesh, Index h, Index p) {
    const Index first = mesh.from(h);
    do {
        while (opposes<kChains>(mesh, h, p)) flip<kChains>(mesh, h);
        h = next_of(mesh.twin(next_of(h)));
    } while (mesh.from(h) != first);
}

enum class Place : std::uint8_t { inside, on_edge, at_vertex };

struct Found {
    Index half;  ///< of the triangle; the edge; a half-edge that leaves the vertex. kNone: not found
    Place place;
};

/// Where in the triangle of h (a finite one) is p, which lies to the left of its three edges or on them?
FAIRLEAD_INLINE Found place_in(Index h, double at_h, double at_next, double at_previous) {
    if (FAIRLEAD_LIKELY(at_h != 0.0 && at_next != 0.0 && at_previous != 0.0)) return {h, Place::inside};
    const Index next = next_of(h), previous = previous_of(h);
    if (at_h == 0.0) {
        if (at_next == 0.0) return {next, Place::at_vertex};
        if (at_previous == 0.0) return {h, Place::at_vertex};
        return {h, Place::on_edge};
    }
    if (at_next == 0.0)
        return at_previous == 0.0 ? Found{previous, Place::at_vertex} : Found{next, Place::on_edge};
    return {previous, Place::on_edge};
}

/// Walks from the triangle of h towards p: always through an edge that has p strictly beyond it. A place in a
/// triangle at infinity is `inside`. Ends in a Delaunay triangulation (Devillers, Pion, Teillaud 2002); where
/// segments bend it, `steps` ends it.
inline Found walk_to(const Mesh& mesh, Vec2 p, Index h, std::size_t steps) {
    const auto side = [&](Index e) {
        return math::detail::orient2d_inline(mesh.point(mesh.from(e)), mesh.point(mesh.to(e)), p);
    };
    for (const Index e : {h, next_of(h), previous_of(h)}) {
        if (mesh.apex(e) == kInfinity) h = mesh.twin(e);
    }
    double at_h = side(h);
    if (at_h < 0.0) {
        h = mesh.twin(h);
        if (mesh.apex(h) == kInfinity) return {h, Place::inside};
        at_h = -at_h;
    }
    for (std::size_t step = 0; step < steps; ++step) {
        const Index next = next_of(h), previous = previous_of(h);
        const bool swap = (step & 1) != 0;
        const Index one = swap ? previous : next, two = swap ? next : previous;
        const double at_one = side(one);
        Index through = one;
        if (at_one >= 0.0) {
            const double at_two = side(two);
            if (at_two >= 0.0) return place_in(h, at_h, swap ? at_two : at_one, swap ? at_one : at_two);
            through = two;
            at_h = -at_two;
        } else {
            at_h = -at_one;
        }
        h = mesh.twin(through);
        if (mesh.apex(h) == kInfinity) return {h, Place::inside};
    }
    return {kNone, Place::inside};
}

/// Makes p (a vertex with its point set, in no triangle yet) part of the mesh at a place that is not a vertex.
/// False without memory.
template <bool kChains>
[[nodiscard]] FAIRLEAD_INLINE bool place_vertex(Mesh& mesh, Index p, Found found) {
    const Index n = mesh.grow_two();
    if (n == kNone) return false;
    if (FAIRLEAD_LIKELY(found.place == Place::inside)) {
        split_triangle<kChains>(mesh, found.half, p, n);
        legalize_star<kChains>(mesh, found.half, p);
    } else {
        const Index start = previous_of(found.half);
        split_edge<kChains>(mesh, found.half, p, n);
        legalize_star<kChains>(mesh, start, p);
    }
    return true;
}

/// The Delaunay triangulation of work.mesh.points, vertices 1 and up in the order of insertion. Fills work.alias.
/// `flat` says that there are no triangles. False without memory.
[[nodiscard]] bool make_delaunay(Work& work, bool& flat);

}  // namespace fairlead::polygon
