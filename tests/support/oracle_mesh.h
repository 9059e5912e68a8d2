// From a test's mesh to the oracle's, and random points of it.
#pragma once

#include <cmath>

#include <fairlead/base/rng.h>

#include "oracle/mesh_oracle.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {

[[nodiscard]] inline OracleMesh oracle_mesh(const PlainMesh& plain, std::uint64_t closed_areas = 0) {
    OracleMesh out;
    for (const Vec3& v : plain.vertices) out.vertices.push_back(ground(v));
    for (std::size_t i = 0; i < plain.polygons.size(); ++i) {
        const std::uint8_t area = plain.areas.empty() ? std::uint8_t{0} : plain.areas[i];
        if ((closed_areas >> area & 1U) == 0) out.polygons.push_back(plain.polygons[i]);
    }
    return out;
}

[[nodiscard]] inline bool in_oracle_polygon(const OracleMesh& mesh, std::uint32_t polygon, Vec2 p) {
    const auto& ring = mesh.polygons[polygon];
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = mesh.vertices[ring[i]], b = mesh.vertices[ring[(i + 1) % ring.size()]];
        if (cross(b - a, p - a) < 0.0) return false;
    }
    return true;
}

/// A whole-numbered point of the mesh: often in the middle of things, often on sides and vertices.
[[nodiscard]] inline MeshOracle::Point random_mesh_point(Rng& rng, const OracleMesh& mesh) {
    for (;;) {
        const auto polygon =
            static_cast<std::uint32_t>(rng.below(static_cast<std::uint32_t>(mesh.polygons.size())));
        const auto& ring = mesh.polygons[polygon];
        const Vec2 a = mesh.vertices[ring[rng.below(static_cast<std::uint32_t>(ring.size()))]];
        const Vec2 b = mesh.vertices[ring[rng.below(static_cast<std::uint32_t>(ring.size()))]];
        const double t = rng.between(0.0, 1.0);
        const Vec2 p{std::round(a.x + (b.x - a.x) * t), std::round(a.y + (b.y - a.y) * t)};
        if (in_oracle_polygon(mesh, polygon, p)) return {p, polygon};
    }
}

/// How many separate places a point is in: on a vertex where polygons only touch, a query cannot say which it means.
[[nodiscard]] inline bool ambiguous(const OracleMesh& mesh, const MeshOracle& oracle,
                                    const MeshOracle::Point& point) {
    for (std::uint32_t p = 0; p < mesh.polygons.size(); ++p) {
        if (p != point.polygon && in_oracle_polygon(mesh, p, point.at) && !oracle.sees(point, {point.at, p}))
            return true;
    }
    return false;
}

[[nodiscard]] inline Vec3 on_floor(Vec2 p) { return {p.x, p.y, 0.0}; }

}  // namespace fairlead::testing
