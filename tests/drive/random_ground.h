// Random maps, units and poses for the tests of drive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/headings.h>
#include <fairlead/grid/grid.h>

namespace fairlead::testing {

// A map as tiles and as rows of bits.
struct DrawnGround {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> tile;

    [[nodiscard]] DriveGround rows() const {
        const auto read = [](const void* user, std::int32_t y, std::span<std::uint64_t> row) {
            const auto& ground = *static_cast<const DrawnGround*>(user);
            for (std::uint64_t& word : row) word = 0;
            for (std::int32_t x = 0; x < ground.width; ++x) {
                if (ground.tile[static_cast<std::size_t>(y * ground.width + x)] == 0) continue;
                row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
            }
        };
        return {.width = width, .height = height, .read_free = read, .user = this};
    }
    [[nodiscard]] Grid grid() const {
        return std::move(*Grid::make({.width = width, .height = height}, tile));
    }
};

// '#' is a wall. The first line is the top row.
inline DrawnGround drawn_ground(std::initializer_list<std::string_view> lines) {
    DrawnGround out;
    out.height = static_cast<std::int32_t>(lines.size());
    out.width = static_cast<std::int32_t>(lines.begin()->size());
    for (auto line = std::rbegin(lines); line != std::rend(lines); ++line) {
        for (const char c : *line) out.tile.push_back(c == '#' ? 0 : 1);
    }
    return out;
}

// Blocks of walls on open ground.
inline DrawnGround random_ground(Rng& rng, std::uint32_t blocks) {
    DrawnGround out;
    out.width = 30 + static_cast<std::int32_t>(rng.below(60));
    out.height = 30 + static_cast<std::int32_t>(rng.below(40));
    out.tile.assign(static_cast<std::size_t>(out.width * out.height), 1);
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const auto x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(out.width)));
        const auto y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(out.height)));
        const auto w = static_cast<std::int32_t>(1 + rng.below(7));
        const auto h = static_cast<std::int32_t>(1 + rng.below(7));
        for (std::int32_t ty = y; ty < std::min(y + h, out.height); ++ty) {
            for (std::int32_t tx = x; tx < std::min(x + w, out.width); ++tx)
                out.tile[static_cast<std::size_t>(ty * out.width + tx)] = 0;
        }
    }
    return out;
}

inline Agent random_unit(Rng& rng) {
    Agent agent;
    agent.turning_radius = 1.0 + rng.below(3);
    agent.can_reverse = rng.below(2) == 0;
    agent.radius = 0.45;
    const std::uint32_t shape = rng.below(3);
    if (shape == 1) {
        agent.shape = BodyShape::box;
        agent.length = 2.5;
        agent.width = 1.2;
        agent.axle_offset = 0.6;
    } else if (shape == 2) {
        agent.shape = BodyShape::capsule;
        agent.radius = 0.4;
        agent.length = 2.0;
    }
    return agent;
}

inline Pose random_pose(Rng& rng, const DrawnGround& ground, bool on_lattice) {
    Pose pose;
    pose.position.x = rng.below(static_cast<std::uint32_t>(ground.width)) + 0.5;
    pose.position.y = rng.below(static_cast<std::uint32_t>(ground.height)) + 0.5;
    pose.heading_rad = heading_rad(8, static_cast<std::int32_t>(rng.below(8)));
    if (on_lattice) return pose;
    pose.position.x += rng.unit() - 0.5;
    pose.position.y += rng.unit() - 0.5;
    pose.heading_rad += rng.unit() - 0.5;
    return pose;
}

// A ground with what is made from it. Not to be copied or moved: the map refers to the table.
struct DrivenWorld {
    DrawnGround ground;
    Grid grid;
    Agent agent;
    Result<DriveTable> table;
    Result<DriveMap> map;

    DrivenWorld(DrawnGround drawn, const Agent& unit, std::int32_t rings = 0)
        : ground(std::move(drawn)),
          grid(ground.grid()),
          agent(unit),
          table(DriveTable::make({.agent = unit, .headings = 8, .rings = rings, .stretch = 1.05})),
          map(DriveMap::make(ground.rows(), *table)) {}
    DrivenWorld(const DrivenWorld&) = delete;
    DrivenWorld& operator=(const DrivenWorld&) = delete;
};

}  // namespace fairlead::testing
