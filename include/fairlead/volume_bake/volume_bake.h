// From triangles to a volume.
//
//     Result<Volume> space = bake::volume({.vertices = v, .triangles = t}, {.voxel_size = {0.5, 0.5, 0.5}});
//     Result<BakedVolume> baked = bake::bake_volume(soup, {.fill = bake::VolumeFill::inside});   // and what was found
//
// A voxel is solid where a triangle meets it (raster/voxels.h: exact, half open, nothing leaks through a wall without
// thickness); with VolumeFill::inside also where nobody comes to from the bounds, from voxel to voxel through faces.
// A model with a hole as wide as a voxel is not filled: then open_edges says how many edges have a triangle on one
// side only, and open_at where the first is.
//
// What is promised: the same bytes whatever the order of the triangles (but for open_at, which names the first), the
// number of threads and the processor. volume_chunk() gives what bake_volume() has in one chunk of 64 x 64 x 64
// voxels, from no more than the triangles that touch it.
//
// Cost: raster/voxels.h; filling takes 0.05 to 0.3 ms a chunk of the bounds (the more the more it fills), 64 KB a chunk
// that triangles touch, and 0.3 us a triangle for its edges. Memory of the result: 24 bytes a brick, full ones too.
// Errors: as voxelize(); not_finite and out_of_range (box: NaN, or low is not below high), size_limit (width: the
// bounds hold too many voxels), size_zero (triangles: none is good and no bounds are given), incompatible (box:
// volume_chunk without bounds; fill: volume_chunk with VolumeFill::inside, detail 1), cancelled, out_of_memory.
//
// Source: techniques V2 to V5 (Ceipek 1999).
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>
#include <fairlead/raster/soup.h>
#include <fairlead/raster/voxels.h>
#include <fairlead/volume/volume.h>

namespace fairlead::bake {

enum class VolumeFill : std::uint8_t {
    nothing,  ///< only what triangles meet is solid
    inside,   ///< so is what they shut in
    count_
};

struct VolumeBakeOptions {
    Vec3 voxel_size{1.0, 1.0, 1.0};  ///< world units
    bool give_bounds =
        false;  ///< `low` and `high` are the bounds; otherwise they are the good triangles' and a margin
    Vec3 low{};
    Vec3 high{};               ///< rounded up to whole voxels from `low`, but for 1e-6 of one
    std::uint32_t margin = 4;  ///< voxels beyond the triangles on each side
    VolumeFill fill = VolumeFill::nothing;
    bool refuse_bad = false;  ///< a bad triangle is an error; otherwise it is left out and counted
    Jobs jobs{};
    Progress progress{};  ///< chunks done of those that triangles touch
    Allocator allocator{};
};

struct VolumeReport {
    VoxelCounts triangles{};       ///< what became of them; `solid`: voxels that they meet
    std::int64_t filled = 0;       ///< voxels that nobody comes to
    std::uint64_t open_edges = 0;  ///< with VolumeFill::inside: edges of an odd number of triangles
    Vec3 open_at{};                ///< the middle of one of them, of the lowest triangle
};

struct BakedVolume {
    explicit BakedVolume(const Allocator& allocator = {}) : bricks(allocator) {}

    Vec3 origin{};
    Vec3 voxel_size{};
    Voxel size{};
    Array<VoxelBrick> bricks;  ///< by chunk (z, y, x), in a chunk by z, y, x
    VolumeReport report{};

    /// What Volume::make takes; it borrows the bricks.
    [[nodiscard]] VolumeOptions options(const Allocator& allocator = {}) const {
        return {.origin = origin,
                .voxel_size = voxel_size,
                .size = size,
                .bricks = bricks.span(),
                .allocator = allocator};
    }
};

[[nodiscard]] Result<BakedVolume> bake_volume(const TriangleSoup& soup,
                                              const VolumeBakeOptions& options = {});
/// Triangles that come piece by piece; options.give_bounds is set.
[[nodiscard]] Result<BakedVolume> bake_volume(const TriangleStream& stream, const VolumeBakeOptions& options);

/// Chunk (x, y, z) alone. options.give_bounds is set and nothing is filled: what is shut in, one chunk cannot know.
[[nodiscard]] Result<BakedVolume> volume_chunk(const TriangleSoup& soup, const VolumeBakeOptions& options,
                                               std::int32_t x, std::int32_t y, std::int32_t z);

/// The volume that volume_chunk() bakes chunks of, with none of them there (VolumeOptions::streamed). options.give_bounds is set.
/// Errors: as volume_chunk().
[[nodiscard]] Result<VolumeOptions> streamed_volume(const VolumeBakeOptions& options);

/// Bakes and makes. Errors: as bake_volume() and Volume::make.
[[nodiscard]] Result<Volume> volume(const TriangleSoup& soup, const VolumeBakeOptions& options = {},
                                    VolumeReport* report = nullptr);

}  // namespace fairlead::bake
