// The heuristic of the article (techniques D9, D10; Pinter 2001): the length of the shortest turn-and-line to the goal's
// place, from a table of distances up to 10 cells in steps of 1/64 and eight angles, and beyond it the last entry plus the extra
// distance. Kept for comparison: it is no lower bound. It is too high
//   * near the goal, where the place lies inside a turning circle and two arcs would be shorter (E6);
//   * beyond the table by up to about 2 r atan(r / 10): 0.199 cells at radius 1, 0.79 at 2, 1.82 at 3, 5.2 at 5.
// Angles are folded to 0 .. pi, and a bin holds the value of its lower edge: so far it never exceeds the truth.
//
// Cost: fill 1 ms; at() 40 ns.
#pragma once

#include <cstdint>

#include <fairlead/math/pose.h>

namespace fairlead::drive {

class ArticleBound {
  public:
    static constexpr double kReach = 10.0;  // cells
    static constexpr std::int32_t kSteps = 64;
    static constexpr std::int32_t kDistances = 641;
    static constexpr std::int32_t kAngles = 8;

    /// For a turning radius in cells. Does nothing if it is that already.
    void fill(double radius);
    /// From a pose with this heading to a place `gap` away, cells.
    [[nodiscard]] double at(Vec2 gap, double heading_rad) const;

  private:
    double radius_ = 0.0;
    std::uint16_t table_[kAngles][kDistances] = {};  // 1/64 cell, as the article's fixed point
};

/// Arc and line (CS) to a place, the shorter of the two turns; a turn whose circle the place lies in is left out. This is what
/// the article takes for the shortest.
[[nodiscard]] double turn_and_line(Vec2 gap, double heading_rad, double radius);

}  // namespace fairlead::drive
