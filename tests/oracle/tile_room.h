// How much room there is around a place among tiles, by looking at each of them. Shares nothing with the library but Vec2.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::oracle {

/// Distance to the nearest blocked tile or the outside; only tiles within `far` are looked at. blocked[y * width + x].
[[nodiscard]] double room_at_place(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked,
                                   Vec2 p, double far);

}  // namespace fairlead::oracle
