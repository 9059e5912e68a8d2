// Tile worlds: 10,000 queries over 250 maps with edits, all planners, all smoothings; every number of every route.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

struct Map {
    std::int32_t width = 0;
    std::int32_t height = 0;
    Array<std::uint8_t> tiles;
};

void random_map(Rng& rng, std::uint32_t terrains, Map& map) {
    map.width = rng.between(2, 90);
    map.height = rng.between(2, 90);
    const std::uint32_t percent = rng.below(45);
    map.tiles.clear();
    for (std::int32_t i = 0; i < map.width * map.height; ++i) {
        const bool wall = rng.below(100) < percent;
        const auto kind = static_cast<std::uint8_t>(1 + rng.below(terrains));
        if (!map.tiles.push_back(wall ? std::uint8_t{0} : kind)) return;
    }
}

/// One draw a statement: their order is part of the scene.
Vec2 random_point(Rng& rng, const Map& map) {
    Vec2 point{0.5, 0.5};
    point.x += rng.between(0, map.width - 1);
    point.y += rng.between(0, map.height - 1);
    if (rng.below(3) == 0) point.x += rng.unit() - 0.5;
    if (rng.below(3) == 0) point.y += rng.unit() - 0.5;
    return point;
}

GridQuery random_query(Rng& rng, const Map& map, std::uint32_t number) {
    GridQuery query;
    query.planner = static_cast<GridPlanner>(number % static_cast<std::uint32_t>(GridPlanner::count_));
    if (query.planner == GridPlanner::jump_point) query.planner = GridPlanner::automatic;
    query.smoothing = static_cast<Smoothing>(rng.below(4));
    query.corner = static_cast<CornerRule>(rng.below(3));
    query.certify = rng.below(2) == 0;
    query.start = random_point(rng, map);
    query.goal = random_point(rng, map);
    const double radii[] = {0.0, 0.4, 0.5, 0.7, 1.2, 2.6, 5.0};
    query.agent.radius = radii[rng.below(7)];
    query.agent.footprint = rng.below(6) == 0 ? rng.between(1, 3) : 0;
    return query;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(grid_queries) {
    Rng rng(20240607);
    Scratch scratch;
    Route route;
    Map map;
    std::uint32_t number = 0;
    for (int m = 0; m < 250; ++m) {
        random_map(rng, m % 2 == 0 ? 1 : 4, map);
        GridOptions options{.width = map.width, .height = map.height};
        const Agent sizes[] = {{.radius = 0.7}, {.radius = 1.2}, {.footprint = 2}};
        options.sizes = sizes;
        options.wrap_x = m % 5 == 4;
        Result<Grid> grid = Grid::make(options, map.tiles.span());
        if (!grid) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 40; ++q) {
            if (q % 8 == 7) {
                const Cell cell{rng.between(0, map.width - 1), rng.between(0, map.height - 1), 0};
                digest.add(static_cast<std::uint32_t>(
                    grid->set(cell, static_cast<std::uint8_t>(q % 2)).has_value()));
            }
            const GridQuery query = random_query(rng, map, number++);
            const Result<void> done = find_route_into(*grid, query, scratch, route);
            digest.add(static_cast<std::uint32_t>(done.has_value()));
            if (done) add_route(digest, route);
        }
        digest.add(grid->state().revision());
    }
}
