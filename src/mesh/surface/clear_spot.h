// A place for a disc: where it is, or pushed away from the walls that it overlaps.
#pragma once

#include "mesh/surface/flood.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

struct SpotRules {
    double radius = 0.0;
    double slack = 0.0;
    double across = 0.0;  ///< no further than that
    std::uint64_t closed_areas = 0;
};

/// The point itself if all walls are `radius` away over the surface; else one near it where they are, found by stepping
/// away from the nearest wall again and again; polygon kNone if that does not lead anywhere. False: out of memory.
[[nodiscard]] bool find_clear_spot(const StateData& state, const SurfacePoint& wanted, const SpotRules& rules,
                                   FloodWork& work, SurfacePoint& out);

/// Where a unit stands that asks for a position: the nearest point of the surface within reach, and if that has no room, one near it.
/// polygon kNone: `nearest`, nothing is within reach; `out`, it does not stand there. False: out of memory.
[[nodiscard]] bool find_place(const StateData& state, Vec3 position, const MeshReach& reach,
                              const SpotRules& rules, FloodWork& work, SurfacePoint& nearest,
                              SurfacePoint& out);

}  // namespace fairlead::mesh
