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

/// The image of a place that lies on the map, where an axis wraps.
[[nodiscard]] inline Vec2 first_image(const StateData& state, Vec2 place) {
    if (state.wrap_x) place.x -= state.width * std::floor(place.x / state.width);
    if (state.wrap_y) place.y -= state.height * std::floor(place.y / state.height);
    return place;
}

/// The same of a cell. It may lie off the map all the same, where an axis does not wrap.
[[nodiscard]] inline Cell first_image(const StateData& state, Cell cell) {
    if (state.wrap_x) cell.x = wrapped(cell.x, state.width);
    if (state.wrap_y) cell.y = wrapped(cell.y, state.height);
    return cell;
}

}  // namespace fairlead::grid
