// The lattice with speeds as a space for the search engine: a state is a lattice state (lattice_space.h) and a level of speed,
// steps are those of the SpeedTable that the edge map allows, costs are its ticks of time.
//
// A state is lattice state << level_bits | level. One more state is the goal. The tag of a state that was reached by a run
// (several straight moves) is 1.
//
// Lower bound: the length that LatticeSpace says is left, driven from the state's speed to the goal's with no limits but
// accelerations and speed_max (least_seconds_beyond), on the cheapest terrain. It is consistent: the length never falls by more
// than a move is long, and what a unit does on a move it may do without walls and turns as well.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include <fairlead/drive/speed_table.h>

#include "drive/lattice/lattice_space.h"
#include "drive/timed/timed_pieces.h"
#include "route/speed_pass.h"

namespace fairlead::drive {

/// A state to begin in, and what it costs to be there: by LatticeStart `start`.
struct TimedStart {
    std::uint32_t state = 0;
    std::uint32_t start = 0;
    Cost cost = 0;
};

inline constexpr std::int32_t kAnyLevel = -1;
inline constexpr Cost kLengthUnit = Cost{1} << 24;  // a cell, in the LatticeSpace that lengths are asked of

class TimedSpace {
  public:
    /// What a query adds to the lattice.
    struct Setting {
        std::span<const TimedStart> starts{};
        const LatticeGoal* goal = nullptr;
        std::int32_t goal_level = 0;  ///< or kAnyLevel
        Cost direct = kCostMax;       ///< of a curve from start to goal
        std::uint32_t shift = 0;      ///< costs are ticks >> shift
    };

    TimedSpace() = default;
    TimedSpace(const MapData& map, const SpeedTable& times, const LatticeSpace& lattice, SpeedLine& room,
               const Setting& setting)
        : map_(&map), times_(&times), lattice_(lattice), room_(&room), setting_(setting) {
        level_bits_ = bits_of(times);
        goal_state_ = lattice_.goal_state() << level_bits_;
        cusp_ = scaled(times.cusp());
        terrain_ = map.terrain();
    }

    [[nodiscard]] static std::uint32_t bits_of(const SpeedTable& times) {
        return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(times.levels()) - 1U));
    }
    [[nodiscard]] std::uint32_t level_bits() const { return level_bits_; }
    [[nodiscard]] std::uint32_t goal_state() const { return goal_state_; }
    [[nodiscard]] std::uint32_t state(const LatticePose& at, std::int32_t level) const {
        return (lattice_.code().state(at.x, at.y, at.heading, at.gear) << level_bits_) |
               static_cast<std::uint32_t>(level);
    }
    [[nodiscard]] FAIRLEAD_INLINE LatticePose pose(std::uint32_t state) const {
        return lattice_.code().pose(state >> level_bits_);
    }
    [[nodiscard]] FAIRLEAD_INLINE std::int32_t level(std::uint32_t state) const {
        return static_cast<std::int32_t>(state & ((1U << level_bits_) - 1U));
    }
    [[nodiscard]] const LatticeSpace& lattice() const { return lattice_; }
    /// Rounded up.
    [[nodiscard]] FAIRLEAD_INLINE Cost scaled(Cost ticks) const {
        return (ticks + (Cost{1} << setting_.shift) - 1) >> setting_.shift;
    }
    [[nodiscard]] Cost cost_of(double seconds) const {
        return scaled(static_cast<Cost>(std::ceil(seconds / times_->tick())));
    }
    [[nodiscard]] double seconds(Cost cost) const {
        return static_cast<double>(cost << setting_.shift) * times_->tick();
    }
    [[nodiscard]] bool failed() const { return failed_; }

    template <class Sink>
    void start(Sink& sink) {
        for (const TimedStart& start : setting_.starts) sink.add(start.state, start.cost, 0);
        if (setting_.direct != kCostMax) sink.add(goal_state_, setting_.direct, 0);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == goal_state_; }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const;
    /// The lower bound in seconds.
    [[nodiscard]] double bound_seconds(std::uint32_t state) const;

    /// From now on the pose opened is kept, of those that are nearer than the start, that is nearest to the goal for a unit that
    /// stands there.
    void watch_nearest();
    /// The goal's state: there is none.
    [[nodiscard]] std::uint32_t nearest() const { return watches_ ? nearest_ : goal_state_; }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        if (FAIRLEAD_UNLIKELY(watches_)) watch(state);
        const LatticePose at = pose(state);
        const std::int32_t from = level(state);
        for (const SpeedStep& step : times_->steps(at.heading, from)) {
            if (step.gear != at.gear && from > 0) continue;
            if (!may_drive(step, at)) continue;
            const Cost cusp = step.gear != at.gear ? cusp_ : 0;
            const LatticePose to{at.x + step.dx, at.y + step.dy, step.to, step.gear};
            sink.add(this->state(to, step.level), step_cost(step, at) + cusp, step.repeat > 1 ? 1 : 0);
        }
        Cost last = 0;
        if (cost_to_goal(at, from, last)) sink.add(goal_state_, last, 0);
    }

    [[nodiscard]] Cost step_cost(const SpeedStep& step, const LatticePose& at) const;

  private:
    [[nodiscard]] FAIRLEAD_INLINE bool may_drive(const SpeedStep& step, const LatticePose& at) const {
        const EdgeMap& edges = map_->edges();
        if (step.repeat == 1) return edges.may_drive(at.x, at.y, step.primitive);
        const int dx = step.dx / step.repeat;
        const int dy = step.dy / step.repeat;
        for (int k = 0; k < step.repeat; ++k) {
            if (!edges.may_drive(at.x + k * dx, at.y + k * dy, step.primitive)) return false;
        }
        return true;
    }
    [[nodiscard]] bool cost_to_goal(const LatticePose& at, std::int32_t from, Cost& cost);
    void watch(std::uint32_t state);
    [[nodiscard]] Cost rest_standing(std::uint32_t state) const {
        return heuristic(state & ~((1U << level_bits_) - 1U));
    }

    const MapData* map_ = nullptr;
    const SpeedTable* times_ = nullptr;
    LatticeSpace lattice_;
    SpeedLine* room_ = nullptr;
    Setting setting_;
    Terrain terrain_{};
    std::uint32_t level_bits_ = 3;
    std::uint32_t goal_state_ = 0;
    Cost cusp_ = 0;
    bool failed_ = false;
    bool watches_ = false;
    std::uint32_t nearest_ = 0;  // of those opened, if watches_
    Cost least_ = kCostMax;
};

}  // namespace fairlead::drive
