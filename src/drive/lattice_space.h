// The lattice as a space for the search engine: states are (cell, heading, gear), steps are the motion primitives that
// the edge map allows.
//
// A state is y << (columns + poses) | x << poses | heading << 1 | gear, where gear is the one it came in. The tag is the
// primitive's place in its heading's group, so that the path can be rebuilt.
//
// Lower bound: the larger of the shortest curve on open ground (CurveBound) and the way on the ground round the walls
// (GroundDistance), scaled so that it never exceeds the length of any primitive (EdgeMap says how).
#pragma once

#include <cstdint>

#include <fairlead/drive/edge_map.h>
#include <fairlead/search/cost.h>

#include "drive/curve_bounds.h"
#include "drive/ground_distance.h"

namespace fairlead::drive {

struct LatticePose {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t heading = 0;
    Gear gear = Gear::forward;

    friend bool operator==(const LatticePose&, const LatticePose&) = default;
};

/// Numbers for lattice poses.
struct LatticeCode {
    std::uint32_t pose_bits = 5;
    std::uint32_t column_bits = 0;

    [[nodiscard]] static LatticeCode of(std::int32_t width, std::int32_t headings) {
        LatticeCode code;
        code.pose_bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(headings) * 2 - 1));
        code.column_bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(width) - 1));
        return code;
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t state(std::int32_t x, std::int32_t y, std::int32_t heading,
                                                      Gear gear) const {
        return (static_cast<std::uint32_t>(y) << (column_bits + pose_bits)) |
               (static_cast<std::uint32_t>(x) << pose_bits) | (static_cast<std::uint32_t>(heading) << 1) |
               (gear == Gear::reverse ? 1U : 0U);
    }
    [[nodiscard]] FAIRLEAD_INLINE LatticePose pose(std::uint32_t state) const {
        return {static_cast<std::int32_t>((state >> pose_bits) & ((1U << column_bits) - 1U)),
                static_cast<std::int32_t>(state >> (column_bits + pose_bits)),
                static_cast<std::int32_t>((state & ((1U << pose_bits) - 1U)) >> 1),
                (state & 1U) != 0 ? Gear::reverse : Gear::forward};
    }
    [[nodiscard]] std::uint64_t count(std::int32_t height) const {
        return static_cast<std::uint64_t>(height) << (column_bits + pose_bits);
    }
};

/// A primitive as the search needs it. 16 bytes.
struct LatticeStep {
    Cost cost = 0;
    std::int8_t dx = 0;
    std::int8_t dy = 0;
    std::uint8_t to = 0;
    Gear gear = Gear::forward;
};

class LatticeSpace {
  public:
    LatticeSpace() = default;
    LatticeSpace(const EdgeMap& edges, const LatticeStep* steps, const CurveBound& bounds,
                 GroundDistance& ground)
        : edges_(&edges), steps_(steps), bounds_(bounds), ground_(&ground) {
        code_ = LatticeCode::of(edges.width(), edges.table().headings());
    }

    void set_query(const LatticePose& start, const LatticePose& goal, Cost cusp, Cost ground_unit, Cost curve_unit) {
        start_ = start;
        goal_ = goal;
        cusp_ = cusp;
        ground_unit_ = ground_unit;
        curve_unit_ = curve_unit;
        goal_state_ = code_.state(goal.x, goal.y, goal.heading, Gear::forward);
    }
    [[nodiscard]] const LatticeCode& code() const { return code_; }

    template <class Sink>
    void start(Sink& sink) {
        sink.add(code_.state(start_.x, start_.y, start_.heading, Gear::forward), 0, 255);
    }

    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return (state & ~1U) == goal_state_; }

    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t state) const {
        const LatticePose at = code_.pose(state);
        const std::uint32_t ground = ground_->at(at.x, at.y);
        if (ground == kGroundFar) return kCostMax / 4;
        const Cost by_ground = ground * ground_unit_;
        const Cost by_curve = bounds_.length(goal_.x - at.x, goal_.y - at.y, at.heading) * curve_unit_;
        return by_ground > by_curve ? by_ground : by_curve;
    }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t tag, Sink& sink) {
        const LatticePose at = code_.pose(state);
        const PrimitiveSet& set = edges_->table().primitives();
        const std::uint32_t first = set.first(at.heading);
        const std::uint32_t count = set.first(at.heading + 1) - first;
        const std::uint64_t* words = edges_->column(at.x, at.y) + first;
        const LatticeStep* steps = steps_ + first;
        const std::uint32_t bit = static_cast<std::uint32_t>(at.x) & 63U;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (((words[i] >> bit) & 1U) == 0) continue;
            const LatticeStep& step = steps[i];
            const Cost turn = step.gear != at.gear && tag != 255 ? cusp_ : 0;
            sink.add(code_.state(at.x + step.dx, at.y + step.dy, step.to, step.gear), step.cost + turn, i);
        }
    }

  private:
    const EdgeMap* edges_ = nullptr;
    const LatticeStep* steps_ = nullptr;
    CurveBound bounds_;
    GroundDistance* ground_ = nullptr;
    LatticeCode code_;
    LatticePose start_;
    LatticePose goal_;
    std::uint32_t goal_state_ = 0;
    Cost cusp_ = 0;
    Cost ground_unit_ = 0;
    Cost curve_unit_ = 0;
};

}  // namespace fairlead::drive
