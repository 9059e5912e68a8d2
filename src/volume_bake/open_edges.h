// Where a model is not closed.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/base/result.h>
#include <fairlead/raster/voxels.h>

namespace fairlead::bake {

struct OpenEdges {
    std::uint64_t count = 0;
    Vec3 place{};  ///< the middle of one, of the lowest triangle
};

/// Edges that belong to an odd number of triangles. Corners at the same place, to 2^-13 voxels, are one. Triangles
/// that are bad and edges without length do not count.
[[nodiscard]] Result<OpenEdges> find_open_edges(const TriangleSoup& soup, const VoxelFrame& frame,
                                                const Allocator& allocator);

}  // namespace fairlead::bake
