// Units that do not know the map: each mode over random maps, for points and discs.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/grid/explore.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

bool walk(Digest& digest, const Grid& grid, const ExploreOptions& options, Cell start, Cell goal) {
    Scratch scratch;
    Result<Explorer> scout = Explorer::make(grid, options);
    if (!scout || !scout->begin(start, goal)) return false;
    while (scout->status() == ExploreStatus::going) {
        if (!scout->step(grid, scratch)) return false;
    }
    add_route(digest, scout->walked());
    digest.add(static_cast<std::uint64_t>(scout->status()));
    digest.add(std::uint64_t{scout->stats().plans});
    digest.add(static_cast<std::uint64_t>(scout->stats().seen));
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(explorers) {
    Rng rng(1996);
    Array<std::uint8_t> tiles;
    for (std::uint32_t map = 0; map < 40; ++map) {
        const std::int32_t width = rng.between(10, 50);
        const std::int32_t height = rng.between(10, 50);
        const std::uint32_t percent = rng.below(35);
        tiles.clear();
        for (std::int32_t i = 0; i < width * height; ++i) {
            const bool wall = rng.below(100) < percent;
            if (!tiles.push_back(wall ? std::uint8_t{0} : std::uint8_t{1}))
                return digest.add(std::uint64_t{1});
        }
        const double radii[] = {0.0, 0.4, 0.8};
        ExploreOptions options{.agent = {.radius = radii[map % 3]}, .sight = 5.0, .region_cells = 8};
        options.steps_max = 3000;
        const Result<Grid> grid = Grid::make({.width = width, .height = height}, tiles);
        if (!grid) return digest.add(std::uint64_t{2});
        const std::int32_t ax = rng.between(0, width - 1);
        const std::int32_t ay = rng.between(0, height - 1);
        const std::int32_t bx = rng.between(0, width - 1);
        const std::int32_t by = rng.between(0, height - 1);
        for (const ExploreMode mode : {ExploreMode::free_space, ExploreMode::compass, ExploreMode::horizon}) {
            options.mode = mode;
            if (!walk(digest, *grid, options, {ax, ay}, {bx, by})) return digest.add(std::uint64_t{3});
        }
    }
}
