// Small things about routes that all drivers need.
#pragma once

#include <fairlead/base/assert.h>
#include <fairlead/route/route.h>

#include "support/route_compare.h"

namespace fairlead::simulate {

using testing::route_difference;

[[nodiscard]] inline bool has_way(const Route& route) {
    const bool best = route.status == PathStatus::budget_spent && !route.legs.empty();  // best so far
    return route.status == PathStatus::complete || route.status == PathStatus::partial || best;
}

[[nodiscard]] inline Route copy_route(const Route& route) {
    Route copy;
    copy.status = route.status;
    copy.length = route.length;
    copy.cost = route.cost;
    copy.line_cost = route.line_cost;
    copy.bound = route.bound;
    copy.planner = route.planner;
    copy.revision = route.revision;
    FAIRLEAD_ASSERT(copy.legs.assign(route.legs));
    copy.end = route.end;
    copy.stats = route.stats;
    return copy;
}

}  // namespace fairlead::simulate
