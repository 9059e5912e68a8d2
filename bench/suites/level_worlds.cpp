// The levels of the suites for level meshes.

#include "suites/level_worlds.h"

#include <algorithm>

#include <fmt/format.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>

#include "suites/need.h"

namespace fairlead::bench {

namespace {

constexpr const char* kLevels[] = {"recast/nav_test", "recast/undulating", "navcat/proto-level",
                                   "made/city_256", "made/tower_10"};

BenchLevel published_level(const std::string& folder, const std::string& name) {
    const std::string path = folder + "/meshes/" + name + ".obj";
    return {name.substr(name.find('/') + 1),
            need(path, formats::load_obj(need(path, formats::load_file(path))))};
}

void add_quad(formats::TriangleFile& file, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const auto first = static_cast<std::uint32_t>(file.vertices.size());
    for (const Vec3& p : {a, b, c, d}) file.vertices.push_back(p);
    for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) file.triangles.push_back(first + i);
}

/// Its top and its sides.
void add_block(formats::TriangleFile& file, Vec2 low, Vec2 high, double top) {
    const Vec3 floor[4] = {{low.x, low.y, 0}, {high.x, low.y, 0}, {high.x, high.y, 0}, {low.x, high.y, 0}};
    Vec3 roof[4];
    for (int i = 0; i < 4; ++i) roof[i] = {floor[i].x, floor[i].y, top};
    add_quad(file, roof[0], roof[1], roof[2], roof[3]);
    for (int i = 0; i < 4; ++i) {
        const int next = (i + 1) % 4;
        add_quad(file, floor[i], floor[next], roof[next], roof[i]);
    }
}

}  // namespace

BenchLevel yard_level(double side, std::uint64_t seed) {
    BenchLevel level{fmt::format("own yard {:.0f}", side), {}};
    formats::TriangleFile& file = level.file;
    add_quad(file, {0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0});
    const double storey = side * 0.7;  // from here on
    add_quad(file, {storey, 0, 4}, {side, 0, 4}, {side, side, 4}, {storey, side, 4});
    add_quad(file, {storey - 10, side / 2, 0}, {storey, side / 2, 4}, {storey, side / 2 + 5, 4},
             {storey - 10, side / 2 + 5, 0});
    Rng rng{seed};
    const int blocks = static_cast<int>(side * side / 80);
    for (int i = 0; i < blocks; ++i) {
        const Vec2 low{rng.between(1.0, storey - 16.0), rng.between(1.0, side - 7.0)};
        add_block(file, low, {low.x + rng.between(0.5, 6.0), low.y + rng.between(0.5, 6.0)}, 3.0);
    }
    return level;
}

BenchLevel maze_level(int rooms, std::uint64_t seed) {
    constexpr double kRoom = 3.0, kThick = 0.1;
    BenchLevel level{fmt::format("own maze {}", rooms), {}};
    const double side = kRoom * rooms;
    add_quad(level.file, {0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0});
    const auto wall = [&](double x, double y, bool along_x) {
        add_block(level.file, {x * kRoom - kThick, y * kRoom - kThick},
                  {(x + (along_x ? 1 : 0)) * kRoom + kThick, (y + (along_x ? 0 : 1)) * kRoom + kThick}, 3.0);
    };
    // Each room opens to the east or to the north.
    Rng rng{seed};
    for (int y = 0; y < rooms; ++y) {
        for (int x = 0; x < rooms; ++x) {
            const bool last_x = x + 1 == rooms, last_y = y + 1 == rooms;
            const bool east = last_y || (!last_x && rng.below(2) == 0);
            if (!last_x && !east) wall(x + 1, y, false);
            if (!last_y && east) wall(x, y + 1, true);
        }
    }
    return level;
}

BenchLevel repeated(const BenchLevel& level, int times, const std::string& name) {
    BenchLevel all{name, {}};
    const Vec3 first = level.file.vertices.front();
    Vec3 low = first, high = first;
    for (const Vec3& p : level.file.vertices) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), 0};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), 0};
    }
    for (int y = 0; y < times; ++y) {
        for (int x = 0; x < times; ++x) {
            const auto start = static_cast<std::uint32_t>(all.file.vertices.size());
            const Vec3 by{x * (high.x - low.x), y * (high.y - low.y), 0};
            for (const Vec3& p : level.file.vertices) all.file.vertices.push_back(p + by);
            for (const std::uint32_t i : level.file.triangles) all.file.triangles.push_back(start + i);
        }
    }
    return all;
}

std::vector<BenchLevel> bench_levels(const SuiteOptions& options) {
    std::vector<BenchLevel> levels;
    if (!options.data.empty() && !options.quick) {
        for (const char* name : kLevels) levels.push_back(published_level(options.data, name));
    }
    levels.push_back(yard_level(options.quick ? 40 : 120, 41));
    return levels;
}

BenchLevel obstacle_level(const SuiteOptions& options) { return std::move(bench_levels(options).front()); }

}  // namespace fairlead::bench
