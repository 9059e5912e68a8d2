// Pull: shortens a bend of a route as a string would. The route runs from p over v to q, both ways are free. Pulled
// tight, the string leaves v and comes to rest on whatever is inside the triangle p v q: on the convex hull of p, q
// and the corners of walls in the triangle, on the side of v.
//
// For a disc the corners are circles of its radius and the string runs along tangents; where it would follow an
// arc, the bends are those of the polygon around the arc, with at most 45 degrees each. For a square the corners are
// those of the walls grown by half its side. So for points and squares the result is the shortest way within the
// triangle, exactly; for discs it is longer than that by at most 0.043 r for each bend.
//
// Every edge of the result is tested exactly before it is used, so the geometry here may be wrong by rounding
// without harm.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "grid/sight.h"

namespace fairlead::grid {

/// What a string may come to rest on: a wall's corner, with the distance that the centre must keep.
struct Pin {
    Vec2 at{};
    double radius = 0.0;
};

class Puller {
  public:
    explicit Puller(const Allocator& allocator = {}) : pins_(allocator), bends_(allocator) {}

    /// Pulls the bend at v. True when there is something better than v: bends() is then the new way between p and
    /// q (none: straight), shorter by at least `gain_min`, and can be swept. Counts its sight tests and looks at
    /// triangles in `tests`.
    [[nodiscard]] bool pull(const Sight& sight, Vec2 p, Vec2 v, Vec2 q, double gain_min,
                            std::uint64_t& tests);

    [[nodiscard]] std::span<const Vec2> bends() const { return bends_; }
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

    /// Room for routes through this many pins.
    [[nodiscard]] bool reserve(std::size_t count) { return pins_.reserve(count) && bends_.reserve(count); }

  private:
    struct Triangle;

    void find_pins(const Sight& sight, const Triangle& t);
    void find_blocker_pins(const Sight& sight, const Triangle& t);
    [[nodiscard]] bool wind(const Triangle& t);
    void add_pin(Vec2 at, double radius);
    void add_bend(Vec2 at);
    void add_arc(Vec2 at, double radius, Vec2 normal_in, Vec2 normal_out);

    Array<Pin> pins_;
    Array<Vec2> bends_;
    bool out_of_memory_ = false;
};

}  // namespace fairlead::grid
