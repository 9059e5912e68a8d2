// The order of all checks of one route through a volume. verify_volume.h says what they are.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/verify/verify_volume.h>

#include "verify/volume_frame.h"
#include "verify/volume_hull.h"
#include "verify/volume_prices.h"
#include "verify/volume_sweep.h"

namespace fairlead::witness {

class VolumeCheck {
  public:
    VolumeCheck(const Route& route, const VolumeState& volume, const Agent& agent,
                const VolumeVerifyOptions& options);
    VolumeCheck(const VolumeCheck&) = delete;
    VolumeCheck& operator=(const VolumeCheck&) = delete;

    [[nodiscard]] Violation run();

  private:
    [[nodiscard]] bool arguments_judged() const;
    [[nodiscard]] bool box_judged() const;
    [[nodiscard]] bool disc_judged() const;
    [[nodiscard]] VolumeHit sweep(const Leg& leg, const VolumePath& path, double size);
    [[nodiscard]] Violation check_leg(std::size_t i);
    [[nodiscard]] Violation check_leg_end(std::size_t i, const VolumePath& path, double size) const;
    [[nodiscard]] Violation check_clearance(std::size_t i, const VolumePath& path, double size);
    [[nodiscard]] Violation check_end();
    [[nodiscard]] Violation check_sums() const;
    [[nodiscard]] CostRange priced_cost() const;
    [[nodiscard]] Violation from_hit(const VolumeHit& hit, std::size_t i, const Leg& leg,
                                     const VolumePath& path) const;
    [[nodiscard]] ViolationKind far_kind(const VolumePath& path) const;
    /// The largest number involved.
    [[nodiscard]] double size_with(const VolumePath& path) const;

    const Route& route_;
    const VolumeState& volume_;
    const Agent& agent_;
    const VolumeVerifyOptions& options_;
    VolumeFrame frame_;
    VolumeSweep sweep_;
    VolumeHull hull_;  ///< of a box
    VolumePrices prices_;
};

}  // namespace fairlead::witness
