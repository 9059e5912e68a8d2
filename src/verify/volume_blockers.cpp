#include "verify/volume_blockers.h"

#include <cmath>

namespace fairlead::witness {

bool VolumeBlockers::are_good(const VolumeFrame& frame, std::span<const VolumeBlocker> blockers) {
    for (const VolumeBlocker& b : blockers) {
        if (!is_finite(b.low) || !is_finite(b.high)) return false;
        if (!b.is_box() && !(is_finite(b.centre) && b.radius >= 0.0 && b.radius <= frame.far)) return false;
    }
    return true;
}

VolumeBlockers::Shape VolumeBlockers::shape(std::size_t i) const {
    const VolumeBlocker& b = blockers_[i];
    if (b.is_box()) return {taller({frame_.from_anywhere(b.low), frame_.from_anywhere(b.high)}, half_), 0.0};
    const Triple centre = frame_.from_anywhere(b.centre);
    return {taller({centre, centre}, half_), b.radius};
}

bool VolumeBlockers::meets(const Chord& chord, const Shape& shape, double keep) {
    const double reach = keep + shape.radius;
    if (reach > 0.0) return gap_squared(chord, shape.box) < reach * reach;
    if (shape.radius > 0.0) return false;
    // Nothing is so deep in what is thinner.
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(shape.box.high[k] - shape.box.low[k] > -2.0 * reach)) return false;
    }
    return !shares_within(chord, shape.box, reach).none();
}

bool VolumeBlockers::clear(const Chord& chord, double keep) const {
    for (std::size_t i = 0; i < blockers_.size(); ++i) {
        if (meets(chord, shape(i), keep)) return false;
    }
    return true;
}

std::int64_t VolumeBlockers::find_first(const Chord& chord, double keep, double& begin) const {
    std::int64_t found = -1;
    for (std::size_t i = 0; i < blockers_.size(); ++i) {
        const Shape one = shape(i);
        if (!meets(chord, one, keep)) continue;
        const double reach = keep + one.radius;
        const double at = reach > 0.0 ? first_within(chord, one.box, reach)
                                      : larger(shares_within(chord, one.box, reach).low, 0.0);
        if (at >= begin) continue;
        begin = at;
        found = static_cast<std::int64_t>(i);
    }
    return found;
}

double VolumeBlockers::gap(const Triple& p, std::int64_t which) const {
    const Shape one = shape(static_cast<std::size_t>(which));
    return signed_gap(p, one.box) - one.radius;
}

}  // namespace fairlead::witness
