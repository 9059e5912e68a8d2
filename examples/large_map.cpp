// A large map with a hierarchy: the first legs at once, the whole route soon, kept exact when buildings go up.

#include <fairlead/fairlead.h>

#include <cstdio>
#include <vector>

int main() {
    using namespace fairlead;
    constexpr std::int32_t kSide = 2304;
    std::vector<std::uint8_t> tiles(std::size_t{kSide} * kSide, 1);
    Rng rng(3);
    for (int i = 0; i < 9000; ++i) {  // houses
        const std::int32_t x = rng.between(40, kSide - 60), y = rng.between(40, kSide - 60);
        const std::int32_t wide = rng.between(4, 24), deep = rng.between(4, 16);
        for (std::int32_t ty = y; ty < y + deep; ++ty) {
            for (std::int32_t tx = x; tx < x + wide; ++tx)
                tiles[std::size_t(ty) * kSide + std::size_t(tx)] = 0;
        }
    }
    const Agent walker{.radius = 0.45};
    GridOptions options{.width = kSide, .height = kSide};
    options.sizes = {&walker, 1};
    options.hierarchy = true;  // of each registered size
    Result<Grid> land = Grid::make(options, tiles);
    if (!land) return 1;
    const GridMemory memory = land->state().memory();
    std::printf("%.2f bytes a tile, of them %.2f for the hierarchies of two sizes\n",
                double(memory.total()) / double(tiles.size()),
                double(memory.hierarchy) / double(tiles.size()));

    // Far goals go over the hierarchy by themselves (GridPlanner::automatic); near ones are searched for tile by tile.
    const GridQuery query{.start = Vec2{12.5, 20.5}, .goal = Vec2{2290.5, 2280.5}, .agent = walker};
    Scratch scratch;
    Route route;
    GridSearch search(*land, query, scratch);
    while (search.running() && !search.has_route()) search.step(1);
    if (!search.take(route) || route.legs.empty()) return 1;
    std::printf("%s: the first %zu legs, %.0f tiles\n", route.planner, route.legs.size(), route.length);

    while (search.running()) search.step(64);
    if (!search.take(route) || route.status != PathStatus::complete) return 1;
    std::printf("the whole: %zu legs, %.0f tiles\n", route.legs.size(), route.length);
    if (verify(route, *land, walker)) return 1;

    // A building on the way: the clusters that it touches are made anew.
    const Vec3 middle = place_on_route(route, route.length / 2).position;
    const auto x = static_cast<std::int32_t>(middle.x), y = static_cast<std::int32_t>(middle.y);
    if (!land->fill({{x - 8, y - 8}, {x + 8, y + 8}}, 0)) return 1;
    const Result<Route> round = find_route(*land, query, scratch);
    if (!round || round->status != PathStatus::complete || verify(*round, *land, walker)) return 1;
    std::printf("round the new building: %.0f tiles\n", round->length);
    return round->length + 1e-9 >= 0.9 * route.length ? 0 : 1;
}
