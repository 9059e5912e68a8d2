// The peer for voxels: OpenVDB, which makes a narrow band of distances around the triangles, on one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <fairlead/math/vec.h>

namespace fairlead::bench {

/// False where OpenVDB was not there when this was built.
[[nodiscard]] bool has_openvdb();

/// Triangles in voxels. How many voxels are in the band: those whose middles are within one voxel of a triangle.
[[nodiscard]] std::uint64_t openvdb_band(std::span<const std::array<Vec3, 3>> triangles);

}  // namespace fairlead::bench
