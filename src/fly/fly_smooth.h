// Shorter curves in place of what a search found: from a pose to one farther on, the farthest first, where that is
// free.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/curve/airplane.h>

#include "fly/curve_probe.h"

namespace fairlead::fly {

class FlySmoother {
  public:
    explicit FlySmoother(const Allocator& allocator)
        : legs_(allocator), next_(allocator), length_(allocator) {}

    /// False: out of memory.
    [[nodiscard]] bool begin(const CurveProbe& probe, double radius, const ClimbLimits& climb,
                             std::span<const Leg> legs, const Place& end);
    /// Takes the curves that it tries off `budget`; true: there is more to do.
    [[nodiscard]] bool step(std::uint64_t& budget);
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const Array<Leg>& legs() const { return legs_; }

  private:
    [[nodiscard]] bool sum_lengths();
    [[nodiscard]] bool end_pass();
    [[nodiscard]] bool try_curve(std::size_t to);
    [[nodiscard]] const Place& pose(std::size_t i) const { return i < legs_.size() ? legs_[i].start : end_; }

    const CurveProbe* probe_ = nullptr;
    double radius_ = 1.0;
    ClimbLimits climb_{};
    Place end_{};
    Array<Leg> legs_;
    Array<Leg> next_;
    Array<double> length_;  ///< in space, up to each leg
    std::size_t at_ = 0;
    std::size_t span_ = 0;
    int passes_ = 0;
    bool better_ = false;
    bool failed_ = false;
};

/// Joins legs that go on in the same way.
void merge_legs(Array<Leg>& legs);

}  // namespace fairlead::fly
