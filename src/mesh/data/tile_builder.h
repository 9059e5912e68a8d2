// From polygons to a tile: joins them side by side, finds parts, blocks, corners, borders and buckets. Checks
// everything that NavMesh::make promises to check. Reuses its memory from tile to tile, but for large tiles: those give back
// what they are done with before they ask for more, so that a load needs little more than the mesh.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>

#include "mesh/data/blocks.h"
#include "mesh/data/tile.h"

namespace fairlead::mesh {

class TileBuilder {
  public:
    explicit TileBuilder(const Allocator& allocator)
        : edges_(allocator),
          polygons_(allocator),
          vertex_of_(allocator),
          fan_of_(allocator),
          fan_vertex_(allocator),
          firsts_(allocator),
          queue_(allocator),
          corners_(allocator),
          blocks_(allocator) {
        for (Array<std::uint32_t>& side : border_) side = Array<std::uint32_t>(allocator);
    }

    /// Reads and checks one tile. The references in it are those of `slot`, as wide as `bits`. Errors as
    /// NavMesh::make; size_limit when `bits` is too narrow. Heights without a field: the layers of a tile that is cut from one
    /// with a field.
    [[nodiscard]] Result<void> read(const NavMeshTile& source, double tile_size, std::uint32_t slot,
                                    std::uint32_t bits, std::span<const float> gaps = {});

    [[nodiscard]] std::size_t bytes() const { return Tile::bytes(count_); }
    /// For each vertex of the tile: the source's.
    [[nodiscard]] std::span<const std::uint32_t> source_vertices() const { return fan_vertex_; }
    /// Writes it into a zeroed piece of memory of bytes() with a Block in front.
    void write(Tile& out) const;

  private:
    [[nodiscard]] Result<void> read_polygons();
    [[nodiscard]] Result<void> check_heights() const;
    [[nodiscard]] Result<void> check_polygon(std::uint32_t polygon) const;
    [[nodiscard]] Result<void> join();
    [[nodiscard]] bool find_parts();
    [[nodiscard]] bool number_vertices();
    [[nodiscard]] bool find_border();
    [[nodiscard]] bool find_corners();
    [[nodiscard]] bool note_areas();
    void plan_buckets();
    void fill_buckets(Tile& out) const;
    [[nodiscard]] bool on_border(Vec2 p) const;
    [[nodiscard]] Aabb polygon_box(std::uint32_t polygon) const;
    [[nodiscard]] std::uint32_t next(std::uint32_t edge) const {
        const std::uint32_t polygon = edges_[edge].polygon;
        return edge + 1 < polygons_[polygon + 1].first ? edge + 1 : polygons_[polygon].first;
    }
    [[nodiscard]] std::uint32_t previous(std::uint32_t edge) const {
        const std::uint32_t polygon = edges_[edge].polygon;
        return edge > polygons_[polygon].first ? edge - 1 : polygons_[polygon + 1].first - 1;
    }

    NavMeshTile source_{};
    std::span<const float> gaps_{};
    double tile_size_ = 0.0;
    std::uint32_t slot_ = 0;
    std::uint32_t bits_ = 0;
    TileCounts count_{};
    Aabb box_{};
    Aabb square_{};  ///< of the tile, if tile_size_ > 0
    double bucket_size_ = 1.0;

    Array<MeshEdge> edges_;
    Array<MeshPolygon> polygons_;
    Array<std::uint32_t> vertex_of_;   ///< by edge: the source's vertex where it starts
    Array<std::uint32_t> fan_of_;      ///< by edge: the tile's own vertex where it starts; before: see join
    Array<std::uint32_t> fan_vertex_;  ///< by vertex of the tile: the source's vertex
    Array<std::uint32_t> firsts_;      ///< by vertex: where its edges begin
    Array<std::uint32_t> queue_;
    Array<std::uint32_t> corners_;
    Array<std::uint32_t> border_[4];
    BlockFinder blocks_;
};

}  // namespace fairlead::mesh
