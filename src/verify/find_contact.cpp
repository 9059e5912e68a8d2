// Where a contact begins and where it is worst. Between the breakpoints collected here the depth along a
// monotone piece rises or falls, or falls and then rises; so the worst point is one of them, and the
// threshold is passed upwards once between two of them, which bisection finds.
#include <array>
#include <cstddef>

#include <fairlead/math/trig.h>

#include "verify/contact.h"
#include "verify/scale.h"

namespace fairlead::witness {

namespace {

/// At most the two ends, the points opposite four corners, and the point farthest from all sides.
struct Breakpoints {
    std::array<double, 7> at{};
    std::size_t count = 0;

    void add(double distance) {
        std::size_t i = count++;
        for (; i > 0 && at[i - 1] > distance; --i) at[i] = at[i - 1];
        at[i] = distance;
    }
};

/// Distance along the track of the point of the piece that is nearest to q.
double nearest(const Piece& piece, Vec2 q) {
    const Vec2 v = mirrored(q, piece.flip) - piece.a;
    const double ahead = dot(v, piece.along_a);
    if (piece.curvature == 0.0) return piece.from + ahead;
    const double k = piece.curvature;
    const double left = cross(piece.along_a, v);
    return piece.from + math::atan2(k * ahead, 1.0 - k * left) / k;
}

/// Inside a box the depth is the distance to the nearest side. Two sides come nearer along a monotone piece,
/// two recede; it is deepest where these are in balance.
double balance(const Track& track, const Piece& piece, const Aabb& box) {
    const Vec2 low = mirrored(box.low, piece.flip);
    const Vec2 high = mirrored(box.high, piece.flip);
    double before = piece.from;
    double after = piece.to;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (before + after);
        const Vec2 p = mirrored(point_at(track, middle), piece.flip);
        const double entered = smaller(p.x - smaller(low.x, high.x), p.y - smaller(low.y, high.y));
        const double to_go = smaller(larger(low.x, high.x) - p.x, larger(low.y, high.y) - p.y);
        (entered < to_go ? before : after) = middle;
    }
    return 0.5 * (before + after);
}

Breakpoints breakpoints(const Track& track, const Piece& piece, const Aabb& box) {
    Breakpoints found;
    found.add(piece.from);
    found.add(piece.to);
    found.add(balance(track, piece, box));
    for (const Vec2 q : {box.low, Vec2{box.high.x, box.low.y}, box.high, Vec2{box.low.x, box.high.y}}) {
        const double at = nearest(piece, q);
        if (at > piece.from && at < piece.to) found.add(at);
    }
    return found;
}

}  // namespace

Contact find_contact(const Track& track, const Piece& piece, const Obstacle& obstacle, double threshold) {
    const Breakpoints points = breakpoints(track, piece, obstacle.box);
    const auto depth = [&](double distance) { return depth_at(point_at(track, distance), obstacle); };
    Contact contact;
    std::size_t first = points.count;
    for (std::size_t i = 0; i < points.count; ++i) {
        const double here = depth(points.at[i]);
        if (first == points.count && here > threshold) first = i;
        if (i == 0 || here > contact.depth) contact = {0.0, points.at[i], here};
    }
    contact.begin = contact.worst;  // where rounding keeps every point found just below the threshold
    if (first == points.count) return contact;
    contact.begin = points.at[first];
    if (first == 0) return contact;
    double outside = points.at[first - 1];
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (outside + contact.begin);
        (depth(middle) > threshold ? contact.begin : outside) = middle;
    }
    return contact;
}

}  // namespace fairlead::witness
