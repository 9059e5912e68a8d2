// Headings of many turns. Legs add to headings, and differences are taken of them: one of many turns would lose the digits
// that tell where it points. Every query over a DriveMap is read through this, so a heading and the same one wrapped are one query.
#pragma once

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

namespace fairlead::drive {

/// Headings up to 64 rad as they are, others wrapped. NaN and infinities give NaN.
[[nodiscard]] inline double few_turns(double heading_rad) {
    return std::abs(heading_rad) > 64.0 ? math::wrap_pi(heading_rad) : heading_rad;
}

[[nodiscard]] inline Pose few_turns(const Pose& pose) { return {pose.position, few_turns(pose.heading_rad)}; }

/// A query with `start` and `goal`.
template <class Query>
[[nodiscard]] Query with_few_turns(Query query) {
    query.start = few_turns(query.start);
    query.goal = few_turns(query.goal);
    return query;
}

}  // namespace fairlead::drive
