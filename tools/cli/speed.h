// Turning units with limited acceleration: their flags, their query, and what is told of their speeds.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include <fairlead/drive/find_timed.h>

#include "cli/drive.h"
#include "cli/planner.h"

namespace fairlead::cli {

[[nodiscard]] bool is_timed_planner(const std::string& name);

/// --speed asks for the planner with speeds; the others only mean something with it. With --turn-rate it says instead what turns
/// on the spot cost.
class SpeedFlags {
  public:
    void add(CLI::App& app);
    [[nodiscard]] bool given() const { return !speed_.empty() && !turns(); }
    /// --turn-rate: the unit may turn on the spot.
    [[nodiscard]] bool turns() const { return !turn_rate_.empty(); }
    /// What a radian costs then, in world units.
    [[nodiscard]] double pivot_penalty(double cell_size) const;
    /// Fails if one was given: for `who`.
    void refuse(const std::string& who) const;
    /// Fails for flags of planners without speeds, and without --speed for those with.
    void check(const PlannerFlags& planner) const;
    [[nodiscard]] SpeedLimits limits() const;
    [[nodiscard]] int levels() const { return levels_; }
    /// `drive` has the places.
    [[nodiscard]] TimedQuery query(const DriveQuery& drive, const PlannerFlags& planner) const;

  private:
    void check_turns(const PlannerFlags& planner) const;

    std::string speed_, accel_, brake_, lateral_, reverse_, start_, goal_, cusp_, turn_rate_;
    int levels_ = 8;
    CLI::App* app_ = nullptr;
};

/// Processor time in nanoseconds; the table's making is not counted. Fails on numbers that no unit has.
[[nodiscard]] std::uint64_t solve_timed(const DriveWorld& world, const SpeedFlags& flags,
                                        const TimedQuery& query, Route& way);

/// The route's line of JSON with `seconds` and `speeds`: [distance, time, speed, slowdown] for each knot.
[[nodiscard]] std::string timed_json(std::int64_t id, const Route& way, std::uint64_t ns);
/// What is to be said beside the route; empty: nothing.
[[nodiscard]] std::string timed_text(const Route& way);

}  // namespace fairlead::cli
