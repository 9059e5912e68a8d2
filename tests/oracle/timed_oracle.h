// Dijkstra's algorithm over (pose, gear, level of speed), as plainly as can be: the witness for find_timed. It shares the list of
// curves and the speeds of the levels with the planner, which state the problem. Whether a curve may be driven is asked of
// verify (lattice_oracle.h); how long it takes is worked out here, as the integral along the lower envelope of all limits.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/lattice_oracle.h"

namespace fairlead::oracle {

/// Of squared speeds v2 along a line: v2 <= level + slope x distance, for low <= distance <= high.
struct SpeedLine {
    double level = 0.0;
    double slope = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// Stretches of a line, each with its own limit.
struct SpeedStretch {
    double length = 0.0;
    double speed_max = 0.0;
};

/// The least seconds along the stretches from one speed to another, or kNoWay.
[[nodiscard]] double envelope_seconds(const std::vector<SpeedStretch>& line, double from, double to,
                                      double accel, double brake);

struct TimedUnit {
    std::vector<double> speeds{};  ///< of the levels, from 0 up
    double reverse_speed_max = 0.0;
    double accel = 0.0;
    double brake = 0.0;
    double lateral = 0.0;
    double cusp_seconds = 0.0;
    double turning_radius = 0.0;  ///< cells are 1 wide
};

/// Levels at the ends; `goal_level` below 0: any.
struct TimedEnds {
    OraclePose start;
    OraclePose goal;
    int start_level = 0;
    int goal_level = 0;
};

/// Seconds of the quickest way on the lattice, or kNoWay. Speeds above 0 at the ends are forward.
[[nodiscard]] double quickest(LatticeOracle& legal, const PrimitiveSet& set, std::int32_t width,
                              std::int32_t height, const TimedUnit& unit, const TimedEnds& ends);

}  // namespace fairlead::oracle
