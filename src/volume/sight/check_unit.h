// What every question about a volume refuses of its unit and of a place.
#pragma once

#include <algorithm>
#include <cmath>

#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>

#include "route/check_walker.h"
#include "volume/data/state.h"

namespace fairlead::volume {

/// Of a capsule's radius, voxels of the shortest side: a thinner one is a line, which nothing of the contact slack could hold apart
/// from what it touches.
inline constexpr double kThinnestCapsule = 0x1p-10;

/// Of a disc: is it too thin for its height?
[[nodiscard]] inline Result<void> check_capsule(const StateData& state, const Agent& agent) {
    const double thinnest = kThinnestCapsule * std::min({state.scale.x, state.scale.y, state.scale.z});
    if (agent.height > 0.0 && agent.radius < thinnest)
        return Error{ErrorCode::out_of_range, Field::agent_radius};
    return {};
}

/// A sphere or an upright capsule.
[[nodiscard]] inline Result<void> check_upright(const StateData& state, const Agent& agent) {
    if (const Result<void> good = check_body_in_space(agent); !good) return good;
    if (const Result<void> good = check_turns_on_the_spot(agent); !good) return good;
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, Field::agent_footprint};
    return check_capsule(state, agent);
}

[[nodiscard]] inline Result<void> check_place(const Spot& spot, Field field) {
    if (spot.kind != Spot::Kind::position) return Error{ErrorCode::unsupported, field};
    if (!is_finite(spot.position)) return Error{ErrorCode::not_finite, field};
    return {};
}

}  // namespace fairlead::volume
