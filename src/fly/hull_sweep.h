// HullSweep: a box that turns with its heading and stays level, along a line or an arc that rises evenly, against voxels and blockers.
//
// What it meets above and below it, it meets where its middle is in a solid voxel made taller by half its height. That is so for one
// stretch of the way, as it rises evenly. On that stretch its rectangle sweeps the ground as on a flat world: exact, in closed form
// (drive/body/sweep.h). A ball counts as the upright cylinder around it.
//
// Positions are world units from the volume's low corner.
#pragma once

#include <fairlead/route/agent.h>

#include "drive/body/sweep.h"
#include "volume/sight/walk.h"

namespace fairlead::fly {

/// From `start`, for `amount` of length on the ground (negative: backward), while it rises by `rise`.
struct RisingSegment {
    Vec3 start{};
    double heading = 0.0;
    double amount = 0.0;
    double curvature = 0.0;
    double rise = 0.0;
};

class HullSweep {
  public:
    HullSweep() = default;
    /// `blockers`: null: none; made taller by half the height (core_half_height).
    HullSweep(const volume::StateData& state, const Agent& agent, const volume::BlockerTree* blockers);

    /// Does it keep off what is solid, the bounds and blockers, to half the contact slack? Cost: 0.1 us for each voxel near.
    [[nodiscard]] bool is_clear(const RisingSegment& way) const;

  private:
    /// A part that turns by a quarter at most.
    struct Part {
        RisingSegment way{};
        Vec3 end{};
        double near = 0.0;  ///< from `start`: nothing of the body is farther off, on the ground
    };
    struct Solid {
        Aabb ground{};
        double low = 0.0;  ///< where the middle meets it
        double high = 0.0;
        double round = 0.0;
    };
    [[nodiscard]] bool is_part_clear(const Part& part) const;
    [[nodiscard]] bool keeps_in_bounds(const Part& part) const;
    [[nodiscard]] bool meets(const Part& part, const Solid& solid) const;

    const volume::StateData* state_ = nullptr;
    const volume::BlockerTree* blockers_ = nullptr;
    BodyCore body_{};
    double half_ = 0.0;   ///< of the height
    double reach_ = 0.0;  ///< from the axle to the farthest point on the ground
    double give_ = 0.0;   ///< so deep it may be in something
};

}  // namespace fairlead::fly
