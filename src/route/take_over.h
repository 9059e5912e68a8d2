// A route made a copy of another one.
#pragma once

#include <fairlead/route/route.h>

namespace fairlead {

/// Makes `route` a copy of another one. False: no memory, and it is as it was.
[[nodiscard]] inline bool take_over(const Route& other, Route& route) {
    if (!route.legs.assign(other.legs.span())) return false;
    route.status = other.status;
    route.length = other.length;
    route.cost = other.cost;
    route.line_cost = other.line_cost;
    route.bound = other.bound;
    route.planner = other.planner;
    route.revision = other.revision;
    route.end = other.end;
    route.stats = other.stats;
    return true;
}

}  // namespace fairlead
