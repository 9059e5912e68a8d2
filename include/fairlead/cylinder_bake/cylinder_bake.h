// From triangles to a cylinder world (cylinder/cylinder.h).
//
//     bake::CylinderReport report;
//     Result<CylinderWorld> tube = bake::cylinder({.vertices = v, .triangles = t}, {.axis = CylinderAxis::x}, &report);
//     if (!tube && report.floating > 0) look_at(report.floating_at);
//
// A tile of a slice is solid where a triangle meets it (half open: a wall on a face fills one of its two tiles), and
// where nobody comes to from the innermost slice: obstacles are solid inside, and so is what they shut in. What is at
// or beyond the wall's radius counts for nothing, and so does what is nearer to the axis than the innermost slice.
//
// The rule is checked: where there is free space between an obstacle and the wall, to which one comes, the bake refuses
// (incompatible, obstacles; index: the tile of the obstacle, (slice x along + y) x around + x) and the report
// tells how many columns break it and where the first is. It is checked at the resolution of the tiles: a gap of less
// than a slice is none.
//
// What is not given is found from the triangles: the axis through the middle of their box; the radius as that of the
// wall: the inscribed one of the triangles that lie along the outermost corners, if there are such, else that of the outermost
// corner; the tiles along as far as the triangles go; the depth so that the innermost slice lies clear over the highest
// obstacle, at most three quarters of the radius.
//
// How the triangles are cut: by the planes through the axis and across it that part the columns, which is exact, then
// by radius. Nothing is bent flat. A corner within 2^-14 of a tile or slice of a face is on it.
//
// What is promised: the same bytes whatever the order of the triangles, the number of threads and the processor.
// Cost: about 0.1 us for each triangle and column that it meets. Memory: 8 bytes a column, 24 a vertex.
// Errors: size_mismatch, size_limit (triangles); size_zero (triangles: none is good); not_finite and out_of_range
// (origin: the centre; radius_max; cell_size; distance: the depth); out_of_range (layers: slices); size_limit (width,
// height: tiles around and along); incompatible (obstacles: something floats); with refuse_bad unknown_id and
// not_finite for the triangle `index`; cancelled, out_of_memory.
//
// Source: techniques W8, V9 (Ceipek c. 1999); clipping: Sutherland and Hodgman 1974.
#pragma once

#include <cstdint>

#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/cylinder/cylinder.h>
#include <fairlead/raster/soup.h>
#include <fairlead/raster/voxels.h>

namespace fairlead::bake {

struct CylinderBakeOptions {
    CylinderAxis axis = CylinderAxis::z;
    double cell_size = 1.0;  ///< about, on the wall: a whole number of tiles goes around
    std::int32_t slices = 8;
    bool give_centre = false;  ///< `centre` is on the axis; otherwise it is found
    Vec3 centre{};
    double radius = 0.0;      ///< of the wall; 0: found
    double depth = 0.0;       ///< of all slices; 0: found. Less than the radius
    bool refuse_bad = false;  ///< a bad triangle is an error; otherwise it is left out and counted
    Jobs jobs{};
    Progress progress{};  ///< rows of columns done
    Allocator allocator{};
};

struct CylinderReport {
    Cylinder shape{};
    VoxelCounts triangles{};    ///< what became of them; `solid`: tiles of all slices that they meet
    std::int64_t filled = 0;    ///< tiles that nobody comes to
    std::int64_t free = 0;      ///< tiles
    std::int64_t floating = 0;  ///< columns where something floats
    Cell floating_cell{};       ///< the tile of the first of them, by y, then x
    Vec3 floating_at{};         ///< its middle in space
};

/// `report`: filled as far as it came, on an error too.
[[nodiscard]] Result<CylinderWorld> cylinder(const TriangleSoup& soup,
                                             const CylinderBakeOptions& options = {},
                                             CylinderReport* report = nullptr);

}  // namespace fairlead::bake
