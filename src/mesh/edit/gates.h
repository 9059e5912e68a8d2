// Gates: the narrowest places between walls, as segments from wall to wall. A disc of a given width can go where a point
// goes exactly if it crosses no gate that is shorter than it is wide: between any two wide places lies a place that is
// narrower than all near it, and there a gate is. They become sides of polygons (carve.h), so a search for a wide unit
// asks each side it crosses for the gap it is part of.
//
// A gate joins a corner to a corner, or to the foot of its perpendicular on a wall, where both ends cannot come nearer by
// sliding along their walls, and no other wall is inside the circle over it (what is there makes narrower gates). They are
// the edges on which Voronoi edges of the walls have an inner minimum of clearance: F. Aurenhammer (1991), "Voronoi
// diagrams"; for triangulations M. Kallmann (2014), "Dynamic and robust local clearance triangulations".
//
// Only gates up to a length are looked for. Which ones meet a tile is a function of the walls within that length of it:
// neighbours find the same.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/math/aabb.h>

#include "mesh/data/state.h"
#include "mesh/data/watch.h"
#include "mesh/surface/flood.h"

namespace fairlead::mesh {

[[nodiscard]] GateKey key_of(std::span<const Gate> gates);

class GateFinder {
  public:
    explicit GateFinder(const Allocator& allocator) : walls_(allocator), flood_(allocator) {}

    /// The gates of corners in tiles up to one tile away from `slot` that meet its square, up to `gap_max` long; at most a
    /// tile's side. Ordered by what they are. False: out of memory, or exhausted().
    [[nodiscard]] bool find(const StateData& state, std::uint32_t slot, double gap_max, Array<Gate>& out);

    /// Gates that a file asks for may be made up to take forever: the work is counted, in walls looked at and the like.
    std::uint64_t work_max = UINT64_MAX;
    Watch* watch = nullptr;  ///< find() is false, too, where it says stop
    /// False: it is used up. find() is false then too.
    [[nodiscard]] bool spend(std::uint64_t units) {
        exhausted_ = exhausted_ || units > work_max;
        if (!exhausted_) work_max -= units;
        return !exhausted_;
    }
    [[nodiscard]] bool exhausted() const { return exhausted_; }

  private:
    struct WallSide {
        EdgeRef edge = kNone;
        Vec2 a{};
        Vec2 b{};
    };
    [[nodiscard]] bool find_at(EdgeRef corner, const Aabb& square, Array<Gate>& out);
    [[nodiscard]] bool gather_walls(EdgeRef corner);
    [[nodiscard]] bool clear_circle(Vec2 middle, double radius) const;
    [[nodiscard]] bool clear_on_its_floor(EdgeRef corner, Vec2 middle, double radius, bool& clear);
    [[nodiscard]] bool reaches(EdgeRef corner, Vec2 to, EdgeRef wall) const;
    [[nodiscard]] bool at_least(EdgeRef wall_out, EdgeRef wall_in, Vec2 to) const;
    [[nodiscard]] EdgeRef wall_into(EdgeRef wall_out) const;

    const StateData* state_ = nullptr;
    double gap_max_ = 0.0;
    bool exhausted_ = false;
    Array<WallSide> walls_;
    FloodWork flood_;
};

}  // namespace fairlead::mesh
