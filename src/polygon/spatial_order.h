// The order in which points are inserted.
#pragma once

#include <span>

#include "polygon/work.h"

namespace fairlead::polygon {

/// Fills work.keys: its low 32 bits are the places of the points in the order of insertion. False without memory.
[[nodiscard]] bool order_points(Work& work, std::span<const Vec2> points);

}  // namespace fairlead::polygon
