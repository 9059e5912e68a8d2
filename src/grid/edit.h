// Edit: how a change of tiles runs through everything that is derived from them.
//
//   tiles -> walls (the point body's free plane, rows and columns)
//         -> for every other body: its free plane within its reach of the change
//         -> clearance classes within 4 cells
//         -> reach planes, corner counts
//         -> connectivity leaves and blocks
//         -> the same on the half lattice, for discs wider than a tile (half_body.h)
//
// The bands that will be written are made ours first, so that running out of memory is noticed before anything
// has changed; connectivity chunks have no fixed size, so a failure there puts the old tiles back and derives
// everything again, which needs no memory that was not there before.
#pragma once

#include <cstdint>

#include "grid/editor.h"

namespace fairlead::grid {

/// Gives the tile of cell (x, y) of the edited rectangle; user-defined, so that a fill needs no buffer.
struct TileSource {
    const std::uint8_t* tiles = nullptr;  ///< row by row, `stride` apart; null: `value` everywhere
    std::size_t stride = 0;
    std::uint8_t value = 0;

    [[nodiscard]] std::uint8_t at(std::int32_t x, std::int32_t y) const {
        return tiles == nullptr ? value
                                : tiles[static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x)];
    }
};

/// Replaces the tiles of a rectangle that lies inside the map. A rectangle that is equal already makes no
/// revision.
[[nodiscard]] Result<void> edit_tiles(EditorData& editor, const CellRect& rect, const TileSource& source);

/// Derives everything for a new body from the walls, whole map. The body's chunks (bands) must exist, zeroed.
[[nodiscard]] bool derive_body(EditorData& editor, std::int32_t body);

/// The same for a new half body (half_body.h).
[[nodiscard]] bool derive_half_body(EditorData& editor, std::int32_t body);

/// Derives clearance for the whole map, for the first time.
void derive_clearance(EditorData& editor);

/// Writes tiles into walls and terrain only (no derived data): for the first build.
[[nodiscard]] bool write_all_tiles(EditorData& editor, const TileSource& source);

}  // namespace fairlead::grid
