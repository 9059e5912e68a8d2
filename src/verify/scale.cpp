#include "verify/scale.h"

#include <cmath>

namespace fairlead::witness {

double Scale::threshold(double size) const { return slack - kErrorRounds * kRound * size; }

double Scale::length_max() const { return smaller(kLegMax, 0.25 * far); }

Scale make_scale(Vec2 origin, double cell, std::int32_t width, std::int32_t height) {
    Scale scale;
    scale.origin = origin;
    scale.cell = cell;
    scale.width = static_cast<double>(width);
    scale.height = static_cast<double>(height);
    const Vec2 corner = scale.to_world({scale.width, scale.height});
    const double coordinate = larger(size_of(origin), size_of(corner)) / cell;
    const double extent = larger(scale.width, scale.height);
    scale.slack = smaller(larger(kSlackRelative * extent, kSlackRounds * coordinate), kSlackMax);
    scale.far = scale.slack / (4.0 * kErrorRounds * kRound);
    return scale;
}

}  // namespace fairlead::witness
