#include "drive/body/sweep.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "math/segment.h"

namespace fairlead::drive {

namespace {

double distance_to_box(Vec2 p, const Aabb& box) {
    const double x = std::max({box.low.x - p.x, 0.0, p.x - box.high.x});
    const double y = std::max({box.low.y - p.y, 0.0, p.y - box.high.y});
    return std::sqrt(x * x + y * y);
}

struct Quad {
    Vec2 corner[4];
};

Quad corners(const Aabb& box) {
    return {{box.low, {box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}}};
}

// How far the shadows of quad and box on an axis overlap; negative: the gap.
double shadow_overlap(const Quad& quad, const Quad& box, Vec2 axis) {
    double low = dot(quad.corner[0], axis);
    double high = low;
    double box_low = dot(box.corner[0], axis);
    double box_high = box_low;
    for (int i = 1; i < 4; ++i) {
        const double q = dot(quad.corner[i], axis);
        const double b = dot(box.corner[i], axis);
        low = std::min(low, q);
        high = std::max(high, q);
        box_low = std::min(box_low, b);
        box_high = std::max(box_high, b);
    }
    return std::min(high - box_low, box_high - low);
}

// A rectangle `quad` with sides along `side` and across it, against a box: the least overlap of their shadows on the
// four axes of their sides. Two convex polygons are disjoint if and only if one of these shadows is.
double least_overlap(const Quad& quad, Vec2 side, const Aabb& box) {
    const Quad b = corners(box);
    const Vec2 axes[] = {{1.0, 0.0}, {0.0, 1.0}, side, {-side.y, side.x}};
    double least = shadow_overlap(quad, b, axes[0]);
    for (int i = 1; i < 4; ++i) least = std::min(least, shadow_overlap(quad, b, axes[i]));
    return least;
}

double distance_to_quad(const Quad& quad, const Aabb& box) {
    const Quad b = corners(box);
    double least = distance_to_box(quad.corner[0], box);
    for (int i = 0; i < 4; ++i) {
        least = std::min(least, distance_to_box(quad.corner[i], box));
        for (int k = 0; k < 4; ++k) {
            const Vec2 along = quad.corner[(i + 1) & 3] - quad.corner[i];
            least = std::min(least,
                             distance(math::nearest_along(quad.corner[i], along, b.corner[k]), b.corner[k]));
        }
    }
    return least;
}

// A rectangle against a box that is rounded by `radius`, both standing still.
bool quad_overlaps_rounded(const Quad& quad, Vec2 side, const Aabb& box, double radius, double slack) {
    const double overlap = least_overlap(quad, side, box);
    if (radius <= slack) return overlap > slack - radius;
    return overlap >= 0.0 || distance_to_quad(quad, box) < radius - slack;
}

Aabb shrunk(const Aabb& box, double by) {
    return {{box.low.x + by, box.low.y + by}, {box.high.x - by, box.high.y - by}};
}

bool arc_overlaps_rounded(const ArcPath& arc, const Aabb& box, double radius, double slack) {
    if (radius > slack) return arc.nearer_than(radius - slack, box);
    const Aabb inner = shrunk(box, slack - radius);
    return !inner.empty() && arc.meets(inner);
}

// The unit's frame at the start of a segment: x ahead, y to the left.
struct Frame {
    Vec2 origin;
    Vec2 ahead;

