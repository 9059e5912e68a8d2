// What a level is baked with.
//
// Lengths are world units; the defaults are metres for a person. What counts is whole cells and cell heights: the agent's
// height is rounded up, the climb down, the radius is used as it is on the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/jobs.h>
#include <fairlead/math/vec.h>
#include <fairlead/mesh_bake/stages.h>

namespace fairlead::bake {

using fairlead::Jobs;
/// Tiles done of all, after every few rows of tiles.
using fairlead::Progress;

/// Floors between low_z and high_z whose cell centre lies in the outline get the area; 0 makes them not walkable. Later marks
/// overwrite earlier ones.
struct AreaMark {
    Borrowed<Vec2> outline{};  ///< world; at least 3 points, any simple or crossing polygon (even-odd)
    double low_z = 0.0;
    double high_z = 0.0;
    std::uint8_t area = 0;
};

/// Of a bake with tiles: those that are wanted; the others are left out. Called from the caller's thread.
struct TileFilter {
    bool (*wants)(std::int32_t x, std::int32_t y, void* user) = nullptr;  ///< null: all are
    void* user = nullptr;
};

struct BakeOptions {
    double cell_size = 0.3;  ///< rounded to effective_cell_size
    double cell_height = 0.2;
    double agent_height = 2.0;  ///< head room
    double agent_radius = 0.6;  ///< where its middle may be; 0: the whole walkable surface
    double climb = 0.9;         ///< the highest step
    double slope_max_rad = 0.78539816339744828;
    double edge_error = 1.3;  ///< cells that a border may be off the cells' border; 0: every corner is kept
    std::uint32_t island_cells_min = 64;  ///< smaller islands are left out, but for those at a tile's border
    std::uint32_t tile_cells = 0;         ///< cells along a tile's side, 16 to 4096; 0: one tile for all
    bool give_origin = false;  ///< the grid starts at `origin`; otherwise at the low corner of the vertices
    Vec3 origin{};
    bool refuse_bad = false;  ///< a bad triangle is an error; otherwise it is left out and counted
    Borrowed<AreaMark> marks{};
    TileFilter only{};
    Jobs jobs{};
    Progress progress{};
    BakeStageHook stages{};  ///< for pictures
    Allocator allocator{};
};

}  // namespace fairlead::bake
