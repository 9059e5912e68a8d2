// FlyQuery: what is asked of a volume for a unit that cannot turn on the spot: a plane, a shark, a missile.
//
//     FlyQuery{.start = {{2, 3, 10}, 0.0}, .goal = {{40, 8, 25}, kHalfPi}, .agent = {.radius = 0.4, .turning_radius = 3}}
//
// Positions are world units, with their height; headings are on the ground plane. Every field but the two ends has a
// default.
#pragma once

#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/curve/airplane.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/volume/blocker.h>

namespace fairlead {

struct FlyQuery {
    Spot start{};  ///< with a heading
    Goal goal{};   ///< a point, with a heading
    /// Turning radius > 0; it flies forward only. A sphere of Agent::radius; with a height an upright capsule (radius >= 1/1024 voxel); or
    /// a box of length, width and height > 0 that turns with its heading, stays level and holds its axle (|axle_offset| <= length / 2).
    Agent agent{.turning_radius = 1.0};
    ClimbLimits climb{};
    /// Replace what was found by shorter curves where they are free.
    bool smooth = true;
    /// budget_spent: give the way to the best pose so far. No way to the goal: that to the place nearest it (find_fly.h).
    bool partial = false;
    /// Give up with budget_spent after so many. A search without a way has no other end where it is not proven that there is none.
    std::uint64_t expansions_max = 8000;
    Borrowed<VolumeBlocker> blockers{};  ///< at most 65,536: others that are in the way of this query
};

/// Its lists, for who keeps a query longer than the call that it was made for (schedule/sliced.h).
template <class Visit>
void each_list(FlyQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.blockers);
}

}  // namespace fairlead
