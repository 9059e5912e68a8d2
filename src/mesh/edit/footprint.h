// The outline of an obstacle as it is cut out of the surface: grown, on the lattice, counter-clockwise, relative to the
// mesh's origin.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/math/aabb.h>
#include <fairlead/mesh/obstacle.h>

namespace fairlead::mesh {

inline constexpr std::uint32_t kFootprintPointsMax = 2 * kObstaclePointsMax;

struct Footprint {
    Vec2 points[kFootprintPointsMax] = {};
    std::uint32_t count = 0;
    Aabb box{};
    double low = 0.0;   ///< surfaces from here
    double high = 0.0;  ///< to here are blocked
};

/// What units the mesh is for, and the lattice.
struct FootprintRules {
    Vec3 origin{};
    double radius = 0.0;
    double height = 0.0;
    double quantum = 0.0;
};

/// Errors, without an index: size_limit, not_finite, out_of_range (a coordinate; low above high), incompatible (the
/// outline is not convex or has no area; detail: NavMeshRule).
[[nodiscard]] Result<void> check_obstacle(const MeshObstacle& obstacle);

/// Of a good obstacle.
[[nodiscard]] Footprint make_footprint(const MeshObstacle& obstacle, const FootprintRules& rules);

}  // namespace fairlead::mesh
