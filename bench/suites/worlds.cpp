// The worlds of the suites.

#include "suites/worlds.h"

#include <fmt/format.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/scenario.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/grid/find_route.h>

#include "suites/need.h"

namespace fairlead::bench {

namespace {

constexpr const char* kGameMaps[] = {"dao/arena2", "dao/brc202d", "dao/orz900d", "sc1/Aurora"};
constexpr const char* kHardMaps[] = {"random/random512-25-0", "mazes/maze512-1-0", "mazes/maze512-8-0",
                                     "mazes/maze512-32-0"};

BenchWorld published_world(const std::string& folder, const std::string& name) {
    const std::string map_path = folder + "/maps/" + name + ".map";
    const std::string scen_path = map_path + ".scen";
    const formats::TileTable table = formats::TileTable::movingai();
    const formats::TileMap map =
        need(map_path, formats::load_tile_map(need(map_path, formats::load_file(map_path))));
    const formats::Scenario scen =
        need(scen_path, formats::load_scenario(need(scen_path, formats::load_file(scen_path))));
    BenchWorld world{name.substr(name.find('/') + 1),
                     map.width,
                     map.height,
                     need(map_path, formats::make_tiles(map, table)),
                     {}};
    for (const formats::ScenarioQuery& query : scen.queries) {
        world.pairs.push_back(
            {query.start, query.goal, query.optimal, formats::printed_tolerance(scen, query)});
    }
    return world;
}

BenchWorld filled(const std::string& name, std::int32_t side, std::uint8_t tile) {
    BenchWorld world{name, side, side, {}, {}};
    world.tiles.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), tile);
    return world;
}

std::uint8_t& at(BenchWorld& world, std::int32_t x, std::int32_t y) {
    return world.tiles[static_cast<std::size_t>(y) * static_cast<std::size_t>(world.width) +
                       static_cast<std::size_t>(x)];
}

BenchWorld random_world(std::int32_t side, std::uint64_t seed) {
    BenchWorld world = filled(fmt::format("own random {}", side), side, 1);
    Rng rng{seed};
    for (std::uint8_t& tile : world.tiles) tile = rng.below(4) == 0 ? 0 : 1;
    return world;
}

/// A maze with corridors of one cell: a random spanning tree by walking back (recursive backtracking, without the
/// recursion).
BenchWorld maze_world(std::int32_t side, std::uint64_t seed) {
    BenchWorld world = filled(fmt::format("own maze {}", side), side, 0);
    Rng rng{seed};
    std::vector<Cell> way{{1, 1}};
    at(world, 1, 1) = 1;
    while (!way.empty()) {
        const Cell here = way.back();
        Cell open[4];
        std::uint32_t count = 0;
        for (const Cell step : {Cell{2, 0}, Cell{-2, 0}, Cell{0, 2}, Cell{0, -2}}) {
            const Cell next{here.x + step.x, here.y + step.y};
            const bool inside = next.x > 0 && next.y > 0 && next.x < side - 1 && next.y < side - 1;
            if (inside && at(world, next.x, next.y) == 0) open[count++] = next;
        }
        if (count == 0) {
            way.pop_back();
            continue;
        }
        const Cell next = open[rng.below(count)];
        at(world, (here.x + next.x) / 2, (here.y + next.y) / 2) = 1;
        at(world, next.x, next.y) = 1;
        way.push_back(next);
    }
    return world;
}

double shortest(const Grid& grid, Cell start, Cell goal) {
    Scratch scratch;
    const Result<Route> route = find_route(grid,
                                           GridQuery{.start = grid.state().cell_centre(start),
                                                     .goal = grid.state().cell_centre(goal),
                                                     .planner = GridPlanner::dijkstra,
                                                     .smoothing = Smoothing::none},
                                           scratch);
    return route && route->status == PathStatus::complete ? route->length : -1.0;
}

void add_published(std::vector<BenchWorld>& worlds, const SuiteOptions& options,
                   std::span<const char* const> names) {
    if (options.data.empty() || options.quick) return;
    for (const char* name : names) worlds.push_back(published_world(options.data, name));
}

}  // namespace

Grid BenchWorld::grid(std::span<const Agent> sizes, bool hierarchy) const {
    GridOptions options{.width = width, .height = height};
    options.sizes = sizes;
    options.hierarchy = hierarchy;
    return need(name, Grid::make(options, tiles));
}

