// The motion of a disc within a room (half_lattice.h) between two places of it that fit, also where the straight line is
// not legal: squeezed between two corners of walls there may be no other way.
//
// No corner of a tile lies above or below the inside of a room, so over each x of the room the places that fit are one
// interval, from a floor f(x) (arcs round corners of tiles below, level pieces above tiles) to a ceiling g(x). With the line
// L from a to b
//     y(x) = min(g(x), max(f(x), L(x)))
// is a legal motion, of pieces of the line, level pieces and arcs of the disc's radius (the proof is in docs/decisions/0021).
//
// As well it can be had over y; of the two the cheaper one is taken, so that it is the same however the map is turned.
//
// What is handed back are straight pieces alone: each arc is replaced by tangents of it. Tangents touch where the arc
// begins and ends and, above all, where it comes nearest to the opposite side: between two corners at the distance of twice
// the radius there is one straight line, across the line between the corners, and the motion runs along it. From such a
// place the gap between f and g grows with the square of the distance twice as fast as a tangent leaves the arc, so the
// tangents stay within. Every piece is tested exactly; where one fails the arcs beside it are cut finer.
#pragma once

#include <fairlead/base/array.h>

#include "grid/half_gap.h"
#include "grid/sight.h"

namespace fairlead::grid {

class HalfMotion {
  public:
    explicit HalfMotion(const Allocator& a = {}) : caps_(a), xs_(a), trail_(a), points_(a), over_x_(a) {}

    /// Moves from a to b within the room; both fit and lie in it (in cells; rooms may lie laps outside on wrapped
    /// axes). points() are then the bends after a, the last of them b. False: out of memory, or no chain of straight
    /// pieces was found (not seen in any test).
    [[nodiscard]] bool run(const HalfWalls& walls, const HalfDisc& disc, const Sight& sight, HalfRoom room,
                           Vec2 a, Vec2 b);
    [[nodiscard]] std::span<const Vec2> points() const { return points_; }
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

  private:
    /// Something below (or above) that the centre keeps its radius from: a tile's corner, or its level side.
    struct Cap {
        Vec2 at{};
        bool above = false;
        bool level = false;
    };
    /// A place of the motion.
    struct Place {
        Vec2 at{};
        std::int32_t cap = -1;  ///< that the motion follows from here on; -1: the line
    };
    void add(Vec2 at, bool above, bool level) {
        if (!caps_.push_back({at, above, level})) out_of_memory_ = true;
    }
    void add_x(double x);
    void find_caps(const HalfWalls& walls, HalfRoom room);
    void find_xs(Vec2 a, Vec2 b);
    [[nodiscard]] double bound(const Cap& cap, double x) const;
    [[nodiscard]] double height(Vec2 a, Vec2 b, double x, std::int32_t& cap) const;
    void make_trail(Vec2 a, Vec2 b);
    [[nodiscard]] Vec2 bend(const Cap& cap, Vec2 p, Vec2 q) const;
    void add_point(Vec2 p);
    void add_tangents();
    [[nodiscard]] bool refine(const Sight& sight, Vec2 a);
    [[nodiscard]] bool run_over(bool y, const HalfWalls& walls, const Sight& sight, HalfRoom room, Vec2 a,
                                Vec2 b);
    /// Of the motion from there to the last of the points.
    [[nodiscard]] double cost(const Sight& sight, Vec2 from) const;

    bool turned_ = false;  ///< it runs over y: in what follows x is y
    double radius_ = 0.0;
    double low_ = 0.0;  ///< the x that the motion runs over
    double high_ = 0.0;
    Array<Cap> caps_;
    Array<double> xs_;
    Array<Place> trail_;
    Array<Vec2> points_;
    Array<Vec2> over_x_;
    bool out_of_memory_ = false;
};

}  // namespace fairlead::grid
