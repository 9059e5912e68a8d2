// Models for tests of volumes, and floods over dense voxels that share nothing with the library.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/raster/voxels.h>

namespace fairlead::testing {

struct Triangles {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;

    void add(Vec3 a, Vec3 b, Vec3 c) {
        for (const Vec3& p : {a, b, c}) {
            triangles.push_back(static_cast<std::uint32_t>(vertices.size()));
            vertices.push_back(p);
        }
    }
    void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        add(a, b, c);
        add(a, c, d);
    }
    void box(Vec3 low, Vec3 high) {
        const auto at = [&](int i) {
            return Vec3{(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y,
                        (i & 4) != 0 ? high.z : low.z};
        };
        quad(at(0), at(2), at(3), at(1));
        quad(at(4), at(5), at(7), at(6));
        quad(at(0), at(1), at(5), at(4));
        quad(at(2), at(6), at(7), at(3));
        quad(at(0), at(4), at(6), at(2));
        quad(at(1), at(3), at(7), at(5));
    }
    [[nodiscard]] TriangleSoup soup() const { return {.vertices = vertices, .triangles = triangles}; }
};

/// A rotation from a random quaternion, and a shift.
struct Placement {
    double m[3][3];
    Vec3 shift;

    Placement(Rng& rng, Vec3 to) : shift(to) {
        double q[4], size = 0;
        do {
            size = 0;
            for (double& part : q) {
                part = rng.between(-1.0, 1.0);
                size += part * part;
            }
        } while (size > 1.0 || size < 0.01);
        for (double& part : q) part /= std::sqrt(size);
        const double w = q[0], x = q[1], y = q[2], z = q[3];
        const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) m[i][j] = r[i][j];
        }
    }
    [[nodiscard]] Vec3 operator()(Vec3 p) const {
        return Vec3{m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z,
                    m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
                    m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z} +
               shift;
    }
};

/// One byte a voxel.
struct Dense {
    std::int32_t size[3];
    std::vector<std::uint8_t> solid;

    Dense(std::int32_t x, std::int32_t y, std::int32_t z)
        : size{x, y, z},
          solid(static_cast<std::size_t>(x) * static_cast<std::size_t>(y) * static_cast<std::size_t>(z)) {}
    template <class Brick>
    void add(std::span<const Brick> bricks) {
        for (const Brick& b : bricks) {
            for (std::int32_t i = 0; i < 64; ++i) {
                if ((b.solid >> i & 1) != 0)
                    solid[index(4 * b.x + i % 4, 4 * b.y + i / 4 % 4, 4 * b.z + i / 16)] = 1;
            }
        }
    }
    [[nodiscard]] bool has(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
    }
    [[nodiscard]] std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(size[0]) +
               static_cast<std::size_t>(x);
    }
    /// 1 for each free voxel that is reached from one of `seeds`. `near`: 6 or 26 neighbours.
    template <class Seeds>
    [[nodiscard]] std::vector<std::uint8_t> flood(int near, Seeds is_seed) const {
        std::vector<std::uint8_t> reached(solid.size());
        std::vector<std::array<std::int32_t, 3>> todo;
        const auto reach = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
            if (!has(x, y, z) || solid[index(x, y, z)] != 0 || reached[index(x, y, z)] != 0) return;
            reached[index(x, y, z)] = 1;
            todo.push_back({x, y, z});
        };
        for (std::int32_t z = 0; z < size[2]; ++z) {
            for (std::int32_t y = 0; y < size[1]; ++y) {
                for (std::int32_t x = 0; x < size[0]; ++x) {
                    if (is_seed(x, y, z)) reach(x, y, z);
                }
            }
        }
        while (!todo.empty()) {
            const auto [x, y, z] = todo.back();
            todo.pop_back();
            for (std::int32_t i = 0; i < 27; ++i) {
                const std::int32_t dx = i % 3 - 1, dy = i / 3 % 3 - 1, dz = i / 9 - 1;
                if (near == 6 && dx * dx + dy * dy + dz * dz != 1) continue;
                reach(x + dx, y + dy, z + dz);
            }
        }
        return reached;
    }
    [[nodiscard]] bool at_bounds(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return x == 0 || y == 0 || z == 0 || x == size[0] - 1 || y == size[1] - 1 || z == size[2] - 1;
    }
};

}  // namespace fairlead::testing
