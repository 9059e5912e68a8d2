// Merges the triangles of each region into convex polygons: the polygons of a navigation mesh.
//
//     Result<void> done = merge_convex_into(*town, region, {.drop_straight = true}, scratch, polygons);
//
// Promises.
// - Every polygon is convex: no corner turns right (exact orient2d). A corner may be straight where a neighbour has a
//   vertex. Corners are in counter-clockwise order, the polygons of a region cover its triangles and nothing else.
// - No polygon holds an edge whose label has a bit of `keep_labels`, or triangles of two regions.
// - No two polygons could still be merged (corners_max aside), so there are at most four times as many as the best
//   partition has (Hertel, Mehlhorn 1983). Measured on rooms with boxes, discs and blobs: 1.3 to 2.4 times a bound
//   that no partition can beat and few reach (half the corners where the border turns in). Edges are left out longest
//   first, which gives as few pieces as any order tried and the roundest.
// - The same input gives the same bytes; edges of one length are ordered by their place in the triangulation.
//
// Cost: n log n; 0.04 us a triangle of 100, 0.17 us of 1e5. A call with warm scratch and output allocates nothing.
//
// Source: Stefan Hertel, Kurt Mehlhorn (1983), "Fast triangulation of simple polygons".
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/polygon/regions.h>
#include <fairlead/polygon/triangulate.h>

namespace fairlead {

inline constexpr std::uint32_t kNoPolygon = 0xffffffffU;

struct MergeOptions {
    std::uint32_t keep_labels = 0;  ///< edges with one of these label bits stay edges
    std::uint32_t corners_max =
        0;  ///< most corners of a polygon, straight ones included; 0: any number, else >= 3
    /// Leaves out vertices that only make straight corners: those on one straight line between two polygons (or a
    /// polygon and what is in no region) where the edges on both sides have the same label.
    bool drop_straight = false;
};

/// Polygon i has sizes[i] corners; those of all polygons stand one after the other.
struct ConvexPolygons {
    ConvexPolygons() = default;
    explicit ConvexPolygons(const Allocator& allocator)
        : sizes(allocator),
          regions(allocator),
          areas(allocator),
          corners(allocator),
          across(allocator),
          labels(allocator),
          halves(allocator) {}

    Array<std::uint32_t> sizes;    ///< by polygon
    Array<std::uint32_t> regions;  ///< by polygon
    Array<double> areas;           ///< by polygon
    Array<std::uint32_t> corners;  ///< by corner: its vertex in the triangulation
    Array<std::uint32_t>
        across;  ///< by corner: the polygon beyond the edge from it to the next; or kNoPolygon
    Array<std::uint32_t> labels;  ///< by corner: the label of that edge
    Array<std::uint32_t> halves;  ///< by corner: the half-edge that leaves it, along that edge

    void clear();
};

/// region[t]: the region of triangle t, any number; kNoRegion: in no polygon. Errors: size_mismatch (`region` must
/// have an entry for every triangle), out_of_range (corners_max is 1 or 2), out_of_memory. On an error `out` is
/// empty.
[[nodiscard]] Result<void> merge_convex_into(const Triangulation& mesh, std::span<const std::uint32_t> region,
                                             const MergeOptions& options, PolygonScratch& scratch,
                                             ConvexPolygons& out);

}  // namespace fairlead
