// A straight leg among the walls of a roadmap, in world units, and the size of numbers there.
#pragma once

#include <cmath>

#include <fairlead/math/aabb.h>
#include <fairlead/math/contact.h>
#include <fairlead/math/vec.h>

#include "verify/scale.h"

namespace fairlead::witness {

/// Twice the error bound derived in verify_roadmap.h.
inline constexpr double kWallErrorRounds = 128.0;

struct Straight {
    Vec2 start{};
    Vec2 along{1.0, 0.0};  ///< unit vector of travel
    double length = 0.0;
    double size = 0.0;  ///< the largest number involved, that of the world included

    [[nodiscard]] Vec2 at(double distance) const { return start + along * distance; }
};

/// Of a roadmap.
struct RoadmapScale {
    double extent = 0.0;  ///< of waypoints and walls, on the ground
    double size = 0.0;    ///< their largest coordinate, height included

    [[nodiscard]] double slack(double of) const { return contact_slack(extent, larger(size, of)); }
    /// What a computed overlap is compared with; always positive.
    [[nodiscard]] double threshold(double of) const {
        return slack(of) - kWallErrorRounds * kRound * larger(size, of);
    }
    /// What lies on the net is this near to it.
    [[nodiscard]] double net_slack(Vec3 p) const {
        return slack(larger(larger(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z)));
    }
};

}  // namespace fairlead::witness
