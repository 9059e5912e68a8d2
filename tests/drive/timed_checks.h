// Timed queries with their table, and what every timed route must be.
#pragma once

#include <gtest/gtest.h>

#include <fairlead/drive/find_timed.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_speed.h>

namespace fairlead::testing {

/// A query that brings its unit's speeds.
inline TimedQuery timed_by(const SpeedTable& table, TimedQuery query) {
    query.times = &table;
    return query;
}

inline SpeedRules rules_of(const SpeedTable& table, const TimedQuery& query) {
    const SpeedLimits& limits = table.limits();
    return {.speed_max = limits.speed_max,
            .reverse_speed_max = limits.reverse_speed_max,
            .accel_max = limits.accel_max,
            .brake_max = limits.brake_max,
            .lateral_accel_max = limits.lateral_accel_max,
            .turn_rate_max = limits.turn_rate_max,
            .cusp_seconds = limits.cusp_seconds,
            .start_speed = query.start_speed,
            .goal_speed = query.goal_speed};
}

inline void expect_legal(const Route& way, const Grid& grid, const SpeedTable& table,
                         const TimedQuery& query) {
    const Violation bad = verify(way, grid, table.moves().options().agent);
    ASSERT_FALSE(bad) << bad.text().c_str();
    const SpeedViolation fast = verify_speed(way, way.speeds.span(), rules_of(table, query));
    ASSERT_FALSE(fast) << speed_violation_name(fast.kind) << " at knot " << fast.knot << ", " << fast.distance
                       << " by " << fast.depth;
}

}  // namespace fairlead::testing
