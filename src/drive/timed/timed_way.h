// The way that the search with speeds found: its poses and curves, its legs, and how it is driven.
#pragma once

#include "drive/timed/timed_work.h"

namespace fairlead::drive {

/// DriveWork::chain from the search's nodes, to `last`. False: out of memory.
[[nodiscard]] bool fill_timed_chain(const MapData& map, TimedWork& work, DriveWork& ends, std::uint32_t last);

/// Squared speeds at the two ends of a way; `to` may be kFreeSpeed. Does it lead to the goal?
struct EndSpeeds {
    double from = 0.0;
    double to = 0.0;
    bool to_goal = true;
};

/// What fill_timed_route found.
enum class Drivable : std::uint8_t { yes, no, no_memory };

/// Legs and speeds of a chain: the forward and backward pass over all of it. `no`: not with these speeds at its ends.
[[nodiscard]] Drivable fill_timed_route(const MapData& map, const SpeedTable& times,
                                        const LatticeQuery& query, EndSpeeds speeds,
                                        const Array<ChainPose>& chain, SpeedLine& line, Route& route);

}  // namespace fairlead::drive
