// Distances from an arc to points and segments, for what has a radius.
#pragma once

#include <algorithm>
#include <cmath>

#include "mesh/data/plane.h"

namespace fairlead::mesh {

/// An arc from one point to another round a centre, by less than a whole turn.
struct Arc {
    Vec2 centre{};
    Vec2 from{};
    Vec2 to{};
    double side = 1.0;  ///< 1: counter-clockwise, -1: clockwise
    double radius = 0.0;

    [[nodiscard]] bool covers(Vec2 direction) const {
        const Vec2 a = from - centre, b = to - centre;
        const double s = side * cross(a, direction), t = side * cross(direction, b);
        const bool wide = side * cross(a, b) < 0.0;  // more than half a turn
        return wide ? (s >= 0.0 || t >= 0.0) : (s >= 0.0 && t >= 0.0);
    }
    /// From a point.
    [[nodiscard]] double away(Vec2 p) const {
        const Vec2 spoke = p - centre;
        const double ends = std::min(distance(p, from), distance(p, to));
        return covers(spoke) ? std::min(ends, std::fabs(length(spoke) - radius)) : ends;
    }
    /// From a segment: the least is at an end of either, abreast of the centre, or where they cross.
    [[nodiscard]] double away(Vec2 p, Vec2 q) const {
        const Vec2 abreast = nearest_on(p, q, centre);
        double least = std::min(
            {away(p), away(q), away(abreast), segment_distance(p, q, from), segment_distance(p, q, to)});
        const double off = distance(abreast, centre), far = distance(p, q);
        if (off >= radius || !(far > 0.0)) return least;
        const Vec2 along = (q - p) * (std::sqrt(radius * radius - off * off) / far);
        for (const Vec2 crossing : {abreast - along, abreast + along}) {
            const double t = dot(crossing - p, q - p);
            if (t >= 0.0 && t <= far * far) least = std::min(least, away(crossing));
        }
        return least;
    }
};

}  // namespace fairlead::mesh
