// A maze of lanes one tile wide.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>

namespace fairlead::scenes {

/// Row by row, 1 is free: a random tree over the tiles with odd x and y, dug from the middle, so that there is one way between any
/// two. Width and height are odd.
[[nodiscard]] std::vector<std::uint8_t> lane_maze(Rng& rng, std::int32_t width, std::int32_t height);

}  // namespace fairlead::scenes
