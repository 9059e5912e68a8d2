// Obstacles at random, and all that can be seen of a mesh.
#pragma once

#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/mesh/nav_mesh.h>

#include "support/plain_mesh.h"

namespace fairlead::testing {

/// A box or a pillar in [0, size] x [0, size], from height -1 to 1.
[[nodiscard]] inline MeshObstacle random_obstacle(Rng& rng, double size) {
    const Vec2 at{rng.between(0.0, size), rng.between(0.0, size)};
    if (rng.below(3) == 0) return MeshObstacle::pillar(at, rng.between(0.2, 3.0), -1.0, 1.0);
    return MeshObstacle::box(at, {rng.between(0.1, 4.0), rng.between(0.1, 4.0)}, rng.between(0.0, 3.0), -1.0,
                             1.0);
}

[[nodiscard]] inline Vec2 middle_of(const PlainMesh& plain, std::size_t polygon) {
    Vec2 sum{};
    for (const std::uint32_t v : plain.polygons[polygon]) sum = sum + ground(plain.vertices[v]);
    return sum * (1.0 / static_cast<double>(plain.polygons[polygon].size()));
}

/// Everything one can see of a state.
[[nodiscard]] inline std::vector<double> shape_of(const NavMeshState& state) {
    std::vector<double> out{static_cast<double>(state.polygons())};
    for (std::uint32_t i = 0; i < state.polygons(); ++i) {
        const PolygonId polygon = state.polygon(i);
        out.push_back(state.area(polygon));
        out.push_back(static_cast<double>(state.component(polygon)));
        for (std::uint32_t k = 0; k < state.corners(polygon); ++k) {
            const Vec3 p = state.corner(polygon, k);
            out.insert(out.end(), {p.x, p.y, p.z, static_cast<double>(state.neighbour(polygon, k).value)});
        }
    }
    return out;
}

}  // namespace fairlead::testing
