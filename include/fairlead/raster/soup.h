// Triangle soup, checked and moved into the coordinates of a grid of columns.
//
//     Result<GridSoup> soup = prepare_soup({.vertices = v, .triangles = t}, {.cell_size = 0.3, .cell_height = 0.2});
//
// A grid coordinate counts cells from the frame's origin (x, y) and cell heights (z). Every coordinate is rounded to a
// multiple of 2^-14, so that a level that is moved by 5 km or 500 km, where a double holds fewer digits, gives the same
// grid coordinates but for one vertex in a million, and that one differs by 2^-14.
//
// A triangle can be walked on if its normal (right-handed, counter-clockwise from above is up) is within slope_max_rad
// of straight up. One that is inside out is solid and not walkable.
//
// What can be wrong with a triangle is found and told by its index, lowest first: a vertex index past the end, a
// coordinate that is NaN or infinite, one farther than kGridMax from the origin, no area at all, the same three corners as
// an earlier triangle. The first three are left out; the last two do no harm and are told only if faults are asked for.
//
// Cost: linear in the triangles; telling duplicates sorts them. Memory: 24 bytes a vertex, 20 a triangle.
// Errors: size_mismatch (triangles: no multiple of 3; areas: not one a triangle), size_limit,
// out_of_range (cell_size, cell_height, slope_max, origin), out_of_memory; with refuse_bad also unknown_id,
// not_finite, out_of_range, duplicate_id for the triangle `index`, with detail = the SoupFaultKind.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>

namespace fairlead {

/// Grid coordinates are within +-2^24: 5,000 km of cells of 0.3 m.
inline constexpr double kGridMax = 16777216.0;

struct TriangleSoup {
    Borrowed<Vec3> vertices{};
    Borrowed<std::uint32_t> triangles{};  ///< three indices each, counter-clockwise from outside
    Borrowed<std::uint8_t> areas{};       ///< one a triangle, 0: never walkable; empty: all are 1
};

/// Where the columns stand. Column (x, y) covers [x, x + 1) x [y, y + 1) cells from the origin.
struct GridFrame {
    Vec3 origin{};
    double cell_size = 0.3;
    double cell_height = 0.2;
};

enum class SoupFaultKind : std::uint8_t { bad_index, not_finite, too_far, no_area, duplicate };

struct SoupFault {
    std::uint32_t triangle = 0;
    SoupFaultKind kind = SoupFaultKind::bad_index;

    friend bool operator==(const SoupFault&, const SoupFault&) = default;
};

struct SoupOptions {
    double slope_max_rad = 0.78539816339744828;  ///< 45 degrees; within [0, pi / 2)
    bool refuse_bad = false;                     ///< the first fault is an error
    bool tell_faults = false;                    ///< fill GridSoup::faults
};

/// A triangle in grid coordinates. `area` is 0 where it is not walkable.
struct GridTriangle {
    double x[3];
    double y[3];
    double z[3];
    std::uint32_t area;
};

/// A triangle by its corners in GridSoup::points.
struct SoupTriangle {
    std::uint32_t corners[3];
    std::uint32_t area;   ///< 0: not walkable
    std::uint32_t index;  ///< in the soup
};

struct GridSoup {
    explicit GridSoup(const Allocator& allocator = {})
        : points(allocator), triangles(allocator), faults(allocator) {}

    Array<Vec3>
        points;  ///< every vertex of the soup in grid coordinates; those of triangles left out may be NaN
    Array<SoupTriangle> triangles;
    Array<SoupFault> faults;  ///< by triangle, then kind
    /// Of all triangles; low > high if there are none.
    double low[3] = {kGridMax, kGridMax, kGridMax};
    double high[3] = {-kGridMax, -kGridMax, -kGridMax};

    [[nodiscard]] GridTriangle triangle(std::size_t i) const {
        const SoupTriangle& t = triangles[i];
        const Vec3& a = points[t.corners[0]];
        const Vec3& b = points[t.corners[1]];
        const Vec3& c = points[t.corners[2]];
        return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}, t.area};
    }
};

/// `size` with 16 significant bits: the multiples of it up to 2^37 are exact, so that points in line on the grid are
/// exactly in line in the world. Within one part in 65,536. size is positive and finite.
[[nodiscard]] double effective_cell_size(double size);

/// The low corner of the vertices that are finite; {0, 0, 0} if there are none.
[[nodiscard]] Vec3 soup_low_corner(const TriangleSoup& soup);

[[nodiscard]] Result<GridSoup> prepare_soup(const TriangleSoup& soup, const GridFrame& frame,
                                            const SoupOptions& options = {}, const Allocator& allocator = {});

}  // namespace fairlead
