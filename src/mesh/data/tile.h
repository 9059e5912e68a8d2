// A tile of a mesh as stored: one piece of memory with flat arrays. Everything in it but the twins and corners on
// its border is a pure function of its polygons; those two depend on the neighbours (stitch.h).
//
// Half-edges. Each polygon owns its sides, counter-clockwise, one behind the other. A side knows where it starts
// (its end is where the next one starts), the side of the neighbour that runs the other way (its twin), and whether
// a taut path can bend at its start.
//
// References. A 32-bit reference names something of any tile: tile slot << bits | place in the tile, with the same
// number of bits for everything in one mesh (StateData::bits).
#pragma once

#include <cstdint>

#include <fairlead/base/assert.h>
#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

#include "base/revisions.h"

namespace fairlead::mesh {

using EdgeRef = std::uint32_t;
using CornerRef = std::uint32_t;

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// 32 bytes.
struct MeshEdge {
    Vec2 from{};
    EdgeRef twin = kNone;       ///< kNone: a wall
    std::uint32_t polygon = 0;  ///< of this tile
    CornerRef corner =
        kNone;  ///< the corner at `from` seen from this polygon; kNone: free space does not bend here
    std::uint32_t block = 0;  ///< of the dual edge (blocks.h), and flags
};
static_assert(sizeof(MeshEdge) == 32);

inline constexpr std::uint32_t kThroughFlag = 1U << 31;   ///< block: it leads out of the tile
inline constexpr std::uint32_t kAreaEdgeFlag = 1U << 30;  ///< block: polygons of several areas meet at `from`
inline constexpr std::uint32_t kBlockMask = (1U << 30) - 1;
inline constexpr std::uint32_t kHeightLayersMax = 1U << 24;

/// 8 bytes. The last one of a tile is a sentinel.
struct MeshPolygon {
    std::uint32_t first = 0;  ///< its first side
    std::uint32_t tag = 0;    ///< part << 8 | area

    [[nodiscard]] std::uint32_t part() const { return tag >> 8; }
    [[nodiscard]] std::uint8_t area() const { return static_cast<std::uint8_t>(tag); }
};

enum class Side : std::uint8_t { low_x, high_x, low_y, high_y };

/// How much there is of everything.
struct TileCounts {
    std::uint32_t polygons = 0;
    std::uint32_t edges = 0;
    std::uint32_t vertices = 0;
    std::uint32_t parts = 0;
    std::uint32_t blocks = 0;
    std::uint32_t corners = 0;
    std::uint32_t border[4] = {};  ///< sides of polygons on each side of the tile, ordered along it
    std::uint32_t buckets_x = 0;
    std::uint32_t buckets_y = 0;
    std::uint32_t bucket_items = 0;
    std::uint32_t gaps = 0;    ///< as many as sides, or none
    std::uint32_t layers = 0;  ///< as many as polygons, or none

    [[nodiscard]] std::uint32_t borders() const { return border[0] + border[1] + border[2] + border[3]; }
};

/// The header of the piece of memory; the arrays stand behind it in the order of the functions.
struct Tile {
    Block block{};
    std::int32_t x = 0;
    std::int32_t y = 0;
    TileCounts count{};
    Aabb box{};  ///< of the polygons
    double z_low = 0.0;
    double z_high = 0.0;
    double bucket_size = 1.0;
    std::uint64_t key = 0;  ///< NavMeshTile::key

    [[nodiscard]] static std::size_t bytes(const TileCounts& n) {
        return sizeof(Tile) + sizeof(MeshEdge) * n.edges + sizeof(MeshPolygon) * (n.polygons + 1ULL) +
               4 * (std::size_t{n.edges} + n.vertices + n.polygons + 2ULL * n.blocks + n.corners +
                    n.borders() + (std::size_t{n.buckets_x} * n.buckets_y + 1) + n.bucket_items + n.gaps +
                    n.layers);
    }

