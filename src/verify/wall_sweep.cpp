// The three cases of verify_roadmap.h: a body with a radius, a point among polygons, a point among lines.
#include "verify/wall_sweep.h"

#include <cstddef>

namespace fairlead::witness {

namespace {

constexpr int kBisections = 64;

bool inside(WallSides polygon, Vec2 p) {
    bool odd = false;
    for (const RoadmapWallSide& side : polygon) odd ^= ray_passes(p, side);
    return odd;
}

double first_near(const Straight& leg, WallSides wall, double radius) {
    double first = kNever;
    bool odd = false;
    for (const RoadmapWallSide& side : wall) {
        const Interval part = near_side(leg, side, radius);
        if (!part.empty()) first = smaller(first, part.low);
        if (side.closed != 0) odd ^= ray_passes(leg.start, side);
    }
    return odd ? 0.0 : first;
}

/// A part of the leg that is further than a margin from an outline, or none.
struct Gap {
    double from = 0.0;
    double to = 0.0;
    bool none = false;
};

/// The first gap that does not begin before `from`.
Gap next_gap(const Straight& leg, WallSides polygon, double margin, double from) {
    bool covered = false;
    for (bool grown = true; grown;) {
        grown = false;
        for (const RoadmapWallSide& side : polygon) {
            const Interval part = near_side(leg, side, margin);
            if (part.empty() || part.low > from || part.high < from) continue;
            covered = true;
            grown = grown || part.high > from;
            from = larger(from, part.high);
        }
    }
    Gap gap{from, leg.length, from >= leg.length && (covered || from > 0.0)};
    for (const RoadmapWallSide& side : polygon) {
        const Interval part = near_side(leg, side, margin);
        if (!part.empty() && part.low > from) gap.to = smaller(gap.to, part.low);
    }
    return gap;
}

/// Where a point first gets further than `margin` inside.
double first_inside(const Straight& leg, WallSides polygon, double margin) {
    for (double from = 0.0;;) {
        const Gap gap = next_gap(leg, polygon, margin, from);
        if (gap.none) return kNever;
        if (inside(polygon, leg.at(gap.from + 0.5 * (gap.to - gap.from)))) return gap.from;
        if (gap.to >= leg.length) return kNever;
        from = gap.to;
    }
}

/// Halves between a reach at which nothing is met and one at which something is. No verdict rests on it.
void find_worst(const Straight& leg, WallSides wall, double radius, double reach, WallHit& hit) {
    const bool thick_line = wall[0].closed == 0 && reach > 0.0;
    double apart = thick_line ? 0.0 : -4.0 * leg.size;
    double meets = reach;
    hit.worst = hit.begin;
    for (int i = 0; i < kBisections; ++i) {
        const double middle = 0.5 * (apart + meets);
        const double at = first_meeting(leg, wall, middle);
        if (at < kNever) {
            meets = middle;
            hit.worst = at;
        } else {
            apart = middle;
        }
    }
    hit.depth = radius - meets;
}

}  // namespace

double first_meeting(const Straight& leg, WallSides wall, double reach) {
    if (reach > 0.0) return first_near(leg, wall, reach);
    return wall[0].closed != 0 ? first_inside(leg, wall, -reach) : first_crossing(leg, wall, -reach);
}

WallHit sweep_walls(const Straight& leg, std::span<const RoadmapWallSide> sides, double radius,
                    double threshold) {
    WallHit hit;
    WallSides met;
    const double reach = radius - threshold;
    for (std::size_t first = 0, end = 0; first < sides.size(); first = end) {
        while (end < sides.size() && sides[end].wall == sides[first].wall) ++end;
        const WallSides wall = sides.subspan(first, end - first);
        const double begin = first_meeting(leg, wall, reach);
        if (begin >= hit.begin) continue;
        hit.begin = begin;
        hit.wall = wall[0].wall;
        met = wall;
    }
    if (hit.found()) find_worst(leg, met, radius, reach, hit);
    return hit;
}

}  // namespace fairlead::witness
