// One grid for units of all sizes: the radius is an argument of the query. Sizes that are used much are registered, so
// that "unreachable" costs nothing for them.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    const Agent sizes[] = {{.radius = 0.4}, {.radius = 1.4}, {.footprint = 3}};
    Result<Grid> town = Grid::make({.width = 40, .height = 20, .sizes = sizes});
    if (!town || !town->fill({{20, 0}, {21, 20}}, 0)) return 1;  // a wall from edge to edge
    if (!town->fill({{20, 4}, {21, 5}}, 1)) return 1;            // with a door for persons
    Scratch scratch;
    for (const Agent& agent : sizes) {
        const GridQuery query{.start = cell_centre(3, 4), .goal = cell_centre(36, 4), .agent = agent};
        const Result<Route> route = find_route(*town, query, scratch);
        if (!route) return 1;
        std::printf("radius %.1f, footprint %d: %s, %llu expansions\n", agent.radius, agent.footprint,
                    status_name(route->status), static_cast<unsigned long long>(route->stats.expanded));
        const bool fits = agent == sizes[0];
        if ((route->status == PathStatus::complete) != fits) return 1;
    }
}
