// A route made a copy of another one.
#pragma once

#include <fairlead/base/assert.h>
#include <fairlead/route/route.h>

namespace fairlead {

/// Makes `route` a copy of another one. False: no memory, and it is as it was.
[[nodiscard]] inline bool take_over(const Route& other, Route& route) {
    if (!route.speeds.reserve(other.speeds.size()) || !route.legs.assign(other.legs.span())) return false;
    const bool within = route.speeds.assign(other.speeds.span());
    FAIRLEAD_ASSERT(within);
    route.status = other.status;
    route.length = other.length;
    route.cost = other.cost;
    route.line_cost = other.line_cost;
    route.bound = other.bound;
    route.planner = other.planner;
    route.revision = other.revision;
    route.end = other.end;
    route.too_fast = other.too_fast;
    route.level_cost = other.level_cost;
    route.stats = other.stats;
    return true;
}

}  // namespace fairlead
