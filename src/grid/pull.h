// Pull: shortens a bend of a route as a string would. The route runs from p over v to q, both ways are free. Pulled
// tight, the string leaves v and comes to rest on whatever is inside the triangle p v q: on the convex hull of p, q
// and the corners of walls in the triangle, on the side of v.
//
// For a disc the corners are circles of its radius and the string runs along tangents; where it would follow an
// arc, the bends are those of the polygon around the arc, with at most 45 degrees each. For a square the corners are
// those of the walls grown by half its side. So for points and squares the result is the shortest way within the
// triangle, exactly; for discs it is longer than that by at most 0.043 r for each bend.
//
// Terrain dearer than a limit is in the way of the centre, if asked for: its corners are pins of radius 0.
//
// What is found is as good as the rounding of tangents and distances, 1e-9 cells; every edge is tested exactly by
// the caller before it is used.
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

    static constexpr double kNothingDear = 1e300;

    /// Pulls the bend at v. True when there is something shorter than v: bends() is then the new way between p and
    /// q (none: straight), shorter by at least `gain_min`. It is free as far as the geometry here can tell; the
    /// caller tests it with Sight::can_sweep. Cells that cost more than `dear` are in the way of the centre.
    [[nodiscard]] bool pull(const Sight& sight, Vec2 p, Vec2 v, Vec2 q, double gain_min,
                            double dear = kNothingDear);

    /// Does a point or square at v rest on the corner of a wall that reaches into the triangle? Then pulling gains nothing. O(1).
    [[nodiscard]] bool rests_at(const Sight& sight, Vec2 p, Vec2 v, Vec2 q) const;

    /// Are two bends of the way p a b q so near and so slight that one at `at`, where p a and b q meet when drawn
    /// out, would do in their place? For discs of this radius.
    [[nodiscard]] static bool joins(Vec2 p, Vec2 a, Vec2 b, Vec2 q, double radius, Vec2& at);

    [[nodiscard]] std::span<const Vec2> bends() const { return bends_; }
    /// Was there anything dear in the last triangle?
    [[nodiscard]] bool met_dear() const { return met_dear_; }
    /// Work of the last pull: one unit and what large triangles cost on top, at most 200.
    [[nodiscard]] std::uint64_t units() const { return 1 + work_ / kWorkPerUnit; }
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

    /// Room for routes through this many pins.
    [[nodiscard]] bool reserve(std::size_t count) { return pins_.reserve(count) && bends_.reserve(count); }

  private:
    struct Triangle;

    [[nodiscard]] bool rests(const Sight& sight, const Triangle& t) const;
    void find_pins(const Sight& sight, const Triangle& t);
    void find_blocker_pins(const Sight& sight, const Triangle& t);
    void find_dear_pins(const Sight& sight, const Triangle& t, double dear);
    [[nodiscard]] bool wind(const Triangle& t);
    [[nodiscard]] static Vec2 tangent(const Pin& from, const Pin& to);
    void add_pin(Vec2 at, double radius);
    void add_bend(Vec2 at);
    void add_arc(Vec2 at, double radius, Vec2 normal_in, Vec2 normal_out);

    /// Lines looked at and pins compared, 5 to 10 ns each. A pull that needs more than kWorkMax is not made.
    static constexpr std::uint64_t kWorkPerUnit = 256;
    static constexpr std::uint64_t kWorkMax = 40000;

    Array<Pin> pins_;
    Array<Vec2> bends_;
    std::uint64_t work_ = 0;
    bool met_dear_ = false;
    bool out_of_memory_ = false;
};

}  // namespace fairlead::grid