    [[nodiscard]] Vec2 into(Vec2 p) const {
        const Vec2 d = p - origin;
        return {dot(d, ahead), cross(ahead, d)};
    }
    [[nodiscard]] Vec2 out(Vec2 p) const {
        return {origin.x + p.x * ahead.x - p.y * ahead.y, origin.y + p.x * ahead.y + p.y * ahead.x};
    }
};

Quad into(const Frame& frame, const Aabb& box) {
    Quad quad = corners(box);
    for (Vec2& corner : quad.corner) corner = frame.into(corner);
    return quad;
}

}  // namespace

ArcPath::ArcPath(Vec2 centre, Vec2 from, double angle_rad, const math::SinCos& turn)
    : centre_(centre), first_(from - centre) {
    last_ = {first_.x * turn.cos - first_.y * turn.sin, first_.x * turn.sin + first_.y * turn.cos};
    radius_ = std::sqrt(dot(first_, first_));
    turn_ = angle_rad < 0.0 ? -1.0 : 1.0;
    wide_ = std::abs(angle_rad) > kPi;
    full_ = std::abs(angle_rad) >= kTwoPi;
}

bool ArcPath::passes(Vec2 direction) const {
    if (full_) return true;
    const double after_first = cross(first_, direction) * turn_;
    const double before_last = cross(direction, last_) * turn_;
    return wide_ ? after_first >= 0.0 || before_last >= 0.0 : after_first >= 0.0 && before_last >= 0.0;
}

bool ArcPath::crosses_side(double along_axis, double low, double high, bool vertical) const {
    const double across = along_axis - (vertical ? centre_.x : centre_.y);
    const double square = radius_ * radius_ - across * across;
    if (square < 0.0) return false;
    const double root = std::sqrt(square);
    const double middle = vertical ? centre_.y : centre_.x;
    for (const double along : {root, -root}) {
        if (middle + along < low || middle + along > high) continue;
        if (passes(vertical ? Vec2{across, along} : Vec2{along, across})) return true;
    }
    return false;
}

bool ArcPath::meets(const Aabb& box) const {
    if (box.contains(from()) || box.contains(to())) return true;
    return crosses_side(box.low.x, box.low.y, box.high.y, true) ||
           crosses_side(box.high.x, box.low.y, box.high.y, true) ||
           crosses_side(box.low.y, box.low.x, box.high.x, false) ||
           crosses_side(box.high.y, box.low.x, box.high.x, false);
}

// The distance of an arc to a box is 0, or is that of an end, of a corner to the circle opposite it, or of a place where
// the arc runs along an axis.
bool ArcPath::nearer_than(double reach, const Aabb& box) const {
    const double far = radius_ + reach;
    if (distance_to_box(centre_, box) >= far) return false;
    if (distance_to_box(from(), box) < reach || distance_to_box(to(), box) < reach) return true;
    const Quad quad = corners(box);
    for (const Vec2 corner : quad.corner) {
        const Vec2 d = corner - centre_;
        if (std::abs(std::sqrt(dot(d, d)) - radius_) < reach && passes(d)) return true;
    }
    for (const Vec2 axis : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
        if (passes(axis) && distance_to_box(centre_ + axis * radius_, box) < reach) return true;
    }
    return meets(box);
}

namespace {

// Seen from a point one cell to the right of the axle, a turn about the axle is an arc of that radius.
SweptSegment spin_as_arc(const SweptSegment& spin, BodyCore& body) {
    body.core.low.y += 1.0;
    body.core.high.y += 1.0;
    return {spin.start + Vec2{spin.ahead.y, -spin.ahead.x}, spin.ahead, spin.spin, 1.0, 0.0};
}

}  // namespace

bool sweep_overlaps_box(const BodyCore& body, const SweptSegment& segment, const Aabb& box, double slack) {
    const bool round = body.core.low == body.core.high && body.core.low == Vec2{};
    if (segment.spin != 0.0 && !round) {
        BodyCore beside = body;
        const SweptSegment arc = spin_as_arc(segment, beside);
        return sweep_overlaps_box(beside, arc, box, slack);
    }
    const Frame frame{segment.start, segment.ahead};
    const Quad seen = into(frame, box);
    // An edge of the box as the unit sees it.
    const Vec2 side{segment.ahead.x, -segment.ahead.y};
    Aabb swept = body.core;
    if (segment.curvature == 0.0) {
        swept.low.x += std::min(segment.amount, 0.0);
        swept.high.x += std::max(segment.amount, 0.0);
        return quad_overlaps_rounded(seen, side, swept, body.radius, slack);
    }
    if (quad_overlaps_rounded(seen, side, swept, body.radius, slack)) return true;
    const double angle = std::clamp(segment.amount * segment.curvature, -kTwoPi, kTwoPi);
    const Vec2 centre{0.0, 1.0 / segment.curvature};
    const Vec2 world_centre = frame.out(centre);
    const Quad core = corners(body.core);
    const math::SinCos turn = math::sin_cos(angle);
    for (int i = 0; i < 4; ++i) {
        if (i > 0 && core.corner[i] == core.corner[i - 1]) continue;
        const ArcPath arc(world_centre, frame.out(core.corner[i]), angle, turn);
        if (arc_overlaps_rounded(arc, box, body.radius, slack)) return true;
    }
    if (body.core.low == body.core.high) return false;  // a disc: its centre's arc says it all
    const math::SinCos back = math::sin_cos(-angle);
    for (const Vec2 corner : seen.corner) {
        const ArcPath arc(centre, corner, -angle, back);
        if (arc_overlaps_rounded(arc, body.core, body.radius, slack)) return true;
    }
    return false;
}

}  // namespace fairlead::drive
