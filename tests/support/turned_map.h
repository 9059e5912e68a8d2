// The eight ways to lay a map on itself. What holds of a map holds of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fairlead/grid/grid.h>

namespace fairlead::testing {

/// One of them: bit 0 mirrors in x, bit 1 in y, bit 2 then turns over the diagonal.
struct MapTurn {
    std::uint32_t n = 0;
    std::int32_t width = 0;  ///< of the map as it was
    std::int32_t height = 0;

    [[nodiscard]] bool swaps() const { return (n & 4U) != 0; }
    /// Of the map as it lies now.
    [[nodiscard]] std::int32_t wide() const { return swaps() ? height : width; }
    [[nodiscard]] std::int32_t high() const { return swaps() ? width : height; }

    /// In cells.
    [[nodiscard]] Vec2 of(Vec2 p) const {
        if ((n & 1U) != 0) p.x = width - p.x;
        if ((n & 2U) != 0) p.y = height - p.y;
        return swaps() ? Vec2{p.y, p.x} : p;
    }
    [[nodiscard]] Cell of(Cell c) const {
        if ((n & 1U) != 0) c.x = width - 1 - c.x;
        if ((n & 2U) != 0) c.y = height - 1 - c.y;
        if (swaps()) std::swap(c.x, c.y);
        return c;
    }
    /// Row by row.
    [[nodiscard]] std::vector<std::uint8_t> of(const std::vector<std::uint8_t>& tiles) const {
        std::vector<std::uint8_t> out(tiles.size());
        for (std::int32_t i = 0; i < width * height; ++i) {
            const Cell c = of(Cell{i % width, i / width});
            out[static_cast<std::size_t>(c.y * wide() + c.x)] = tiles[static_cast<std::size_t>(i)];
        }
        return out;
    }
    [[nodiscard]] std::vector<std::string> of(const std::vector<std::string>& rows) const {
        std::vector<std::string> out(static_cast<std::size_t>(high()),
                                     std::string(static_cast<std::size_t>(wide()), '.'));
        for (std::int32_t i = 0; i < width * height; ++i) {
            const Cell c = of(Cell{i % width, i / width});
            out[static_cast<std::size_t>(c.y)][static_cast<std::size_t>(c.x)] =
                rows[static_cast<std::size_t>(i / width)][static_cast<std::size_t>(i % width)];
        }
        return out;
    }
};

}  // namespace fairlead::testing
