// Levels of triangles made by code: for tests, pictures and examples of the bake. Metres, z up.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>
#include <fairlead/raster/soup.h>

namespace fairlead::scenes {

struct Level {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint8_t> areas;  ///< one a triangle

    [[nodiscard]] TriangleSoup soup() const { return {vertices, triangles, areas}; }

    /// Counter-clockwise from the side that can be walked on.
    void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, std::uint8_t area = 1) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        for (const Vec3 p : {a, b, c, d}) vertices.push_back(p);
        for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) triangles.push_back(first + i);
        areas.push_back(area);
        areas.push_back(area);
    }
    void floor(double x0, double y0, double x1, double y1, double z, std::uint8_t area = 1) {
        quad({x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}, area);
    }
    void box(Vec3 l, Vec3 h) {
        quad({l.x, l.y, h.z}, {h.x, l.y, h.z}, {h.x, h.y, h.z}, {l.x, h.y, h.z});
        quad({l.x, h.y, l.z}, {h.x, h.y, l.z}, {h.x, l.y, l.z}, {l.x, l.y, l.z});
        quad({l.x, l.y, l.z}, {h.x, l.y, l.z}, {h.x, l.y, h.z}, {l.x, l.y, h.z});
        quad({h.x, l.y, l.z}, {h.x, h.y, l.z}, {h.x, h.y, h.z}, {h.x, l.y, h.z});
        quad({h.x, h.y, l.z}, {l.x, h.y, l.z}, {l.x, h.y, h.z}, {h.x, h.y, h.z});
        quad({l.x, h.y, l.z}, {l.x, l.y, l.z}, {l.x, l.y, h.z}, {l.x, h.y, h.z});
    }
};

inline constexpr double kStairHouseWidth = 20.0;
inline constexpr double kStairHouseDepth = 12.0;
inline constexpr double kStorey = 3.2;  ///< from floor to floor

/// A house of three floors of 20 x 12 m with walls and doors. A flight of stairs leads from the ground floor to the first
/// (along y = 10.6, up towards +x), another from the first to the second (along y = 1.4, up towards -x) if `upper_flight`.
[[nodiscard]] Level stair_house(bool upper_flight = true);

/// A workshop of 24 x 16 m: pillars, crates, a low step, a ramp to a gallery that one can pass below, a mound that is too steep
/// at its sides.
[[nodiscard]] Level workshop();

}  // namespace fairlead::scenes