    [[nodiscard]] MeshEdge* edges() { return reinterpret_cast<MeshEdge*>(this + 1); }
    [[nodiscard]] const MeshEdge* edges() const { return reinterpret_cast<const MeshEdge*>(this + 1); }
    [[nodiscard]] MeshPolygon* polygons() { return reinterpret_cast<MeshPolygon*>(edges() + count.edges); }
    [[nodiscard]] const MeshPolygon* polygons() const {
        return reinterpret_cast<const MeshPolygon*>(edges() + count.edges);
    }
    /// The vertex where each side starts.
    [[nodiscard]] std::uint32_t* vertices() {
        return reinterpret_cast<std::uint32_t*>(polygons() + count.polygons + 1);
    }
    [[nodiscard]] const std::uint32_t* vertices() const {
        return reinterpret_cast<const std::uint32_t*>(polygons() + count.polygons + 1);
    }
    /// Height of each vertex.
    [[nodiscard]] float* vertex_heights() { return reinterpret_cast<float*>(vertices() + count.edges); }
    [[nodiscard]] const float* vertex_heights() const {
        return reinterpret_cast<const float*>(vertices() + count.edges);
    }
    [[nodiscard]] double height(std::uint32_t edge) const {
        return double{vertex_heights()[vertices()[edge]]};
    }
    /// The block that joins a polygon to the rest (kNone: it is the first of its part).
    [[nodiscard]] std::uint32_t* top_blocks() {
        return reinterpret_cast<std::uint32_t*>(vertex_heights() + count.vertices);
    }
    [[nodiscard]] const std::uint32_t* top_blocks() const {
        return reinterpret_cast<const std::uint32_t*>(vertex_heights() + count.vertices);
    }
    /// The polygon through which a block hangs on the rest (kNone: the world outside the tile).
    [[nodiscard]] std::uint32_t* block_tops() { return top_blocks() + count.polygons; }
    [[nodiscard]] const std::uint32_t* block_tops() const { return top_blocks() + count.polygons; }
    /// Blocks between a block and the first one.
    [[nodiscard]] std::uint32_t* block_depths() { return block_tops() + count.blocks; }
    [[nodiscard]] const std::uint32_t* block_depths() const { return block_tops() + count.blocks; }
    /// The wall that leaves each corner, with the free space on its left.
    [[nodiscard]] std::uint32_t* corner_walls() { return block_depths() + count.blocks; }
    [[nodiscard]] const std::uint32_t* corner_walls() const { return block_depths() + count.blocks; }
    /// The sides of polygons on the tile's border: low x, high x, low y, high y.
    [[nodiscard]] std::uint32_t* borders() { return corner_walls() + count.corners; }
    [[nodiscard]] const std::uint32_t* borders() const { return corner_walls() + count.corners; }
    /// Where the items of each bucket begin, row by row, and the end.
    [[nodiscard]] std::uint32_t* bucket_firsts() { return borders() + count.borders(); }
    [[nodiscard]] const std::uint32_t* bucket_firsts() const { return borders() + count.borders(); }
    /// The polygons whose box meets the bucket.
    [[nodiscard]] std::uint32_t* bucket_items() {
        return bucket_firsts() + std::size_t{count.buckets_x} * count.buckets_y + 1;
    }
    [[nodiscard]] const std::uint32_t* bucket_items() const {
        return bucket_firsts() + std::size_t{count.buckets_x} * count.buckets_y + 1;
    }

    /// By side: the width of the gate that it is part of; only if there are gates in the tile.
    [[nodiscard]] float* gaps() { return reinterpret_cast<float*>(bucket_items() + count.bucket_items); }
    [[nodiscard]] const float* gaps() const {
        return reinterpret_cast<const float*>(bucket_items() + count.bucket_items);
    }
    /// By polygon: its layer in the height field; only if the tile has one.
    [[nodiscard]] std::uint32_t* layers() { return reinterpret_cast<std::uint32_t*>(gaps() + count.gaps); }
    [[nodiscard]] const std::uint32_t* layers() const {
        return reinterpret_cast<const std::uint32_t*>(gaps() + count.gaps);
    }

    [[nodiscard]] std::uint32_t next(std::uint32_t edge) const {
        const std::uint32_t polygon = edges()[edge].polygon;
        return edge + 1 < polygons()[polygon + 1].first ? edge + 1 : polygons()[polygon].first;
    }
    [[nodiscard]] std::uint32_t previous(std::uint32_t edge) const {
        const std::uint32_t polygon = edges()[edge].polygon;
        return edge > polygons()[polygon].first ? edge - 1 : polygons()[polygon + 1].first - 1;
    }
    [[nodiscard]] Vec2 to(std::uint32_t edge) const { return edges()[next(edge)].from; }
};

/// The square of a place of the raster.
[[nodiscard]] inline Aabb tile_square(std::int32_t x, std::int32_t y, double size) {
    return {{x * size, y * size}, {(x + 1.0) * size, (y + 1.0) * size}};
}

/// The buckets that a box meets.
struct BucketRange {
    std::uint32_t low_x = 0;
    std::uint32_t high_x = 0;
    std::uint32_t low_y = 0;
    std::uint32_t high_y = 0;
};

/// Points of the box of a tile lie in buckets; what is computed here is monotone, so a point of a polygon lies in one
/// of the polygon's buckets.
/// `box` lies in the tile's box, whose low corner is `low`; so the tile has polygons (without any its box is none).
[[nodiscard]] inline BucketRange buckets_of(const Aabb& box, Vec2 low, double size) {
    FAIRLEAD_ASSERT(low.x <= box.low.x && box.low.x <= box.high.x && low.y <= box.low.y &&
                    box.low.y <= box.high.y);
    return {static_cast<std::uint32_t>((box.low.x - low.x) / size),
            static_cast<std::uint32_t>((box.high.x - low.x) / size),
            static_cast<std::uint32_t>((box.low.y - low.y) / size),
            static_cast<std::uint32_t>((box.high.y - low.y) / size)};
}

}  // namespace fairlead::mesh
