// Open edges by sorting: corners by place, so that those at one place get one number, then edges by their two numbers.

#include "volume_bake/open_edges.h"

#include <algorithm>

#include "base/no_memory.h"
#include "raster/voxel_lattice.h"

namespace fairlead::bake {

namespace {

struct Edge {
    std::uint32_t a, b;  ///< numbers of places, a < b
    std::uint32_t side;  ///< three times the triangle, and which of its edges
};

bool same_place(const std::int32_t* a, const std::int32_t* b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// For each point the number of the first at its place.
[[nodiscard]] bool number_places(const Array<raster::LatticePoint>& points, Array<std::uint32_t>& order,
                                 Array<std::uint32_t>& places) {
    if (!order.resize_uninitialized(points.size()) || !places.resize_uninitialized(points.size()))
        return false;
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    const auto before = [&points](std::uint32_t i, std::uint32_t j) {
        const std::int32_t* const a = points[i].at;
        const std::int32_t* const b = points[j].at;
        for (int k = 0; k < 3; ++k) {
            if (a[k] != b[k]) return a[k] < b[k];
        }
        return i < j;
    };
    std::sort(order.begin(), order.end(), before);  // total order: by number at last
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && same_place(points[order[i - 1]].at, points[order[i]].at);
        places[order[i]] = same ? places[order[i - 1]] : order[i];
    }
    return true;
}

[[nodiscard]] bool list_edges(const raster::LatticeSoup& soup, const Array<std::uint32_t>& places,
                              Array<Edge>& edges) {
    if (!edges.reserve(3 * soup.triangles)) return false;
    for (std::size_t i = 0; i < soup.triangles; ++i) {
        if (!soup.has_corners(i)) continue;
        const raster::LatticeTriangle t = soup.triangle(i);
        if ((t.a.at[3] | t.b.at[3] | t.c.at[3]) != 0) continue;
        const std::uint32_t* const corners = soup.corners + 3 * i;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = places[corners[k]];
            const std::uint32_t b = places[corners[(k + 1) % 3]];
            if (a == b) continue;
            if (!edges.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(3 * i + k)}))
                return false;
        }
    }
    return true;
}

}  // namespace

Result<OpenEdges> find_open_edges(const TriangleSoup& soup, const VoxelFrame& frame,
                                  const Allocator& allocator) {
    const Result<raster::LatticeSoup> lattice = raster::to_lattice(soup, frame, {}, allocator);
    if (!lattice) return lattice.error();
    Array<std::uint32_t> order(allocator), places(allocator);
    Array<Edge> edges(allocator);
    if (!number_places(lattice->points, order, places) || !list_edges(*lattice, places, edges))
        return kNoMemory;
    const auto before = [](const Edge& a, const Edge& b) {
        if (a.a != b.a) return a.a < b.a;
        return a.b != b.b ? a.b < b.b : a.side < b.side;
    };
    std::sort(edges.begin(), edges.end(), before);  // total order: no side is there twice
    OpenEdges out;
    std::uint32_t first = UINT32_MAX;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i + 1;
        while (end < edges.size() && edges[end].a == edges[i].a && edges[end].b == edges[i].b) ++end;
        if ((end - i) % 2 != 0) {
            ++out.count;
            first = std::min(first, edges[i].side);
        }
        i = end;
    }
    if (out.count == 0) return out;
    const std::uint32_t triangle = first / 3, side = first % 3;
    const Vec3 a = soup.vertices[soup.triangles[3 * triangle + side]];
    const Vec3 b = soup.vertices[soup.triangles[3 * triangle + (side + 1) % 3]];
    out.place = (a + b) * 0.5;
    return out;
}

}  // namespace fairlead::bake
