// See check_flier.h.
#include "fly/check_flier.h"

#include <algorithm>
#include <cmath>

#include "volume/sight/blockers.h"
#include "volume/sight/check_unit.h"

namespace fairlead::fly {

Result<void> check_flying_body(const volume::StateData& state, const Agent& agent) {
    if (const Result<void> good = check_body_in_space(agent); !good) return good;
    if (agent.footprint != 0) return Error{ErrorCode::incompatible, Field::agent_footprint};
    switch (agent.shape) {
        case BodyShape::disc: return volume::check_capsule(state, agent);
        case BodyShape::box: break;
        default: return Error{ErrorCode::unsupported, Field::agent_shape};
    }
    if (!(agent.height > 0.0)) return Error{ErrorCode::out_of_range, Field::agent_height};
    if (std::fabs(agent.axle_offset) > 0.5 * agent.length)
        return Error{ErrorCode::out_of_range, Field::agent_axle_offset};
    return {};
}

Result<void> check_flier(const VolumeState& volume, const FlyQuery& query) {
    const Agent& agent = query.agent;
    if (const Result<void> good = check_flying_body(volume.data(), agent); !good) return good;
    if (agent.can_reverse || agent.can_pivot) return Error{ErrorCode::unsupported, Field::agent};
    if (!(agent.turning_radius > 0.0)) return Error{ErrorCode::out_of_range, Field::agent_turning_radius};
    if (const Result<void> good = check_climb(query.climb); !good) return good;
    return volume::check_blockers(volume.data(), query.blockers.span());
}

Agent body_within(const volume::StateData& state, const Agent& agent) {
    if (agent.shape != BodyShape::box) return {.radius = agent.radius, .height = agent.height};
    Agent within;
    within.radius = std::min(inscribed_radius(agent), 0.5 * agent.height);
    within.height = agent.height;
    if (!volume::check_capsule(state, within)) within.height = 0.0;
    return within;
}

volume::Body guide_of(const volume::StateData& state, const Agent& agent) {
    if (agent.shape != BodyShape::box) return volume::Body(state, agent);
    const Vec3 s = state.scale;
    return volume::Body::cylinder(state, std::max(0.5 * (agent.width - std::max(s.x, s.y)), 0.0),
                                  std::max(0.5 * (agent.height - s.z), 0.0));
}

}  // namespace fairlead::fly
