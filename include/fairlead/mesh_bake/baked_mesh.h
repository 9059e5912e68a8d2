// What a bake gives: the tiles of a navigation mesh as flat arrays.
//
// A tile's polygons are convex, counter-clockwise from above, and do not overlap others of the same layer. Coordinates
// are metres (the caller's unit) from BakedMesh::origin; x and y are whole numbers of cells times the effective cell size,
// exact in a double, so that points in line on the grid are exactly in line. z is near the surface (see bake.h).
//
// Two polygons of a tile that are joined have the same two vertices at their common edge, whatever their layers, and no other
// polygon has both: joining polygons by the numbers of their vertices gives what `across` says. An edge over the border
// of two tiles is in both tiles with the same ends, z too. So linking tiles is comparing numbers for equality.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>
#include <fairlead/mesh/height_field.h>

namespace fairlead::bake {

/// BakedMesh::across for an edge that is a wall, and for one that leads to the tile in direction 0 .. 3 (+x, +y, -x, -y). Any
/// other value is a polygon of the same tile.
inline constexpr std::uint32_t kAcrossWall = 0xffffffffU;
inline constexpr std::uint32_t kAcrossTile = 0xfffffff0U;
[[nodiscard]] constexpr bool leads_to_tile(std::uint32_t across) {
    return across >= kAcrossTile && across < kAcrossTile + 4;
}

/// Where a tile's parts are. Numbers of vertices, polygons and corners within a tile count from 0.
struct BakedTile {
    std::int32_t x = 0;  ///< the tile covers cells x * tile_cells up to (x + 1) * tile_cells
    std::int32_t y = 0;
    std::int32_t low_x = 0;  ///< the cell of its low corner
    std::int32_t low_y = 0;
    std::uint32_t layers = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t polygon_count = 0;
    std::uint32_t corner_count = 0;
    std::uint64_t first_vertex = 0;   ///< in BakedMesh::vertices
    std::uint64_t first_polygon = 0;  ///< in polygons
    std::uint64_t first_corner = 0;   ///< in corners and across
    std::uint32_t height_rows = 0;    ///< the layers' heights: as many height layers as layers
    std::uint32_t height_blocks = 0;
    std::uint32_t height_words = 0;
    std::uint64_t first_height_layer = 0;
    std::uint64_t first_height_row = 0;
    std::uint64_t first_height_block = 0;
    std::uint64_t first_height_word = 0;
};

struct BakedPolygon {
    std::uint32_t first = 0;  ///< corner of the tile
    std::uint32_t count = 0;
    std::uint32_t layer = 0;
    std::uint32_t area = 0;  ///< 1 .. 255
};

struct BakedMesh {
    explicit BakedMesh(const Allocator& allocator = {})
        : tiles(allocator),
          vertices(allocator),
          polygons(allocator),
          corners(allocator),
          across(allocator),
          height_layers(allocator),
          height_rows(allocator),
          height_blocks(allocator),
          height_words(allocator) {}

    Vec3 origin{};  ///< world
    double cell_size = 0.0;
    double cell_height = 0.0;
    std::int32_t tile_cells = 0;  ///< 0: one tile for all
    std::uint64_t left_out =
        0;  ///< triangles of bake_mesh with a bad index, NaN, or too far (raster/soup.h tells which)
    Array<BakedTile> tiles;  ///< those with polygons, by y, then x
    Array<Vec3> vertices;
    Array<BakedPolygon> polygons;
    Array<std::uint32_t> corners;  ///< vertices of the tile
    Array<std::uint32_t> across;   ///< what lies over the edge from this corner to the polygon's next
    Array<HeightLayer> height_layers;
    Array<HeightRow> height_rows;
    Array<HeightBlock> height_blocks;
    Array<std::uint32_t> height_words;

    /// The heights of tiles[i], in cells from its low corner and cell heights from the origin.
    [[nodiscard]] HeightField heights(std::size_t tile) const;
};

/// A digest of every number of the mesh.
[[nodiscard]] std::uint64_t digest(const BakedMesh& mesh);

}  // namespace fairlead::bake
