// Whether a disc can move from one place to another among boxes and discs, without any lattice: ChainOracle (see there for the idea),
// over shapes of any kind. A shape is convex, so the line from the middle of one to its place nearest to another lies within it.
//
// Shares nothing with the library but Vec2.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::oracle {

/// A box from low to high, rounded by `radius`; a disc is a box of one place.
struct Shape {
    Vec2 low{};
    Vec2 high{};
    double radius = 0.0;
    [[nodiscard]] Vec2 middle() const { return (low + high) * 0.5; }
};

/// The blocked tiles and those past the edges of a map: blocked[y * width + x].
[[nodiscard]] std::vector<Shape> shapes_of_tiles(std::int32_t width, std::int32_t height,
                                                 const std::vector<bool>& blocked);

class ShapeChain {
  public:
    /// radius > 0. `slack` is taken off it: touching is passing.
    ShapeChain(std::vector<Shape> shapes, double radius, double slack);

    [[nodiscard]] bool fits(Vec2 p) const;
    /// Can the disc move from a to b? Both fit.
    [[nodiscard]] bool joined(Vec2 a, Vec2 b) const;

  private:
    struct Step {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        Vec2 points[4] = {};
    };
    double radius_;
    std::vector<Shape> shapes_;
    std::vector<Step> steps_;
};

}  // namespace fairlead::oracle
