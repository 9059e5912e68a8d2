#include "verify/mesh_body.h"

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "verify/scale.h"
#include "verify/wall_sweep.h"

namespace fairlead::witness {

namespace {

constexpr int kLineHalvings = 60;

struct Span {
    double low = 0.0;
    double high = 0.0;
};

/// By how much two shadows overlap; less than 0: how far they are apart.
double shadows_overlap(Span a, Span b) { return smaller(a.high - b.low, b.high - a.low); }

double distance_to_rectangle(Vec2 p, const Aabb& box) {
    const Vec2 off{larger(0.0, larger(box.low.x - p.x, p.x - box.high.x)),
                   larger(0.0, larger(box.low.y - p.y, p.y - box.high.y))};
    return length(off);
}

/// How far a rectangle is from a segment, both in the rectangle's frame.
double rectangle_gap(const Aabb& box, Vec2 a, Vec2 b) {
    const Vec2 corners[] = {box.low, {box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}};
    const Vec2 e = b - a;
    const double size = length(e);
    double overlap = smaller(shadows_overlap({box.low.x, box.high.x}, {smaller(a.x, b.x), larger(a.x, b.x)}),
                             shadows_overlap({box.low.y, box.high.y}, {smaller(a.y, b.y), larger(a.y, b.y)}));
    if (size > 0.0) {
        Span off{kNever, -kNever};
        for (const Vec2 corner : corners) {
            const double at = cross(e, corner - a) / size;
            off = {smaller(off.low, at), larger(off.high, at)};
        }
        overlap = smaller(overlap, shadows_overlap(off, {0.0, 0.0}));
    }
    if (overlap >= 0.0) return -overlap;
    double least = smaller(distance_to_rectangle(a, box), distance_to_rectangle(b, box));
    for (const Vec2 corner : corners) least = smaller(least, distance_to_side(corner, a, b));
    return least;
}

}  // namespace

BodyMove BodyMove::drive(const MeshTrack& track, Vec2 heading, const Aabb& core) {
    BodyMove move;
    move.track_ = track;
    move.heading_ = heading;
    move.core_ = core;
    move.end_ = track.track.length;
    move.back_ = dot(heading, track.track.along) < 0.0;
    const Vec2 farthest{larger(std::fabs(core.low.x), std::fabs(core.high.x)),
                        larger(std::fabs(core.low.y), std::fabs(core.high.y))};
    move.far_ = length(farthest);
    move.speed_ = 1.0 + std::fabs(track.track.curvature) * move.far_;
    return move;
}

BodyMove BodyMove::turn(const MeshTrack& track, Vec2 heading, double turn_rad, const Aabb& core) {
    BodyMove move = drive(track, heading, core);
    move.turns_ = true;
    move.sense_ = turn_rad < 0.0 ? -1.0 : 1.0;
    move.end_ = smaller(std::fabs(turn_rad), kTwoPi);
    move.speed_ = move.far_;
    move.back_ = false;
    return move;
}

/// With the rectangle longer in the direction of travel.
double BodyMove::gap_from(double at, double longer, Vec2 a, Vec2 b) const {
    const Vec2 axle = turns_ ? track_.track.start : track_.at(at);
    const double turned = turns_ ? sense_ * at : track_.track.curvature * at;
    const Vec2 by = turned == 0.0 ? Vec2{1.0, 0.0} : math::direction(turned);
    const Vec2 ahead{heading_.x * by.x - heading_.y * by.y, heading_.x * by.y + heading_.y * by.x};
    const auto seen = [&](Vec2 p) {
        const Vec2 off = p - axle;
        return Vec2{dot(ahead, off), cross(ahead, off)};
    };
    Aabb core = core_;
    if (back_) {
        core.low.x -= longer;
    } else {
        core.high.x += longer;
    }
    return rectangle_gap(core, seen(a), seen(b));
}

double BodyMove::gap(double at, Vec2 a, Vec2 b) const { return gap_from(at, 0.0, a, b); }

/// On a line: of the whole stretch.
double BodyMove::least_gap(Interval between, Vec2 a, Vec2 b) const {
    return gap_from(between.low, between.high - between.low, a, b);
}

bool BodyMove::add_near(Vec2 a, Vec2 b, double reach, double step, Interval between,
                        Array<Interval>& out) const {
    if (between.empty()) return true;
    if (!straight()) return add_halves(a, b, reach, step, between, out);
    // On a line it is one stretch.
    if (least_gap(between, a, b) > reach) return true;
    double low = between.low, low_far = between.high;
    double high = between.high, high_far = between.low;
    for (int i = 0; i < kLineHalvings && low_far - low > step; ++i) {
        const double middle = 0.5 * (low + low_far);
        (least_gap({between.low, middle}, a, b) > reach ? low : low_far) = middle;
    }
    for (int i = 0; i < kLineHalvings && high - high_far > step; ++i) {
        const double middle = 0.5 * (high + high_far);
        (least_gap({middle, between.high}, a, b) > reach ? high : high_far) = middle;
    }
    return out.push_back({low, high});
}

bool BodyMove::add_halves(Vec2 a, Vec2 b, double reach, double step, Interval part,
                          Array<Interval>& out) const {
    const double half = 0.5 * (part.high - part.low), middle = part.low + half;
    const double off = gap(middle, a, b), swing = half * speed_;
    if (off - swing > reach) return true;
    if (off + swing <= reach || half <= 0.5 * step) {
        if (!out.empty() && out.back().high == part.low) {
            out.back().high = part.high;
            return true;
        }
        return out.push_back(part);
    }
    return add_halves(a, b, reach, step, {part.low, middle}, out) &&
           add_halves(a, b, reach, step, {middle, part.high}, out);
}

double BodyMove::first_nearer(Vec2 a, Vec2 b, double reach, double fine, Interval between) const {
    if (between.empty()) return kNever;
    if (!straight()) return first_half(a, b, reach, fine, between);
    if (least_gap(between, a, b) >= reach) return kNever;
    double free = between.low, met = between.high;
    for (int i = 0; i < kLineHalvings; ++i) {
        const double middle = 0.5 * (free + met);
        (least_gap({between.low, middle}, a, b) >= reach ? free : met) = middle;
    }
    return met;
}

double BodyMove::first_half(Vec2 a, Vec2 b, double reach, double fine, Interval part) const {
    const double half = 0.5 * (part.high - part.low), middle = part.low + half;
    const double off = gap(middle, a, b), swing = half * speed_;
    if (off - swing >= reach) return kNever;
    if (swing <= fine) return off < reach ? middle : kNever;
    const double first = first_half(a, b, reach, fine, {part.low, middle});
    return first < kNever ? first : first_half(a, b, reach, fine, {middle, part.high});
}

}  // namespace fairlead::witness
