// How a block of heights is read, cell by cell: for the look-up and for the builder.
#pragma once

#include <span>

#include <fairlead/mesh/height_field.h>

namespace fairlead::mesh {

/// What the block's plane foretells in the middle of cell (i, j), from `base`, in units of the block's numbers, rounded down.
inline std::int32_t foretold(const HeightBlock& b, std::uint32_t i, std::uint32_t j) {
    const auto x = static_cast<std::int32_t>(2 * i + 1);
    const auto y = static_cast<std::int32_t>(2 * j + 1);
    return (2 * b.offset + b.slope_x * x + b.slope_y * y) >> (9 - b.fraction);
}

/// The height over the middle of cell (i, j): of a block that is a plane ...
inline double plane_height(const HeightBlock& b, double x, double y) {
    return b.base + (b.offset + b.slope_x * x + b.slope_y * y) * (1.0 / 256.0);
}

/// ... and of a block with numbers.
inline double number_height(const HeightBlock& b, std::span<const std::uint32_t> words, std::uint32_t i,
                            std::uint32_t j) {
    const std::uint32_t bit = (j * static_cast<std::uint32_t>(kHeightBlock) + i) * b.bits;
    const std::uint32_t word = words[b.first + bit / 32] >> (bit % 32);
    const std::uint32_t number = b.bits == 32 ? word : word & ((1U << b.bits) - 1U);
    return b.base + (static_cast<double>(foretold(b, i, j)) + number) / static_cast<double>(1U << b.fraction);
}

inline double cell_height(const HeightBlock& b, std::span<const std::uint32_t> words, std::uint32_t i,
                          std::uint32_t j) {
    return b.bits == 0 ? plane_height(b, i + 0.5, j + 0.5) : number_height(b, words, i, j);
}

}  // namespace fairlead::mesh
