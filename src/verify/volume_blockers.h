// The query's blockers, judged one by one: no index, and no geometry of the planners'.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/volume/blocker.h>

#include "verify/volume_boxes.h"

namespace fairlead::witness {

class VolumeBlockers {
  public:
    /// `half`: by so much they count as taller, up and down.
    VolumeBlockers(const VolumeFrame& frame, std::span<const VolumeBlocker> blockers, double half)
        : frame_(frame), blockers_(blockers), half_(half) {}

    /// Finite, and no larger than can be judged?
    [[nodiscard]] static bool are_good(const VolumeFrame& frame, std::span<const VolumeBlocker> blockers);
    /// Does the piece keep this far from all of them? Below 0: it may be so deep in them.
    [[nodiscard]] bool clear(const Chord& chord, double keep) const;
    /// The one that it is too near to first, before `begin`, which becomes where; -1: none.
    [[nodiscard]] std::int64_t find_first(const Chord& chord, double keep, double& begin) const;
    /// Distance from the surface of one; inside of it below 0.
    [[nodiscard]] double gap(const Triple& p, std::int64_t which) const;

  private:
    /// A box, or a ball as a box of no size with a radius.
    struct Shape {
        VoxelSides box{};
        double radius = 0.0;
    };
    [[nodiscard]] Shape shape(std::size_t i) const;
    [[nodiscard]] static bool meets(const Chord& chord, const Shape& shape, double keep);

    const VolumeFrame& frame_;
    std::span<const VolumeBlocker> blockers_;
    double half_;
};

}  // namespace fairlead::witness
