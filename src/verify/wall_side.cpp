#include "verify/wall_side.h"

#include <cmath>

#include <fairlead/math/swept.h>

namespace fairlead::witness {

namespace {

void add(Interval& sum, Interval part) {
    if (part.empty()) return;
    if (sum.empty()) {
        sum = part;
        return;
    }
    sum = {smaller(sum.low, part.low), larger(sum.high, part.high)};
}

/// The part of an interval where start + rate * distance lies between low and high.
Interval clipped(Interval part, double start, double rate, double low, double high) {
    if (rate == 0.0) return start >= low && start <= high ? part : Interval{};
    const double a = (low - start) / rate;
    const double b = (high - start) / rate;
    return {larger(part.low, smaller(a, b)), smaller(part.high, larger(a, b))};
}

Interval in_disc(const Straight& leg, Vec2 centre, double radius) {
    const Vec2 v = centre - leg.start;
    const double off = std::fabs(cross(leg.along, v));
    if (off > radius) return {};
    const double ahead = dot(leg.along, v);
    const double half = std::sqrt((radius - off) * (radius + off));
    return {larger(ahead - half, 0.0), smaller(ahead + half, leg.length)};
}

/// Beside the side, rather than before its first or behind its last point.
Interval in_strip(const Straight& leg, const RoadmapWallSide& side, double radius) {
    const Vec2 whole = side.b - side.a;
    const double side_length = length(whole);
    if (!(side_length > kRound * leg.size)) return {};  // the discs at its ends are all of it
    const Vec2 e = whole * (1.0 / side_length);
    const Vec2 v = leg.start - side.a;
    const Interval across = clipped({0.0, leg.length}, cross(e, v), cross(e, leg.along), -radius, radius);
    return clipped(across, dot(e, v), dot(e, leg.along), 0.0, side_length);
}

/// True only if the side is nowhere within `radius` of the leg.
bool apart(const Straight& leg, const RoadmapWallSide& side, double radius) {
    const double reach = radius + kWallErrorRounds * kRound * leg.size;
    const Vec2 end = leg.at(leg.length);
    return larger(side.a.x, side.b.x) < smaller(leg.start.x, end.x) - reach ||
           smaller(side.a.x, side.b.x) > larger(leg.start.x, end.x) + reach ||
           larger(side.a.y, side.b.y) < smaller(leg.start.y, end.y) - reach ||
           smaller(side.a.y, side.b.y) > larger(leg.start.y, end.y) + reach;
}

}  // namespace

Interval near_side(const Straight& leg, const RoadmapWallSide& side, double radius) {
    if (apart(leg, side, radius)) return {};
    Interval sum = in_disc(leg, side.a, radius);
    add(sum, in_disc(leg, side.b, radius));
    add(sum, in_strip(leg, side, radius));
    return sum;
}

bool ray_passes(Vec2 p, const RoadmapWallSide& side) {
    const bool up = side.b.y > p.y;
    if ((side.a.y > p.y) == up) return false;
    const double turn = math::orient2d(side.a, side.b, p);
    return up ? turn > 0.0 : turn < 0.0;
}

}  // namespace fairlead::witness
