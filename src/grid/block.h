// Block: joins the exported components of up to 8 x 8 children (leaves, or blocks one level down). See
// connectivity.h for the idea and leaf.h for the level below.
#pragma once

#include <cstdint>

#include "grid/connectivity.h"
#include "grid/leaf.h"

namespace fairlead::grid {

/// View of a block's chunk: a header, where each child's components start, the block's component of each of
/// them, sides of the exported ones.
struct Block {
    struct Header {
        std::uint32_t components = 0;
        std::uint32_t exported = 0;
        std::uint32_t bytes = 0;
        std::uint32_t children_components = 0;
    };
    const Header* header = nullptr;
    const std::uint32_t* first = nullptr;  ///< kFan * kFan + 1 entries, by child slot
    const std::uint32_t* up = nullptr;
    const std::uint8_t* sides = nullptr;

    [[nodiscard]] static Block at(const std::uint64_t* chunk) {
        Block block;
        block.header = reinterpret_cast<const Header*>(chunk);
        block.first = reinterpret_cast<const std::uint32_t*>(block.header + 1);
        block.up = block.first + kFan * kFan + 1;
        block.sides = reinterpret_cast<const std::uint8_t*>(block.up + block.header->children_components);
        return block;
    }
};

/// A line as the index sees it: free places, and on the half lattice with gaps their bridges too (half_body.h).
struct IndexLine {
    const std::uint64_t* free = nullptr;
    const std::uint64_t* bridges = nullptr;  ///< the free ones again where there are none

    [[nodiscard]] std::uint64_t word(std::int32_t w) const { return free[w] | bridges[w]; }
    [[nodiscard]] std::uint64_t window_from(std::int32_t x) const {
        return window(free, x) | window(bridges, x);
    }
    [[nodiscard]] bool get(std::int32_t x) const { return ((word(x >> 6) >> (x & 63)) & 1U) != 0; }
};

/// Where the leaves and blocks of a body stand in the table of chunks.
struct BlockTree {
    const StateData* state = nullptr;
    const Body* body = nullptr;
    std::int32_t levels = 1;
    std::int32_t width = 0;  ///< of the map in cells; for a half body in points
    std::int32_t height = 0;

    [[nodiscard]] static BlockTree of(const StateData& state, const Body& body) {
        const std::int32_t width = body.half ? state.half_rows.length : state.width;
        const std::int32_t height = body.half ? state.half_rows.lines : state.height;
        return {&state, &body, block_levels(width, height), width, height};
    }
    [[nodiscard]] IndexLine row(std::int32_t y, std::int32_t layer) const {
        return index_line(body->half ? state->half_row_lines(*body, layer) : state->row_lines(*body, layer),
                          y);
    }
    [[nodiscard]] IndexLine column(std::int32_t x, std::int32_t layer) const {
        return index_line(body->half ? state->half_col_lines(*body, layer) : state->col_lines(*body, layer),
                          x);
    }
    [[nodiscard]] IndexLine index_line(const Lines& lines, std::int32_t at) const {
        const std::uint64_t* line = lines.line(at);
        return {line, body->planes == kGapPlanes ? line + kBridgePlane * lines.plane_stride : line};
    }
    [[nodiscard]] std::uint32_t leaf_index(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        const std::int32_t across = blocks_across(width, 0);
        const std::int32_t down = blocks_across(height, 0);
        return body->leaves_at + static_cast<std::uint32_t>((layer * down + y) * across + x);
    }
    [[nodiscard]] std::uint32_t block_index(std::int32_t level, std::int32_t x, std::int32_t y,
                                            std::int32_t layer) const {
        std::uint32_t at = body->blocks_at;
        for (std::int32_t below = 1; below < level; ++below) {
            at += static_cast<std::uint32_t>(blocks_across(width, below) * blocks_across(height, below) *
                                             state->layers);
        }
        const std::int32_t across = blocks_across(width, level);
        const std::int32_t down = blocks_across(height, level);
        return at + static_cast<std::uint32_t>((layer * down + y) * across + x);
    }
    [[nodiscard]] Leaf leaf(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        return Leaf::at(state->chunks[leaf_index(x, y, layer)]);
    }
    [[nodiscard]] Block block(std::int32_t level, std::int32_t x, std::int32_t y, std::int32_t layer) const {
        return Block::at(state->chunks[block_index(level, x, y, layer)]);
    }
    /// Label of a free cell in its leaf.
    [[nodiscard]] std::uint32_t leaf_label(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        return leaf(x >> kLeafShift, y >> kLeafShift, layer)
            .label(row(y, layer).word(x >> kLeafShift), x & (kLeafSide - 1), y & (kLeafSide - 1));
    }
};

/// A component on its highest level: closed there, or at the root.
struct Component {
    std::int32_t level = 0;
    std::uint32_t id = 0;
    bool exported = false;  ///< by the root: portals and seams may join it
};

/// Climbs from a free cell to at most `level_max`.
[[nodiscard]] Component climb(const BlockTree& tree, std::int32_t x, std::int32_t y, std::int32_t layer,
                              std::int32_t level_max);

/// May this body step diagonally from (x, y) to (x + dx, y + 1), both free for it, under rule `always`?
[[nodiscard]] bool diagonal_step_allowed(const StateData& state, const Body& body, std::int32_t layer,
                                         std::int32_t x, std::int32_t y, std::int32_t dx);

/// Builds the chunk of a block into `words` from its children. False: out of memory.
[[nodiscard]] bool build_block(const BlockTree& tree, std::int32_t level, std::int32_t x, std::int32_t y,
                               std::int32_t layer, EditScratch& scratch, Array<std::uint64_t>& words);

/// Builds the top table: for each layer's exported root components the final component. False: out of memory.
[[nodiscard]] bool build_top(const BlockTree& tree, std::span<const Portal> portals, EditScratch& scratch,
                             Array<std::uint64_t>& words);

/// Is a top table needed: are there portals or seams?
[[nodiscard]] inline bool has_top(const StateData& state) {
    return state.wrap_x || state.wrap_y || state.portal_count > 0;
}

}  // namespace fairlead::grid
