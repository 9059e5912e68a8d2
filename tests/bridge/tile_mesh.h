// The free cells of a tile map as a level mesh: each one a square.
#pragma once

#include <map>
#include <utility>

#include "oracle/pose_map.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {

[[nodiscard]] inline PlainMesh mesh_of_tiles(const oracle::PoseMap& tiles) {
    PlainMesh mesh;
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> numbers;
    const auto vertex = [&](std::int32_t x, std::int32_t y) {
        const auto [at, added] =
            numbers.try_emplace({x, y}, static_cast<std::uint32_t>(mesh.vertices.size()));
        if (added) mesh.vertices.push_back({1.0 * x, 1.0 * y, 0.0});
        return at->second;
    };
    for (std::int32_t y = 0; y < tiles.height; ++y) {
        for (std::int32_t x = 0; x < tiles.width; ++x) {
            if (tiles.wall(x, y)) continue;
            mesh.polygons.push_back({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)});
        }
    }
    return mesh;
}

}  // namespace fairlead::testing
