// A tile map and a body on it, for the oracles of turning units: one cell is one unit, cell (0, 0) begins at the origin.
// Overlaps come from separating axes and from distances of corners; neither the planners nor verify do it so.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

namespace fairlead::oracle {

struct PoseMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> tile;  ///< 0 is a wall, as for Grid::make

    [[nodiscard]] bool wall(std::int32_t x, std::int32_t y) const {
        return x < 0 || y < 0 || x >= width || y >= height ||
               tile[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(x)] == 0;
    }
};

/// All points within `radius` of a rectangle, seen from the axle: x from -behind to ahead, y from -side to side.
struct PoseBody {
    double ahead = 0.0;
    double behind = 0.0;
    double side = 0.0;
    double radius = 0.0;
    double reach = 0.0;   ///< from the axle to the farthest point
    double inside = 0.0;  ///< a disc of this radius around the axle lies in the body
};

[[nodiscard]] PoseBody pose_body(const Agent& agent);

/// How deep the body is in a cell: the smallest move along an axis of the two that frees it. Negative: they are at
/// least so far apart.
[[nodiscard]] double depth_in_cell(const PoseBody& body, const Pose& pose, std::int32_t x, std::int32_t y);

/// The same for all walls and the outside of the map; at least -look.
[[nodiscard]] double depth_on_map(const PoseBody& body, const PoseMap& map, const Pose& pose,
                                  double look = 0.3);

}  // namespace fairlead::oracle
