// The peer for turning units: sampling planners of the Open Motion Planning Library over its curves.
#pragma once

#include <cstdint>

#include "suites/turning_worlds.h"

namespace fairlead::bench {

enum class OmplPlanner : std::uint8_t {
    first,    ///< RRT-Connect (RRT where the unit cannot reverse): the first way
    rrt_star  ///< RRT*: ever better ways until the time is up
};

struct OmplAnswer {
    bool found = false;
    bool legal = false;  ///< looked at every 0.01 cell
    double length = 0.0;
    std::uint64_t ns = 0;  ///< processor time
};

/// One query, a new tree: `limit_ms` of processor time. Curves are looked at every 0.1 cell with disc_is_free. The start is moved
/// by 1e-6: OMPL's Dubins ends the process on a few exact offsets of a lattice; where it still does, nothing was found. Not
/// there (has_ompl): found nothing.
[[nodiscard]] OmplAnswer ask_ompl(const BenchWorld& world, const Agent& agent, const PosePair& pair,
                                  OmplPlanner planner, double limit_ms);

}  // namespace fairlead::bench
