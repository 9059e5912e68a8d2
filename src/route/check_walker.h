// What every walking query refuses of its unit: a body that does not look the same whichever way it faces, and a turning circle.
#pragma once

#include <cmath>

#include <fairlead/base/result.h>
#include <fairlead/route/agent.h>

namespace fairlead {

/// unsupported, with the field: such a unit asks with a DriveQuery, a MeshDriveQuery or a FlyQuery.
[[nodiscard]] inline Result<void> check_turns_on_the_spot(const Agent& agent) {
    if (agent.shape != BodyShape::disc) return Error{ErrorCode::unsupported, Field::agent_shape};
    if (std::isnan(agent.turning_radius)) return Error{ErrorCode::not_finite, Field::agent_turning_radius};
    if (agent.turning_radius != 0.0) return Error{ErrorCode::unsupported, Field::agent_turning_radius};
    return {};
}

/// The same, and a height: on flat ground nothing has one.
[[nodiscard]] inline Result<void> check_walks(const Agent& agent) {
    if (const Result<void> good = check_turns_on_the_spot(agent); !good) return good;
    if (std::isnan(agent.height)) return Error{ErrorCode::not_finite, Field::agent_height};
    if (agent.height != 0.0) return Error{ErrorCode::unsupported, Field::agent_height};
    return {};
}

}  // namespace fairlead
