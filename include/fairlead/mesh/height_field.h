// Heights of the ground under a mesh, cell by cell, in about a third of a byte a cell where it is even.
//
//     const std::optional<double> z = heights.at(polygon_layer, x, y, step);     // cells in, cell heights out
//
// Each layer of a tile (a part of the surface that does not lie over itself) is cut into blocks of 8 x 8 cells. A block is a plane
// where one fits its cells within kHeightPlaneError, and otherwise a plane and a whole number a cell of as few bits as will do.
// The numbers are heights of the surface over the cells' middles.
//
// Between the middles of four cells the height is interpolated, straight along x and along y. Cells of one floor alone take part:
// those that are joined to the cell under the place by steps of at most `step`, from neighbour to neighbour within the
// four. Where one of the four is of another floor, or is not there, the other three tell what it would be; where two are, the
// heights go on level. So heights are continuous on a floor, its stairs and seams included, and a ledge stays a ledge: at the
// border between its cells.
//
// Promises. Over the middle of a cell, z is within kHeightPlaneError and a 32nd of a cell height of the surface that was baked, if
// the surface lies over it; between middles the interpolated heights are off by what the surface bends there. (Files made before
// heights were measured over the middles hold whole cell heights: there z is within 1.75 cell heights and a cell's rise.)
// Beside the layer, the ground of layers and tiles that it is joined to goes on for a cell; otherwise a place up to 8 cells off the
// layer gets the height of a cell near it.
//
// Cost: a look-up is a few array reads, about 20 ns, however large the level. Memory: 16 bytes a block, 1 bit to 2 bytes a cell of the
// blocks that are no plane, 12 bytes a row of blocks.
//
// The arrays may come from a file: check_heights() tells whether every look-up stays inside of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>

namespace fairlead {

/// Of a cell from a block's plane, in cell heights.
inline constexpr double kHeightPlaneError = 0.0625;
/// Cells along a block's side.
inline constexpr std::int32_t kHeightBlock = 8;
/// HeightBlock::fraction.
inline constexpr std::uint8_t kNoHeights = 1;
inline constexpr std::uint8_t kHeightDigitsMax = 8;

/// Part of the plane z = base + (offset + slope_x * x + slope_y * y) / 256, x and y in cells from the block's low corner.
struct HeightBlock {
    std::int32_t base = 0;
    std::int16_t offset = 0;
    std::int16_t slope_x = 0;
    std::int16_t slope_y = 0;
    std::uint8_t bits = 0;  ///< of a cell's number: 0, 1, 2, 4, 8, 16 or 32
    /// Binary digits of the cells' numbers behind the point: 0, or 2 to kHeightDigitsMax; kNoHeights: no cell is in the block.
    std::uint8_t fraction = kNoHeights;
    std::uint32_t first = 0;  ///< word of the first cell's number; cells by row, low bits first
};

/// Blocks of a row, side by side.
struct HeightRow {
    std::int32_t x = 0;  ///< of the first, in blocks from the tile's low corner
    std::uint32_t count = 0;
    std::uint32_t first = 0;  ///< block
};

struct HeightLayer {
    std::int32_t y = 0;  ///< of the first row, in blocks from the tile's low corner
    std::uint32_t count = 0;
    std::uint32_t first = 0;  ///< row
};

/// The heights of a tile. Borrows its arrays.
struct HeightField {
    Borrowed<HeightLayer> layers{};
    Borrowed<HeightRow> rows{};
    Borrowed<HeightBlock> blocks{};
    Borrowed<std::uint32_t> words{};

    /// The height at (x, y), in cells from the tile's low corner; none if there is no block of the layer within 8 cells, or no
    /// such layer. `step`: neighbouring cells that are further apart, in cell heights, are two floors.
    [[nodiscard]] std::optional<double> at(std::uint32_t layer, double x, double y, double step) const;
};

/// Whether every number in the arrays points into them. Errors: baked_value (index: 0 layers, 1 rows, 2 blocks; detail = which).
[[nodiscard]] Result<void> check_heights(const HeightField& heights);

}  // namespace fairlead
