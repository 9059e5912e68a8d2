#include "support/drive_worlds.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "support/random_ground.h"

namespace fairlead::testing {

using oracle::PoseMap;

const char* style_name(MapStyle style) {
    constexpr const char* kNames[] = {"scattered", "blocks", "rooms", "corridors"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(MapStyle::count_));
    return kNames[static_cast<std::size_t>(style)];
}

Tiles drawn_tiles(std::initializer_list<std::string_view> lines) {
    Tiles out;
    out.height = static_cast<std::int32_t>(lines.size());
    out.width = static_cast<std::int32_t>(lines.begin()->size());
    for (auto line = std::rbegin(lines); line != std::rend(lines); ++line) {
        for (const char c : *line) out.tile.push_back(c == '#' ? 0 : 1);
    }
    return out;
}

Tiles open_tiles(std::int32_t width, std::int32_t height, std::uint8_t value) {
    return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height), value)};
}

void fill(Tiles& tiles, std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::uint8_t value) {
    for (std::int32_t ty = std::max(0, y); ty < std::min(y + h, tiles.height); ++ty) {
        for (std::int32_t tx = std::max(0, x); tx < std::min(x + w, tiles.width); ++tx)
            tiles.tile[static_cast<std::size_t>(ty * tiles.width + tx)] = value;
    }
}

namespace {

void add_blocks(Rng& rng, Tiles& tiles, std::int32_t count, std::int32_t side_max) {
    random_blocks(
        rng, count, tiles.width, tiles.height, side_max,
        [&](std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h) { fill(tiles, x, y, w, h, 0); });
}

Tiles random_open_tiles(Rng& rng) {
    const std::int32_t width = 30 + rng.between(0, 59);
    return open_tiles(width, 30 + rng.between(0, 39));
}

}  // namespace

Tiles random_tiles(Rng& rng, std::int32_t blocks) {
    Tiles out = random_open_tiles(rng);
    add_blocks(rng, out, blocks, 7);
    return out;
}

Tiles random_tiles(Rng& rng) {
    Tiles out = random_open_tiles(rng);
    const std::int32_t blocks = 5 + rng.between(0, 39);
    add_blocks(rng, out, blocks, 7);
    return out;
}

Agent random_unit(Rng& rng) {
    Agent agent;
    agent.turning_radius = 1.0 + rng.below(3);
    agent.can_reverse = rng.below(2) == 0;
    switch (rng.below(3)) {
        case 0: agent.radius = rng.below(2) == 0 ? 0.45 : 0.95; break;
        case 1:
            agent.shape = BodyShape::box;
            agent.length = 2.5;
            agent.width = 1.2;
            agent.axle_offset = 0.6;
            break;
        default:
            agent.shape = BodyShape::capsule;
            agent.radius = 0.4;
            agent.length = 2.0;
    }
    return agent;
}

Pose random_pose(Rng& rng, const Tiles& tiles, bool on_lattice) {
    Pose pose = random_lattice_pose(rng, tiles.width, tiles.height);
    if (!on_lattice) move_off_lattice(rng, pose);
    return pose;
}

namespace {

void scatter(Rng& rng, PoseMap& map) {
    const double share = rng.between(0.02, 0.16);
    for (std::uint8_t& tile : map.tile) tile = rng.unit() < share ? 0 : 1;
}

void small_blocks(Rng& rng, PoseMap& map) {
    for (std::int32_t i = rng.between(3, 14); i > 0; --i) {
        const std::int32_t high = rng.between(1, 6);
        const std::int32_t wide = rng.between(1, 6);
        const std::int32_t low = rng.between(0, map.height - 1);
        const std::int32_t left = rng.between(0, map.width - 1);
        fill(map, left, low, wide, high, 0);
    }
}

// Walls one cell thick between rooms, a door of 2 to 4 cells in most of them.
void add_rooms(Rng& rng, PoseMap& map) {
    const std::int32_t side = rng.between(5, 9);
    const auto door = [&](bool upright, std::int32_t at, std::int32_t from) {
        if (rng.below(8) == 0) return;
        const std::int32_t wide = rng.between(2, 4);
        const std::int32_t low = from + 1 + rng.between(0, std::max(0, side - 1 - wide));
        fill(map, upright ? at : low, upright ? low : at, upright ? 1 : wide, upright ? wide : 1, 1);
    };
    for (std::int32_t at = side; at < map.width; at += side) fill(map, at, 0, 1, map.height, 0);
    for (std::int32_t at = side; at < map.height; at += side) fill(map, 0, at, map.width, 1, 0);
    for (std::int32_t at = side; at < map.width; at += side) {
        for (std::int32_t from = 0; from < map.height; from += side) door(true, at, from);
    }
    for (std::int32_t at = side; at < map.height; at += side) {
        for (std::int32_t from = 0; from < map.width; from += side) door(false, at, from);
    }
}

// Corridors cut out of rock, straight from crossing to crossing.
void cut_corridors(Rng& rng, PoseMap& map) {
    fill(map, 0, 0, map.width, map.height, 0);
    std::int32_t x = rng.between(1, map.width - 4);
    std::int32_t y = rng.between(1, map.height - 4);
    const std::int32_t legs = rng.between(8, 18);
    for (std::int32_t i = 0; i < legs; ++i) {
        const std::int32_t wide = rng.between(2, 3);
        const bool upright = i % 2 == 0;
        const std::int32_t to = rng.between(0, (upright ? map.height : map.width) - 3);
        const std::int32_t from = upright ? y : x;
        const std::int32_t low = std::min(from, to);
        const std::int32_t run = std::max(from, to) - low + wide;
        fill(map, upright ? x : low, upright ? low : y, upright ? wide : run, upright ? run : wide, 1);
        (upright ? y : x) = to;
    }
}

}  // namespace

