// Units that may turn on the spot, and what every route of theirs must be.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/drive/find_drive.h>
#include <fairlead/verify/verify.h>

#include "oracle/pose_sampler.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"

namespace fairlead::testing {

inline Agent pivoting(Agent agent, double turning_radius, bool reverse = false) {
    agent.turning_radius = turning_radius;
    agent.can_reverse = reverse;
    agent.can_pivot = true;
    return agent;
}

/// Every curve's cost by its legs, apart from the planner's reckoning; no terrain.
inline double cost_of_legs(const Route& route, const DriveQuery& query) {
    double sum = 0.0;
    bool moved = false;
    Gear gear = Gear::forward;
    for (const Leg& leg : route.legs) {
        sum += std::fabs(leg.turn_rad) * query.pivot_penalty;
        if (leg.kind == LegKind::turn) continue;
        sum += leg.length * (leg.gear == Gear::reverse ? query.reverse_penalty : 1.0);
        sum += moved && leg.gear != gear ? query.cusp_penalty : 0.0;
        gear = leg.gear;
        moved = true;
    }
    return sum;
}

inline double turned(const Route& route) {
    double sum = 0.0;
    for (const Leg& leg : route.legs) sum += std::fabs(leg.turn_rad);
    return sum;
}

inline void expect_legal(const Route& route, const Grid& grid, const Tiles& map, const Agent& agent,
                         const DriveQuery& query) {
    const Violation bad = verify(route, grid, agent, {.check_revision = false});
    ASSERT_FALSE(bad) << bad.text().c_str();
    const oracle::PoseFinding found = sample_route(
        route, map, agent, {.step = 0.004, .start = query.start.pose(), .goal = query.goal.at.pose()});
    ASSERT_FALSE(found) << fault_name(found.fault) << " leg " << found.leg << " by " << found.amount;
}

inline Agent random_pivoting(Rng& rng) {
    Agent agent{.radius = rng.below(2) == 0 ? 0.45 : 0.8};
    if (rng.below(2) == 0)
        agent = box_body(rng.between(1.2, 3.0), rng.between(0.5, 1.0), rng.between(0.0, 0.8));
    if (rng.below(4) == 0) agent = capsule_body(1.8, 0.4, rng.between(0.0, 0.9));
    return pivoting(agent, rng.between(0.8, 3.0), rng.below(2) == 0);
}

}  // namespace fairlead::testing
