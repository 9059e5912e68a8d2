// StateData: everything that a revision of a mesh consists of. Immutable once it is the current one.
#pragma once

#include <atomic>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/mesh/nav_mesh.h>

#include "base/revisions.h"
#include "mesh/links.h"
#include "mesh/tile.h"

namespace fairlead::mesh {

/// What searches read of a tile, without a detour. 48 bytes.
struct TileView {
    const MeshEdge* edges = nullptr;
    const MeshPolygon* polygons = nullptr;
    Tile* tile = nullptr;              ///< null: the slot is empty
    const float* landmarks = nullptr;  ///< a row of landmark_stride() for each vertex; null: none
    const float* gaps = nullptr;       ///< by side: widths of gates; null: none in the tile
    std::uint32_t part_first = 0;      ///< number of its part 0 among all
    std::uint32_t corner_first = 0;    ///< number of its corner 0 among all
};

/// A narrow place between walls (gates.h).
struct Gate {
    Vec2 a{};  ///< a corner
    Vec2 b{};  ///< a corner, or a little beyond a wall
    double za = 0.0;
    double zb = 0.0;
    double gap = 0.0;
};

/// The numbers of the components of all parts.
struct Components {
    Block block{};
    [[nodiscard]] std::uint32_t* of_part() { return reinterpret_cast<std::uint32_t*>(this + 1); }
    [[nodiscard]] const std::uint32_t* of_part() const {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }
};

/// How far it is from each landmark of its component to each vertex of one tile, and how far off these numbers may be
/// (vertices that came with obstacles).
struct TileLandmarks {
    Block block{};
    [[nodiscard]] float* at() { return reinterpret_cast<float*>(this + 1); }
    [[nodiscard]] const float* at() const { return reinterpret_cast<const float*>(this + 1); }
};

struct StateData {
    explicit StateData(const Allocator& allocator)
        : tiles(allocator),
          order(allocator),
          far(allocator),
          baked(allocator),
          baked_far(allocator),
          links(allocator) {}

    std::uint64_t revision = 0;
    Vec3 origin{};
    double tile_size = 0.0;
    double step_height = 0.0;
    double quantum = 0.0;       ///< lattice of new vertices
    double agent_radius = 0.0;  ///< what the surface already keeps from walls
    double gap_max = 0.0;       ///< gates are known up to this width
    std::uint32_t bits = 0;     ///< of a reference that are the place in the tile
    std::uint32_t mask = 0;
    Array<TileView> tiles;       ///< by slot
    Array<std::uint32_t> order;  ///< the slots in use, ordered by y, then x
    Array<TileLandmarks*> far;   ///< by slot; null: none
    Array<Tile*> baked;          ///< by slot: the tile without obstacles, if there are some in it, else null
    Array<TileLandmarks*> baked_far;  ///< of those
    LinkTable links;
    Components* components = nullptr;
    std::uint32_t landmarks = 0;  ///< how many; 0: none
    std::uint32_t polygons = 0;
    std::uint32_t parts = 0;
    std::uint32_t corners = 0;
    Aabb box{};
    mutable std::atomic<std::uint32_t> held{0};

    [[nodiscard]] bool share(const StateData& other);
    template <class Visit>
    void each_block(Visit visit) const {
        for (const TileView& view : tiles) {
            if (view.tile != nullptr) visit(&view.tile->block);
        }
        for (TileLandmarks* block : far) {
            if (block != nullptr) visit(&block->block);
        }
        for (Tile* tile : baked) {
            if (tile != nullptr) visit(&tile->block);
        }
        for (TileLandmarks* block : baked_far) {
            if (block != nullptr) visit(&block->block);
        }
        if (components != nullptr) visit(&components->block);
    }

    [[nodiscard]] const TileView& tile_of(std::uint32_t ref) const { return tiles[ref >> bits]; }
    [[nodiscard]] std::uint32_t local(std::uint32_t ref) const { return ref & mask; }
    [[nodiscard]] std::uint32_t ref(std::uint32_t slot, std::uint32_t place) const {
        return slot << bits | place;
    }
    [[nodiscard]] const MeshEdge& edge(EdgeRef at) const { return tile_of(at).edges[local(at)]; }

    [[nodiscard]] std::uint32_t landmark_stride() const { return landmarks + 1; }
    void set_tile(std::uint32_t slot, Tile* tile) {
        TileView& view = tiles[slot];
        view.tile = tile;
        view.edges = tile != nullptr ? tile->edges() : nullptr;
        view.polygons = tile != nullptr ? tile->polygons() : nullptr;
        view.gaps = tile != nullptr && tile->count.gaps != 0 ? tile->gaps() : nullptr;
        view.landmarks = tile != nullptr && far[slot] != nullptr ? far[slot]->at() : nullptr;
    }

    /// The side behind this one around its polygon, counter-clockwise.
    [[nodiscard]] EdgeRef next(EdgeRef at) const { return (at & ~mask) | tile_of(at).tile->next(local(at)); }
    [[nodiscard]] EdgeRef previous(EdgeRef at) const {
        return (at & ~mask) | tile_of(at).tile->previous(local(at));
    }
    [[nodiscard]] Vec2 to(EdgeRef at) const { return edge(next(at)).from; }
    [[nodiscard]] std::uint32_t polygon_ref(EdgeRef at) const { return (at & ~mask) | edge(at).polygon; }
    [[nodiscard]] std::uint32_t component(std::uint32_t polygon) const {
        const TileView& view = tile_of(polygon);
        return components->of_part()[view.part_first + view.polygons[local(polygon)].part()];
    }
    /// Is the way across a side shut, by a wall or by an area of `closed_areas` (a bit for each) behind it?
    [[nodiscard]] bool is_shut(const MeshEdge& side, std::uint64_t closed_areas) const {
        if (side.twin == kNone) return true;
        const TileView& view = tile_of(side.twin);
        const std::uint32_t polygon = view.edges[local(side.twin)].polygon;
        return (closed_areas >> view.polygons[polygon].area() & 1U) != 0;
    }
    [[nodiscard]] bool is_shut(EdgeRef at, std::uint64_t closed_areas) const {
        return is_shut(edge(at), closed_areas);
    }

    /// The slot of the tile at a place of the raster; kNone: none.
    [[nodiscard]] std::uint32_t find_tile(std::int32_t x, std::int32_t y) const;
};

}  // namespace fairlead::mesh
