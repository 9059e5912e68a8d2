// The triangulation while it is made: triangles of three half-edges, in slots of four so that no index needs a
// division. Vertex 0 is the point at infinity: beyond every edge of the hull lies a triangle with it, so that
// every half-edge has a twin.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

namespace fairlead::polygon {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffU;
inline constexpr Index kInfinity = 0;

struct Half {
    Index origin;
    Index twin;
};

/// The half-edges of triangle t are 4 t, 4 t + 1 and 4 t + 2.
FAIRLEAD_INLINE Index next_of(Index h) { return (h & 3U) == 2 ? h - 2 : h + 1; }
FAIRLEAD_INLINE Index previous_of(Index h) { return (h & 3U) == 0 ? h + 2 : h - 1; }

struct Mesh {
    explicit Mesh(const Allocator& a) : points(a), halves(a), chains(a), around(a) {}

    Array<Vec2> points;   ///< by vertex
    Array<Half> halves;   ///< by half-edge
    Array<Index> chains;  ///< by half-edge: the segments over it, kNone without
    Array<Index> around;  ///< by vertex: a half-edge that leaves it, kNone if none does

    [[nodiscard]] FAIRLEAD_INLINE Index from(Index h) const { return halves[h].origin; }
    [[nodiscard]] FAIRLEAD_INLINE Index to(Index h) const { return halves[next_of(h)].origin; }
    [[nodiscard]] FAIRLEAD_INLINE Index apex(Index h) const { return halves[previous_of(h)].origin; }
    [[nodiscard]] FAIRLEAD_INLINE Index twin(Index h) const { return halves[h].twin; }
    [[nodiscard]] FAIRLEAD_INLINE Vec2 point(Index vertex) const { return points[vertex]; }

    FAIRLEAD_INLINE void link(Index h, Index g) {
        halves[h].twin = g;
        halves[g].twin = h;
    }

    FAIRLEAD_INLINE void set_triangle(Index first, Index a, Index b, Index c) {
        halves[first].origin = a;
        halves[first + 1].origin = b;
        halves[first + 2].origin = c;
        around[a] = first;
        around[b] = first + 1;
        around[c] = first + 2;
    }

    void move_chain(Index to, Index from) { chains[to] = chains[from]; }
    void clear_chain(Index h) { chains[h] = kNone; }

    /// Room for the next two triangles; returns the first half-edge of the first, kNone without memory.
    [[nodiscard]] Index grow_two() {
        const std::size_t size = halves.size();
        if (!halves.resize_uninitialized(size + 8) || !chains.resize_uninitialized(size + 8)) return kNone;
        return static_cast<Index>(size);
    }
};

/// Turns the edge of h (a -> b, apex c) with its twin (apex d) into d -> c. Afterwards h is a -> d with apex c,
/// and the triangle of the old twin is b -> c, c -> d, d -> b, its first being that twin. Chains move only where
/// there are any.
template <bool kChains>
FAIRLEAD_INLINE void flip(Mesh& mesh, Index h) {
    const Index g = mesh.twin(h);
    const Index h1 = next_of(h), g1 = next_of(g);
    const Index a = mesh.from(h), b = mesh.from(g);
    const Index c = mesh.apex(h), d = mesh.apex(g);
    const Index beyond_h1 = mesh.twin(h1), beyond_g1 = mesh.twin(g1);
    mesh.halves[h1].origin = d;
    mesh.halves[g1].origin = c;
    mesh.link(h, beyond_g1);
    mesh.link(g, beyond_h1);
    mesh.link(h1, g1);
    mesh.around[a] = h;
    mesh.around[b] = g;
    if constexpr (kChains) {
        mesh.move_chain(h, g1);
        mesh.move_chain(g, h1);
        mesh.clear_chain(h1);
        mesh.clear_chain(g1);
    }
}

/// Splits the triangle of e0 by vertex p inside of it; n: two new triangles. The edges opposite to p are e0, n
/// and n + 4.
template <bool kChains>
FAIRLEAD_INLINE void split_triangle(Mesh& mesh, Index e0, Index p, Index n) {
    const Index e1 = next_of(e0), e2 = previous_of(e0), m = n + 4;
    const Index a = mesh.from(e0), b = mesh.from(e1), c = mesh.from(e2);
    const Index beyond_1 = mesh.twin(e1), beyond_2 = mesh.twin(e2);
    mesh.set_triangle(n, b, c, p);
    mesh.set_triangle(m, c, a, p);
    mesh.halves[e2].origin = p;
    mesh.around[p] = e2;
    mesh.around[a] = e0;
    mesh.around[b] = e1;
    mesh.link(n, beyond_1);
    mesh.link(m, beyond_2);
    mesh.link(e1, n + 2);
    mesh.link(n + 1, m + 2);
    mesh.link(m + 1, e2);
    if constexpr (kChains) {
        mesh.move_chain(n, e1);
        mesh.move_chain(m, e2);
        for (const Index h : {e1, e2, n + 1, n + 2, m + 1, m + 2}) mesh.clear_chain(h);
    }
}

/// Splits the edge of h (a -> b, apex c; twin g with apex d) and both its triangles by vertex p on it; n: two new
/// triangles. The edges opposite to p are previous(h), previous(g), n + 1 and n + 5. Both halves of the edge keep
/// its chain.
template <bool kChains>
FAIRLEAD_INLINE void split_edge(Mesh& mesh, Index h, Index p, Index n) {
    const Index g = mesh.twin(h), m = n + 4;
    const Index h1 = next_of(h), g1 = next_of(g);
    const Index a = mesh.from(h), b = mesh.from(g);
    const Index c = mesh.apex(h), d = mesh.apex(g);
    const Index beyond_h1 = mesh.twin(h1), beyond_g1 = mesh.twin(g1);
    mesh.set_triangle(n, p, b, c);
    mesh.set_triangle(m, p, a, d);
    mesh.halves[h1].origin = p;
    mesh.halves[g1].origin = p;
    mesh.around[a] = h;
    mesh.around[b] = g;
    mesh.link(h, m);
    mesh.link(g, n);
    mesh.link(n + 1, beyond_h1);
    mesh.link(m + 1, beyond_g1);
    mesh.link(h1, n + 2);
    mesh.link(g1, m + 2);
    if constexpr (kChains) {
        mesh.move_chain(n, h);
        mesh.move_chain(m, g);
        mesh.move_chain(n + 1, h1);
        mesh.move_chain(m + 1, g1);
        for (const Index e : {h1, g1, n + 2, m + 2}) mesh.clear_chain(e);
    }
}

}  // namespace fairlead::polygon
