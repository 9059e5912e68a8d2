// What one tile depends on, and a hash of it.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/mesh_bake/bake.h>
#include <fairlead/raster/span_field.h>

#include "mesh_bake/settings.h"

namespace fairlead::bake {

[[nodiscard]] inline std::int32_t floor_divide(std::int32_t a, std::int32_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

// The value is a grid coordinate: within kGridMax.
[[nodiscard]] inline std::int32_t cell_of(double value) {
    const auto cut = static_cast<std::int32_t>(value);
    return cut - (static_cast<double>(cut) > value ? 1 : 0);
}

/// A tile by itself: its cells and those that it depends on.
struct LoneTile {
    Settings settings{};
    CellBox interior{};
    CellBox padded{};
};

[[nodiscard]] Result<LoneTile> lone_tile(const BakeOptions& options, std::int32_t x, std::int32_t y);

[[nodiscard]] Result<GridSoup> grid_soup(const TriangleSoup& soup, const BakeOptions& options,
                                         const Settings& settings);

}  // namespace fairlead::bake
