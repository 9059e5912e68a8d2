#include "support/levels.h"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <utility>

namespace fairlead::testing {

Level random_blocks(Rng& rng, double size, int count) {
    Level level;
    level.floor(0, 0, size, size, 0);
    for (int i = 0; i < count; ++i) {
        const double x = rng.between(-1.0, size);
        const double y = rng.between(-1.0, size);
        const double w = rng.between(0.2, size / 4);
        const double h = rng.between(0.2, size / 4);
        const double z = rng.between(0.0, 4.0);
        const std::uint32_t kind = rng.below(4);
        if (kind == 0) {
            level.box({x, y, z}, {x + w, y + h, z + 0.3});  // a slab
        } else if (kind == 1) {
            level.quad({x, y, 0}, {x + w, y, z}, {x + w, y + h, z}, {x, y + h, 0});  // a ramp
        } else {
            level.box({x, y, -0.5}, {x + w, y + h, z});
        }
    }
    return level;
}

Level random_maze(Rng& rng, int w, int h, double step) {
    Level level;
    level.floor(0, 0, w * step, h * step, 0);
    const double wall = 0.05;
    const auto post = [&](double x0, double y0, double x1, double y1) {
        level.box({x0 - wall, y0 - wall, -0.1}, {x1 + wall, y1 + wall, 3});
    };
    post(0, 0, w * step, 0);
    post(0, h * step, w * step, h * step);
    post(0, 0, 0, h * step);
    post(w * step, 0, w * step, h * step);
    // Binary tree maze: each room opens to the east or the north; a tenth of the other walls fall.
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            const bool east = y + 1 == h || (x + 1 < w && rng.below(2) == 0);
            if (!east && x + 1 < w && rng.below(10) != 0)
                post((x + 1) * step, y * step, (x + 1) * step, (y + 1) * step);
            if (east && y + 1 < h && rng.below(10) != 0)
                post(x * step, (y + 1) * step, (x + 1) * step, (y + 1) * step);
        }
    }
    return level;
}

Level random_cave(Rng& rng, int size, std::uint32_t percent, int smoothings) {
    const auto n = static_cast<std::size_t>(size);
    std::vector<char> solid(n * n);
    for (char& c : solid) c = rng.below(100) < percent ? 1 : 0;
    for (int round = 0; round < smoothings; ++round) {
        std::vector<char> next = solid;
        for (std::size_t y = 1; y + 1 < n; ++y) {
            for (std::size_t x = 1; x + 1 < n; ++x) {
                int sum = 0;
                for (std::size_t j = y - 1; j <= y + 1; ++j) {
                    for (std::size_t i = x - 1; i <= x + 1; ++i) sum += solid[j * n + i];
                }
                next[y * n + x] = sum >= 5 ? 1 : 0;
            }
        }
        solid = std::move(next);
    }
    Level level;
    level.floor(0, 0, size, size, 0);
    for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t x = 0; x < n; ++x) {
            if (solid[y * n + x] == 0) continue;
            const auto fx = static_cast<double>(x);
            const auto fy = static_cast<double>(y);
            level.box({fx + 0.02, fy + 0.02, -0.5}, {fx + 0.98, fy + 0.98, 3});
        }
    }
    return level;
}

Level random_hills(Rng& rng, int size, double rough) {
    const auto n = static_cast<std::size_t>(size) + 1;
    std::vector<double> z(n * n);
    for (double& value : z) value = rng.between(0.0, rough);
    Level level;
    const auto at = [&](std::size_t x, std::size_t y) {
        return Vec3{static_cast<double>(x), static_cast<double>(y), z[y * n + x]};
    };
    for (std::size_t y = 0; y + 1 < n; ++y) {
        for (std::size_t x = 0; x + 1 < n; ++x)
            level.quad(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
    }
    return level;
}

Level spiral(int turns) {
    Level level;
    level.floor(-12, -12, 12, 12, 0);
    const Vec2 inner[4] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}};
    const Vec2 outer[4] = {{-7, -7}, {7, -7}, {7, 7}, {-7, 7}};
    for (int i = 0; i < 4 * turns; ++i) {
        const auto k = static_cast<std::size_t>(i % 4);
        const auto next = (k + 1) % 4;
        const double low = i;
        const double high = i + 1;
        level.quad({outer[k].x, outer[k].y, low}, {outer[next].x, outer[next].y, high},
                   {inner[next].x, inner[next].y, high}, {inner[k].x, inner[k].y, low});
    }
    return level;
}

Level read_obj(const std::string& path) {
    Level level;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        std::string word;
        in >> word;
        if (word == "v") {
            double x = 0;
            double y = 0;
            double z = 0;
            in >> x >> y >> z;
            level.vertices.push_back({x, -z, y});
        } else if (word == "f") {
            std::vector<std::uint32_t> corners;
            while (in >> word) corners.push_back(static_cast<std::uint32_t>(std::stoul(word)) - 1);
            for (std::size_t k = 2; k < corners.size(); ++k) {
                for (const std::size_t i : {std::size_t{0}, k - 1, k}) level.triangles.push_back(corners[i]);
                level.areas.push_back(1);
            }
        }
    }
    return level;
}

Level moved(Level level, Vec3 by) {
    for (Vec3& p : level.vertices) p = p + by;
    return level;
}

Level shuffled(const Level& level, Rng& rng) {
    std::vector<std::uint32_t> order(level.areas.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i)
        std::swap(order[i - 1], order[rng.below(i)]);
    Level out;
    out.vertices = level.vertices;
    for (const std::uint32_t t : order) {
        for (std::uint32_t k = 0; k < 3; ++k)
            out.triangles.push_back(level.triangles[3 * std::size_t{t} + (k + t) % 3]);
        out.areas.push_back(level.areas[t]);
    }
    return out;
}

}  // namespace fairlead::testing
