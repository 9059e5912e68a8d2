// Cells and tiles of grid coordinates.
#pragma once

#include <cstdint>

namespace fairlead::bake {

/// Rounded down, for b > 0.
[[nodiscard]] inline std::int32_t floor_divide(std::int32_t a, std::int32_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

/// The cell of a grid coordinate, which is within kGridMax.
[[nodiscard]] inline std::int32_t cell_of(double value) {
    const auto cut = static_cast<std::int32_t>(value);
    return cut - (static_cast<double>(cut) > value ? 1 : 0);
}

}  // namespace fairlead::bake
