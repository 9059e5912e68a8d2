// A buggy on a level mesh with sand on it: through the sand while that is cheap, round it where it is dear.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    enum Area : std::uint8_t { kGrass, kSand };
    // A field of 24 x 12 with a strip of sand across it, but for the north.
    const Vec3 corners[] = {{0, 0, 0},  {8, 0, 0},  {14, 0, 0}, {24, 0, 0}, {0, 9, 0},   {8, 9, 0},
                            {14, 9, 0}, {24, 9, 0}, {0, 12, 0}, {8, 12, 0}, {14, 12, 0}, {24, 12, 0}};
    const std::uint32_t sizes[] = {4, 4, 4, 4, 4, 4};
    const std::uint32_t order[] = {0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 4, 5, 9, 8, 5, 6, 10, 9, 6, 7, 11, 10};
    const std::uint8_t areas[] = {kGrass, kSand, kGrass, kGrass, kGrass, kGrass};
    const NavMeshTile tile{
        .vertices = corners, .polygon_sizes = sizes, .polygon_corners = order, .areas = areas};
    const Result<NavMesh> level = NavMesh::make({.agent_radius = 0.5, .tiles = {&tile, 1}});
    if (!level) return 1;

    const Agent buggy{.radius = 0.6, .turning_radius = 2.0, .can_reverse = true};
    Scratch scratch;
    for (const double sand : {1.0, 1.5, 4.0}) {
        double costs[kAreasMax];
        for (double& cost : costs) cost = 1.0;
        costs[kSand] = sand;
        const MeshDriveQuery query{.start = {{4, 3, 0}, 0.0},
                                   .goal = {{20, 3, 0}, 0.0},
                                   .agent = buggy,
                                   .filter = {.areas = {.factors = costs}},
                                   .epsilon = 1.0};
        const Result<Route> route = find_route(*level, query, scratch);
        if (!route || route->status != PathStatus::complete || verify(*route, *level, buggy)) return 1;
        std::printf("sand at %.1f: length %.2f, cost %.2f\n", sand, route->length, route->cost);
    }
    return 0;
}
