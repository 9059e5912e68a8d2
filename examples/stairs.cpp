// Three floors joined by stairs, from triangles to a route from the ground to the top.

#include <fairlead/fairlead.h>
#include <fairlead/mesh_bake/navmesh.h>

#include <cstdio>

#include "scenes/level.h"

int main() {
    using namespace fairlead;
    const scenes::Level house = scenes::stair_house();
    const Result<NavMesh> mesh = bake::navmesh(
        house.soup(),
        {.cell_size = 0.2, .cell_height = 0.1, .agent_height = 1.8, .agent_radius = 0.3, .climb = 0.3});
    if (!mesh) return 1;

    // z tells the floors apart: two of them lie below the goal.
    Scratch scratch;
    const Result<Route> route =
        find_route(*mesh, MeshQuery{.start = {2, 2, 0}, .goal = Vec3{18, 2, 2 * scenes::kStorey}}, scratch);
    if (!route || route->status != PathStatus::complete || verify(*route, *mesh, {})) return 1;
    std::printf("%u polygons; length %.1f, up to z = %.1f\n", mesh->state().polygons(), route->length,
                route->end.position.z);
    for (const Leg& leg : route->legs) {
        const Vec3 at = leg.start.position;
        std::printf("  (%.1f, %.1f, %.1f) and %.1f up\n", at.x, at.y, at.z, leg.rise);
    }
    return route->end.position.z > 6.0 ? 0 : 1;
}
