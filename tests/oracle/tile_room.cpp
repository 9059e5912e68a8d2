#include "oracle/tile_room.h"

#include <algorithm>
#include <cmath>

namespace fairlead::oracle {

double room_at_place(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked, Vec2 p,
                     double far) {
    double least = std::min(std::min(p.x, width - p.x), std::min(p.y, height - p.y));
    const auto low = [&](double v) { return std::max(0, static_cast<std::int32_t>(std::floor(v - far))); };
    const auto high = [&](double v, std::int32_t n) {
        return std::min(n - 1, static_cast<std::int32_t>(std::floor(v + far)));
    };
    for (std::int32_t y = low(p.y); y <= high(p.y, height); ++y) {
        for (std::int32_t x = low(p.x); x <= high(p.x, width); ++x) {
            if (!blocked[static_cast<std::size_t>(y * width + x)]) continue;
            const double dx = std::max({0.0, x - p.x, p.x - x - 1.0});
            const double dy = std::max({0.0, y - p.y, p.y - y - 1.0});
            least = std::min(least, std::sqrt(dx * dx + dy * dy));
        }
    }
    return least;
}

}  // namespace fairlead::oracle
