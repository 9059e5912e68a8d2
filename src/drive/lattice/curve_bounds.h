// Lengths of shortest curves on open ground between lattice poses: the other half of the lattice search's lower bound.
//
// A table of Dubins (or, for units that reverse, Reeds-Shepp) lengths for places up to kCurveBoundsReach cells apart,
// rounded down. By the symmetry of the square only goals whose heading lies in the first eighth of the circle are
// stored. Farther apart the straight-line distance is the bound.
//
// Where the article's table (technique D10) adds the extra distance beyond its end and so can exceed the truth, this one
// never does.
//
// For units that turn on the spot no such curve is a bound: their table holds plain distances.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/platform.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

namespace fairlead::drive {

inline constexpr std::int32_t kCurveBoundsReach = 20;
inline constexpr double kCurveBoundsUnit = 1.0 / 512.0;  // of a cell
/// What lies beyond the table is at least so far away. Nothing in it is farther either, so that the bound never falls by
/// more than a move's length from one end of it to the other (it is consistent, but for the rounding to units).
inline constexpr std::uint32_t kCurveBoundsMost = kCurveBoundsReach * 512;

/// Numbers in a table.
[[nodiscard]] std::size_t curve_bounds_size(std::int32_t headings);

/// What a unit may do besides driving forward, as far as the length of its shortest way to a pose depends on it.
enum class Ways : std::uint8_t { forward, both_gears, pivots };
[[nodiscard]] constexpr Ways ways_of(bool can_reverse, bool can_pivot) {
    if (can_pivot) return Ways::pivots;
    return can_reverse ? Ways::both_gears : Ways::forward;
}
[[nodiscard]] constexpr Ways ways_of(const Agent& agent) {
    return ways_of(agent.can_reverse, agent.can_pivot);
}
/// No way from one pose to another is shorter; nor, on open ground, is the shortest one longer for units that do not pivot.
[[nodiscard]] double least_length(const Pose& from, const Pose& to, double turning_radius, Ways ways);

/// Fills a table. False: out of memory.
[[nodiscard]] bool fill_curve_bounds(std::int32_t headings, double turning_radius, Ways ways,
                                     Array<std::uint16_t>& table);

/// Reads the table for one goal heading.
class CurveBound {
  public:
    CurveBound() = default;
    CurveBound(std::span<const std::uint16_t> table, std::int32_t headings, std::int32_t goal_heading);

    /// In kCurveBoundsUnit: from a pose with this heading to the goal (dx, dy) away from it.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t length(std::int32_t dx, std::int32_t dy,
                                                       std::int32_t heading) const {
        constexpr std::int32_t r = kCurveBoundsReach;
        if (dx < -r || dx > r || dy < -r || dy > r) return kCurveBoundsMost;
        const std::int32_t x = xx_ * dx + xy_ * dy;
        const std::int32_t y = yx_ * dx + yy_ * dy;
        const std::int32_t h = (turn_ * heading + add_) & mask_;
        return table_[((y + r) * (2 * r + 1) + x + r) * (mask_ + 1) + h];
    }

  private:
    const std::uint16_t* table_ = nullptr;
    std::int32_t xx_ = 1, xy_ = 0, yx_ = 0, yy_ = 1;
    std::int32_t turn_ = 1;
    std::int32_t add_ = 0;
    std::int32_t mask_ = 0;
};

}  // namespace fairlead::drive
