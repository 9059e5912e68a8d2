// What every question about a volume refuses of its unit and of a place.
#pragma once

#include <cmath>

#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>

#include "route/check_walker.h"

namespace fairlead::volume {

[[nodiscard]] inline Result<void> check_sphere(const Agent& agent) {
    if (const Result<void> good = check_body(agent); !good) return good;
    if (const Result<void> good = check_walks(agent); !good) return good;
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, Field::agent_footprint};
    return {};
}

[[nodiscard]] inline Result<void> check_place(const Spot& spot, Field field) {
    if (spot.kind != Spot::Kind::position) return Error{ErrorCode::unsupported, field};
    if (!is_finite(spot.position)) return Error{ErrorCode::not_finite, field};
    return {};
}

}  // namespace fairlead::volume
