// Scenes for crowds in space, from a seed: swarms that cross, two-way traffic through a hole one sphere wide, many to one place.
#pragma once

#include <cstdint>

#include "support/space_run.h"

namespace fairlead::testing {

/// Three swarms of `each` that cross in the open, one of them at right angles to the others.
[[nodiscard]] SpaceTrial crossing_swarms(std::uint64_t seed, int each);
/// From all over a ball to the place on its other side.
[[nodiscard]] SpaceTrial through_the_middle(std::uint64_t seed, int count);
/// All to the middle.
[[nodiscard]] SpaceTrial converging(std::uint64_t seed, int count);
/// A hall of 14 x 14 voxels cut in two by a wall of so many voxels with a hole of one voxel; spheres of radius 0.45.
[[nodiscard]] Volume two_halls(std::int32_t thickness);
/// `each` from either side to the other one. The volume must outlive the trial.
[[nodiscard]] SpaceTrial through_the_hole(const Volume& halls, std::int32_t thickness, std::uint64_t seed,
                                          int each);

}  // namespace fairlead::testing
