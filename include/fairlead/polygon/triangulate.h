// Constrained Delaunay triangulation of points and segments in the plane. The segments may cross, overlap, run
// through points, repeat or have no length; points may repeat. What comes out is always a valid triangulation.
//
//     const Vec2 points[] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}, {1, 5}, {3, -2}};
//     const ConstraintSegment walls[] = {{.from = 0, .to = 1}, {.from = 4, .to = 5, .label = 2}};
//     Result<Triangulation> town = triangulate(points, walls);
//
// Promises.
// - Planar: every triangle turns left with positive area (exact orient2d), triangles do not overlap and fill the
//   convex hull of the vertices.
// - Points of equal value are one vertex (-0 and 0 are equal; coordinates below 2^-200 count as 0). Every point is
//   a vertex.
// - Every segment between different vertices is covered by a chain of edges, which know it (labels, sources). Where
//   it meets a point exactly, the chain goes through that vertex. Where two segments cross, both go through one
//   vertex: the crossing if that is a lattice point (a multiple of `quantum` on both axes); else an end of one of the
//   two that is within 0.75 quantum of the other; else the lattice point next to the crossing, within 0.71. Where
//   none of these would shorten the pieces (segments of a quantum or two), it is another end, within 3 quanta.
//   A bend may make a piece meet others, where it is split again; so a segment is within 0.75 quantum times the number
//   of times that one piece of it was split. Triangulation::deviation says how far the furthest edge is; 0 where
//   nothing had to be rounded. Measured: below 2.1 quanta for 25 random segments on coarse lattices (320,000
//   crossings), 5.4 for 40 nearly parallel segments that all cross each other; at most 1.2 times as many splits as
//   crossings and segments.
// - Delaunay: for every edge that no segment covers, the vertex on the other side is not inside of the circle
//   around the triangle. Of the two diagonals of four cocircular points the one with the least point of the four
//   (by x, then y) is taken. So without crossings the triangulation depends on nothing but the sets of points and
//   segments; the numbering of triangles follows the order of the input. With crossings the order in which segments
//   are given may decide which crossing is rounded first. Either way: the same input, the same bytes.
// - It ends. A split replaces a segment by two pieces that are both strictly shorter (exact comparison); ends are
//   points of the input or of the lattice within a bounded area, so there are finitely many lengths. A split that
//   shortens always exists: of two crossing segments, one can be split at an end of the other (the diagonals of a
//   convex quadrilateral are together longer than two opposite sides).
//
// The triangulation is a half-edge mesh in flat arrays: half-edge 3 t + i runs from corner i to corner i + 1 of
// triangle t, which lies to its left.
//
// If fewer than three points differ, or all lie on one line, there are no triangles; that is no error.
//
// Cost, on one core: 0.25 to 0.6 us a point from 1e3 to 1e5 points (random, grids, rings, far rows, combs, clusters at
// every scale), less below; 50 ns for a segment that is an edge already, otherwise 0.2 us and 20 ns for each edge that
// it crosses; 1 us for two segments that cross. 40 points and 40 segments of a lattice 5 us, off it 13. Memory: 160
// bytes a point in the scratch, 120 in the result. A call with warm scratch and output allocates nothing.
//
// Source: incremental insertion with Lawson's flips (1977) in the biased randomised order of Amenta, Choi and Rote
// (2003) along Hilbert's curve; segments by cutting a channel and triangulating its two sides by Graham's scan
// (Toussaint, Avis 1982), then flips again; predicates of Shewchuk (1997).
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>
#include <fairlead/polygon/scratch.h>

namespace fairlead {

inline constexpr double kTriangulateSpan = 0x1p100;               ///< largest coordinate
inline constexpr std::uint32_t kTriangulatePointsMax = 1U << 26;  ///< also of segments and vertices
inline constexpr std::uint32_t kNoHalfEdge = 0xffffffffU;
inline constexpr std::uint32_t kNoConstraint = 0xffffffffU;

/// A segment that must be made of edges. from and to are places in the list of points.
struct ConstraintSegment {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t label = 1;  ///< the caller's bits; an edge has those of all segments that cover it

