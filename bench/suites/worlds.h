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
    double optimal = -1.0;  ///< published; negative: none stated
    double tolerance = 0.0;
};

struct BenchWorld {
    std::string name;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> tiles;
    std::vector<Pair> pairs;

    [[nodiscard]] Grid grid(std::span<const Agent> sizes = {}) const;
};

/// The four game maps, random512-25 and the three mazes; then our own. Quick: our own, small, few pairs.
[[nodiscard]] std::vector<BenchWorld> tile_worlds(const SuiteOptions& options);

/// Side x side cells of game-like buildings, from a seed.
[[nodiscard]] BenchWorld town_world(std::int32_t side, std::uint64_t seed);

/// Random pairs of free cells with a route between them.
void add_pairs(BenchWorld& world, std::size_t count, std::uint64_t seed);

}  // namespace fairlead::bench
