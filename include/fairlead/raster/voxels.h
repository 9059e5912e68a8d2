// Triangles into voxels: what a model touches is solid.
//
//     const VoxelFrame frame{.voxel_size = {0.5, 0.5, 0.5}, .size = {512, 512, 256}};
//     Result<VoxelBricks> solid = voxelize({.vertices = v, .triangles = t}, frame);
//
// Voxel (x, y, z) is the half-open box [x, x + 1) x [y, y + 1) x [z, z + 1) of the frame, in voxels from its origin.
// It is solid if and only if a triangle, with its border, meets it. So a wall on a face between two voxels fills one
// of them and closes no door, and a wall without thickness lets nobody through who goes from face to face. (Through a
// corner that a wall meets exactly, two free voxels may touch; a unit has no way there.) A triangle without area is
// the segment or the point that it is.
//
// What is promised:
// - Exact. Corners are rounded to multiples of 2^-13 of a voxel (the nearest, ties to even, of (p - origin) x (8192 /
//   voxel_size)); from there on nothing is rounded: the test is that of separating axes, threshold 0.
// - The same bytes whatever the order of the triangles, the number of threads and the processor.
// - A chunk of 64 x 64 x 64 voxels depends on the triangles that touch it alone (voxelize_chunk).
//
// Bricks come by chunk (z, then y, then x), in a chunk by z, y, x; each once, none empty.
//
// Cost on one thread, with AVX2: a triangle with sides of 0.75 voxels 23 ns, of 1.5 voxels 37 ns, of 3 voxels 100 ns
// (a million of them), larger ones some 20 ns a row of voxels. Memory beyond the result: 16 bytes a vertex, 4 to 24 a
// triangle, 4 a chunk, 35 KB a thread.
// Errors: size_mismatch (triangles: no multiple of 3), size_limit (triangles); not_finite and out_of_range
// (cell_size: the voxel's, 1e-6 to 1e6), not_finite (origin), out_of_range and size_limit (width: a side), cancelled,
// out_of_memory; with refuse_bad also unknown_id, not_finite, out_of_range for the triangle `index`, with detail =
// the SoupFaultKind.
//
// Source: techniques V1 to V3, V5 (Ceipek 1999: "it would have been much more efficient to loop through all of the
// polygons"); separating axes: Akenine-Moller 2001; as edge functions of projections: Schwarz and Seidel 2010.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>
#include <fairlead/raster/soup.h>

namespace fairlead {

inline constexpr std::int32_t kVoxelChunk = 64;         ///< voxels along a chunk's side
inline constexpr std::int32_t kVoxelSteps = 8192;       ///< places of a corner along a voxel's side
inline constexpr std::int32_t kVoxelSideMax = 1 << 17;  ///< voxels along one axis
inline constexpr std::int64_t kVoxelCountMax = std::int64_t{1} << 38;
/// Triangles with a corner farther outside of the bounds than this many voxels are left out as too_far.
inline constexpr std::int32_t kVoxelReach = 65000;

/// Where the voxels stand and how many there are. A voxel may be longer on one axis than on another.
struct VoxelFrame {
    Vec3 origin{};                     ///< the low corner, world units
    Vec3 voxel_size{1.0, 1.0, 1.0};    ///< world units, above 0
    std::int32_t size[3] = {0, 0, 0};  ///< voxels on each axis, 1 to kVoxelSideMax
};

/// 64 voxels: those from (4 x, 4 y, 4 z) on. Bit x + 4 y + 16 z of `solid` is the voxel that many from there.
struct BrickBits {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    std::uint64_t solid = 0;

    friend bool operator==(const BrickBits&, const BrickBits&) = default;
};

/// Triangles that come piece by piece, from whatever keeps them: the core sees no engine's types.
struct TriangleStream {
    /// Writes the corners of up to `triangles_max` triangles, three each, and returns how many; 0: that was all.
    std::size_t (*read)(void* user, Vec3* corners, std::size_t triangles_max) = nullptr;
    void* user = nullptr;
};

/// What became of the triangles: all = used + outside + bad_index + not_finite + too_far.
struct VoxelCounts {
    std::uint64_t triangles = 0;
    std::uint64_t used = 0;       ///< their box meets the bounds
    std::uint64_t outside = 0;    ///< it does not
    std::uint64_t bad_index = 0;  ///< left out, as the next two
    std::uint64_t not_finite = 0;
    std::uint64_t too_far = 0;
    std::int64_t first_bad = -1;  ///< the lowest number of one that is left out; -1: none
    std::int64_t solid = 0;       ///< voxels

    [[nodiscard]] std::uint64_t left_out() const { return bad_index + not_finite + too_far; }
};

struct VoxelBricks {
    explicit VoxelBricks(const Allocator& allocator = {}) : bricks(allocator) {}
    Array<BrickBits> bricks;
    VoxelCounts counts{};
};

struct VoxelizeOptions {
    bool refuse_bad = false;  ///< a bad triangle is an error; otherwise it is left out and counted
    Jobs jobs{};
    Progress progress{};  ///< chunks done of those that triangles touch
    Allocator allocator{};
};

[[nodiscard]] Result<VoxelBricks> voxelize(const TriangleSoup& soup, const VoxelFrame& frame,
                                           const VoxelizeOptions& options = {});
[[nodiscard]] Result<VoxelBricks> voxelize(const TriangleStream& stream, const VoxelFrame& frame,
                                           const VoxelizeOptions& options = {});

/// The bricks of chunk (x, y, z) alone: what voxelize() gives for it, from no more than the triangles that touch it.
/// Errors also: out_of_range (rect: there is no such chunk).
[[nodiscard]] Result<VoxelBricks> voxelize_chunk(const TriangleSoup& soup, const VoxelFrame& frame,
                                                 std::int32_t x, std::int32_t y, std::int32_t z,
                                                 const VoxelizeOptions& options = {});

}  // namespace fairlead
