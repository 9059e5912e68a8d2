// MeshWidest: the widest way over a level mesh: of all ways from the start to a goal the one whose narrowest place is widest
// (maximum bottleneck; Pollack 1960). Narrow places are gates (mesh/edit/gates.h), and links that take units up to a radius alone.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/search/open_list.h>

#include "explain/mesh_sides.h"
#include "mesh/surface/flood.h"

namespace fairlead::explaining {

class MeshWidest {
  public:
    explicit MeshWidest(const Allocator& a) : flood_(a), open_(a), best_(a) {}

    /// The narrowest place of a way.
    struct Narrow {
        double radius = 0.0;                ///< of the largest unit that passes; infinite: any
        mesh::EdgeRef gate = mesh::kNone;   ///< a side that is part of it
        std::uint32_t piece = mesh::kNone;  ///< of the link
    };
    /// From a polygon to one of several. yes: `out` is of the widest way; unknown: the budget ended.
    [[nodiscard]] Answer find(const mesh::StateData& state, const MeshRules& rules, std::uint32_t from,
                              std::span<const std::uint32_t> goals, std::uint64_t& budget, Narrow& out);

  private:
    [[nodiscard]] bool leave(std::uint32_t node);
    [[nodiscard]] bool offer(std::uint32_t polygon, const Narrow& by);

    const mesh::StateData* state_ = nullptr;
    MeshRules rules_{};
    mesh::FloodWork flood_;
    HeapOpen open_;
    Array<Narrow> best_;  ///< by place in flood_
};

/// The middle of a gate, which a side is part of, in the mesh's own numbers. False: out of memory.
[[nodiscard]] bool find_gate_middle(const mesh::StateData& state, mesh::EdgeRef side, double gap,
                                    mesh::FloodWork& work, Vec3& out);

}  // namespace fairlead::explaining
