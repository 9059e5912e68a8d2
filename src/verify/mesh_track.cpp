#include "verify/mesh_track.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "verify/scale.h"
#include "verify/straight.h"

namespace fairlead::witness {

namespace {

constexpr int kRootHalvings = 64;

/// Distances in order. At most: the ends, 2 roots and 2 turning points for each of two points, 4 and 2 for a line.
struct FewBreaks {
    static constexpr int kMax = 2 * FewIntervals::kMax - 2;
    double at[kMax] = {};
    int count = 0;

    void put(double distance) {
        if (count == kMax) return;
        int i = count++;
        for (; i > 0 && at[i - 1] > distance; --i) at[i] = at[i - 1];
        at[i] = distance;
    }
    void put_within(double distance, double length) {
        if (distance > 0.0 && distance < length) put(distance);
    }
};

template <class Value>
double halved_root(double low, double high, bool low_above, const Value& value) {
    for (int i = 0; i < kRootHalvings; ++i) {
        const double middle = 0.5 * (low + high);
        ((value(middle) > 0.0) == low_above ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// `value` rises or falls between two turns: tells `found` of the places where it passes 0.
template <class Value, class Found>
void find_roots(const FewBreaks& turns, const Value& value, const Found& found) {
    for (int i = 0; i + 1 < turns.count; ++i) {
        const bool above = value(turns.at[i]) > 0.0;
        if (above == (value(turns.at[i + 1]) > 0.0)) continue;
        found(halved_root(turns.at[i], turns.at[i + 1], above, value));
    }
}

/// Where the arc is nearest to a point and farthest from it.
FewBreaks turns_for_point(const Track& arc, Vec2 q) {
    const Vec2 v = q - arc.start;
    const double k = arc.curvature;
    const double near = math::atan2(k * dot(arc.along, v), 1.0 - k * cross(arc.along, v)) / k;
    const double half_lap = kPi / std::fabs(k);
    FewBreaks turns;
    turns.put(0.0);
    turns.put(arc.length);
    for (const double at : {near - half_lap, near, near + half_lap}) turns.put_within(at, arc.length);
    return turns;
}

/// Where the arc runs along a direction.
FewBreaks turns_for_line(const Track& arc, Vec2 e) {
    const double parallel = math::atan2(cross(arc.along, e), dot(arc.along, e)) / arc.curvature;
    const double half_lap = kPi / std::fabs(arc.curvature);
    FewBreaks turns;
    turns.put(0.0);
    turns.put(arc.length);
    for (const double at : {parallel - half_lap, parallel, parallel + half_lap})
        turns.put_within(at, arc.length);
    return turns;
}

/// True only if the arc is nowhere within `radius` of the side.
bool arc_apart(const MeshTrack& arc, Vec2 a, Vec2 b, double radius) {
    const Vec2 from = arc.track.start, to = arc.at(arc.track.length);
    const double bulge = std::fabs(arc.track.curvature) * arc.track.length * arc.track.length / 8.0;
    const double reach = radius + bulge + kWallErrorRounds * kRound * arc.size;
    return larger(a.x, b.x) < smaller(from.x, to.x) - reach ||
           smaller(a.x, b.x) > larger(from.x, to.x) + reach ||
           larger(a.y, b.y) < smaller(from.y, to.y) - reach ||
           smaller(a.y, b.y) > larger(from.y, to.y) + reach;
}

FewIntervals near_on_arc(const MeshTrack& arc, Vec2 a, Vec2 b, double radius) {
    FewIntervals out;
    if (arc_apart(arc, a, b, radius)) return out;
    const Track& track = arc.track;
    FewBreaks breaks;
    breaks.put(0.0);
    const auto found = [&](double at) { breaks.put(at); };
    for (const Vec2 q : {a, b}) {
        find_roots(
            turns_for_point(track, q), [&](double s) { return distance(arc.at(s), q) - radius; }, found);
    }
    const double side_length = distance(a, b);
    if (side_length > kRound * arc.size) {
        const Vec2 e = (b - a) * (1.0 / side_length);
        const FewBreaks turns = turns_for_line(track, e);
        for (const double off : {radius, -radius}) {
            find_roots(
                turns, [&](double s) { return cross(e, arc.at(s) - a) - off; }, found);
        }
    }
    breaks.put(track.length);
    for (int i = 0; i + 1 < breaks.count; ++i) {
        const double low = breaks.at[i], high = breaks.at[i + 1];
        if (distance_to_side(arc.at(0.5 * (low + high)), a, b) > radius) continue;
        if (out.count > 0 && out.items[out.count - 1].high == low) {
            out.items[out.count - 1].high = high;
        } else if (out.count < FewIntervals::kMax) {
            out.items[out.count++] = {low, high};
        }
    }
    return out;
}

Interval inside_on_line(const Track& line, std::span<const Vec2> polygon) {
    Interval part{0.0, line.length};
    Vec2 a = polygon.back();
    for (const Vec2 b : polygon) {
        const Vec2 e = b - a;
        const double off = cross(e, line.start - a), rate = cross(e, line.along);
        if (rate > 0.0) part.low = larger(part.low, -off / rate);
        if (rate < 0.0) part.high = smaller(part.high, off / -rate);
        if (rate == 0.0 && off < 0.0) return {};
        a = b;
    }
    return part;
}

bool in_polygon(std::span<const Vec2> polygon, Vec2 p) {
    Vec2 a = polygon.back();
    for (const Vec2 b : polygon) {
        if (cross(b - a, p - a) < 0.0) return false;
        a = b;
    }
    return true;
}

}  // namespace

double distance_to_side(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 e = b - a, v = p - a;
    const double side = length(e);
    if (!(side > 0.0)) return length(v);
    const double ahead = dot(e, v) / side;
    if (ahead <= 0.0) return length(v);
    if (ahead >= side) return distance(p, b);
    return std::fabs(cross(e, v)) / side;
}

FewIntervals near_mesh_side(const MeshTrack& track, Vec2 a, Vec2 b, double radius) {
    if (b.x < a.x || (b.x == a.x && b.y < a.y)) std::swap(a, b);
    if (!track.straight()) return near_on_arc(track, a, b, radius);
    const Straight line{track.track.start, track.track.along, track.track.length, track.size};
    RoadmapWallSide side;
    side.a = a;
    side.b = b;
    FewIntervals out;
    const Interval part = near_side(line, side, radius);
    if (!part.empty()) out.items[out.count++] = part;
    return out;
}

bool add_inside(const MeshTrack& track, std::span<const Vec2> polygon, Array<double>& breaks,
                Array<Interval>& out) {
    if (track.straight()) {
        const Interval part = inside_on_line(track.track, polygon);
        return part.empty() || out.push_back(part);
    }
    breaks.clear();
    bool kept = breaks.push_back(0.0) && breaks.push_back(track.track.length);
    Vec2 a = polygon.back();
    for (const Vec2 b : polygon) {
        const Vec2 e = b - a, from = a;
        find_roots(
            turns_for_line(track.track, e), [&](double s) { return cross(e, track.at(s) - from); },
            [&](double at) { kept = breaks.push_back(at) && kept; });
        a = b;
    }
    if (!kept) return false;
    std::sort(breaks.begin(), breaks.end());  // total order
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
        if (!in_polygon(polygon, track.at(0.5 * (breaks[i] + breaks[i + 1])))) continue;
        if (!out.push_back({breaks[i], breaks[i + 1]})) return false;
    }
    return true;
}

void join_intervals(Array<Interval>& intervals, std::size_t first) {
    if (intervals.size() <= first) return;
    const auto before = [](const Interval& a, const Interval& b) {
        return a.low != b.low ? a.low < b.low : a.high < b.high;
    };
    std::sort(intervals.begin() + first, intervals.end(), before);  // total order: equal ones are the same
    std::size_t last = first;
    for (std::size_t i = first + 1; i < intervals.size(); ++i) {
        if (intervals[i].low <= intervals[last].high) {
            intervals[last].high = larger(intervals[last].high, intervals[i].high);
        } else {
            intervals[++last] = intervals[i];
        }
    }
    while (intervals.size() > last + 1) intervals.pop_back();
}

}  // namespace fairlead::witness
