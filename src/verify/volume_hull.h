// A level box that turns with its heading, along one leg in space: what it meets first.
#pragma once

#include <fairlead/route/agent.h>

#include "verify/motion.h"
#include "verify/volume_sweep.h"

namespace fairlead::witness {

class VolumeHull {
  public:
    VolumeHull(const VolumeState& volume, const VolumeFrame& frame, const Agent& agent,
               std::span<const VolumeBlocker> blockers, std::uint64_t bricks_max);

    /// Numbers that are as large as any that judge it.
    [[nodiscard]] double size() const;
    /// The first overlap; the box faces `facing` where the path starts. `size`: at least the largest number involved, size()
    /// included, and no more than the frame's far.
    [[nodiscard]] VolumeHit run(const VolumePath& path, Vec2 facing, double size);

  private:
    /// From one share of the path to another: a quarter turn at most.
    struct Part {
        double from = 0.0;
        double to = 1.0;
    };
    /// What it must not enter: by its rectangle while its middle is between two heights.
    struct Solid {
        Aabb ground{};
        double low = 0.0;
        double high = 0.0;
        double round = 0.0;
    };
    void begin(const VolumePath& path, Vec2 facing, double size);
    void look_at_bounds(const Part& part);
    void look_at_voxels(const Part& part);
    void look_at_blockers(const Part& part);
    void consider(const Part& part, const Solid& solid, const VolumeHit& hit);

    const VolumeFrame& frame_;
    std::span<const VolumeBlocker> blockers_;
    BrickBudget budget_;
    RigidBody rigid_{};  ///< in shortest sides of a voxel, as all motions are
    double half_;        ///< of the height
    SolidNear near_;

    // Of the leg under way.
    const VolumePath* path_ = nullptr;
    Motion motion_{};
    double threshold_ = 0.0;
    VolumeHit hit_{};
};

}  // namespace fairlead::witness
