// How near a segment in space comes to a box: the one function that decides what a unit of a volume touches.
//
// The squared distance to a box along a segment is convex and piecewise quadratic, with a break where a coordinate crosses a side of the
// box, six at most. Between the breaks where its slope changes sign lies the least one. It is evaluated there, from the gaps on the axes,
// so that its error is that of the coordinates. Ends are taken in lexicographic order: both directions give the same bits.
//
// In a header: the walks of sight spend their time here.
#pragma once

#include <algorithm>

#include <fairlead/math/vec.h>

namespace fairlead::math {

/// Where on the way from `from` to `to` it is, and its square.
struct NearestOnSegment {
    double share = 0.0;
    double squared = 0.0;
};

struct SpaceBox {
    double low[3];
    double high[3];
};

namespace segment_space_box {

struct Segment {
    double a[3];
    double d[3];
};

[[nodiscard]] inline double gap(double p, double low, double high) {
    return p < low ? p - low : p > high ? p - high : 0.0;
}

[[nodiscard]] inline double squared_at(const Segment& s, const SpaceBox& box, double t) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double g = gap(s.a[k] + t * s.d[k], box.low[k], box.high[k]);
        sum += g * g;
    }
    return sum;
}

[[nodiscard]] inline double slope_at(const Segment& s, const SpaceBox& box, double t) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += gap(s.a[k] + t * s.d[k], box.low[k], box.high[k]) * s.d[k];
    return sum;
}

// Of the least squared distance, the share of the way.
[[nodiscard]] inline double least_at(const Segment& s, const SpaceBox& box) {
    if (slope_at(s, box, 0.0) >= 0.0) return 0.0;
    if (slope_at(s, box, 1.0) <= 0.0) return 1.0;
    double breaks[8] = {0.0};  // in order
    int count = 1;
    const auto put = [&](double t) {
        int i = count++;
        for (; i > 0 && breaks[i - 1] > t; --i) breaks[i] = breaks[i - 1];
        breaks[i] = t;
    };
    for (int k = 0; k < 3; ++k) {
        if (s.d[k] == 0.0) continue;
        for (const double side : {box.low[k], box.high[k]}) {
            const double t = (side - s.a[k]) / s.d[k];
            if (t > 0.0 && t < 1.0) put(t);
        }
    }
    put(1.0);
    int i = 1;
    while (i + 1 < count && slope_at(s, box, breaks[i]) < 0.0) ++i;
    // Between these two the slope is a straight line that crosses zero.
    const double low = breaks[i - 1], high = breaks[i];
    const double from = slope_at(s, box, low), to = slope_at(s, box, high);
    if (!(to > from)) return low;
    return std::clamp(low + (high - low) * (-from / (to - from)), low, high);
}

[[nodiscard]] inline bool in_order(Vec3 a, Vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z <= b.z;
}

[[nodiscard]] inline Segment segment(Vec3 a, Vec3 b) {
    return {{a.x, a.y, a.z}, {b.x - a.x, b.y - a.y, b.z - a.z}};
}

}  // namespace segment_space_box

[[nodiscard]] inline NearestOnSegment nearest_on_segment(Vec3 from, Vec3 to, const SpaceBox& box) {
    const bool swap = !segment_space_box::in_order(from, to);
    const segment_space_box::Segment s =
        swap ? segment_space_box::segment(to, from) : segment_space_box::segment(from, to);
    const double t = segment_space_box::least_at(s, box);
    return {swap ? 1.0 - t : t, segment_space_box::squared_at(s, box, t)};
}

/// How near the place at a share of the way is, squared.
[[nodiscard]] inline double squared_at(Vec3 from, Vec3 to, const SpaceBox& box, double share) {
    return segment_space_box::squared_at(segment_space_box::segment(from, to), box, share);
}

/// Does it come within the root of `limit` of the box before a share of the way, if it does somewhere?
[[nodiscard]] inline bool is_within_before(Vec3 from, Vec3 to, const SpaceBox& box, double limit,
                                           double share) {
    const segment_space_box::Segment s = segment_space_box::segment(from, to);
    return segment_space_box::squared_at(s, box, share) < limit ||
           segment_space_box::slope_at(s, box, share) > 0.0;
}

/// Where the segment comes within the root of `limit` of the box first; it does somewhere. The place itself does not yet.
/// Newton's method: the squared distance is convex, so that it comes nearer from one side and never too far.
[[nodiscard]] inline double first_within(Vec3 from, Vec3 to, const SpaceBox& box, double limit) {
    const segment_space_box::Segment s = segment_space_box::segment(from, to);
    double t = 0.0;
    for (int i = 0; i < 40; ++i) {
        const double slope = segment_space_box::slope_at(s, box, t);
        const double over = segment_space_box::squared_at(s, box, t) - limit;
        if (!(over > 0.0) || !(slope < 0.0)) break;
        const double next = t - 0.5 * over / slope;
        if (!(next - t > 1e-13) || !(segment_space_box::squared_at(s, box, next) >= limit)) break;
        t = next;
    }
    return t;
}

}  // namespace fairlead::math
