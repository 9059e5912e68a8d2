// Which triangles touch which chunk.
#pragma once

#include <cstdint>
#include <span>

#include "raster/voxel_lattice.h"

namespace fairlead::raster {

/// The chunks of a frame, by x, then y, then z.
struct ChunkGrid {
    std::int32_t count[3];
    std::int32_t size[3];  ///< voxels

    explicit ChunkGrid(const VoxelFrame& frame);
    [[nodiscard]] std::size_t all() const {
        return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) *
               static_cast<std::size_t>(count[2]);
    }
    [[nodiscard]] std::uint32_t number(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return static_cast<std::uint32_t>((z * count[1] + y) * count[0] + x);
    }
    /// The first voxel of a chunk, and how many there are on each axis.
    void place(std::uint32_t number, std::int32_t* low, std::int32_t* voxels) const;
};

/// Triangles of each chunk: runs of them, as neighbours in a list are neighbours in space.
struct ChunkBins {
    explicit ChunkBins(const Allocator& allocator) : starts(allocator), runs(allocator) {}
    Array<std::uint32_t> starts;  ///< chunk c has runs[starts[c] .. starts[c + 1])
    Array<TriangleRun> runs;

    [[nodiscard]] std::span<const TriangleRun> of(std::uint32_t chunk) const {
        return runs.span().subspan(starts[chunk], starts[chunk + 1] - starts[chunk]);
    }
};

/// Also counts the triangles by what became of them. Errors: as voxelize().
[[nodiscard]] Result<ChunkBins> sort_by_chunk(const LatticeSoup& soup, const ChunkGrid& grid,
                                              const VoxelizeOptions& options, VoxelCounts& counts);

/// The triangles whose box meets one chunk; the others that are good count as outside.
[[nodiscard]] Result<void> sort_into(const LatticeSoup& soup, const ChunkGrid& grid,
                                     const std::int32_t (&chunk)[3], const VoxelizeOptions& options,
                                     Array<TriangleRun>& out, VoxelCounts& counts);

}  // namespace fairlead::raster
