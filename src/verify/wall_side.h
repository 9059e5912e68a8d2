// A straight leg against one side of a roadmap's wall. The proofs are in verify_roadmap.h.
#pragma once

#include <fairlead/roadmap/roadmap.h>

#include "verify/straight.h"

namespace fairlead::witness {

/// Distances along a leg.
struct Interval {
    double low = 0.0;
    double high = -1.0;
    [[nodiscard]] bool empty() const { return !(low <= high); }
};

/// Where along the leg its centre is within `radius` >= 0 of the side.
[[nodiscard]] Interval near_side(const Straight& leg, const RoadmapWallSide& side, double radius);

/// Does a ray from p towards +x pass the side? Exact; each point of an outline counts for one of its sides.
[[nodiscard]] bool ray_passes(Vec2 p, const RoadmapWallSide& side);

}  // namespace fairlead::witness
