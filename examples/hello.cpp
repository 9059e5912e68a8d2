// The smallest use: a map, a query, the legs of the route.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Grid> town = Grid::make({.width = 20, .height = 10});
    if (!town || !town->fill({{5, 2}, {7, 10}}, 0)) return 1;  // a building

    Scratch scratch;
    const GridQuery query{.start = cell_centre(1, 8), .goal = cell_centre(12, 8), .agent = {.radius = 0.4}};
    const Result<Route> route = find_route(*town, query, scratch);
    if (!route || route->status != PathStatus::complete) return 1;
    for (const Leg& leg : route->legs) {
        std::printf("from (%.2f, %.2f) for %.2f\n", leg.start.position.x, leg.start.position.y, leg.length);
    }
    std::printf("arrived after %.3f\n", route->length);
}
