// MeshSides: what of a level mesh can be come to from the start, and from what the goals can be come to.
//
// The start's side is flooded along links, the goals' side against them, in turn, polygon by polygon, until they meet or one of them
// ends: so it costs what the smaller side costs.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "explain/spending.h"
#include "mesh/data/state.h"
#include "mesh/surface/flood.h"

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
    explicit MeshSides(const Allocator& a) : sides_{Side(a), Side(a)}, entered_(a) {}

    /// False: out of memory.
    [[nodiscard]] bool begin(const mesh::StateData& state, const MeshRules& rules);
    /// A polygon of the start's side, of the goals'. False: out of memory.
    [[nodiscard]] bool add(bool goal_side, std::uint32_t polygon) { return meet(goal_side ? 1 : 0, polygon); }

    /// yes: they are joined; no: one side has ended. `budget` falls by the polygons looked at.
    [[nodiscard]] Answer flood(std::uint64_t& budget);
    /// All of one side, whatever the other one is: yes, or unknown where the budget ended.
    [[nodiscard]] Answer flood_side(bool goal_side, std::uint64_t& budget);

    /// After flood said no.
    [[nodiscard]] bool goal_side() const { return ended_ == 1; }
    [[nodiscard]] std::span<const std::uint32_t> polygons(bool goal_side) const {
        return sides_[goal_side ? 1 : 0].flood.queue.span();
    }

  private:
    struct Side {
        explicit Side(const Allocator& a) : flood(a) {}
        mesh::FloodWork flood;
        std::size_t next = 0;
    };
    [[nodiscard]] bool meet(int side, std::uint32_t polygon);
    [[nodiscard]] bool leave(int side, std::uint32_t polygon);
    [[nodiscard]] bool leave_by_links(int side, std::uint32_t polygon);
    [[nodiscard]] bool is_open(const mesh::LinkPiece& piece) const;

    const mesh::StateData* state_ = nullptr;
    MeshRules rules_{};
    Side sides_[2];
    Array<std::uint64_t>
        entered_;  ///< pieces of links by the polygon that they lead to: polygon << 32 | piece
    bool joined_ = false;
    int ended_ = 0;
};

}  // namespace fairlead::explaining
