// How far a disc has to go among walls, by points on circles round their ends and lines of sight between them: slow and plain. The
// circles are polygons round them, so what it finds can be gone, and is too long by 1 / cos(pi / sides) of the arcs at most.
// Shares nothing with the library but Vec2.
#pragma once

#include <cmath>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::testing {

struct Segment {
    Vec2 a, b;
};

class DiscOracle {
  public:
    /// The disc's centre keeps its radius from these.
    explicit DiscOracle(std::vector<Segment> walls) : walls_(std::move(walls)) {}

    /// Of the nearest wall; 0 where they cross or touch.
    [[nodiscard]] double distance_to(const Segment& s) const;
    /// Infinite: there is no way, or none of at most `at_most`.
    [[nodiscard]] double shortest(Vec2 from, Vec2 to, double radius, int sides = 32,
                                  double at_most = INFINITY) const;

  private:
    [[nodiscard]] std::vector<Vec2> corners() const;
    [[nodiscard]] bool clear(const Segment& s, double room) const;

    std::vector<Segment> walls_;
};

}  // namespace fairlead::testing
