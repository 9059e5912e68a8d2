// Levels for turning units, and the units that drive there.
#pragma once

#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/route/agent.h>

#include "support/bodies.h"
#include "support/levels.h"
#include "support/plain_mesh.h"

namespace fairlead {

inline const Agent kCar{.radius = 0.4, .turning_radius = 1.2, .can_reverse = true};

/// A hall of 20 x 10, and one of the same size above it that a ramp in the east leads to.
///     upper hall   z = 4, x 0 to 20
///     ramp         x 20 to 30 (z 0 to 2), back over itself x 30 to 20 in the next lane (z 2 to 4)
inline testing::PlainMesh two_halls() {
    testing::PlainMesh plain;
    plain.vertices = {{0, 0, 0},  {20, 0, 0},  {20, 5, 0},  {20, 10, 0}, {0, 10, 0},   // the lower hall
                      {30, 0, 2}, {30, 5, 2},  {30, 10, 2},                            // the ramp's far end
                      {20, 5, 4}, {20, 10, 4}, {0, 10, 4},  {0, 0, 4},   {20, 0, 4}};  // the upper hall
    plain.polygons = {{0, 1, 2, 3, 4}, {1, 5, 6, 2}, {6, 7, 9, 8}, {8, 9, 10, 11, 12}};
    // The landing joins both lanes of the ramp.
    plain.vertices.push_back({35, 0, 2});
    plain.vertices.push_back({35, 10, 2});
    plain.polygons.push_back({5, 13, 14, 7, 6});
    return plain;
}

inline Result<NavMesh> random_level(Rng& rng) {
    const testing::Level level = testing::random_blocks(rng, 24.0, 12);
    return bake::navmesh(level.soup(), {.cell_size = 0.25, .agent_radius = 0.4}, {.radius_max = 1.0});
}

inline Agent random_agent(Rng& rng) {
    Agent agent{.radius = rng.between(0.0, 0.9)};
    if (rng.below(3) == 0) agent = testing::box_body(rng.between(0.5, 2.5), rng.between(0.4, 1.4), 0.3);
    if (rng.below(3) == 0) agent = testing::capsule_body(rng.between(1.4, 2.5), rng.between(0.3, 0.7), -0.2);
    agent.turning_radius = rng.between(0.6, 3.0);
    agent.can_reverse = rng.below(2) == 0;
    agent.can_pivot = rng.below(4) == 0;
    return agent;
}

}  // namespace fairlead
