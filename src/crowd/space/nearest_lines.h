// The nearest points of two lines in space: an end of one and its foot on the other, or the two feet of the line across both.
#pragma once

#include <fairlead/math/vec.h>

#include "math/segment.h"

namespace fairlead::crowd {

struct NearestInSpace {
    Vec3 on_way{};
    Vec3 on_other{};
};

[[nodiscard]] inline Vec3 foot_on_line(Vec3 p, Vec3 a, Vec3 b) { return math::nearest_along(a, b - a, p); }

/// Of the lines from a to b and from c to d.
[[nodiscard]] inline NearestInSpace nearest_lines(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    NearestInSpace best{a, foot_on_line(a, c, d)};
    double least = dot(best.on_other - best.on_way, best.on_other - best.on_way);
    const auto take = [&](Vec3 on_way, Vec3 on_other) {
        const double apart = dot(on_other - on_way, on_other - on_way);
        if (!(apart < least)) return;
        least = apart;
        best = {on_way, on_other};
    };
    if (!(a == b)) take(b, foot_on_line(b, c, d));
    take(foot_on_line(c, a, b), c);
    if (!(c == d)) take(foot_on_line(d, a, b), d);
    // the line across both; by cross products, and with feet taken anew: good where they go almost the same way, too
    const Vec3 turn = cross(b - a, d - c);
    const double size = dot(turn, turn);
    if (!(size > 0.0)) return best;
    const double share = dot(cross(c - a, d - c), turn) / size;
    if (!(share > 0.0 && share < 1.0)) return best;
    const Vec3 on_other = foot_on_line(a + (b - a) * share, c, d);
    take(foot_on_line(on_other, a, b), on_other);
    return best;
}

}  // namespace fairlead::crowd
