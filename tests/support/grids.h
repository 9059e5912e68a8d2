// Making and comparing grids in tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>

namespace fairlead::testing {

/// Rows of text: '@' and '#' are walls, digits are terrain, everything else is terrain 1. All rows of one length.
[[nodiscard]] inline std::vector<std::uint8_t> tiles_of(const std::vector<std::string>& rows) {
    std::vector<std::uint8_t> tiles;
    for (const std::string& row : rows) {
        for (const char c : row) {
            const bool digit = c >= '1' && c <= '9';
            tiles.push_back(c == '@' || c == '#' ? std::uint8_t{0}
                                                 : static_cast<std::uint8_t>(digit ? c - '0' : 1));
        }
    }
    return tiles;
}

[[nodiscard]] inline Grid grid_of(const std::vector<std::string>& rows, GridOptions options = {}) {
    options.width = static_cast<std::int32_t>(rows.front().size());
    options.height = static_cast<std::int32_t>(rows.size()) / options.layers;
    Result<Grid> grid = Grid::make(options, tiles_of(rows));
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

/// Each cell is a wall with the given chance in percent.
[[nodiscard]] inline std::vector<std::uint8_t> random_tiles(Rng& rng, std::size_t count,
                                                            std::uint32_t percent,
                                                            std::uint32_t terrains = 1) {
    std::vector<std::uint8_t> tiles(count);
    for (std::uint8_t& tile : tiles) {
        tile =
            rng.below(100) < percent ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + rng.below(terrains));
    }
    return tiles;
}

}  // namespace fairlead::testing
