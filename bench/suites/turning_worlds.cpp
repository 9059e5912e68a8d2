// Worlds of the suite `turning`.

#include "suites/turning_worlds.h"

#include <algorithm>
#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/queries.h>
#include <fairlead/formats/tile_map.h>

#include "suites/need.h"

namespace fairlead::bench {

namespace {

Pose pose_of(const formats::QueryPlace& place) {
    return {place.position, place.heading_deg.value_or(0.0) * kPi / 180.0};
}

PoseWorld published_poses(const std::string& data, const std::string& folder, const std::string& name) {
    const std::string map_path = data + "/maps/" + folder + "/" + name + ".map";
    const std::string poses_path = data + "/poses/" + name + ".csv";
    const formats::TileMap map =
        need(map_path, formats::load_tile_map(need(map_path, formats::load_file(map_path))));
    PoseWorld world;
    world.tiles = {name,
                   map.width,
                   map.height,
                   need(map_path, formats::make_tiles(map, formats::TileTable::movingai())),
                   {}};
    const std::string text = need(poses_path, formats::load_file(poses_path));
    for (const formats::QueryRow& row : need(poses_path, formats::load_queries(text)))
        world.pairs.push_back({pose_of(row.start), pose_of(row.goal)});
    return world;
}

}  // namespace

Agent turning_unit(bool can_reverse) {
    return {.radius = 0.4, .turning_radius = 3.0, .can_reverse = can_reverse};
}

bool disc_is_free(const BenchWorld& world, double radius, Vec2 at) {
    const double keep = radius - 1e-9;
    const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
    for (std::int32_t y = cell(at.y - keep); y <= cell(at.y + keep); ++y) {
        for (std::int32_t x = cell(at.x - keep); x <= cell(at.x + keep); ++x) {
            const bool inside = x >= 0 && y >= 0 && x < world.width && y < world.height;
            const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(world.width) +
                                  static_cast<std::size_t>(x);
            if (inside && world.tiles[i] != 0) continue;
            const double dx = at.x - std::clamp(at.x, static_cast<double>(x), x + 1.0);
            const double dy = at.y - std::clamp(at.y, static_cast<double>(y), y + 1.0);
            if (dx * dx + dy * dy < keep * keep) return false;
        }
    }
    return true;
}

std::vector<PosePair> random_poses(const BenchWorld& world, double radius, std::size_t count,
                                   std::uint64_t seed) {
    Rng rng{seed};
    const auto draw = [&] {
        Pose pose;
        for (int i = 0; i < 1000; ++i) {
            pose.position = {rng.between(0, world.width - 1) + 0.5, rng.between(0, world.height - 1) + 0.5};
            pose.heading_rad = static_cast<double>(rng.below(8)) * kPi / 4;
            if (disc_is_free(world, radius, pose.position)) break;
        }
        return pose;
    };
    return draw_pairs(count, draw);
}

std::vector<PoseWorld> pose_worlds(const SuiteOptions& options) {
    std::vector<PoseWorld> worlds;
    if (!options.data.empty() && !options.quick) {
        worlds.push_back(published_poses(options.data, "dao", "arena2"));
        worlds.push_back(published_poses(options.data, "dao", "den520d"));
        worlds.push_back(published_poses(options.data, "cities", "Berlin_0_256"));
    }
    BenchWorld town = town_world(options.quick ? 63 : 256, 11);
    std::vector<PosePair> pairs = random_poses(town, 0.4, options.quick ? 5 : 40, 1);
    worlds.push_back({std::move(town), std::move(pairs)});
    return worlds;
}

}  // namespace fairlead::bench
