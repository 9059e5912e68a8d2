// Outlines with holes in the plane, to convex polygons: the form that a navigation mesh takes.
//
//     const Vec2 points[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9},   {3, 3}, {3, 6}, {6, 6}, {6, 3}};
//     const std::uint32_t sizes[] = {4, 4};                        // a square with a square hole
//     Result<OutlineMesh> floor = outline_to_convex({.points = points, .sizes = sizes});
//
// Rings may touch, overlap, cross themselves and each other, run in either direction, repeat points and have spikes.
// What is inside is said by a rule, for the rings as a whole.
//
// Promises. The polygons are those of merge_convex.h, of one region: convex, corners counter-clockwise, and they
// cover what the rule calls inside, where rings meet exactly as given. Where they cross, the crossing is rounded, and
// all is within OutlineMesh::deviation of what was given (triangulate.h). Vertices that no polygon has are left out.
//
// Cost: 0.2 to 0.4 us a point of 100, 1 us of 1e5 (a floor with 20 octagons of 8 points, 200 in all: 75 us on a lattice,
// 110 off it). A call with warm scratch and output allocates nothing.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/borrowed.h>
#include <fairlead/polygon/merge_convex.h>
#include <fairlead/polygon/triangulate.h>

namespace fairlead {

enum class OutlineRule : std::uint8_t {
    even_odd,  ///< inside an odd number of rings
    non_zero,  ///< rings run around it, and not as often clockwise as counter-clockwise
    positive,  ///< more often counter-clockwise than clockwise
};

struct OutlineQuery {
    Borrowed<Vec2> points{};          ///< of all rings, one after the other
    Borrowed<std::uint32_t> sizes{};  ///< points of each ring; the last point is joined with the first
    OutlineRule rule = OutlineRule::even_odd;
    double quantum = 0.0;           ///< TriangulateOptions::quantum
    std::uint32_t corners_max = 0;  ///< MergeOptions::corners_max
    bool drop_straight = true;      ///< MergeOptions::drop_straight
};

struct OutlineMesh {
    OutlineMesh() = default;
    explicit OutlineMesh(const Allocator& allocator)
        : vertices(allocator), sizes(allocator), corners(allocator), across(allocator) {}

    Array<Vec2> vertices;          ///< in the order of the points, then crossings
    Array<std::uint32_t> sizes;    ///< corners of each polygon
    Array<std::uint32_t> corners;  ///< vertices; polygon after polygon, counter-clockwise
    Array<std::uint32_t>
        across;              ///< by corner: the polygon beyond the edge from it to the next; or kNoPolygon
    double area = 0.0;       ///< of all together
    double deviation = 0.0;  ///< Triangulation::deviation

    void clear();
};

/// No ring, and rings without an inside, give no polygons; that is no error. Errors: size_mismatch (the sizes do not
/// add up to the number of points; detail = that number), those of triangulate_into (index = the point) and of
/// merge_convex_into. On an error `out` is empty.
[[nodiscard]] Result<void> outline_to_convex_into(const OutlineQuery& query, PolygonScratch& scratch,
                                                  OutlineMesh& out);

/// The same with memory of its own.
[[nodiscard]] Result<OutlineMesh> outline_to_convex(const OutlineQuery& query,
                                                    const Allocator& allocator = {});

}  // namespace fairlead
