// StateData: everything that a revision of a mesh consists of. Immutable once it is the current one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iterator>

#include <fairlead/base/array.h>
#include <fairlead/mesh/nav_mesh.h>

#include "base/revisions.h"
#include "mesh/data/links.h"
#include "mesh/data/tile.h"

namespace fairlead::mesh {

/// What searches read of a tile, without a detour. 64 bytes.
struct TileView {
    const MeshEdge* edges = nullptr;
    const MeshPolygon* polygons = nullptr;
    Tile* tile = nullptr;                     ///< null: the slot is empty
    const std::uint32_t* vertices = nullptr;  ///< the vertex where each side starts
    const std::int16_t* far = nullptr;        ///< TileLandmarks::steps; null: no landmarks
    const std::int16_t* far_off = nullptr;    ///< TileLandmarks::steps_off; null: all 0
    const float* gaps = nullptr;              ///< by side: widths of gates; null: none in the tile
    std::uint32_t part_first = 0;             ///< number of its part 0 among all
    std::uint32_t corner_first = 0;           ///< number of its corner 0 among all
};

/// A narrow place between walls (gates.h).
struct Gate {
    Vec2 a{};  ///< a corner
    Vec2 b{};  ///< a corner, or a little beyond a wall
    double za = 0.0;
    double zb = 0.0;
    double gap = 0.0;
};

/// Stands for a set of gates: equal for equal sets, and else different but for one case in 2^64 and the number of them.
struct GateKey {
    std::uint64_t digest = 0;
    std::uint64_t count = 0;

    friend bool operator==(const GateKey&, const GateKey&) = default;
};

/// The ground of one tile, cell by cell; the arrays stand behind it. Obstacles do not change it.
struct TileHeights {
    Block block{};
    double cell_size = 1.0;
    double cell_height = 1.0;
    std::int32_t low_x = 0;  ///< cells from the mesh's origin
    std::int32_t low_y = 0;
    std::uint32_t layers = 0;
    std::uint32_t rows = 0;
    std::uint32_t blocks = 0;
    std::uint32_t words = 0;

    [[nodiscard]] static std::size_t bytes(const HeightField& field) {
        return sizeof(TileHeights) + field.layers.size_bytes() + field.rows.size_bytes() +
               field.blocks.size_bytes() + field.words.size_bytes();
    }
    [[nodiscard]] HeightField field() const {
        const auto* at = reinterpret_cast<const HeightLayer*>(this + 1);
        const auto* row = reinterpret_cast<const HeightRow*>(at + layers);
        const auto* cells = reinterpret_cast<const HeightBlock*>(row + rows);
        return {{at, layers},
                {row, rows},
                {cells, blocks},
                {reinterpret_cast<const std::uint32_t*>(cells + blocks), words}};
    }
};

/// What is asked of all tiles in turn, together. By slot; an empty slot has nothing.
struct TileSummary {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::uint32_t polygons = 0;
    std::uint32_t parts = 0;
    std::uint32_t corners = 0;
};

/// The numbers of the components of one tile's parts.
struct PartLabels {
    Block block{};
    [[nodiscard]] std::uint32_t* of_part() { return reinterpret_cast<std::uint32_t*>(this + 1); }
    [[nodiscard]] const std::uint32_t* of_part() const {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }
};

/// Parts that hang together (edit/components.h). A component keeps its number while it can, so which one has which depends on what
/// was there before; its first part does not.
struct Component {
    std::uint32_t first =
        0;  ///< its first part in the order of tiles, slot and part as a reference. Free: the next free one
    std::uint32_t parts = 0;  ///< how many; 0: the number is free
};

/// How far it is from each landmark of its component to each vertex of one tile, and how far off these numbers may be
/// (vertices that came with obstacles). Twice: as measured, and for searches rounded to whole steps of
/// StateData::landmark_step, in rows that are as long for any number of landmarks.
struct TileLandmarks {
    static constexpr int kStepsMost = 32000;     ///< a step is this part of the largest distance
    static constexpr int kStepsUnknown = 32767;  ///< of steps_off: nothing is known of the vertex

    Block block{};
    std::uint32_t vertices = 0;
    std::uint32_t exact = 0;  ///< 1: steps_off are all 0
    std::uint64_t unused = 0;