    friend bool operator==(const ConstraintSegment&, const ConstraintSegment&) = default;
};

struct TriangulateOptions {
    /// Crossings are rounded to multiples of it: a power of two, at least 2^-46 of the largest coordinate. 0: the
    /// power of two that is at most 2^-40 of the largest coordinate and above 2^-41 of it.
    double quantum = 0.0;
    /// Refuse to make more vertices than this; crossings may be as many as the square of the segments.
    std::uint32_t vertices_max = kTriangulatePointsMax;
    bool measure_deviation =
        true;               ///< false: Triangulation::deviation stays 0, which saves a tenth of the time
    Allocator allocator{};  ///< of the result and the scratch of triangulate()
};

/// One segment over one edge.
struct ConstraintSource {
    std::uint32_t segment = 0;  ///< its place in the list of segments
    bool reversed = false;      ///< it runs against the half-edge
};

/// How the sources of an edge are kept: a chain in Triangulation::links. Read them with sources().
struct ConstraintLink {
    std::uint32_t source = 0;  ///< segment and direction
    std::uint32_t next = kNoConstraint;
};

struct Triangulation {
    Triangulation() = default;
    explicit Triangulation(const Allocator& allocator)
        : vertices(allocator),
          vertex_of_point(allocator),
          corners(allocator),
          twins(allocator),
          labels(allocator),
          chains(allocator),
          links(allocator) {}

    Array<Vec2> vertices;                  ///< first those of points, by first occurrence, then crossings
    Array<std::uint32_t> vertex_of_point;  ///< for every point
    Array<std::uint32_t> corners;          ///< vertices; three a triangle, counter-clockwise
    Array<std::uint32_t> twins;            ///< the half-edge on the other side; kNoHalfEdge on the hull
    Array<std::uint32_t> labels;           ///< of each half-edge: those of its sources, OR-ed; 0 without
    Array<std::uint32_t> chains;  ///< of each half-edge: where its sources start; kNoConstraint: no segment
    Array<ConstraintLink> links;
    double quantum = 0.0;         ///< the one that was used
    double deviation = 0.0;       ///< the largest distance from an edge to a segment that it is part of
    std::uint32_t crossings = 0;  ///< how many times segments were split where they crossed

    [[nodiscard]] std::uint32_t triangles() const { return static_cast<std::uint32_t>(corners.size() / 3); }
    /// The next half-edge of the same triangle.
    [[nodiscard]] static std::uint32_t next(std::uint32_t half) {
        return half % 3 == 2 ? half - 2 : half + 1;
    }
    [[nodiscard]] static std::uint32_t previous(std::uint32_t half) {
        return half % 3 == 0 ? half + 2 : half - 1;
    }
    [[nodiscard]] std::uint32_t from(std::uint32_t half) const { return corners[half]; }
    [[nodiscard]] std::uint32_t to(std::uint32_t half) const { return corners[next(half)]; }
    [[nodiscard]] bool constrained(std::uint32_t half) const { return chains[half] != kNoConstraint; }

    /// Calls use(ConstraintSource) for each segment over the edge; one that was folded by rounding may come twice.
    template <class Use>
    void sources(std::uint32_t half, Use use) const {
        std::uint32_t flips = 0;
        for (std::uint32_t at = chains[half]; at != kNoConstraint;) {
            flips ^= at & 1U;
            const ConstraintLink& link = links[at >> 1];
            use(ConstraintSource{link.source >> 1, ((link.source & 1U) ^ flips) != 0});
            at = link.next;
        }
    }
    void clear();
};

/// Errors: not_finite, out_of_range (index = the point; beyond kTriangulateSpan), unknown_id (index = the segment,
/// detail = the place that no point has), size_limit (more points, segments or vertices than allowed), out_of_range
/// with index -1 (quantum is not a power of two, or too fine), out_of_memory. On an error `out` is empty.
[[nodiscard]] Result<void> triangulate_into(std::span<const Vec2> points,
                                            std::span<const ConstraintSegment> segments,
                                            const TriangulateOptions& options, PolygonScratch& scratch,
                                            Triangulation& out);

/// The same with memory of its own.
[[nodiscard]] Result<Triangulation> triangulate(std::span<const Vec2> points,
                                                std::span<const ConstraintSegment> segments = {},
                                                const TriangulateOptions& options = {});

}  // namespace fairlead
