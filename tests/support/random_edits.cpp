#include "support/random_edits.h"

#include <algorithm>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>

#include "support/grid_compare.h"
#include "support/grids.h"
#include "support/random_worlds.h"

namespace fairlead::testing {

namespace {

// Sizes at, below and above the sums where the cells that a disc covers change, and footprints.
const Agent kSizes[] = {{.radius = 0.5},  {.radius = 0.7},  {.radius = 1.2}, {.radius = 1.45},
                        {.radius = 1.55}, {.radius = 2.83}, {.radius = 3.2}, {.radius = 6.0},
                        {.footprint = 2}, {.footprint = 3}, {.footprint = 5}};

// A snapshot and the tiles at its time.
struct Kept {
    GridSnapshot frozen;
    std::vector<std::uint8_t> tiles;
    int until = 0;
};

struct World {
    Rng rng;
    GridOptions options;
    std::vector<std::uint8_t> tiles;
    std::vector<Agent> sizes;
    std::vector<Portal> portals;

    World(std::uint64_t seed, std::int32_t side_max);
    [[nodiscard]] Result<Grid> build(const std::vector<std::uint8_t>& from) const {
        return Grid::make(options, from);
    }
    [[nodiscard]] CellRect draw_rect();
    void write(const CellRect& rect, const std::vector<std::uint8_t>& with);
};

World::World(std::uint64_t seed, std::int32_t side_max) : rng(seed) {
    const auto side = [&] {
        return rng.below(3) == 0 ? rng.between(1, side_max) : rng.between(1, std::min(70, side_max));
    };
    options.width = side();
    options.height = side();
    options.layers = rng.below(4) == 0 ? rng.between(2, 3) : 1;
    options.wrap_x = rng.below(4) == 0;
    options.wrap_y = rng.below(4) == 0;
    options.corner = static_cast<CornerRule>(rng.below(3));
    options.hierarchy = seed % 2 == 0;
    for (const Agent& agent : kSizes) {
        if (rng.below(2) == 0) sizes.push_back(agent);
    }
    const auto cell = [&] {
        return Cell{rng.between(0, options.width - 1), rng.between(0, options.height - 1),
                    rng.between(0, options.layers - 1)};
    };
    for (std::uint32_t i = rng.below(3) == 0 ? rng.below(6) : 0; i > 0; --i)
        portals.push_back({cell(), cell()});
    options.sizes = sizes;
    options.portals = portals;
    for (std::int32_t layer = 0; layer < options.layers; ++layer) {
        const std::vector<std::uint8_t> floor = random_map(rng, options.width, options.height);
        tiles.insert(tiles.end(), floor.begin(), floor.end());
    }
    if (rng.below(3) != 0) return;
    for (std::uint8_t& tile : tiles)
        tile = tile == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(1 + rng.below(3));
}

CellRect World::draw_rect() {
    const std::int32_t most[] = {1, 1, 3, 16, 40, 200};
    const std::int32_t size = most[rng.below(6)];
    const std::int32_t x = rng.between(0, options.width - 1);
    const std::int32_t y = rng.between(0, options.height - 1);
    return {{x, y},
            {std::min(x + rng.between(1, size), options.width),
             std::min(y + rng.between(1, size), options.height)},
            rng.between(0, options.layers - 1)};
}

void World::write(const CellRect& rect, const std::vector<std::uint8_t>& with) {
    std::size_t k = 0;
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            tiles[static_cast<std::size_t>((rect.layer * options.height + y) * options.width + x)] =
                with[k++];
        }
    }
}

std::string compare_kept(const World& world, std::vector<Kept>& kept, int now, EditTally& tally) {
    for (std::size_t i = kept.size(); i-- > 0;) {
        if (kept[i].until > now) continue;
        const Result<Grid> then = world.build(kept[i].tiles);
        const std::string problem = grid_difference(*kept[i].frozen, then->state());
        if (!problem.empty()) return "a snapshot: " + problem;
        ++tally.snapshots;
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return "";
}

}  // namespace

std::string check_random_edits(std::uint64_t seed, std::int32_t side_max, int edits, EditTally& tally) {
    World world(seed, side_max);
    Result<Grid> grid = world.build(world.tiles);
    if (!grid) return "no grid";
    ++tally.worlds;
    std::vector<Kept> kept;
    std::string problem;
    for (int i = 0; i < edits && problem.empty(); ++i) {
        if (world.rng.below(8) == 0 && kept.size() < 4) {
            kept.push_back({grid->acquire(), world.tiles, i + 1 + static_cast<int>(world.rng.below(20))});
        }
        const CellRect rect = world.draw_rect();
        const auto count = static_cast<std::size_t>((rect.high.x - rect.low.x) * (rect.high.y - rect.low.y));
        constexpr std::uint32_t kPercents[] = {0, 0, 5, 30, 50, 100};
        const std::vector<std::uint8_t> tiles =
            random_tiles(world.rng, count, kPercents[world.rng.below(6)], world.rng.below(4) == 0 ? 3 : 1);
        const std::uint64_t revision = grid->state().revision();
        if (!grid->set(rect, tiles)) return "an edit failed";
        const std::vector<std::uint8_t> before = world.tiles;
        world.write(rect, tiles);
        ++tally.edits;
        if (grid->state().revision() != revision + (before == world.tiles ? 0 : 1)) return "wrong revision";
        const Result<Grid> fresh = world.build(world.tiles);
        problem = grid_difference(grid->state(), fresh->state());
        if (problem.empty()) problem = compare_kept(world, kept, i, tally);
        if (!problem.empty()) problem = "edit " + std::to_string(i) + ": " + problem;
    }
    return problem;
}

}  // namespace fairlead::testing
