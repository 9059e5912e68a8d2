// Where along a line or a short arc its points are near a side of a polygon, or inside a polygon. verify_mesh.h says why.
#pragma once

#include <span>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "verify/piece.h"
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

/// Sorts intervals and joins those that overlap or touch; from `first` on.
void join_intervals(Array<Interval>& intervals, std::size_t first);

}  // namespace fairlead::witness
