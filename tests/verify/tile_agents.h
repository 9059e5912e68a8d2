// The two bodies of a tile checker: a disc, and a square of tiles.
#pragma once

#include <cstdint>

#include <fairlead/grid/grid.h>

namespace fairlead::testing {

inline Agent disc(double radius) { return {.radius = radius, .footprint = 0}; }
inline Agent square(std::int32_t n) { return {.radius = 0.0, .footprint = n}; }

}  // namespace fairlead::testing
