// Checks the options and tiles that a grid is to be made of.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/grid/grid.h>

namespace fairlead::grid {

/// Error::field names the option, Error::index the element of a list (grid.h).
[[nodiscard]] Result<void> check_options(const GridOptions& o, std::span<const std::uint8_t> tiles);

}  // namespace fairlead::grid
