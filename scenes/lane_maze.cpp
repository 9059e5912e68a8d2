// A maze of lanes: depth first, with walls two tiles ahead taken down.
#include "scenes/lane_maze.h"

#include <fairlead/grid/grid.h>

namespace fairlead::scenes {

std::vector<std::uint8_t> lane_maze(Rng& rng, std::int32_t width, std::int32_t height) {
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(width * height), 0);
    const auto tile = [&](std::int32_t x, std::int32_t y) -> std::uint8_t& {
        return tiles[static_cast<std::size_t>(y * width + x)];
    };
    std::vector<Cell> stack{{width / 2 / 2 * 2 + 1, height / 2 / 2 * 2 + 1}};
    tile(stack[0].x, stack[0].y) = 1;
    while (!stack.empty()) {
        const Cell at = stack.back();
        std::vector<Cell> steps;
        for (const Cell step : {Cell{2, 0}, Cell{-2, 0}, Cell{0, 2}, Cell{0, -2}}) {
            const std::int32_t x = at.x + step.x, y = at.y + step.y;
            if (x > 0 && y > 0 && x < width && y < height && tile(x, y) == 0) steps.push_back(step);
        }
        if (steps.empty()) {
            stack.pop_back();
            continue;
        }
        const Cell step = steps[rng.below(static_cast<std::uint32_t>(steps.size()))];
        tile(at.x + step.x / 2, at.y + step.y / 2) = tile(at.x + step.x, at.y + step.y) = 1;
        stack.push_back({at.x + step.x, at.y + step.y});
    }
    return tiles;
}

}  // namespace fairlead::scenes
