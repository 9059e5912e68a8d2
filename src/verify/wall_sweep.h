// A disc along a straight leg against all walls of a roadmap.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <fairlead/roadmap/roadmap.h>

#include "verify/straight.h"
#include "verify/wall_side.h"

namespace fairlead::witness {

/// The sides of one wall, in order.
using WallSides = std::span<const RoadmapWallSide>;

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Where along the leg a point first passes a line (wall_crossing.cpp); kNever: nowhere.
[[nodiscard]] double first_crossing(const Straight& leg, WallSides line, double margin);

/// Where along the leg the overlap with one wall begins to be deeper than radius - `reach`; kNever: nowhere. `reach` > 0:
/// how near the centre must not come; else how far, negated, it must not get inside or past the wall.
[[nodiscard]] double first_meeting(const Straight& leg, WallSides wall, double reach);

struct WallHit {
    double begin = kNever;   ///< distance along the leg; kNever: no overlap
    double worst = 0.0;      ///< distance along the leg of the deepest point
    double depth = 0.0;      ///< there
    std::uint32_t wall = 0;  ///< which one

    [[nodiscard]] bool found() const { return begin < kNever; }
};

/// The overlap deeper than `threshold` (> 0) that begins first.
[[nodiscard]] WallHit sweep_walls(const Straight& leg, std::span<const RoadmapWallSide> sides, double radius,
                                  double threshold);

}  // namespace fairlead::witness
