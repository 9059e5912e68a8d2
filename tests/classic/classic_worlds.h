// Random tile maps for the articles' program, and what its tests know of them without it.
#pragma once

#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/swept.h>

namespace fairlead::testing {

struct ClassicMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> tiles;

    [[nodiscard]] bool wall(std::int32_t x, std::int32_t y) const {
        if (x < 0 || y < 0 || x >= width || y >= height) return true;
        return tiles[static_cast<std::size_t>(y * width + x)] == 0;
    }
    [[nodiscard]] Grid grid() const {
        return std::move(Grid::make({.width = width, .height = height}, tiles)).value();
    }
    /// Every wall in reach, in closed form.
    [[nodiscard]] bool disc_passes(Vec2 a, Vec2 b, double radius) const {
        for (std::int32_t y = -2; y < height + 2; ++y) {
            for (std::int32_t x = -2; x < width + 2; ++x) {
                if (!wall(x, y)) continue;
                const Aabb box{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
                if (math::penetration_disc_box(a, b, radius, box) > 1e-9) return false;
            }
        }
        return true;
    }
};

inline ClassicMap random_classic_map(Rng& rng, std::int32_t side, std::uint32_t percent) {
    ClassicMap map{side, side, {}};
    for (std::int32_t i = 0; i < side * side; ++i) map.tiles.push_back(rng.below(100) < percent ? 0 : 1);
    return map;
}

inline Vec2 free_middle(Rng& rng, const ClassicMap& map) {
    while (true) {
        const std::int32_t x = rng.between(0, map.width - 1);
        const std::int32_t y = rng.between(0, map.height - 1);
        if (!map.wall(x, y)) return {x + 0.5, y + 0.5};
    }
}

/// '#' is a wall; the first line is row 0.
inline ClassicMap classic_map(std::initializer_list<const char*> rows) {
    ClassicMap map;
    for (const char* row : rows) {
        map.width = 0;
        for (const char* c = row; *c != 0; ++c, ++map.width) map.tiles.push_back(*c == '#' ? 0 : 1);
        ++map.height;
    }
    return map;
}

}  // namespace fairlead::testing
