// A map that changes: an edit makes a new revision, a snapshot keeps the old one, a route is checked and repaired.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Grid> town = Grid::make({.width = 64, .height = 64});
    if (!town) return 1;
    Scratch scratch;
    const GridQuery query{.start = cell_centre(2, 32), .goal = cell_centre(60, 32)};
    Result<Route> route = find_route(*town, query, scratch);
    if (!route) return 1;
    std::printf("revision %llu: length %.2f\n", static_cast<unsigned long long>(route->revision),
                route->length);

    const GridSnapshot before = town->acquire();
    const CellRect building{{30, 20}, {36, 44}};
    if (!town->fill(building, 0)) return 1;

    // Who holds the snapshot still sees the open field; the grid itself has the building.
    const Result<Route> old = find_route(*before, query, scratch);
    if (!old || old->length != route->length) return 1;

    const Result<Revalidation> still = revalidate(*town, *route, query, scratch, &building);
    if (!still || still->legal) return 1;
    std::printf("leg %lld is blocked now\n", static_cast<long long>(still->first_bad));
    if (!repair(*town, *route, query, scratch) || route->status != PathStatus::complete) return 1;
    std::printf("revision %llu: length %.2f\n", static_cast<unsigned long long>(route->revision),
                route->length);
    return verify(*route, *town, query.agent) ? 1 : 0;
}
