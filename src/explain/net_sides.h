// NetSides: what of a roadmap can be come to from the start, and from what the goals can be come to (two_floods.h): along open edges from
// the start, against them from the goals.
#pragma once

#include <fairlead/roadmap/query.h>

#include "explain/two_floods.h"
#include "roadmap/attach.h"

namespace fairlead::explaining {

class NetSides {
  public:
    explicit NetSides(const Allocator& a) : floods_(a), attacher_(a), ends_(a) {}

    /// For a unit of that radius. `against`: edges are ways in both directions.
    void begin(const RoadmapState& state, const RoadmapQuery& query, double radius, bool against);
    /// Where the start, or one of the goals, is attached to the net. no: nowhere. `budget` falls as attaching counts it.
    [[nodiscard]] Answer add(bool goal_side, const Spot& spot, std::uint64_t& budget);

    [[nodiscard]] Answer flood(std::uint64_t& budget);
    [[nodiscard]] Answer flood_side(bool goal_side, std::uint64_t& budget);
    [[nodiscard]] bool goal_side() const { return floods_.goal_side(); }
    [[nodiscard]] std::size_t nodes(bool goal_side) const { return floods_.nodes(goal_side).size(); }

    /// Is a place of the net one from which, or to which, the side leads? After flood_side.
    [[nodiscard]] bool serves(bool goal_side, const roadmap::NearPlace& place) const;
    [[nodiscard]] const roadmap::AttachRules& rules() const { return rules_; }

  private:
    [[nodiscard]] bool leave(int side, std::uint32_t slot);
    [[nodiscard]] bool leave_forward(int side, std::uint32_t slot);
    [[nodiscard]] bool leave_backward(int side, std::uint32_t slot);
    [[nodiscard]] bool is_open(std::uint32_t slot, const RoadmapArc& arc) const;

    const roadmap::StateData* data_ = nullptr;
    RoadmapState state_;
    roadmap::AttachRules rules_{};
    bool against_ = false;
    TwoFloods floods_;
    roadmap::Attacher attacher_;
    Array<roadmap::Attachment> ends_;
};

/// Where a spot of a query is.
[[nodiscard]] Vec3 position_of(const RoadmapState& state, const Spot& spot);

}  // namespace fairlead::explaining
