// A level mesh of a tile world: the free cells of a grid as few convex polygons, so that maps and meshes meet.
//
//     Result<NavMesh> mesh = make_grid_mesh(*town);
//     find_route(*mesh, MeshQuery{.start = {3.5, 3.5, 0}, .goal = Vec3{500.5, 490.5, 0}}, scratch);   // any angle, the shortest
//
// What is promised.
// - The surface is the closed free cells, no more and no less: polygons cover them exactly and end where they end.
// - Two free cells that touch only at a corner between two walls are not joined there: a point passes as with
//   CornerRule::never. Everywhere else it may touch walls and their corners, as in the grid. So a route of the mesh is legal
//   in the grid, and none that the grid finds under that rule, smoothed or not, is shorter. (On uniform cost: over terrain
//   the grid adds up the costs of entering cells, the mesh prices lengths within areas.)
// - Every layer is a floor at the height layer x layer_height. Portals are not part of the surface.
// - Terrain t is area t - 1 unless `areas` says otherwise, so factors {1, 2, 3, ...} of areas are the grid's default costs.
//
// Radius. The mesh is that of a point. For units with a body give radius_max and ask with the unit's radius: what a disc
// fits through is exact, where cells grown by whole cells are not. No mesh for each radius is needed.
//
// Tiles. With tile_cells the mesh is cut into tiles. After an edit of the grid make those anew (grid_tile_into,
// NavMesh::set_tile) that the edited rectangle, grown by one cell, meets.
//
// Coordinates are those of the grid: the mesh lies at its origin. Its cell size is rounded to 38 bits
// (grid_mesh_cell_size), so that products with whole numbers are exact and points in line stay in line. That moves a cell
// by at most 2e-12 of the world's size.
//
// Cost: the map is read 64 cells at a time where it has no terrain; then about 0.5 us for each corner of a wall, and the
// landmarks (NavMeshOptions). 1 to 10 ms for game maps of 512 x 512, 250 ms for one with 100,000 corners.
//
// Errors: out_of_range (`areas` has not 256 entries, detail: how many; or one that is neither below kAreasMax nor
// kNotWalkable, index: the terrain; without `areas`, a terrain above kAreasMax on the map; tile_cells below 0;
// layer_height not above 0, or with several layers not above 2 kHeightSlack (math/contact.h); tiles: no such tile), unsupported (a
// map that wraps), size_limit (a tile with more than 2^26 corners of walls), those of NavMesh::make, out_of_memory.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/polygon/scratch.h>

namespace fairlead {

inline constexpr std::uint8_t kNotWalkable = 255;

struct GridMeshOptions {
    /// By terrain 0 to 255 (entry 0 is ignored): its area in the mesh, or kNotWalkable. Empty: terrain - 1.
    Borrowed<std::uint8_t> areas{};
    std::int32_t tile_cells = 0;  ///< side of a tile; 0: one tile for all
    double layer_height = 4.0;    ///< from one layer to the next, world units
    double agent_height = 2.0;    ///< NavMeshOptions
    double radius_max = 0.0;      ///< NavMeshOptions
    std::uint32_t landmarks = kLandmarksMax;
    std::uint64_t gate_work_max = UINT64_MAX;  ///< NavMeshOptions
    Progress
        progress{};  ///< tiles cut out of the map, and once more what NavMesh::make tells; false stops (cancelled)
    Allocator allocator{};
};

/// One tile of the mesh, all layers.
struct GridTile {
    explicit GridTile(const Allocator& allocator = {})
        : vertices(allocator), sizes(allocator), corners(allocator), areas(allocator) {}

    std::int32_t x = 0;
    std::int32_t y = 0;
    Array<Vec3> vertices;
    Array<std::uint32_t> sizes;
    Array<std::uint32_t> corners;
    Array<std::uint8_t> areas;

    /// In the form that NavMesh takes; its spans are those of the arrays.
    [[nodiscard]] NavMeshTile tile() const;
};

[[nodiscard]] Result<NavMesh> make_grid_mesh(const GridState& grid, const GridMeshOptions& options = {});

/// Tile (x, y): cells x * tile_cells up to (x + 1) * tile_cells; (0, 0) is all without tiles. A tile without a free cell has no
/// polygons. A call with warm scratch and output allocates nothing but the rows of the tile.
[[nodiscard]] Result<void> grid_tile_into(const GridState& grid, const GridMeshOptions& options,
                                          std::int32_t x, std::int32_t y, PolygonScratch& scratch,
                                          GridTile& out);

/// The side of a cell in the mesh.
[[nodiscard]] double grid_mesh_cell_size(const GridState& grid);

}  // namespace fairlead
