// Random levels as triangles, for the digest scenes.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/math/vec.h>

namespace fairlead::testing {

struct Soup {
    Array<Vec3> vertices;
    Array<std::uint32_t> triangles;
    Array<std::uint8_t> areas;

    [[nodiscard]] bool quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, std::uint8_t area) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        for (const Vec3 p : {a, b, c, d}) {
            if (!vertices.push_back(p)) return false;
        }
        for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) {
            if (!triangles.push_back(first + i)) return false;
        }
        return areas.push_back(area) && areas.push_back(area);
    }
};

// A block, a slab or a ramp at a random place. One draw a statement: their order is part of the scene.
[[nodiscard]] inline bool add_piece(Rng& rng, Soup& soup) {
    const double x = rng.between(-1.0, 15.0);
    const double y = rng.between(-1.0, 15.0);
    const double w = rng.between(0.3, 5.0);
    const double h = rng.between(0.3, 5.0);
    const double z = rng.between(0.0, 4.0);
    const double turn = rng.between(-0.4, 0.4);
    const auto area = static_cast<std::uint8_t>(1 + rng.below(3));
    const std::uint32_t kind = rng.below(3);
    const Vec2 a{x, y};
    const Vec2 b{x + w, y + turn * w};
    const Vec2 c{b.x - turn * h, b.y + h};
    const Vec2 d{x - turn * h, y + h};
    const auto at = [](Vec2 p, double height) { return Vec3{p.x, p.y, height}; };
    if (kind == 0) return soup.quad(at(a, 0), at(b, z), at(c, z), at(d, 0), area);
    const double low = kind == 1 ? z - 0.3 : -0.1;
    const Vec2 corners[5] = {a, b, c, d, a};
    for (int k = 0; k < 4; ++k) {
        if (!soup.quad(at(corners[k], low), at(corners[k + 1], low), at(corners[k + 1], z), at(corners[k], z),
                       area))
            return false;
    }
    return soup.quad(at(a, z), at(b, z), at(c, z), at(d, z), area);
}

}  // namespace fairlead::testing
