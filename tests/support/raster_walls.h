// Walls of a raster for tests: bytes row by row, each cell cut into k x k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/crowd/narrow_places.h>

#include "support/crowd_scenes.h"

namespace fairlead::testing {

struct RasterWalls {
    std::vector<std::uint8_t> cells{};  ///< 1: a wall
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::int32_t parts = 1;

    [[nodiscard]] WallRows rows() {
        return {[](std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
                    const auto& walls = *static_cast<const RasterWalls*>(user);
                    for (std::size_t i = 0; i < blocked.size(); ++i) {
                        const std::int32_t at = (x + static_cast<std::int32_t>(i)) / walls.parts;
                        blocked[i] =
                            walls.cells[static_cast<std::size_t>(y / walls.parts * walls.width + at)];
                    }
                },
                this};
    }
    void fill(const RasterRect& rect, std::uint8_t wall) {
        for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
            for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
                cells[static_cast<std::size_t>(y * width + x)] = wall;
            }
        }
    }
};

[[nodiscard]] inline RasterWalls walls_of_rows(const std::vector<std::string>& rows) {
    RasterWalls walls{{}, static_cast<std::int32_t>(rows[0].size()), static_cast<std::int32_t>(rows.size())};
    for (const std::string& row : rows) {
        for (const char c : row) walls.cells.push_back(c == '#' ? 1 : 0);
    }
    return walls;
}

/// Of a scene, with at least `detail` cells a radius.
[[nodiscard]] inline RasterWalls walls_of_scene(const CrowdScene& scene, double detail) {
    RasterWalls walls{crowd_tiles(scene), scene.width, scene.height};
    for (std::uint8_t& cell : walls.cells) cell = cell == 0 ? 1 : 0;
    while (scene.radius * walls.parts < scene.cell * detail * (1.0 - 1e-9)) ++walls.parts;
    return walls;
}

[[nodiscard]] inline PlacesOptions options_of_scene(const CrowdScene& scene, const RasterWalls& walls) {
    return {.origin = scene.origin,
            .cell = scene.cell / walls.parts,
            .width = walls.width * walls.parts,
            .height = walls.height * walls.parts,
            .radius = scene.radius};
}

[[nodiscard]] inline RasterRect random_rect(Rng& rng, std::int32_t width, std::int32_t height,
                                            std::int32_t side) {
    RasterRect rect;
    rect.low.x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(width)));
    rect.low.y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(height)));
    rect.high.x = rect.low.x + 1 + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(side)));
    rect.high.y = rect.low.y + 1 + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(side)));
    rect.high.x = rect.high.x < width ? rect.high.x : width;
    rect.high.y = rect.high.y < height ? rect.high.y : height;
    return rect;
}

/// Blocks, or a solid raster with halls and ways dug into it.
[[nodiscard]] inline RasterWalls random_walls(Rng& rng, std::int32_t width, std::int32_t height) {
    const bool dug = rng.below(2) == 0;
    const auto size = static_cast<std::size_t>(width * height);
    RasterWalls walls{std::vector<std::uint8_t>(size, dug ? 1 : 0), width, height};
    const std::uint32_t count = 4 + rng.below(14);
    for (std::uint32_t i = 0; i < count; ++i) {
        RasterRect rect = random_rect(rng, width, height, 14);
        if (dug && rng.below(2) == 0) {
            // A way as long as the raster, as wide as one to four units.
            const std::int32_t across = 4 + static_cast<std::int32_t>(rng.below(10));
            if (rng.below(2) == 0) {
                rect = {{0, rect.low.y}, {width, std::min(rect.low.y + across, height)}};
            } else {
                rect = {{rect.low.x, 0}, {std::min(rect.low.x + across, width), height}};
            }
        }
        walls.fill(rect, dug ? 0 : 1);
    }
    return walls;
}

}  // namespace fairlead::testing
