// How a block of heights is read, cell by cell: for the look-up and for the builder.
#pragma once

#include <span>

#include <fairlead/mesh/height_field.h>

namespace fairlead::mesh {

/// The whole height that the block's plane foretells in the middle of cell (i, j), from `base`.
inline std::int32_t foretold(const HeightBlock& b, std::uint32_t i, std::uint32_t j) {
    const auto x = static_cast<std::int32_t>(2 * i + 1);
    const auto y = static_cast<std::int32_t>(2 * j + 1);
    return (2 * b.offset + b.slope_x * x + b.slope_y * y) >> 9;
}

/// The height of cell (i, j) of a block with numbers.
inline double cell_height(const HeightBlock& b, std::span<const std::uint32_t> words, std::uint32_t i,
                          std::uint32_t j) {
    const std::uint32_t bit = (j * static_cast<std::uint32_t>(kHeightBlock) + i) * b.bits;
    const std::uint32_t word = words[b.first + bit / 32] >> (bit % 32);
    const std::uint32_t number = b.bits == 32 ? word : word & ((1U << b.bits) - 1U);
    return static_cast<double>(b.base) + foretold(b, i, j) + number;
}

}  // namespace fairlead::mesh
