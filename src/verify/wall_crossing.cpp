// Does a point's leg pass a thin line? The line is followed from its first point to its last, as far as it lies beside
// the leg shortened by `margin` at both ends; there it must not come from further than `margin` on one side of the leg
// to as far on the other. What leaves that stretch and comes back has gone around an end of the leg.
#include <cmath>

#include "verify/wall_sweep.h"

namespace fairlead::witness {

namespace {

/// A point as the leg sees it.
struct Seen {
    double ahead = 0.0;
    double left = 0.0;
};

Seen seen_from(const Straight& leg, Vec2 p) {
    const Vec2 v = p - leg.start;
    return {dot(leg.along, v), cross(leg.along, v)};
}

/// Which part of a side, from 0 to 1, lies between low and high ahead.
Interval share_between(const Seen& a, const Seen& b, double low, double high) {
    const double rate = b.ahead - a.ahead;
    if (rate == 0.0) return a.ahead >= low && a.ahead <= high ? Interval{0.0, 1.0} : Interval{};
    const double first = (low - a.ahead) / rate;
    const double last = (high - a.ahead) / rate;
    return {larger(0.0, smaller(first, last)), smaller(1.0, larger(first, last))};
}

/// How far along the leg a side crosses its line, or comes nearest to that within the part.
double ahead_at_line(const Seen& a, const Seen& b, const Interval& part, double length) {
    const double rise = b.left - a.left;
    double share = rise == 0.0 ? part.low : -a.left / rise;
    share = larger(part.low, smaller(share, part.high));
    return larger(0.0, smaller(a.ahead + share * (b.ahead - a.ahead), length));
}

int side_of(double left, double margin) { return left > margin ? 1 : (left < -margin ? -1 : 0); }

}  // namespace

double first_crossing(const Straight& leg, WallSides line, double margin) {
    const double low = margin;
    const double high = leg.length - margin;
    double first = kNever;
    int came_from = 0;
    for (const RoadmapWallSide& side : line) {
        const Seen a = seen_from(leg, side.a);
        const Seen b = seen_from(leg, side.b);
        const Interval part = low <= high ? share_between(a, b, low, high) : Interval{};
        if (part.empty() || part.low > 0.0) came_from = 0;
        if (part.empty()) continue;
        for (const double share : {part.low, part.high}) {
            const int here = side_of(a.left + share * (b.left - a.left), margin);
            if (here == 0) continue;
            if (here == -came_from) first = smaller(first, ahead_at_line(a, b, part, leg.length));
            came_from = here;
        }
        if (part.high < 1.0) came_from = 0;
    }
    return first;
}

}  // namespace fairlead::witness
