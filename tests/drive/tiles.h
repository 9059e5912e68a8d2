// Random maps and units for the tests of drive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/grid/grid.h>

namespace fairlead::testing {

/// A map as tiles, for the grid and as DriveGround.
struct Tiles {
    std::int32_t width;
    std::int32_t height;
    std::vector<std::uint8_t> tile;

    [[nodiscard]] DriveGround rows() const {
        return {.width = width,
                .height = height,
                .read_free =
                    [](const void* user, std::int32_t y, std::span<std::uint64_t> row) {
                        const auto& tiles = *static_cast<const Tiles*>(user);
                        for (std::uint64_t& word : row) word = 0;
                        for (std::int32_t x = 0; x < tiles.width; ++x) {
                            const bool free = tiles.tile[static_cast<std::size_t>(y * tiles.width + x)] != 0;
                            if (free) row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
                        }
                    },
                .user = this};
    }
    [[nodiscard]] Grid grid() const {
        return std::move(*Grid::make({.width = width, .height = height}, tile));
    }
    void fill(std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::uint8_t value) {
        for (std::int32_t ty = y; ty < std::min(y + h, height); ++ty) {
            for (std::int32_t tx = x; tx < std::min(x + w, width); ++tx)
                tile[static_cast<std::size_t>(ty * width + tx)] = value;
        }
    }
};

/// Blocks of walls on open ground.
inline Tiles random_tiles(Rng& rng) {
    Tiles out{30 + static_cast<std::int32_t>(rng.below(60)), 0, {}};
    out.height = 30 + static_cast<std::int32_t>(rng.below(40));
    out.tile.assign(static_cast<std::size_t>(out.width * out.height), 1);
    const std::uint32_t blocks = 5 + rng.below(40);
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const auto x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(out.width)));
        const auto y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(out.height)));
        const auto w = static_cast<std::int32_t>(1 + rng.below(7));
        const auto h = static_cast<std::int32_t>(1 + rng.below(7));
        out.fill(x, y, w, h, 0);
    }
    return out;
}

/// A disc, a box or a capsule with a turning radius of 1 to 3 cells.
inline Agent random_unit(Rng& rng) {
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

inline Pose random_pose(Rng& rng, const Tiles& tiles, bool on_lattice) {
    Pose pose;
    pose.position.x = rng.below(static_cast<std::uint32_t>(tiles.width)) + 0.5;
    pose.position.y = rng.below(static_cast<std::uint32_t>(tiles.height)) + 0.5;
    pose.heading_rad = heading_rad(8, static_cast<std::int32_t>(rng.below(8)));
    if (on_lattice) return pose;
    pose.position.x += rng.unit() - 0.5;
    pose.position.y += rng.unit() - 0.5;
    pose.heading_rad += rng.unit() - 0.5;
    return pose;
}

}  // namespace fairlead::testing
