// The frame in which everything is judged: relative to the map's origin, in units of a cell. Far maps and odd
// cell sizes lose nothing there, since one subtraction and one division come before all other arithmetic.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>
#include <fairlead/route/route.h>

namespace fairlead::witness {

/// Half a unit in the last place of 1: the relative error of one operation.
inline constexpr double kRound = 0x1p-53;
/// Twice the error bound derived in verify.h.
inline constexpr double kErrorRounds = 256.0;

/// Longest drive leg that is judged, in cells.
inline constexpr double kLegMax = 1048576.0;

struct Scale {
    Vec2 origin{};
    double cell = 1.0;
    double width = 1.0;   ///< cells
    double height = 1.0;  ///< cells
    double slack = 0.0;   ///< cells: contact_slack
    double far = 0.0;  ///< cells: past this, the error bound is not small against the slack; 2 contact_reach

    [[nodiscard]] Vec2 to_cells(Vec2 p) const { return {(p.x - origin.x) / cell, (p.y - origin.y) / cell}; }
    [[nodiscard]] Vec2 to_world(Vec2 p) const { return {origin.x + p.x * cell, origin.y + p.y * cell}; }

    /// What a computed penetration is compared with when `size` is the largest number involved: the slack
    /// without the error bound. Positive for size <= far.
    [[nodiscard]] double threshold(double size) const;

    /// Longest drive leg, and largest coordinate and body, that are judged here.
    [[nodiscard]] double length_max() const;
    [[nodiscard]] double reach_max() const { return 0.5 * far; }
    /// Largest reach of a body that turns with its heading.
    [[nodiscard]] double rigid_max() const { return far / 64.0; }
};

[[nodiscard]] Scale make_scale(Vec2 origin, double cell, std::int32_t width, std::int32_t height);

[[nodiscard]] inline double larger(double a, double b) { return a > b ? a : b; }
[[nodiscard]] inline double smaller(double a, double b) { return a < b ? a : b; }
[[nodiscard]] inline double size_of(Vec2 p) { return larger(std::fabs(p.x), std::fabs(p.y)); }

}  // namespace fairlead::witness
