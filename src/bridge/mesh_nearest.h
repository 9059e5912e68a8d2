// The place nearest to a goal of those that a search has opened poses at: on the ground plane, of equals nearest in height, then the
// one met first. And whether a nearer one may still be met: not where the body stands in no pose nearer to the goal, as beside a
// wall. So a search for it need not look through all that the unit can reach.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>
#include <fairlead/search/node_store.h>

namespace fairlead::bridge {

class MeshLattice;

class MeshNearest {
  public:
    explicit MeshNearest(const Allocator& allocator) : found_(allocator) {}

    /// A place in the lattice's cells, and its height over the mesh's origin.
    struct At {
        Vec2 cells{};
        double height = 0.0;
    };
    /// Only places that are nearer than the start count; of those that it can come to, of its part of the mesh.
    void begin(const At& goal, const At& start, std::uint32_t component);
    /// As if nothing were asked for.
    void forget() {
        state_ = kNoNode;
        failed_ = false;
    }
    void note(const MeshLattice& lattice, std::uint32_t state);
    /// kNoNode: none is nearer than the start.
    [[nodiscard]] std::uint32_t state() const { return state_; }
    /// Is no place nearer that the body stands at? False also: there is too much to look at.
    [[nodiscard]] bool is_last(MeshLattice& lattice);
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] Vec2 goal() const { return goal_.cells; }

  private:
    [[nodiscard]] bool stands_at(MeshLattice& lattice, std::int32_t x, std::int32_t y, double off);

    At goal_{};
    std::uint32_t component_ = 0;
    std::uint32_t state_ = kNoNode;
    double square_ = 0.0;  // of the distance on the ground plane, cells
    double off_ = 0.0;     // in height
    bool failed_ = false;
    Array<std::uint32_t> found_;  // polygons
};

}  // namespace fairlead::bridge
