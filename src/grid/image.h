// Places on wrapped maps have an image in every lap.
#pragma once

#include <cmath>

#include "grid/state.h"

namespace fairlead::grid {

/// The image of `to` nearest to `from` across the seams.
[[nodiscard]] inline Vec2 nearest_image(const StateData& state, Vec2 from, Vec2 to) {
    if (state.wrap_x) to.x += state.width * std::floor((from.x - to.x) / state.width + 0.5);
    if (state.wrap_y) to.y += state.height * std::floor((from.y - to.y) / state.height + 0.5);
    return to;
}

}  // namespace fairlead::grid
