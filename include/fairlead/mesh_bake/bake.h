// From triangle soup to convex walkable polygons.
//
//     Result<bake::BakedMesh> mesh = bake::bake_mesh({.vertices = v, .triangles = t}, {.cell_size = 0.2});
//
// The steps: a conservative field of solid columns (raster/span_field.h); floors by slope, step, head room and marks;
// erosion by the agent's radius, Euclidean on the cells; layers that do not lie over themselves; the borders of layers and areas as
// chains between nodes, straightened within `edge_error`; constrained Delaunay triangulation, merged to convex polygons.
//
// What is promised:
// - Two cells are joined by steps from cell to cell (4 neighbours) if and only if the mesh joins them: no corridor is lost and
//   none is made, however narrow, and every hole stays a hole. Straightening moves a border by at most edge_error
//   cells and never over another border.
// - From every point of the mesh the walkable cells reach at least agent_radius - edge_error * cell_size on their level.
//   Cells that triangles only touch are walls where they are walls, and end a floor one cell early at a drop.
// - A vertex's z is the mean of the floors around it: floors are within one cell height and one cell's rise of the surface,
//   never below it. Heights between vertices are in the height field (mesh/height_field.h).
// - The same bytes whatever the order of triangles, the number of threads and the compiler; and for a level that is moved
//   together with its origin, as far as doubles hold its coordinates to 2^-15 cells (see raster/soup.h).
// - bake_tile() gives the same bytes as that tile of bake_mesh(), from nothing but the triangles that touch the tile's padded
//   box. tile_key() is equal for two worlds if those triangles and the options are.
//
// Cost: linear in cells and triangles, but for sorting borders; in a column of k spans a further one costs k. Memory beyond
// the result: 16 bytes a column (of the whole level without tiles; with tiles of three rows of them, or of kStripsAtOnce
// with Jobs), about 50 bytes a floor and 100 bytes a cell of border of one tile a thread. A level has at most kSpanColumnsMax
// columns at once and 2^24 tiles, and lies within kGridMax cells of the origin; triangles beyond are left out.
// With tiles there is one call of Jobs for 16 rows of them; what is not in a job is reading the triangles and joining the tiles.
// Errors: as prepare_soup (raster/soup.h); out_of_range of an option, which the field names; not_finite (areas: the mark `index`);
// incompatible (tile_cells: the radius reaches over a whole tile; bake_tile without tile_cells or origin); cancelled; size_limit
// (cell_size, tile_cells); out_of_memory.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/mesh_bake/baked_mesh.h>
#include <fairlead/mesh_bake/options.h>
#include <fairlead/raster/soup.h>

namespace fairlead::bake {

/// Rows of tiles whose columns are kept at once, with Jobs.
inline constexpr std::int32_t kStripsAtOnce = 8;

[[nodiscard]] Result<BakedMesh> bake_mesh(const TriangleSoup& soup, const BakeOptions& options);

/// One tile, with options.tile_cells and options.give_origin set. `soup` may hold more than what touches the tile.
[[nodiscard]] Result<BakedMesh> bake_tile(const TriangleSoup& soup, const BakeOptions& options,
                                          std::int32_t x, std::int32_t y);

/// A hash of all that bake_tile() depends on.
[[nodiscard]] Result<std::uint64_t> tile_key(const TriangleSoup& soup, const BakeOptions& options,
                                             std::int32_t x, std::int32_t y);

struct TileKey {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::uint64_t key = 0;

    friend bool operator==(const TileKey&, const TileKey&) = default;
};

/// The keys of all tiles of a level, by y, then x: those in which a triangle lies. The others have no floor. Without give_origin the
/// origin is the level's low corner, as for bake_mesh. Linear in the triangles: what has changed since the last bake is
/// found in the time of reading the level. Errors: as prepare_soup, incompatible (tile_cells: 0), size_limit.
[[nodiscard]] Result<void> tile_keys(const TriangleSoup& soup, const BakeOptions& options,
                                     Array<TileKey>& out);

}  // namespace fairlead::bake
