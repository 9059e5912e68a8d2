#include "drive/cost/cells_along.h"

namespace fairlead::drive {

BorderCrossings::BorderCrossings(const SweptSegment& arc, bool facings) {
    const Vec2 left{-arc.ahead.y, arc.ahead.x};
    const Vec2 centre = arc.start + left * (1.0 / arc.curvature);
    const Vec2 arm = arc.start - centre;
    const double radius = 1.0 / std::abs(arc.curvature);
    const double first = math::atan2(arm.y, arm.x);
    const double sweep = arc.amount * arc.curvature;
    const double far = std::abs(arc.amount) + 1.0;  // no border farther than the arc is long is crossed
    add_circle(centre.x, radius, first, sweep, true, {arc.start.x - far, arc.start.x + far});
    add_circle(centre.y, radius, first, sweep, false, {arc.start.y - far, arc.start.y + far});
    if (facings) add_facings(arc, sweep);
    part_[count_++] = 0.0;
    part_[count_++] = 1.0;
    std::sort(part_, part_ + count_);  // total order
}

// Crossings with x = k (vertical borders) or y = k.
void BorderCrossings::add_circle(double centre, double radius, double first, double sweep, bool vertical,
                                 Range range) {
    const double size = std::abs(sweep);
    const auto low = static_cast<std::int64_t>(std::ceil(std::max(centre - radius, range.low)));
    const auto high = static_cast<std::int64_t>(std::floor(std::min(centre + radius, range.high)));
    for (std::int64_t k = low; k <= high; ++k) {
        const double ratio = std::clamp((static_cast<double>(k) - centre) / radius, -1.0, 1.0);
        // x = r cos a at a and -a; y = r sin a at a and pi - a.
        const double a = vertical ? math::acos(ratio) : math::asin(ratio);
        for (const double angle : {a, vertical ? -a : kPi - a}) {
            const double turned = math::wrap_two_pi(sweep > 0.0 ? angle - first : first - angle);
            for (double at = turned; at < size; at += kTwoPi) add(at / size);
        }
    }
}

// The direction of travel turns as the arm from the centre does, a quarter ahead of it: at equal angles both are multiples.
void BorderCrossings::add_facings(const SweptSegment& arc, double sweep) {
    const double size = std::abs(sweep);
    const double heading = math::atan2(arc.ahead.y, arc.ahead.x);
    for (int k = 0; k < 8; ++k) {
        const double angle = k * (kPi / 4.0);
        const double turned = math::wrap_two_pi(sweep > 0.0 ? angle - heading : heading - angle);
        for (double at = turned; at < size; at += kTwoPi) add(at / size);
    }
}

}  // namespace fairlead::drive
