// The worlds of the suites: published maps where the data is there, and always some of our own making.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/grid/grid.h>

#include "suites/suite.h"

namespace fairlead::bench {

struct Pair {
    Cell start{};
    Cell goal{};
    double optimal = -1.0;  ///< as published, or by Dijkstra's algorithm; negative: no route
    double tolerance = 0.0;
};

struct BenchWorld {
    std::string name;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> tiles;
    std::vector<Pair> pairs;

    [[nodiscard]] Grid grid(std::span<const Agent> sizes = {}, bool hierarchy = false) const;
};

// With the data folder the published maps come first; quick: our own alone, small, with few queries.

/// Four game maps, a random one and three mazes; a town, a random map and a maze of our own.
[[nodiscard]] std::vector<BenchWorld> tile_worlds(const SuiteOptions& options);
/// One map.
[[nodiscard]] std::vector<BenchWorld> planner_worlds(const SuiteOptions& options);
/// Game maps and a town.
[[nodiscard]] std::vector<BenchWorld> smooth_worlds(const SuiteOptions& options);
/// Without queries: game maps, and empty, town, random and pillars of 1024 x 1024.
[[nodiscard]] std::vector<BenchWorld> build_worlds(const SuiteOptions& options);

/// Side x side cells of game-like buildings, from a seed.
[[nodiscard]] BenchWorld town_world(std::int32_t side, std::uint64_t seed);
[[nodiscard]] BenchWorld empty_world(std::int32_t side);
/// Of the tiles of one map, `side` cells wide and high: copies that are mirrored in turns.
[[nodiscard]] BenchWorld mirrored(const GridState& map, const std::string& name, std::int32_t side);
/// A wall cell in every fourth column of every fourth row: many small pieces of clearance and connectivity.
[[nodiscard]] BenchWorld pillar_world(std::int32_t side);

/// Random pairs of free cells with a route between them.
void add_pairs(BenchWorld& world, std::size_t count, std::uint64_t seed);

/// At most `most` of the numbers below `count`, spread evenly.
[[nodiscard]] std::vector<std::size_t> spread(std::size_t count, std::size_t most);

}  // namespace fairlead::bench
