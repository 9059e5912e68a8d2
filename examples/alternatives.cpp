// Guards who leave the same gate for the same tower and do not walk in one line.
#include <cstdio>

#include <fairlead/fairlead.h>

int main() {
    using namespace fairlead;
    Result<Grid> yard = Grid::make({.width = 60, .height = 40});
    if (!yard || !yard->fill({{15, 10}, {25, 30}}, 0) || !yard->fill({{35, 5}, {45, 22}}, 0)) return 1;
    Scratch scratch;
    const GridQuery query{.start = cell_centre(3, 20), .goal = cell_centre(56, 18), .agent = {.radius = 0.4}};
    Route ways[4];
    const Result<std::size_t> found =
        find_alternatives(*yard, query, {.stretch = 1.3, .apart = 0.4, .seed = 2026}, scratch, ways);
    if (!found || *found < 2) return 1;
    for (int guard = 0; guard < 6; ++guard) {
        const Route& way = ways[static_cast<std::size_t>(guard) % *found];
        std::printf("guard %d: %.1f long, %.0f %% of the best\n", guard, way.length,
                    100.0 * way.line_cost / ways[0].line_cost);
        if (verify(way, *yard, query.agent) || way.line_cost > 1.3 * ways[0].line_cost) return 1;
    }
    return 0;
}
