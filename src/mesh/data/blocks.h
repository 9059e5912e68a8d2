// Dead ends. The polygons of a tile and the portals between them form a graph; its *blocks* (biconnected
// components) hang together at single polygons like the branches of a tree. A shortest path never enters a branch
// that holds neither its start nor its goal, so a search asks only for the blocks on the way between them in that
// tree. The world outside the tile counts as one more node, joined to every polygon at the border: what is a dead
// end then is one in the whole mesh.
//
// John Hopcroft & Robert Tarjan (1973), "Efficient algorithms for graph manipulation". Linear.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "mesh/data/tile.h"

namespace fairlead::mesh {

class BlockFinder {
  public:
    explicit BlockFinder(const Allocator& allocator)
        : top_block(allocator),
          block_top(allocator),
          block_depth(allocator),
          entered_(allocator),
          low_(allocator),
          frames_(allocator),
          open_(allocator),
          nodes_(allocator),
          flags_(allocator) {}

    Array<std::uint32_t> top_block;    ///< by polygon, as Tile::top_blocks
    Array<std::uint32_t> block_top;    ///< by block, as Tile::block_tops
    Array<std::uint32_t> block_depth;  ///< by block

    /// Numbers the blocks and writes each edge's into edges[].block, with kThroughFlag where the block holds the world
    /// outside. Walls get 0. `outside` lists the sides on the border of the tile. False: out of memory.
    [[nodiscard]] bool find(std::span<MeshEdge> edges, std::span<const MeshPolygon> polygons,
                            std::uint32_t mask, std::span<const std::uint32_t> outside);

    /// Gives back what only find() needs.
    void free_work();

  private:
    struct Frame {
        std::uint32_t node = 0;
        std::uint32_t at = 0;   ///< which of its edges comes next
        std::uint32_t via = 0;  ///< the edge through which it was entered
    };
    [[nodiscard]] bool enter(std::uint32_t node, std::uint32_t via);
    [[nodiscard]] bool walk(std::uint32_t root);
    [[nodiscard]] bool close_block(std::uint32_t top, std::uint32_t node, std::uint32_t via);
    void measure_depths();

    std::span<MeshEdge> edges_;
    std::span<const MeshPolygon> polygons_;
    std::span<const std::uint32_t> outside_;
    std::uint32_t mask_ = 0;
    std::uint32_t clock_ = 0;
    Array<std::uint32_t> entered_;  ///< by node: when; 0 not yet. The last node is the world outside
    Array<std::uint32_t> low_;
    Array<Frame> frames_;
    Array<std::uint32_t> open_;   ///< edges met whose block is not known yet
    Array<std::uint32_t> nodes_;  ///< nodes entered whose block is not known yet
    Array<std::uint8_t> flags_;   ///< by edge: it is on the border
};

}  // namespace fairlead::mesh
