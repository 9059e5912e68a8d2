// Bodies that turn with their heading, for tests.
#pragma once

#include <fairlead/base/rng.h>
#include <fairlead/route/agent.h>

namespace fairlead::testing {

inline Agent box_body(double length, double width, double axle_offset = 0.0) {
    Agent agent;
    agent.shape = BodyShape::box;
    agent.length = length;
    agent.width = width;
    agent.axle_offset = axle_offset;
    return agent;
}

inline Agent capsule_body(double length, double radius, double axle_offset = 0.0) {
    Agent agent;
    agent.shape = BodyShape::capsule;
    agent.length = length;
    agent.radius = radius;
    agent.axle_offset = axle_offset;
    return agent;
}

/// A box or a capsule of at most this length.
inline Agent random_body(Rng& rng, double length_max) {
    const double length = rng.between(0.1, length_max);
    const double offset = rng.between(-1.0, 1.0) * (rng.below(4) == 0 ? length : 0.5 * length);
    return rng.below(2) == 0 ? box_body(length, rng.between(0.05, length_max), offset)
                             : capsule_body(length, rng.between(0.0, 0.5) * length, offset);
}

}  // namespace fairlead::testing
