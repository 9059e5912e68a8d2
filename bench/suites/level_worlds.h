// The levels of the suites for level meshes: triangles, published ones where the data is there, and always some of our own.
#pragma once

#include <string>
#include <vector>

#include <fairlead/formats/triangles.h>
#include <fairlead/mesh_bake/options.h>
#include <fairlead/raster/soup.h>

#include "suites/suite.h"

namespace fairlead::bench {

struct BenchLevel {
    std::string name;
    formats::TriangleFile file;

    [[nodiscard]] TriangleSoup soup() const { return {file.vertices, file.triangles, {}}; }
};

/// Tiles of the levels that are baked in tiles, in cells: what RecastDemo takes for levels with obstacles.
inline constexpr std::uint32_t kTileCells = 48;

/// nav_test, undulating, proto-level, city_256 and tower_10, and a yard of our own; quick: a small yard alone.
[[nodiscard]] std::vector<BenchLevel> bench_levels(const SuiteOptions& options);
/// The first of them alone, for obstacles.
[[nodiscard]] BenchLevel obstacle_level(const SuiteOptions& options);
/// A floor of side x side metres with blocks on it and a second storey that a ramp leads to. The blocks' tops are islands.
[[nodiscard]] BenchLevel yard_level(double side, std::uint64_t seed);
/// Rooms x rooms rooms of 3 metres with thin walls: a random spanning tree.
[[nodiscard]] BenchLevel maze_level(int rooms, std::uint64_t seed);
/// Times x times copies, side by side.
[[nodiscard]] BenchLevel repeated(const BenchLevel& level, int times, const std::string& name);

}  // namespace fairlead::bench
