// MeshSides: what of a level mesh can be come to from the start, and from what the goals can be come to (two_floods.h): over sides of
// polygons, and along links from the start, against them from the goals.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "explain/two_floods.h"
#include "mesh/data/state.h"

namespace fairlead::explaining {

struct MeshRules {
    std::uint64_t closed_areas = 0;
    std::uint64_t closed_links = 0;  ///< kinds
    double radius = 0.0;             ///< links for smaller units are shut
    float width = 0.0F;              ///< gates narrower than this are shut
    bool against = false;            ///< links are ways in both directions
};

class MeshSides {
  public:
    explicit MeshSides(const Allocator& a) : floods_(a), entered_(a) {}

    /// False: out of memory.
    [[nodiscard]] bool begin(const mesh::StateData& state, const MeshRules& rules);
    /// A polygon of the start's side, of the goals'. False: out of memory.
    [[nodiscard]] bool add(bool goal_side, std::uint32_t polygon) {
        return floods_.meet(goal_side ? 1 : 0, polygon);
    }
    [[nodiscard]] Answer flood(std::uint64_t& budget);
    [[nodiscard]] Answer flood_side(bool goal_side, std::uint64_t& budget);

    /// After flood said no.
    [[nodiscard]] bool goal_side() const { return floods_.goal_side(); }
    [[nodiscard]] std::span<const std::uint32_t> polygons(bool goal_side) const {
        return floods_.nodes(goal_side);
    }

  private:
    [[nodiscard]] bool leave(int side, std::uint32_t polygon);
    [[nodiscard]] bool leave_by_links(int side, std::uint32_t polygon);
    [[nodiscard]] bool is_open(const mesh::LinkPiece& piece) const;

    const mesh::StateData* state_ = nullptr;
    MeshRules rules_{};
    TwoFloods floods_;
    Array<std::uint64_t>
        entered_;  ///< pieces of links by the polygon that they lead to: polygon << 32 | piece
};

}  // namespace fairlead::explaining