BenchWorld town_world(std::int32_t side, std::uint64_t seed) {
    BenchWorld world = filled(fmt::format("own town {}", side), side, 1);
    Rng rng{seed};
    const int buildings = side * side / 500;
    for (int i = 0; i < buildings; ++i) {
        const std::int32_t w = rng.between(3, 24);
        const std::int32_t h = rng.between(3, 24);
        const std::int32_t x0 = rng.between(0, side - w);
        const std::int32_t y0 = rng.between(0, side - h);
        for (std::int32_t y = y0; y < y0 + h; ++y) {
            for (std::int32_t x = x0; x < x0 + w; ++x) at(world, x, y) = 0;
        }
    }
    return world;
}

BenchWorld mirrored(const GridState& map, const std::string& name, std::int32_t side) {
    BenchWorld world{.name = name, .width = side, .height = side, .tiles = {}, .pairs = {}};
    world.tiles.resize(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    const auto at = [](std::int32_t i, std::int32_t length) {
        const std::int32_t copy = i / length, inside = i % length;
        return copy % 2 == 0 ? inside : length - 1 - inside;
    };
    std::size_t next = 0;
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x)
            world.tiles[next++] = map.tile({at(x, map.width()), at(y, map.height())});
    }
    return world;
}

BenchWorld empty_world(std::int32_t side) { return filled(fmt::format("own empty {}", side), side, 1); }

BenchWorld pillar_world(std::int32_t side) {
    BenchWorld world = filled(fmt::format("own pillars {}", side), side, 1);
    for (std::int32_t y = 0; y < side; y += 4) {
        for (std::int32_t x = 0; x < side; x += 4) at(world, x, y) = 0;
    }
    return world;
}

void add_pairs(BenchWorld& world, std::size_t count, std::uint64_t seed) {
    const Grid grid = world.grid();
    Rng rng{seed};
    for (std::size_t tries = 0; world.pairs.size() < count && tries < 100 * count; ++tries) {
        const Cell a{rng.between(0, world.width - 1), rng.between(0, world.height - 1)};
        const Cell b{rng.between(0, world.width - 1), rng.between(0, world.height - 1)};
        const Result<bool> joined = grid.state().connected(a, b, {});
        if (grid.state().blocked(a) || grid.state().blocked(b) || !joined.has_value() || !*joined) continue;
        world.pairs.push_back({a, b, shortest(grid, a, b), 1e-9 * world.width});
    }
}

std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    std::vector<std::size_t> picked;
    const std::size_t wanted = std::min(count, most);
    for (std::size_t i = 0; i < wanted; ++i) picked.push_back((2 * i + 1) * count / (2 * wanted));
    return picked;
}

std::vector<BenchWorld> tile_worlds(const SuiteOptions& options) {
    std::vector<BenchWorld> worlds;
    add_published(worlds, options, kGameMaps);
    add_published(worlds, options, kHardMaps);
    const std::int32_t side = options.quick ? 63 : 511;
    const std::size_t pairs = options.quick ? 10 : 300;
    std::uint64_t seed = 1;
    for (BenchWorld world : {town_world(side, 11), random_world(side, 12), maze_world(side, 13)}) {
        add_pairs(world, pairs, seed++);
        worlds.push_back(std::move(world));
    }
    return worlds;
}

std::vector<BenchWorld> planner_worlds(const SuiteOptions& options) {
    std::vector<BenchWorld> worlds;
    add_published(worlds, options, std::span{kGameMaps}.subspan(1, 1));
    BenchWorld town = town_world(options.quick ? 63 : 255, 11);
    add_pairs(town, options.quick ? 5 : 100, 1);
    worlds.push_back(std::move(town));
    return worlds;
}

std::vector<BenchWorld> smooth_worlds(const SuiteOptions& options) {
    std::vector<BenchWorld> worlds;
    add_published(worlds, options, kGameMaps);
    BenchWorld town = town_world(options.quick ? 63 : 511, 11);
    add_pairs(town, options.quick ? 10 : 200, 1);
    worlds.push_back(std::move(town));
    return worlds;
}

std::vector<BenchWorld> build_worlds(const SuiteOptions& options) {
    std::vector<BenchWorld> worlds;
    add_published(worlds, options, kGameMaps);
    const std::int32_t side = options.quick ? 128 : 1024;
    for (BenchWorld world :
         {empty_world(side), town_world(side, 21), pillar_world(side), random_world(side, 22)}) {
        worlds.push_back(std::move(world));
    }
    return worlds;
}

}  // namespace fairlead::bench
