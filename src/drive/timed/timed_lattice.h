// The lattice with speeds, as a world to search (search/pose_space.h): a state is a lattice state (grid_lattice.h) and a level of speed,
// steps are those of the SpeedTable that the edge map allows, costs are its ticks of time.
//
// A state is lattice state << level_bits | level. One more state is the goal. The tag of a state that was reached by a run
// (several straight moves) is 1.
//
// Lower bound: the length that GridLattice says is left, driven from the state's speed to the goal's with no limits but
// accelerations and speed_max (least_seconds_beyond), on the cheapest terrain. It is consistent: the length never falls by more
// than a move is long, and what a unit does on a move it may do without walls and turns as well.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include <fairlead/drive/speed_table.h>

#include "drive/lattice/grid_lattice.h"
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
inline constexpr Cost kLengthUnit = Cost{1} << 24;  // a cell, in the GridLattice that lengths are asked of

class TimedLattice {
  public:
    /// What a query adds to the lattice.
    struct Setting {
        std::span<const TimedStart> starts{};
        const LatticeGoal* goal = nullptr;
        std::int32_t goal_level = 0;  ///< or kAnyLevel
        Cost direct = kCostMax;       ///< of a curve from start to goal
        std::uint32_t shift = 0;      ///< costs are ticks >> shift
    };

    TimedLattice() = default;
    TimedLattice(const MapData& map, const SpeedTable& times, const GridLattice& lattice, SpeedLine& room,
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
    [[nodiscard]] const GridLattice& lattice() const { return lattice_; }
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

    /// The lower bound in seconds.
    [[nodiscard]] double bound_seconds(std::uint32_t state) const;

    // ---- a PoseWorld. Gears are part of a move's time.
    class Moves;
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t goal_state() const { return goal_state_; }
    [[nodiscard]] static constexpr std::uint32_t gear_bit() { return 0; }
    template <class Visit>
    void each_start(bool, const Visit& visit) const {
        for (const TimedStart& start : setting_.starts) visit(start.state, start.cost);
    }
    [[nodiscard]] FAIRLEAD_INLINE Moves moves(std::uint32_t state, bool keeps_gear) const;
    template <class Visit>
    void each_jump(std::uint32_t, const Visit&) const {}
    [[nodiscard]] Cost least_left(std::uint32_t state) const;
    /// For a unit that stands there.
    [[nodiscard]] Cost left_standing(std::uint32_t state) const {
        return least_left(state & ~((1U << level_bits_) - 1U));
    }
    [[nodiscard]] bool cost_to_goal(std::uint32_t state, Cost& cost);

    [[nodiscard]] Cost step_cost(const SpeedStep& step, const LatticePose& at) const;

  private:
    [[nodiscard]] FAIRLEAD_INLINE bool may_drive(const SpeedStep& step, const LatticePose& at) const {
        const int dx = step.dx / step.repeat;
        const int dy = step.dy / step.repeat;
        for (int k = 0; k < step.repeat; ++k) {
            if (!lattice_.may_drive({at.x + k * dx, at.y + k * dy, at.heading, at.gear}, step.primitive))
                return false;
        }
        return true;
    }
    const MapData* map_ = nullptr;
    const SpeedTable* times_ = nullptr;
    GridLattice lattice_;
    SpeedLine* room_ = nullptr;
    Setting setting_;
    Terrain terrain_{};
    std::uint32_t level_bits_ = 3;
    std::uint32_t goal_state_ = 0;
    Cost cusp_ = 0;
    bool failed_ = false;
};

/// The steps of the table that the edge map allows from a state, in order.
class TimedLattice::Moves {
  public:
    Moves(const TimedLattice& lattice, const LatticePose& at, std::int32_t from)
        : lattice_(&lattice), at_(at), from_(from), steps_(lattice.times_->steps(at.heading, from)) {}

    [[nodiscard]] FAIRLEAD_INLINE bool next(PoseMove& move) {
        while (next_ < steps_.size()) {
            const SpeedStep& step = steps_[next_++];
            const bool changes = step.gear != at_.gear;
            if ((changes && from_ > 0) || !lattice_->may_drive(step, at_)) continue;
            const LatticePose to{at_.x + step.dx, at_.y + step.dy, step.to, step.gear};
            move = {lattice_->state(to, step.level), step.repeat > 1 ? 1U : 0U,
                    lattice_->step_cost(step, at_) + (changes ? lattice_->cusp_ : 0)};
            return true;
        }
        return false;
    }

  private:
    const TimedLattice* lattice_;
    LatticePose at_;
    std::int32_t from_;
    std::span<const SpeedStep> steps_;
    std::size_t next_ = 0;
};

FAIRLEAD_INLINE TimedLattice::Moves TimedLattice::moves(std::uint32_t state, bool) const {
    return {*this, pose(state), level(state)};
}

}  // namespace fairlead::drive
