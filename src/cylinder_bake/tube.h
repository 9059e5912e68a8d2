// Triangles as a tube sees them: two numbers across the axis, one along it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/cylinder_bake/cylinder_bake.h>

#include "cylinder/frame.h"

namespace fairlead::bake {

using TubePoint = cylinder::Local;

/// Farther away nothing is taken: squares stay finite.
inline constexpr double kTubeReach = 1e12;

enum class TubeFault : std::uint8_t { none, bad_index, not_finite, too_far };

/// What is wrong with triangle `index` (its first corner in the list is 3 x index).
[[nodiscard]] TubeFault tube_fault(const TriangleSoup& soup, std::size_t index);

/// Distances from the axis of the nearest and the farthest point of a convex polygon.
struct RadiusRange {
    double low = 0.0;
    double high = 0.0;
};
[[nodiscard]] RadiusRange radius_range(const TubePoint* points, int count);

/// Where the tube lies: what is not given is found. Errors: as bake::cylinder().
[[nodiscard]] Result<Cylinder> find_shape(const TriangleSoup& soup, const CylinderBakeOptions& options);

}  // namespace fairlead::bake
