// The Delaunay triangulation of points: incremental insertion (Charles L. Lawson 1977; Leonidas Guibas and Jorge
// Stolfi 1985 for the walk), with a vertex at infinity as in CGAL, so that points beyond the hull are no special case.
#include "polygon/delaunay.h"

#include <algorithm>

namespace fairlead::polygon {
namespace {

/// Three vertices that are not on a line: the first, the next of another value, the next off their line.
struct Corners {
    Index a = 1, b = kNone, c = kNone;
    double turn = 0.0;
};

Corners first_corners(const Mesh& mesh) {
    const auto count = static_cast<Index>(mesh.points.size());
    Corners corners;
    for (Index v = 2; v < count; ++v) {
        if (corners.b == kNone) {
            if (mesh.point(v) != mesh.point(1)) corners.b = v;
            continue;
        }
        corners.turn = turn(mesh, corners.a, corners.b, v);
        if (corners.turn != 0.0) {
            corners.c = v;
            return corners;
        }
    }
    return corners;
}

/// One triangle, and three beyond its edges.
bool first_triangle(Mesh& mesh, const Corners& corners) {
    const bool left = corners.turn > 0.0;
    const Index a = corners.a, b = left ? corners.b : corners.c, c = left ? corners.c : corners.b;
    if (mesh.grow_two() == kNone || mesh.grow_two() == kNone) return false;
    mesh.set_triangle(4, b, a, kInfinity);
    mesh.set_triangle(8, c, b, kInfinity);
    mesh.set_triangle(12, a, c, kInfinity);
    mesh.set_triangle(0, a, b, c);
    mesh.link(0, 4);
    mesh.link(1, 8);
    mesh.link(2, 12);
    mesh.link(5, 14);
    mesh.link(9, 6);
    mesh.link(13, 10);
    return true;
}

/// Equal values are one vertex although there is no triangle to find them with.
bool merge_flat(Work& work) {
    const auto count = static_cast<Index>(work.mesh.points.size());
    if (!work.renamed.resize_uninitialized(count - 1)) return false;
    for (Index v = 1; v < count; ++v) work.renamed[v - 1] = v;
    const Mesh& mesh = work.mesh;
    const auto by_place = [&mesh](Index u, Index v) {
        const Vec2 p = mesh.point(u), q = mesh.point(v);
        return before(p, q) || (p == q && u < v);
    };
    std::sort(work.renamed.begin(), work.renamed.end(), by_place);  // total order: equal points by vertex
    for (Index i = 0; i < count - 1; ++i) {
        const Index v = work.renamed[i];
        const bool again = i > 0 && mesh.point(v) == mesh.point(work.renamed[i - 1]);
        work.alias[v] = again ? work.alias[work.renamed[i - 1]] : v;
        work.vertices_real += again ? 0 : 1;
    }
    return true;
}

}  // namespace

bool make_delaunay(Work& work, bool& flat) {
    Mesh& mesh = work.mesh;
    const auto count = static_cast<Index>(mesh.points.size());
    mesh.halves.clear();
    mesh.chains.clear();
    work.vertices_real = 0;
    flat = true;
    if (!mesh.around.resize_uninitialized(count) || !work.alias.resize_uninitialized(count)) return false;
    for (Index v = 0; v < count; ++v) {
        mesh.around[v] = kNone;
        work.alias[v] = v;
    }
    if (count <= 1) return true;
    const Corners corners = first_corners(mesh);
    if (corners.c == kNone) return merge_flat(work);
    flat = false;
    const std::size_t room = std::size_t{8} * (count + 2);
    if (!mesh.halves.reserve(room) || !mesh.chains.reserve(room)) return false;
    if (!first_triangle(mesh, corners)) return false;
    work.vertices_real = 3;
    Index hint = 0;
    for (Index v = 2; v < count; ++v) {
        if (v == corners.b || v == corners.c) continue;
        const Found found = walk_to(mesh, mesh.point(v), hint, ~std::size_t{0});
        if (found.place == Place::at_vertex) {
            work.alias[v] = mesh.from(found.half);
            continue;
        }
        if (!place_vertex<false>(mesh, v, found)) return false;
        ++work.vertices_real;
        hint = mesh.around[v];
    }
    std::fill(mesh.chains.begin(), mesh.chains.end(), kNone);
    return true;
}

}  // namespace fairlead::polygon
