// A delivery van in a car park of two floors: up the ramp to the floor above, and round a crate that only a local grid knows.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    // Two halls above each other; a ramp of two lanes in the east, with a landing half way up.
    const Vec3 corners[] = {{0, 0, 0},  {30, 0, 0},  {30, 8, 0},  {30, 16, 0}, {0, 16, 0},   // the hall below
                            {44, 0, 2}, {44, 8, 2},  {44, 16, 2}, {54, 0, 2},  {54, 16, 2},  // the landing
                            {30, 8, 4}, {30, 16, 4}, {0, 16, 4},  {0, 0, 4},   {30, 0, 4}};  // the hall above
    const std::uint32_t sizes[] = {5, 4, 5, 4, 5};
    const std::uint32_t order[] = {0, 1, 2, 3, 4,  1,  5,  6,  2,  5,  8, 9,
                                   7, 6, 6, 7, 11, 10, 10, 11, 12, 13, 14};
    const NavMeshTile tile{.vertices = corners, .polygon_sizes = sizes, .polygon_corners = order};
    const Result<NavMesh> level = NavMesh::make({.agent_radius = 0.5, .tiles = {&tile, 1}});
    if (!level) return 1;

    const Agent van{.shape = BodyShape::box,
                    .length = 4.0,
                    .width = 2.0,
                    .axle_offset = 1.2,
                    .turning_radius = 3.0,
                    .can_reverse = true};
    Scratch scratch;
    const MeshDriveQuery query{
        .start = {{6, 4, 0}, 0.0}, .goal = {{6, 12, 4}, kHalfPi}, .agent = van};  // z tells the floor
    const Result<Route> route = find_route(*level, query, scratch);
    if (!route || route->status != PathStatus::complete) return 1;
    std::printf("length %.2f, %zu legs, from z = %.1f to %.1f\n", route->length, route->legs.size(),
                route->legs[0].start.position.z, route->end.position.z);
    if (verify(*route, *level, van)) return 1;

    Result<LocalGrid> window = LocalGrid::make({.cell_size = 0.4, .cells = 64});
    if (!window || !window->lay(*level, {14, 4, 0}, van)) return 1;
    const MeshObstacle crate = MeshObstacle::box({16, 4}, {0.5, 0.5}, 0.4, 0.0, 1.0);
    if (!window->set_clutter({&crate, 1})) return 1;  // every frame, if it moves
    const Result<Detour> way = find_detour(*window, *route, 1.0, scratch);
    if (!way || !way->needed || way->route.status != PathStatus::complete) return 1;
    std::printf("round the crate, back on the route after %.2f: length %.2f\n", way->to, way->route.length);
    return verify(way->route, *level, van) ? 1 : 0;
}
