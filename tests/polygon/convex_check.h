// Checks of convex polygons that share nothing with how they are made.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh_check.h"

namespace fairlead::polygon_test {

/// Polygons as lists of corners, from any of the outputs.
struct Shapes {
    std::span<const Vec2> vertices;
    std::vector<std::vector<std::uint32_t>> rings;
    std::vector<std::vector<std::uint32_t>> across;

    [[nodiscard]] std::vector<Vec2> ring(std::size_t i) const {
        std::vector<Vec2> out;
        for (const std::uint32_t v : rings[i]) out.push_back(vertices[v]);
        return out;
    }
};

template <class Polygons>
Shapes shapes_of(std::span<const Vec2> vertices, const Polygons& polygons) {
    Shapes out{vertices, {}, {}};
    std::size_t at = 0;
    for (const std::uint32_t size : polygons.sizes) {
        out.rings.emplace_back(polygons.corners.begin() + at, polygons.corners.begin() + at + size);
        out.across.emplace_back(polygons.across.begin() + at, polygons.across.begin() + at + size);
        at += size;
    }
    return out;
}

/// Is p in the closed polygon?
inline bool holds(const std::vector<Vec2>& ring, Vec2 p) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
        if (math::orient2d(ring[i], ring[(i + 1) % ring.size()], p) < 0.0) return false;
    }
    return true;
}

/// Convex, without repeated corners, and edge to edge: the neighbour has the same edge, the other way round.
inline std::string convex_fault(const Shapes& shapes) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> edges;
    for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
        const std::vector<std::uint32_t>& ring = shapes.rings[i];
        if (ring.size() < 3) return "fewer than three corners";
        const std::vector<Vec2> p = shapes.ring(i);
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const Vec2 b = p[(k + 1) % p.size()], c = p[(k + 2) % p.size()];
            if (math::orient2d(p[k], b, c) < 0.0) return "right turn";
            if (dot(b - p[k], c - b) <= 0.0 && math::orient2d(p[k], b, c) == 0.0) return "turns back";
            if (!edges.emplace(std::pair{ring[k], ring[(k + 1) % ring.size()]}, i).second)
                return "edge twice";
        }
        // Once around, not more often: as large as its hull.
        if (std::fabs(twice_area(p) - twice_area(convex_hull(p))) > 1e-9 * twice_area(p) + 1e-11)
            return "runs around twice";
    }
    for (std::size_t i = 0; i < shapes.rings.size(); ++i) {
        const std::vector<std::uint32_t>& ring = shapes.rings[i];
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const auto other = edges.find({ring[(k + 1) % ring.size()], ring[k]});
            const std::uint32_t across = shapes.across[i][k];
            if ((other == edges.end()) != (across == 0xffffffffU)) return "neighbour";
            if (other != edges.end() && other->second != across) return "other neighbour";
        }
    }
    return "";
}

}  // namespace fairlead::polygon_test
