// Small random maps, units and poses for the tests and campaigns of the turning search. All from one seeded stream.
#pragma once

#include <cstdint>

#include <fairlead/base/rng.h>
#include <fairlead/drive/drive_ground.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

#include "oracle/pose_map.h"

namespace fairlead::testing {

enum class MapStyle : std::uint8_t {
    scattered,  ///< single cells
    blocks,     ///< rectangles on open ground
    rooms,      ///< rooms with doors
    corridors,  ///< a maze of corridors two or three cells wide
    count_,
};
[[nodiscard]] const char* style_name(MapStyle style);

[[nodiscard]] oracle::PoseMap random_drive_map(Rng& rng, MapStyle style, std::int32_t width,
                                               std::int32_t height);

[[nodiscard]] Grid grid_of(const oracle::PoseMap& map);

/// As the search reads it. The map must outlive it.
[[nodiscard]] DriveGround ground_of(const oracle::PoseMap& map);

/// A pose in which the body touches no wall: the centre of a cell in one of 8 headings, or anywhere in any. False: none
/// found in 1000 tries.
[[nodiscard]] bool random_free_pose(Rng& rng, const oracle::PoseMap& map, const Agent& agent, bool on_lattice,
                                    Pose& pose);

/// Headings and walls as text, '@' and '.', row 0 first; S and G mark the cells of the two poses.
void print_drive_map(const oracle::PoseMap& map, const Pose& start, const Pose& goal);

}  // namespace fairlead::testing