PoseMap random_drive_map(Rng& rng, MapStyle style, std::int32_t width, std::int32_t height) {
    PoseMap map = open_tiles(width, height);
    switch (style) {
        case MapStyle::scattered: scatter(rng, map); break;
        case MapStyle::blocks: small_blocks(rng, map); break;
        case MapStyle::rooms: add_rooms(rng, map); break;
        default: cut_corridors(rng, map); break;
    }
    return map;
}

Grid grid_of(const PoseMap& map) { return *Grid::make({.width = map.width, .height = map.height}, map.tile); }

DriveGround ground_of(const PoseMap& map) {
    return {.width = map.width,
            .height = map.height,
            .read_free =
                [](const void* user, std::int32_t y, std::span<std::uint64_t> row) {
                    const auto& self = *static_cast<const PoseMap*>(user);
                    for (std::uint64_t& word : row) word = 0;
                    for (std::int32_t x = 0; x < self.width; ++x) {
                        if (!self.wall(x, y))
                            row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
                    }
                },
            .user = &map};
}

bool random_free_pose(Rng& rng, const PoseMap& map, const Agent& agent, bool on_lattice, Pose& pose) {
    const oracle::PoseBody body = oracle::pose_body(agent);
    for (int i = 0; i < 1000; ++i) {
        pose.position = {rng.between(0, map.width - 1) + 0.5, rng.between(0, map.height - 1) + 0.5};
        pose.heading_rad = (kPi / 4) * rng.between(0, 7);
        if (!on_lattice) {
            pose.position.x += rng.unit() - 0.5;
            pose.position.y += rng.unit() - 0.5;
            pose.heading_rad += (rng.unit() - 0.5) * (kPi / 4);
        }
        if (depth_on_map(body, map, pose) <= 0.0) return true;
    }
    return false;
}

bool random_free_pose(Rng& rng, const PoseMap& map, const Agent& agent, bool on_lattice, Spot& spot) {
    Pose pose;
    const bool found = random_free_pose(rng, map, agent, on_lattice, pose);
    spot = pose;
    return found;
}

void print_drive_map(const PoseMap& map, const Pose& start, const Pose& goal) {
    const auto in = [](const Pose& pose, std::int32_t x, std::int32_t y) {
        return std::floor(pose.position.x) == x && std::floor(pose.position.y) == y;
    };
    for (std::int32_t y = 0; y < map.height; ++y) {
        std::string line;
        for (std::int32_t x = 0; x < map.width; ++x) {
            line += in(start, x, y) ? 'S' : in(goal, x, y) ? 'G' : map.wall(x, y) ? '@' : '.';
        }
        std::printf("%s\n", line.c_str());
    }
    for (const Pose* pose : {&start, &goal}) {
        std::printf("%s %.17g %.17g heading %.17g\n", pose == &start ? "start" : "goal", pose->position.x,
                    pose->position.y, pose->heading_rad);
    }
}

DrivenWorld::DrivenWorld(Tiles made, const Agent& unit, std::int32_t headings, std::int32_t rings)
    : tiles(std::move(made)),
      grid(grid_of(tiles)),
      agent(unit),
      table(DriveTable::make({.agent = unit, .headings = headings, .rings = rings, .stretch = 1.05})),
      map(DriveMap::make(ground_of(tiles), *table)) {}

}  // namespace fairlead::testing
