// Routes over the hierarchy, of one to three levels, for points, discs and squares, before and after edits.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

struct HierarchyMap {
    std::int32_t width;
    std::int32_t height;
    bool wraps;
    std::uint32_t scattered;  // walls, a thousandth of the tiles
    Agent agent;
};

// Rectangles and scattered walls.
bool draw_tiles(Rng& rng, const HierarchyMap& map, Array<std::uint8_t>& tiles) {
    const std::int32_t count = map.width * map.height;
    if (!tiles.resize(static_cast<std::size_t>(count))) return false;
    for (std::uint8_t& tile : tiles) tile = rng.below(1000) < map.scattered ? 0 : 1;
    for (std::int32_t i = count / 250; i > 0; --i) {
        const std::int32_t x = rng.between(0, map.width - 1);
        const std::int32_t y = rng.between(0, map.height - 1);
        const std::int32_t wide = rng.between(1, 20);
        const std::int32_t high = rng.between(1, 12);
        for (std::int32_t ty = y; ty < y + high && ty < map.height; ++ty) {
            for (std::int32_t tx = x; tx < x + wide && tx < map.width; ++tx)
                tiles[static_cast<std::size_t>(ty * map.width + tx)] = 0;
        }
    }
    return true;
}

bool add_routes(Digest& digest, Rng& rng, const Grid& grid, const Agent& agent, Scratch& scratch,
                Route& route) {
    const GridState& state = grid.state();
    digest.add(static_cast<std::uint64_t>(state.memory().hierarchy));
    for (int k = 0; k < 6; ++k) {
        const double y = rng.between(0, state.height() - 1) + 0.5;
        GridQuery query{.start = Vec2{3.5, y}, .goal = Vec2{state.width() - 4.5, state.height() - y}};
        query.agent = agent;
        query.planner = k < 4 ? GridPlanner::hierarchy : GridPlanner::automatic;
        query.smoothing = static_cast<Smoothing>(k % 4);
        query.reach = 60.0;
        if (!find_route_into(grid, query, scratch, route)) return false;
        add_route(digest, route);
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(grid_hierarchy) {
    const HierarchyMap maps[] = {{200, 140, false, 20, {}},
                                 {600, 150, false, 10, {.radius = 0.45}},
                                 {560, 130, true, 0, {.radius = 1.2}},
                                 {530, 90, false, 0, {.footprint = 2}},
                                 {300, 150, false, 350, {}},
                                 {2070, 70, false, 5, {}}};
    Rng rng(2510);
    Array<std::uint8_t> tiles;
    Scratch scratch;
    Route route;
    for (const HierarchyMap& map : maps) {
        if (!draw_tiles(rng, map, tiles)) return digest.add(std::uint64_t{1});
        GridOptions options{.width = map.width, .height = map.height, .wrap_x = map.wraps};
        options.sizes = {&map.agent, 1};
        options.hierarchy = true;
        Result<Grid> grid = Grid::make(options, tiles);
        if (!grid) return digest.add(std::uint64_t{2});
        if (!add_routes(digest, rng, *grid, map.agent, scratch, route)) return digest.add(std::uint64_t{3});
        for (std::uint32_t i = 0; i < 10; ++i) {
            const std::int32_t x = rng.between(10, map.width - 30);
            const std::int32_t y = rng.between(10, map.height - 30);
            if (!grid->fill({{x, y}, {x + 16, y + 16}}, i % 3 == 0 ? 0 : 1))
                return digest.add(std::uint64_t{4});
        }
        if (!add_routes(digest, rng, *grid, map.agent, scratch, route)) return digest.add(std::uint64_t{5});
    }
}

// Two floors joined by stairs, a lift in one direction and a teleporter that beats walking; sizes registered or not.
FAIRLEAD_DIGEST_SCENE(grid_hierarchy_portals) {
    const HierarchyMap map{330, 140, false, 10, {.radius = 0.45}};
    const Portal portals[] = {{{40, 30, 0}, {40, 30, 1}, 4.0, true},
                              {{300, 120, 1}, {310, 100, 0}, 2.0, false},
                              {{64, 63, 0}, {250, 64, 0}, 20.0, true},
                              {{200, 10, 0}, {200, 10, 1}, 4.0, true}};
    Rng rng(2511);
    Array<std::uint8_t> tiles, floor;
    for (int layer = 0; layer < 2; ++layer) {
        if (!draw_tiles(rng, map, floor)) return digest.add(std::uint64_t{1});
        for (const std::uint8_t tile : floor) {
            if (!tiles.push_back(tile)) return digest.add(std::uint64_t{1});
        }
    }
    GridOptions options{.width = map.width, .height = map.height, .layers = 2, .portals = portals};
    options.sizes = {&map.agent, 1};
    options.hierarchy = true;
    Result<Grid> grid = Grid::make(options, tiles.span());
    if (!grid) return digest.add(std::uint64_t{2});
    Scratch scratch;
    Route route;
    for (int k = 0; k < 24; ++k) {
        const Vec2 from{4.5, rng.between(0, map.height - 1) + 0.5};
        const Vec2 to{map.width - 5.5, rng.between(0, map.height - 1) + 0.5};
        GridQuery query{.start = Spot(from).on_layer(k % 2), .goal = Spot(to).on_layer(k / 2 % 2)};
        constexpr double kRadii[] = {0.0, 0.45, 0.8};
        query.agent.radius = kRadii[k % 3];
        query.smoothing = static_cast<Smoothing>(k % 4);
        query.reach = 60.0;
        if (!find_route_into(*grid, query, scratch, route)) return digest.add(std::uint64_t{3});
        add_route(digest, route);
        if (k % 6 == 5 && !grid->fill({{36 + k, 26}, {50 + k, 40}, 1}, k % 4 == 1 ? 0 : 1))
            return digest.add(std::uint64_t{4});
    }
}
