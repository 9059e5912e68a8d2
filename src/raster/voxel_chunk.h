// The voxels of one chunk as rows of 64 bits.
#pragma once

#include <cstdint>
#include <span>

#include "raster/voxel_lattice.h"

namespace fairlead::raster {

/// Rows of 64 voxels along x, by y, then z.
struct ChunkBits {
    std::uint64_t rows[64 * 64];
};

/// How many triangles are looked at together. All give the same bits.
enum class ChunkLanes : std::uint8_t { best, four, one };

struct ChunkTask {
    const LatticeSoup& soup;
    std::span<const TriangleRun> triangles;  ///< good ones, whose boxes are near the chunk
    std::int32_t low[3];                     ///< the chunk's first voxel
};

/// Sets the bits of the voxels that the triangles meet.
void fill_chunk(const ChunkTask& task, ChunkBits& bits, ChunkLanes lanes = ChunkLanes::best);

/// Adds the bricks of the chunk to `out` and clears the bits. `size`: voxels of the chunk within the bounds. False:
/// no memory.
[[nodiscard]] bool take_bricks(ChunkBits& bits, const std::int32_t* low, const std::int32_t* size,
                               Array<BrickBits>& out, std::int64_t& solid);

}  // namespace fairlead::raster