    [[nodiscard]] static std::size_t bytes(std::size_t vertices, std::size_t stride) {
        return sizeof(TileLandmarks) +
               vertices * ((kLandmarksMax + 1) * sizeof(std::int16_t) + stride * sizeof(float)) + 2;
    }
    /// kLandmarksMax for each vertex; 0 beyond the number of landmarks.
    [[nodiscard]] std::int16_t* steps() { return reinterpret_cast<std::int16_t*>(this + 1); }
    [[nodiscard]] const std::int16_t* steps() const {
        return reinterpret_cast<const std::int16_t*>(this + 1);
    }
    /// By vertex: by how many steps more they may be off.
    [[nodiscard]] std::int16_t* steps_off() { return steps() + std::size_t{vertices} * kLandmarksMax; }
    [[nodiscard]] const std::int16_t* steps_off() const {
        return steps() + std::size_t{vertices} * kLandmarksMax;
    }
    /// Rows of StateData::landmark_stride(): the distances, and by how much they may be off.
    [[nodiscard]] float* at() { return reinterpret_cast<float*>(steps_off() + vertices + vertices % 2); }
    [[nodiscard]] const float* at() const {
        return reinterpret_cast<const float*>(steps_off() + vertices + vertices % 2);
    }
};
static_assert(sizeof(TileLandmarks) == 32);

struct StateData {
    explicit StateData(const Allocator& allocator)
        : tiles(allocator),
          order(allocator),
          far(allocator),
          baked(allocator),
          baked_far(allocator),
          gate_keys(allocator),
          heights(allocator),
          summaries(allocator),
          labels(allocator),
          components(allocator),
          links(allocator) {}

    std::uint64_t revision = 0;
    Vec3 origin{};
    double tile_size = 0.0;
    double step_height = 0.0;
    double quantum = 0.0;       ///< lattice of new vertices
    double agent_radius = 0.0;  ///< what the surface already keeps from walls
    double agent_height = 0.0;  ///< and the room above it
    double radius_max = 0.0;    ///< as it was asked for
    double gap_max = 0.0;       ///< gates are known up to this width
    std::uint32_t bits = 0;     ///< of a reference that are the place in the tile
    std::uint32_t mask = 0;
    Array<TileView> tiles;       ///< by slot
    Array<std::uint32_t> order;  ///< the slots in use, ordered by y, then x
    Array<TileLandmarks*> far;   ///< by slot; null: none
    Array<Tile*> baked;          ///< by slot: the tile without obstacles, if there are some in it, else null
    Array<TileLandmarks*> baked_far;       ///< of those
    Array<GateKey> gate_keys;              ///< by slot: of the gates that were cut into the tile
    Array<TileHeights*> heights;           ///< by slot: the ground; null: as the polygons say
    Array<TileSummary> summaries;          ///< by slot
    Array<PartLabels*> labels;             ///< by slot; null: the slot is empty
    Array<Component> components;           ///< by number, with gaps
    std::uint32_t free_component = kNone;  ///< the first gap
    LinkTable links;
    std::uint32_t landmarks = 0;  ///< how many; 0: none
    double landmark_step = 0.0;   ///< a step of TileLandmarks::steps
    std::uint32_t polygons = 0;
    std::uint32_t parts = 0;
    std::uint32_t corners = 0;
    Aabb box{};     ///< around all polygons
    Aabb raster{};  ///< around the places of all tiles, in tiles
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
        for (TileHeights* block : heights) {
            if (block != nullptr) visit(&block->block);
        }
        for (PartLabels* block : labels) {
            if (block != nullptr) visit(&block->block);
        }
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
        view.vertices = tile != nullptr ? tile->vertices() : nullptr;
        summaries[slot] = {};
        if (tile != nullptr) {
            const TileCounts& n = tile->count;
            summaries[slot] = {tile->x, tile->y, n.polygons, n.parts, n.corners};
        }
        show_landmarks(slot);
    }
    void show_landmarks(std::uint32_t slot) {
        TileView& view = tiles[slot];
        const TileLandmarks* const rows = view.tile != nullptr ? far[slot] : nullptr;
        view.far = rows != nullptr ? rows->steps() : nullptr;
        view.far_off = rows != nullptr && rows->exact == 0 ? rows->steps_off() : nullptr;
    }

