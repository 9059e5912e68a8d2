// SpeedTable: how long each move of a DriveTable takes a unit with limited acceleration, from every speed to every speed.
//
//     Result<DriveTable> moves = DriveTable::make({.agent = truck});
//     Result<SpeedTable> times = SpeedTable::make(*moves, {.speed_max = 12, .accel_max = 1.5});
//
// An asset like the DriveTable: make it at load time, share it. drive/find_timed.h plans with it.
//
// Levels. A search knows so many speeds: level 0 is standing, the last one speed_max. One of them is arc_speed(), the most that the
// limits allow on an arc of the turning radius (lateral acceleration and turn rate); below it and above it squared
// speeds are equally spaced, so that each step of acceleration takes the same length. speed_max below arc_speed(): equally
// spaced all over.
//
// Steps. A move is driven from level i to level j if the unit can come from one speed to the other on it, and its time is
// the least there is: speeding up, holding and braking at will in between, within the limit of each arc and line of it.
// Where a straight move is too short to come from a level to the next one, as many of them in a row as do are one step
// (a "run"); so slow accelerators get off with few levels, on straights. Going from standing to standing is always
// possible: what is reachable without speeds is reachable with them. A change of gear happens at speed 0.
//
// Cost: with 8 headings, turning radius 3 and 8 levels make takes 3 ms and bytes() is 0.3 to 1.3 MB: 32 bytes a step and 16
// for each cell of it. Both grow with headings and with the square of the levels.
// Deterministic.
//
// Errors of make: those of check_speed_limits; out_of_range of the field: levels, accel_max or brake_max (none, which is kNoLimit, or
// so little that the unit needs more than 100,000 cells to gain or lose speed_max), lateral_accel_max or turn_rate_max (so little
// that arcs of the turning radius are crawled along);
// incompatible: a unit that can pivot, whose turns take time that is not planned; out_of_memory.
//
// Source: technique X2 (Pinter 2001); X3 for the speed in turns.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/search/cost.h>

namespace fairlead {

/// How many there are if nothing is said.
inline constexpr std::int32_t kSpeedLevels = 8;
inline constexpr std::int32_t kSpeedLevelsMax = 16;

/// One move, or `repeat` straight ones in a row, from one level to another. 32 bytes.
struct SpeedStep {
    Cost time = 0;  ///< in SpeedTable::tick()
    std::uint32_t first_part = 0;
    std::uint32_t primitive = 0;  ///< place in the table's primitives().all()
    std::int16_t dx = 0;
    std::int16_t dy = 0;
    std::uint16_t repeat = 1;
    std::uint16_t parts = 0;
    std::uint8_t to = 0;     ///< heading
    std::uint8_t level = 0;  ///< where it ends
    Gear gear = Gear::forward;
};

/// Of a step: its time in one of the cells that it passes.
struct SpeedPart {
    Cost time = 0;
    std::int16_t dx = 0;
    std::int16_t dy = 0;
};

class SpeedTable {
  public:
    /// The moves must outlive the table. `levels`: 3 to 16.
    [[nodiscard]] static Result<SpeedTable> make(const DriveTable& moves, const SpeedLimits& limits,
                                                 std::int32_t levels = kSpeedLevels,
                                                 const Allocator& allocator = {});

    [[nodiscard]] const DriveTable& moves() const { return *moves_; }
    /// As given, with the reverse speed filled in.
    [[nodiscard]] const SpeedLimits& limits() const { return limits_; }
    [[nodiscard]] std::int32_t levels() const { return levels_; }
    [[nodiscard]] double speed(std::int32_t level) const { return speed_[level]; }
    /// The most on an arc of the turning radius; at most speed_max.
    [[nodiscard]] double arc_speed() const { return arc_speed_; }
    /// The most in a gear, on a line or on an arc of a curvature (world units).
    [[nodiscard]] double speed_on(double curvature, Gear gear) const;
    /// The lowest level at least as fast; `exact`: as fast, within 1e-9. speed <= speed_max.
    [[nodiscard]] std::int32_t level_of(double speed, bool& exact) const;
    /// May the unit be this fast in a gear?
    [[nodiscard]] bool allows(std::int32_t level, Gear gear) const {
        return gear == Gear::forward || speed_[level] <= limits_.reverse_speed_max;
    }

    /// Seconds: 2^-24 of the time for a cell of the lattice at speed_max.
    [[nodiscard]] double tick() const { return tick_; }
    [[nodiscard]] Cost shortest() const { return shortest_; }
    [[nodiscard]] Cost longest() const { return longest_; }
    [[nodiscard]] Cost cusp() const { return cusp_; }

    /// What begins in a heading of the lattice at a level.
    [[nodiscard]] std::span<const SpeedStep> steps(std::int32_t heading, std::int32_t level) const {
        const auto i = static_cast<std::size_t>(heading * levels_ + level);
        return steps_.span().subspan(first_[i], first_[i + 1] - first_[i]);
    }
    /// The times of their parts are in sum the step's, but for rounding.
    [[nodiscard]] std::span<const SpeedPart> parts(const SpeedStep& step) const {
        return parts_.span().subspan(step.first_part, step.parts);
    }
    [[nodiscard]] std::size_t bytes() const { return steps_.bytes() + parts_.bytes() + first_.bytes(); }

  private:
    SpeedTable(const DriveTable& moves, const SpeedLimits& limits, std::int32_t levels,
               const Allocator& allocator);
    void place_levels();
    [[nodiscard]] bool fill();
    [[nodiscard]] bool add_moves(std::int32_t heading, std::int32_t level);
    [[nodiscard]] bool add_runs(std::int32_t heading, std::int32_t level, Gear gear);
    [[nodiscard]] bool add(std::size_t primitive, std::int32_t repeat, std::int32_t from, std::int32_t to);

    UsePointer<DriveTable> moves_;
    SpeedLimits limits_;
    std::int32_t levels_ = 0;
    double speed_[kSpeedLevelsMax] = {};
    double arc_speed_ = 0.0;
    double tick_ = 0.0;
    Cost shortest_ = kCostMax;
    Cost longest_ = 0;
    Cost cusp_ = 0;
    Array<SpeedStep> steps_;
    Array<SpeedPart> parts_;
    Array<std::uint32_t> first_;
};

}  // namespace fairlead
