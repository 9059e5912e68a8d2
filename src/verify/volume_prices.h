// What legs cost among the prices of a query, judged apart from the planners: no index, no list of spans. A region's surface is known to
// the contact slack only: so there is a least and a largest cost.
#pragma once

#include <span>

#include <fairlead/volume/area.h>

#include "verify/volume_frame.h"

namespace fairlead::witness {

struct CostRange {
    double low = 0.0;
    double high = 0.0;
};

class VolumePrices {
  public:
    VolumePrices(const VolumeFrame& frame, std::span<const VolumeArea> prices)
        : frame_(frame), prices_(prices) {}

    /// Finite, in the ranges of area.h, and no larger than can be judged?
    [[nodiscard]] bool are_good() const;
    /// Of the straight line.
    [[nodiscard]] CostRange cost(const Chord& chord) const;
    /// No rate is above.
    [[nodiscard]] double most() const;

  private:
    enum class Side : std::uint8_t { outside, unsure, inside };
    [[nodiscard]] Side side_of(const VolumeArea& price, const Triple& p) const;
    [[nodiscard]] double next_cut(const VolumeArea& price, const Chord& chord, double after) const;
    [[nodiscard]] CostRange rate_at(const Triple& p, const Triple& along) const;

    const VolumeFrame& frame_;
    std::span<const VolumeArea> prices_;
};

}  // namespace fairlead::witness
