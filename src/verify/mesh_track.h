// Where along a line or a short arc its points are near a side of a polygon, or inside a polygon. verify_mesh.h says why.
#pragma once

#include <span>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "verify/piece.h"
#include "verify/scale.h"
#include "verify/wall_side.h"

namespace fairlead::witness {

/// A line, or an arc of at most 90 degrees, and the largest number involved.
struct MeshTrack {
    Track track{};
    double size = 0.0;

    [[nodiscard]] bool straight() const { return track.curvature == 0.0; }
    [[nodiscard]] Vec2 at(double distance) const { return point_at(track, distance); }
};

/// Distances along a track: a few intervals in order, apart from each other.
struct FewIntervals {
    static constexpr int kMax = 16;
    Interval items[kMax] = {};
    int count = 0;

    [[nodiscard]] const Interval* begin() const { return items; }
    [[nodiscard]] const Interval* end() const { return items + count; }
};

/// The smallest distance of a point from the side ab.
[[nodiscard]] double distance_to_side(Vec2 p, Vec2 a, Vec2 b);

/// Where the track is within `radius` >= 0 of the side ab. The same for ba, bit for bit.
[[nodiscard]] FewIntervals near_mesh_side(const MeshTrack& track, Vec2 a, Vec2 b, double radius);

/// Adds where the track is inside the convex polygon. False: out of memory.
[[nodiscard]] bool add_inside(const MeshTrack& track, std::span<const Vec2> polygon, Array<double>& breaks,
                              Array<Interval>& out);

inline constexpr int kLeastSamples = 64;
inline constexpr int kLeastThirds = 60;

/// Where the smallest of a few values between low and high is. `value` is told distances.
template <class Value>
double find_least(double low, double high, const Value& value) {
    const double step = (high - low) / kLeastSamples;
    double best = low, least = value(low);
    for (int i = 1; i <= kLeastSamples; ++i) {
        const double at = i == kLeastSamples ? high : low + step * i;
        const double here = value(at);
        if (here < least) least = here, best = at;
    }
    double from = larger(low, best - step), to = smaller(high, best + step);
    for (int i = 0; i < kLeastThirds; ++i) {
        const double a = from + (to - from) / 3.0, b = to - (to - from) / 3.0;
        (value(a) <= value(b) ? to : from) = value(a) <= value(b) ? b : a;
    }
    const double at = 0.5 * (from + to);
    return value(at) < least ? at : best;
}

/// Sorts intervals and joins those that overlap or touch; from `first` on.
void join_intervals(Array<Interval>& intervals, std::size_t first);

}  // namespace fairlead::witness
