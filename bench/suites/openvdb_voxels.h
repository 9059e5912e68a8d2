// The peer for voxels: OpenVDB, which makes a narrow band of distances around the triangles, on one thread (bench/peers).
#pragma once

#include <cstdint>
#include <span>

namespace fairlead::bench {

/// False where OpenVDB was not there when this was built, or is not any more.
[[nodiscard]] bool has_openvdb();

/// Nine numbers a triangle, in voxels. How many voxels are in the band: those whose middles are within one voxel of a triangle.
[[nodiscard]] std::uint64_t openvdb_band(std::span<const double> numbers);

}  // namespace fairlead::bench