    /// The side behind this one around its polygon, counter-clockwise.
    [[nodiscard]] EdgeRef next(EdgeRef at) const { return (at & ~mask) | tile_of(at).tile->next(local(at)); }
    [[nodiscard]] EdgeRef previous(EdgeRef at) const {
        return (at & ~mask) | tile_of(at).tile->previous(local(at));
    }
    [[nodiscard]] Vec2 to(EdgeRef at) const { return edge(next(at)).from; }
    [[nodiscard]] std::uint32_t polygon_ref(EdgeRef at) const { return (at & ~mask) | edge(at).polygon; }
    /// The number of a polygon's component: below components.size().
    [[nodiscard]] std::uint32_t component(std::uint32_t polygon) const {
        return labels[polygon >> bits]->of_part()[tile_of(polygon).polygons[local(polygon)].part()];
    }
    /// What users know it by, which does not depend on what was there before: the place of its first part among all.
    [[nodiscard]] std::uint32_t component_name(std::uint32_t component) const {
        const std::uint32_t first = components[component].first;
        return tile_of(first).part_first + local(first);
    }
    /// Is the way across a side shut, by a wall or by an area of `closed_areas` (a bit for each) behind it?
    [[nodiscard]] bool is_shut(const MeshEdge& side, std::uint64_t closed_areas) const {
        if (side.twin == kNone) return true;
        const TileView& view = tile_of(side.twin);
        const std::uint32_t polygon = view.edges[local(side.twin)].polygon;
        return (closed_areas >> view.polygons[polygon].area() & 1U) != 0;
    }
    /// Is a polygon of one of these areas?
    [[nodiscard]] bool is_closed(std::uint32_t polygon, std::uint64_t closed_areas) const {
        return (closed_areas >> tile_of(polygon).polygons[local(polygon)].area() & 1U) != 0;
    }
    [[nodiscard]] bool is_shut(EdgeRef at, std::uint64_t closed_areas) const {
        return is_shut(edge(at), closed_areas);
    }

    /// What touching may be off by (math/contact.h).
    [[nodiscard]] double touching() const;

    /// Where in `order` the tile at a place of the raster is, or would be.
    [[nodiscard]] std::size_t place_in_order(std::int32_t x, std::int32_t y) const;
    /// The slot of the tile at a place of the raster; kNone: none.
    [[nodiscard]] std::uint32_t find_tile(std::int32_t x, std::int32_t y) const;

    /// Calls visit(slot) for every tile whose square, border included, meets the box, until it says false. False: it did.
    template <class Visit>
    [[nodiscard]] bool each_slot(const Aabb& where, Visit visit) const;
};

template <class Visit>
bool StateData::each_slot(const Aabb& where, Visit visit) const {
    if (order.empty()) return true;
    if (tile_size <= 0.0) return visit(order[0]);
    const auto place = [this](double value, double low, double high) {
        return static_cast<std::int32_t>(std::floor(std::clamp(value / tile_size, low - 1.0, high + 1.0)));
    };
    const std::int32_t x1 = place(where.high.x, raster.low.x, raster.high.x);
    const std::int32_t y1 = place(where.high.y, raster.low.y, raster.high.y);
    const std::int32_t x0 = place(where.low.x, raster.low.x, raster.high.x) - 1;
    const std::int32_t y0 = place(where.low.y, raster.low.y, raster.high.y) - 1;
    if ((std::int64_t{x1} - x0 + 1) * (std::int64_t{y1} - y0 + 1) > std::ssize(order)) {
        for (const std::uint32_t slot : order) {  // fewer tiles than places
            const Tile& tile = *tiles[slot].tile;
            if (overlaps(where, tile_square(tile.x, tile.y, tile_size)) && !visit(slot)) return false;
        }
        return true;
    }
    for (std::int32_t y = y0; y <= y1; ++y) {
        for (std::int32_t x = x0; x <= x1; ++x) {
            if (!overlaps(where, tile_square(x, y, tile_size))) continue;
            const std::uint32_t slot = find_tile(x, y);
            if (slot != kNone && !visit(slot)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::mesh
