// The wall nearest to a point, over the surface: nearest portals first.
//
// Floors may lie above each other, and within reach a way may lead round the end of a wall to another floor, whose walls look
// nearer on the ground plane than they are. So a wall counts as far as the farthest portal on the way to it: the wall round
// whose end that way leads is then nearer.
#pragma once

#include <cstdint>

#include "mesh/data/state.h"
#include "mesh/surface/flood.h"

namespace fairlead::mesh {

struct NearestWall {
    EdgeRef wall = kNone;   ///< kNone: none within reach
    Vec2 point{};           ///< its nearest point
    double distance = 0.0;  ///< to it
};

/// A wall, or a closed area, nearer than `reach`. False: out of memory.
[[nodiscard]] bool find_nearest_wall(const StateData& state, std::uint32_t polygon, Vec2 at, double reach,
                                     std::uint64_t closed_areas, FloodWork& work, NearestWall& out);

}  // namespace fairlead::mesh
