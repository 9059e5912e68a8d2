// The article's Walkable (technique P2): is a straight move free, judged by points of the body every 0.2 tiles. Kept as
// a demonstration of what sampling misses; the library's own test is the exact sweep.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>

namespace fairlead::gallery {

/// All points that are tried on the way from a to b: four of the body at each sample. The end itself is not sampled.
[[nodiscard]] std::vector<Vec2> sample_points(Vec2 a, Vec2 b, double radius);

struct Walkable {
    bool sampled_free = true;
    std::vector<Cell> overlapped{};  ///< walls that the exact sweep of the disc finds
};

/// Both tests of one move, on a grid with cells of size 1 and the origin at its corner.
[[nodiscard]] Walkable test_move(const GridState& grid, Vec2 a, Vec2 b, double radius);

struct Move {
    Vec2 from{};
    Vec2 to{};
};

/// Random moves of up to 12 cells between cells in which the unit can stand, as many as it takes to meet `wanted` that
/// lead through a wall.
struct Misses {
    int illegal = 0;
    std::vector<Move> accepted{};  ///< of those, what the sampled test calls free
    [[nodiscard]] double percent() const { return 100.0 * static_cast<double>(accepted.size()) / illegal; }
};
[[nodiscard]] Misses count_misses(const GridState& grid, double radius, int wanted,
                                  std::uint64_t seed = 2001);

}  // namespace fairlead::gallery
