// Small maps, units and poses for the tests and campaigns of the turning search: drawn, or random from one seeded stream.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include <fairlead/base/rng.h>
#include <fairlead/drive/drive_ground.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>

#include "oracle/pose_map.h"

namespace fairlead::testing {

using Tiles = oracle::PoseMap;

/// '#' is a wall. The first line is the top row.
[[nodiscard]] Tiles drawn_tiles(std::initializer_list<std::string_view> lines);

[[nodiscard]] Tiles open_tiles(std::int32_t width, std::int32_t height, std::uint8_t value = 1);

/// A rectangle, as much of it as lies on the map.
void fill(Tiles& tiles, std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::uint8_t value);

/// Blocks of walls on open ground, 30 to 89 by 30 to 69 cells.
[[nodiscard]] Tiles random_tiles(Rng& rng, std::int32_t blocks);
/// 5 to 44 blocks.
[[nodiscard]] Tiles random_tiles(Rng& rng);

/// A disc, a box or a capsule with a turning radius of 1 to 3 cells.
[[nodiscard]] Agent random_unit(Rng& rng);

/// Anywhere, free or not. On the lattice: the centre of a cell in one of 8 headings.
[[nodiscard]] Pose random_pose(Rng& rng, const Tiles& tiles, bool on_lattice);

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
[[nodiscard]] bool random_free_pose(Rng& rng, const oracle::PoseMap& map, const Agent& agent, bool on_lattice,
                                    Spot& spot);

/// Headings and walls as text, '@' and '.', row 0 first; S and G mark the cells of the two poses.
void print_drive_map(const oracle::PoseMap& map, const Pose& start, const Pose& goal);

/// Tiles with what is made from them. Not to be copied or moved: the map refers to the table.
struct DrivenWorld {
    Tiles tiles;
    Grid grid;
    Agent agent;
    Result<DriveTable> table;
    Result<DriveMap> map;

    DrivenWorld(Tiles made, const Agent& unit, std::int32_t headings = 8, std::int32_t rings = 0);
    DrivenWorld(const DrivenWorld&) = delete;
    DrivenWorld& operator=(const DrivenWorld&) = delete;
};

}  // namespace fairlead::testing
