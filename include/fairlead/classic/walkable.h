// The article's Walkable: is a move free, judged by points of the body, one sample every fifth of a tile (techniques P2 and P7).
//
//     walkable(*town, a, b, {.radius = 0.4})                       // straight
//     walkable(*town, pose, word, turning_radius, {.radius = 0.4})  // along a curve
//
// Kept to be studied and compared: it misses what lies between the samples and what lies between the body's points (C1 to C4). The
// library's own test is exact and takes as long (bridge/tile_sight.h). count_walkable compares the two: of the moves that the exact
// sweep refuses the diamond calls 0.4 to 8.2 in 100 free, most for units wider than a tile (docs/performance.md).
//
// The points. diamond, as the article has it: four points at half the width, ahead, behind and to both sides along the axes. square, as
// its program has it: the middle and the four corners of a square, coordinates truncated towards 0 instead of rounded down (so that a
// point up to a tile left of the map's low edge is judged by the tile at the edge).
// Samples lie at 0, step, 2 step, ... of the way, the end is none of them; with `end` it is one. Outside the map is a wall.
// A sample on the line between two tiles belongs to the upper one.
//
// Cost: 4 or 5 look-ups a sample: 0.2 us for 10 tiles. No errors: numbers that are not finite and steps not above 0 are never free.
// Source: Pinter 2001 and its sample program.
#pragma once

#include <cstdint>

#include <fairlead/curve/word.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>

namespace fairlead {

enum class WalkableProbe : std::uint8_t { diamond, square };

struct WalkableOptions {
    double radius = 0.4;  ///< half the unit's width, world units
    double step = 0.2;    ///< tiles
    WalkableProbe probe = WalkableProbe::diamond;
    bool end = false;  ///< sample the end as well
    std::int32_t layer = 0;
};

[[nodiscard]] bool walkable(const GridState& grid, Vec2 a, Vec2 b, const WalkableOptions& options = {});

/// Along a curve of this turning radius, world units.
[[nodiscard]] bool walkable(const GridState& grid, const Pose& from, const CurveWord& word,
                            double turning_radius, const WalkableOptions& options = {});

/// The sampled test beside the exact one of a disc.
struct WalkableCount {
    std::uint64_t moves = 0;
    std::uint64_t blocked = 0;        ///< moves that the exact sweep refuses
    std::uint64_t false_free = 0;     ///< of those, what the samples call free
    std::uint64_t false_blocked = 0;  ///< free moves that the samples refuse

    void add(bool exact, bool sampled);
};

/// `moves` random moves between tiles in which the disc stands, up to `reach` tiles on each axis. Deterministic by seed. Gives up after
/// 1000 draws for each move: fewer moves then.
[[nodiscard]] WalkableCount count_walkable(const GridState& grid, const WalkableOptions& options,
                                           std::uint64_t moves, std::int32_t reach = 12,
                                           std::uint64_t seed = 2001);

}  // namespace fairlead
