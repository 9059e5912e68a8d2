// Small levels as triangle soup, for the tests of the bake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/raster/soup.h>

namespace fairlead::testing {

struct Level {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint8_t> areas;  ///< one a triangle

    [[nodiscard]] TriangleSoup soup() const { return {vertices, triangles, areas}; }

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

/// A floor of size x size with random boxes on it, some turned into slabs overhead and ramps.
Level random_blocks(Rng& rng, double size, int count);
/// A maze of w x h rooms of `step` metres with thin walls; some walls are taken out.
Level random_maze(Rng& rng, int w, int h, double step);
/// Cells of one metre, each blocked with the chance given in percent, smoothed like a cave.
Level random_cave(Rng& rng, int size, std::uint32_t percent, int smoothings);
/// Hills: a height field of size x size metres.
Level random_hills(Rng& rng, int size, double rough);
/// A spiral ramp of `turns` turns round a square core, and a floor at its foot.
Level spiral(int turns);
/// An OBJ file of the benchmark data, y up.
Level read_obj(const std::string& path);
/// All of it moved.
Level moved(Level level, Vec3 by);
/// The triangles in another order.
Level shuffled(const Level& level, Rng& rng);

}  // namespace fairlead::testing
