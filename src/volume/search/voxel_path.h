// Ways from voxel to voxel, where a straight line is not free: inside a brick by a flood from the end, and from a node to the one
// beside it.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "volume/search/nodes.h"

namespace fairlead::volume {

/// The voxel of `bits` nearest to one of the brick's 64; of equals the first. bits is not 0.
[[nodiscard]] std::uint32_t nearest_voxel(std::uint64_t bits, std::uint32_t to);

/// Appends the middles of the voxels on a shortest way through `bits` of the brick at `corner`, both ends included. False: out of
/// memory. Both ends are in one component of `bits`.
[[nodiscard]] bool walk_brick(std::uint64_t bits, Voxel corner, std::uint32_t from, std::uint32_t to,
                              Array<Vec3>& way);

/// Appends the way from a place in node `a` to one in the node `b` beside it, without the places themselves. False: out of memory.
[[nodiscard]] bool walk_across(const NodePool& pool, const VolumeNode& a, Voxel from, const VolumeNode& b,
                               Voxel to, Array<Vec3>& way);
/// The same inside one node.
[[nodiscard]] bool walk_inside(const NodePool& pool, const VolumeNode& node, Voxel from, Voxel to,
                               Array<Vec3>& way);

}  // namespace fairlead::volume
