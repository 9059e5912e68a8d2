// A straight walk on the surface: from polygon to polygon, exactly. Where the line goes through a vertex, it goes on in
// whatever polygon of the fan around it lies ahead; along a wall is no hit.
#pragma once

#include <cstdint>

#include "mesh/data/state.h"

namespace fairlead::mesh {

struct Walk {
    Vec2 from{};
    Vec2 to{};
    std::uint32_t polygon = kNone;  ///< the one that the walk is in
    EdgeRef entry =
        kNone;             ///< the side through which it came in; kNone: it began here, or came over a vertex
    EdgeRef wall = kNone;  ///< where it ended too early
    Vec2 end{};            ///< where it is: in the polygon, or on the side that it leaves through next
    bool done = false;
    std::uint64_t closed_areas = 0;
};

/// One polygon further. False: it is done, at `to` or at a wall.
[[nodiscard]] bool step_walk(const StateData& state, Walk& walk);

/// Walks to the end.
void finish_walk(const StateData& state, Walk& walk);

}  // namespace fairlead::mesh
