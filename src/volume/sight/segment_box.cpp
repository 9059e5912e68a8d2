// See segment_box.h.
#include "volume/sight/segment_box.h"

#include <algorithm>

namespace fairlead::volume {

namespace {

struct Segment {
    double a[3];
    double d[3];
};

double gap(double p, double low, double high) { return p < low ? p - low : p > high ? p - high : 0.0; }

double squared_at(const Segment& s, const Box& box, double t) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double g = gap(s.a[k] + t * s.d[k], box.low[k], box.high[k]);
        sum += g * g;
    }
    return sum;
}

double slope_at(const Segment& s, const Box& box, double t) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += gap(s.a[k] + t * s.d[k], box.low[k], box.high[k]) * s.d[k];
    return sum;
}

// Of the least squared distance, the share of the way.
double least_at(const Segment& s, const Box& box) {
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

bool in_order(Vec3 a, Vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z <= b.z;
}

Segment segment(Vec3 a, Vec3 b) { return {{a.x, a.y, a.z}, {b.x - a.x, b.y - a.y, b.z - a.z}}; }

}  // namespace

NearestOnSegment nearest_on_segment(Vec3 from, Vec3 to, const Box& box) {
    const bool swap = !in_order(from, to);
    const Segment s = swap ? segment(to, from) : segment(from, to);
    const double t = least_at(s, box);
    return {swap ? 1.0 - t : t, squared_at(s, box, t)};
}

double squared_at(Vec3 from, Vec3 to, const Box& box, double share) {
    return squared_at(segment(from, to), box, share);
}

bool is_within_before(Vec3 from, Vec3 to, const Box& box, double limit, double share) {
    const Segment s = segment(from, to);
    return squared_at(s, box, share) < limit || slope_at(s, box, share) > 0.0;
}

// Newton's method: the squared distance is convex, so that it comes nearer from one side and never too far.
double first_within(Vec3 from, Vec3 to, const Box& box, double limit) {
    const Segment s = segment(from, to);
    double t = 0.0;
    for (int i = 0; i < 40; ++i) {
        const double slope = slope_at(s, box, t), over = squared_at(s, box, t) - limit;
        if (!(over > 0.0) || !(slope < 0.0)) break;
        const double next = t - 0.5 * over / slope;
        if (!(next - t > 1e-13) || !(squared_at(s, box, next) >= limit)) break;
        t = next;
    }
    return t;
}

}  // namespace fairlead::volume
