// One leg in space: where the middle of the body runs, and what it meets there first.
#pragma once

#include <fairlead/route/route.h>
#include <fairlead/verify/verify.h>

#include "verify/piece.h"
#include "verify/volume_blockers.h"
#include "verify/volume_walk.h"

namespace fairlead::witness {

/// A line or arc on the ground that rises evenly. A vertical line and a place have no length on the ground.
struct VolumePath {
    Triple start{};
    Track ground{};  ///< from (0, 0): what is added to `start`
    double rise = 0.0;

    [[nodiscard]] Triple at(double share) const;
    /// How far a piece may be from its chord, moment by moment: an arc of length l and curvature k, k l^2 / 8; and
    /// nothing of a circle is further than 2 / k from anything of it.
    [[nodiscard]] double bulge(double from, double to) const {
        const double bend = std::fabs(ground.curvature);
        const double l = (to - from) * ground.length;
        return bend > 0.0 ? smaller(bend * l * l / 8.0, 2.0 / bend) : 0.0;
    }
    /// The largest number involved.
    [[nodiscard]] double size() const {
        return larger(size_of(start) + ground.length, larger(size_of(start), std::fabs(rise)));
    }
};

/// Of a drive leg; another one stands.
[[nodiscard]] VolumePath path_of(const Leg& leg, const VolumeFrame& frame);

struct VolumeHit {
    ViolationKind kind = ViolationKind::none;  ///< wall, off_world, blocker, too_far
    double begin = 0.0;                        ///< share of the path
    double worst = 0.0;                        ///< the same
    double depth = 0.0;
    Lattice voxel{-1, -1, -1};
    bool stopped = false;  ///< a point cannot get on; else a body is too near
    std::int64_t blocker = -1;
};

class VolumeSweep {
  public:
    /// `half`: of what stands between the round ends of an upright capsule; 0: a sphere.
    VolumeSweep(const VolumeState& volume, const VolumeFrame& frame, std::span<const VolumeBlocker> blockers,
                double half, std::uint64_t bricks_max)
        : volume_(volume),
          frame_(frame),
          half_(half),
          blockers_(frame, blockers, half),
          budget_{bricks_max},
          near_(volume, frame, half, budget_),
          walk_(volume, frame, budget_) {}

    /// The first overlap of a body of this radius, which has come to the path's start from where the last one ended.
    /// `size`: at least the largest number involved, and no more than the frame's far.
    [[nodiscard]] VolumeHit run(const VolumePath& path, double radius, double size);
    /// The same for a claim of clearance: all by itself.
    [[nodiscard]] VolumeHit claim(const VolumePath& path, double radius, double size);

  private:
    /// What is asked of a piece.
    struct Task {
        const VolumePath* path = nullptr;
        double radius = 0.0;
        double threshold = 0.0;  ///< of overlaps
        double keep = -1.0;      ///< distance to keep from voxels; below 0: not asked
        double room = -1.0;      ///< of the walk; below 0: none
        bool blockers = false;
    };
    [[nodiscard]] static Task task_of(const VolumePath& path, double radius, double threshold);
    [[nodiscard]] VolumeHit follow(const Task& task);
    [[nodiscard]] VolumeHit settle(const Task& task, double from, double to);
    [[nodiscard]] bool clear(const Task& task, const Chord& chord, double bulge);
    [[nodiscard]] VolumeHit first_hit(const Task& task, const Chord& chord, double bulge);
    [[nodiscard]] VolumeHit first_outside(const Task& task, const Chord& chord, double bulge) const;
    void blame(const Task& task, VolumeHit& hit, double window) const;
    void blame_stop(const Task& task, const Chord& chord, VolumeHit& hit);
    [[nodiscard]] double room_around(const Triple& p) const;
    [[nodiscard]] double outside_by(const Task& task, const Triple& p) const;

    const VolumeState& volume_;
    const VolumeFrame& frame_;
    double half_;
    VolumeBlockers blockers_;
    BrickBudget budget_;
    SolidNear near_;
    VolumeWalk walk_;
    Triple last_{};  ///< where the last path ended
    bool has_last_ = false;
};

}  // namespace fairlead::witness
