#include "verify/scale.h"

#include <cmath>

#include <fairlead/math/contact.h>

namespace fairlead::witness {

double Scale::threshold(double size) const { return slack - kErrorRounds * kRound * size; }

double Scale::length_max() const { return smaller(kLegMax, 0.25 * far); }

Scale make_scale(Vec2 origin, double cell, std::int32_t width, std::int32_t height) {
    Scale scale;
    scale.origin = origin;
    scale.cell = cell;
    scale.width = static_cast<double>(width);
    scale.height = static_cast<double>(height);
    scale.slack = tile_contact_slack(origin, cell, width, height);
    scale.far = 2.0 * contact_reach(scale.slack);
    return scale;
}

}  // namespace fairlead::witness
