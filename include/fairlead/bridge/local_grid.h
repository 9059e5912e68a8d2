// A local grid laid over a level mesh, for clutter that is small or moves: crates that were kicked about, other units, a closing
// gate (technique W6). The mesh stays as it is; a window of square cells lies over it around a unit, and a way round
// what stands in it leads back onto the unit's route.
//
//     Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.25, .cells = 64});
//     window->lay(*level, soldier_position, soldier);                        // where the unit is; again when it nears the border
//     ...
//     window->set_clutter(crates);                                           // every frame, if they move
//     Result<Detour> way = find_detour(*window, *route, distance, scratch);  // `distance` along the route so far
//
// Cells. A cell is free if all of it lies on the sheet of surface that hangs together with the middle within the window, and no
// clutter reaches into it; what is no free cell is a wall. The surface is followed from cell to cell, so a floor above or
// below does not count, and where two floors of one sheet lie over each other within the window the nearer one has the cells.
// Exact: what keeps to free cells keeps to the surface. As the mesh ends agent_radius before its walls, only what the
// body has beyond that is compared with the cells (body()); clutter is grown by as much as the body is smaller.
//
// Promise. A detour touches no wall and no clutter that was set: on the mesh it is as legal as the route it is made from
// (verify_mesh.h), and the whole body keeps clear of the clutter (up to 1e-9 cells). What it cannot promise: gaps narrower than
// the cells leave are not found, so near walls it may say unreachable where there is a way; smaller cells find more.
//
// Cost of a window of 64 x 64 on the bakes of two levels: lay 0.8 ms, set_clutter 0.1 ms with four crates, a detour 60 us. For a
// turning unit the detour is that of find_drive.h: some ms, and the unit's table the first time. lay makes a grid, and so
// allocates; set_clutter allocates what the Grid's edits do, a warm find_detour_into nothing for walkers.
// Deterministic.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/aabb.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/obstacle.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

struct LocalGridOptions {
    double cell_size = 0.25;   ///< world units, above 0
    std::int32_t cells = 64;   ///< along each side, 8 to 256
    double unit_height = 2.0;  ///< clutter counts on floors from its `low` less this up to its `high`
    Allocator allocator{};
};

class LocalGrid {
  public:
    /// Errors: not_finite, out_of_range, out_of_memory.
    [[nodiscard]] static Result<LocalGrid> make(const LocalGridOptions& options = {});

    /// Lays the window around a place of the surface (looked for within `reach`, straight above and below), for one unit: a disc, or,
    /// with a turning radius, a box. Clutter is gone. The state (say, of a NavMeshSnapshot) must outlive the window or its next
    /// lay. Errors: not_finite, out_of_range (start: the middle; the agent's); unsupported (agent: a capsule, a footprint, a
    /// box that does not turn, or one that is no longer or wider than twice the mesh's margin); unknown_id (0: there is no surface);
    /// out_of_memory.
    Result<void> lay(const NavMeshState& mesh, Vec3 middle, const Agent& agent, const MeshReach& reach = {},
                     const MeshFilter& filter = {});
    /// In the place of the clutter before. Convex outlines, as obstacles of a mesh. Errors, index: which piece: not_finite,
    /// out_of_range (less than 3 points or more than kObstaclePointsMax), incompatible (not convex); out_of_memory.
    Result<void> set_clutter(std::span<const MeshObstacle> clutter);

    /// Tile 1: free. Its origin is the window's low corner; a plain grid for whatever else a game wants to ask.
    [[nodiscard]] const Grid& grid() const { return grid_; }
    /// The unit as it is planned for on the grid, so much smaller as the mesh keeps from walls.
    [[nodiscard]] const Agent& body() const { return body_; }
    [[nodiscard]] std::span<const MeshObstacle> clutter() const { return clutter_.span(); }
    [[nodiscard]] const LocalGridOptions& options() const { return options_; }
    [[nodiscard]] const NavMeshState* mesh() const { return mesh_; }  ///< null: not laid yet
    /// Is the place over a cell of the window's sheet (or its border), clutter or not?
    [[nodiscard]] bool on_sheet(Vec2 place) const;
    /// The height of the surface at a place over such a cell.
    [[nodiscard]] double height(Vec2 place) const;
    /// Does the unit, moving straight from a to b, meet clutter? Exact for the disc about its axle that holds its body.
    [[nodiscard]] bool meets_clutter(Vec2 a, Vec2 b) const;
    [[nodiscard]] Aabb bounds() const;

  private:
    explicit LocalGrid(const LocalGridOptions& options, Grid&& grid);
    [[nodiscard]] bool follow_cells(std::uint32_t polygon, const MeshFilter& filter);
    void close_cells(const MeshObstacle& piece);
    [[nodiscard]] Result<void> write_tiles();
    [[nodiscard]] std::int64_t cell_at(Vec2 place) const;
    [[nodiscard]] std::int64_t sheet_cell(Vec2 place) const;

    LocalGridOptions options_{};
    Grid grid_;
    Agent agent_{};
    Agent body_{};
    double grown_ = 0.0;  ///< clutter is
    const NavMeshState* mesh_ = nullptr;
    Vec2 origin_{};                  ///< of the cells, from the mesh's
    Array<std::uint32_t> polygons_;  ///< under the middle of each cell; UINT32_MAX: not on the sheet
    Array<MeshObstacle> clutter_;
    Array<std::uint8_t> tiles_;
};

/// A route that leads round clutter.
struct Detour {
    bool needed = false;  ///< clutter is in the way; otherwise `route` is the rest as it was
    double from = 0.0;    ///< distances along the route at which the detour leaves it,
    double to = 0.0;      ///< and where it is back
    /// From the place at `distance` to the route's end. start_blocked: there is no free cell on the route before the clutter;
    /// unreachable: there is none behind it in the window, or no way there over free cells.
    Route route;
};

/// Looks along a route of the window's mesh, from `distance` on to where it leaves the window, for clutter, and leads round it: from as
/// near as may be to as far as may be. For a turning unit the route is one of its own (mesh_drive.h) and so is the
/// detour. Only the route's legs of kind drive and turn are looked at; a link ends the look. Errors: not_finite or
/// out_of_range (a distance below 0), stale_revision (the route is of another revision), those of
/// find_route over a grid, out_of_memory.
[[nodiscard]] Result<Detour> find_detour(const LocalGrid& window, const Route& route, double distance,
                                         Scratch& scratch);
/// `out` keeps its memory.
[[nodiscard]] Result<void> find_detour_into(const LocalGrid& window, const Route& route, double distance,
                                            Scratch& scratch, Detour& out);

}  // namespace fairlead
