#include <fairlead/curve/word.h>

#include <cmath>

#include <fairlead/base/assert.h>
#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

constexpr double kNoLength = 1e-12;  // radii: a segment that only rounding made

double side_of(Steer steer) { return static_cast<double>(static_cast<std::int8_t>(steer)); }

// The pose after `amount` of a segment. An arc by its chord, as place_on_leg does: the difference of two sines would
// cancel for short ones.
Pose advance(const Pose& from, double radius, Steer steer, double amount) {
    if (steer == Steer::spin) return {from.position, math::wrap_pi(from.heading_rad + amount)};
    if (steer == Steer::straight) {
        return {from.position + math::direction(from.heading_rad) * (radius * amount), from.heading_rad};
    }
    const double half = 0.5 * side_of(steer) * amount;
    const double chord = 2.0 * radius * side_of(steer) * math::sin(half);
    const Vec2 step = math::direction(from.heading_rad + half) * chord;
    return {from.position + step, math::wrap_pi(from.heading_rad + 2.0 * half)};
}

void include(Aabb& box, Vec2 at) {
    box.low = {at.x < box.low.x ? at.x : box.low.x, at.y < box.low.y ? at.y : box.low.y};
    box.high = {at.x > box.high.x ? at.x : box.high.x, at.y > box.high.y ? at.y : box.high.y};
}

// Where an arc heads along an axis it is at its farthest in the other.
void include_turning_points(Aabb& box, const Pose& from, double radius, const CurveSegment& segment) {
    const double side = side_of(segment.steer);
    const double a = from.heading_rad;
    const double b = a + side * segment.amount;
    const double low = (a < b ? a : b) / kHalfPi;
    const double high = (a < b ? b : a) / kHalfPi;
    for (double k = std::ceil(low); k <= high && k <= low + 4.0; k += 1.0) {
        include(box, advance(from, radius, segment.steer, side * (k * kHalfPi - a)).position);
    }
}

}  // namespace

Result<void> check_curve(const Pose& from, const Pose& to, double radius) {
    const auto finite = [](const Pose& pose) {
        return is_finite(pose.position) && std::isfinite(pose.heading_rad);
    };
    if (!finite(from)) return Error{ErrorCode::not_finite, Field::from};
    if (!finite(to)) return Error{ErrorCode::not_finite, Field::to};
    if (!std::isfinite(radius)) return Error{ErrorCode::not_finite, Field::agent_turning_radius};
    if (!(radius > 0.0 && radius <= kCurveRadiusMax))
        return Error{ErrorCode::out_of_range, Field::agent_turning_radius};
    const Vec2 span = (to.position - from.position) * (1.0 / radius);
    if (!(dot(span, span) <= kCurveSpanMax * kCurveSpanMax)) return Error{ErrorCode::out_of_range, Field::to};
    return {};
}

int cusps(const CurveWord& word) {
    int count = 0;
    double last = 0.0;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0 || segment.steer == Steer::spin) continue;
        if (last * segment.amount < 0.0) ++count;
        last = segment.amount < 0.0 ? -1.0 : 1.0;
    }
    return count;
}

CurveName name(const CurveWord& word) {
    CurveName out;
    int at = 0;
    for (const CurveSegment& segment : word.used()) {
        if (at > 0) out.text[at++] = ' ';
        constexpr char kLetters[] = {'R', 'S', 'L', 'T'};
        out.text[at++] = kLetters[static_cast<int>(segment.steer) + 1];
        out.text[at++] = segment.amount < 0.0 ? '-' : '+';
    }
    return out;
}

Pose pose_on_curve(const Pose& start, double radius, const CurveWord& word, double distance) {
    double left = distance / radius;
    Pose at = start;
    for (const CurveSegment& segment : word.used()) {
        if (left <= 0.0) break;
        const double size = segment.amount < 0.0 ? -segment.amount : segment.amount;
        if (size == 0.0) continue;
        if (segment.steer == Steer::spin) {
            at = advance(at, radius, segment.steer, segment.amount);
            continue;
        }
        if (left < size) return advance(at, radius, segment.steer, segment.amount < 0.0 ? -left : left);
        at = advance(at, radius, segment.steer, segment.amount);
        left -= size;
    }
    return at;
}

Pose end_of_curve(const Pose& start, double radius, const CurveWord& word) {
    Pose at = start;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount != 0.0) at = advance(at, radius, segment.steer, segment.amount);
    }
    return at;
}

Aabb bounds_of_curve(const Pose& start, double radius, const CurveWord& word) {
    Aabb box{start.position, start.position};
    Pose at = start;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        const bool arc = segment.steer == Steer::left || segment.steer == Steer::right;
        if (arc) include_turning_points(box, at, radius, segment);
        at = advance(at, radius, segment.steer, segment.amount);
        include(box, at.position);
    }
    const double slack = 1e-12 * (radius + length(box.high - box.low) + length(start.position));
    return {box.low - Vec2{slack, slack}, box.high + Vec2{slack, slack}};
}

namespace {

Leg leg_of(const CurveSegment& segment, double radius) {
    Leg leg;
    if (segment.steer == Steer::spin) {
        leg.kind = LegKind::turn;
        leg.turn_rad = segment.amount;
        return leg;
    }
    const bool reverse = segment.amount < 0.0;
    leg.length = (reverse ? -segment.amount : segment.amount) * radius;
    leg.curvature = (reverse ? -side_of(segment.steer) : side_of(segment.steer)) / radius;
    if (segment.steer == Steer::straight) leg.curvature = 0.0;
    leg.gear = reverse ? Gear::reverse : Gear::forward;
    return leg;
}

}  // namespace

bool append_legs(const CurveWord& word, const Pose& start, double radius, std::int32_t layer,
                 Array<Leg>& legs, Pose& end) {
    FAIRLEAD_ASSERT(radius > 0.0);
    if (!legs.reserve(legs.size() + static_cast<std::size_t>(word.count))) return false;
    Pose at = start;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        if ((segment.amount < 0.0 ? -segment.amount : segment.amount) < kNoLength) {
            at = advance(at, radius, segment.steer, segment.amount);
            continue;
        }
        Leg leg = leg_of(segment, radius);
        leg.start = {{at.position.x, at.position.y, 0.0}, at.heading_rad, layer};
        if (!legs.push_back(leg)) return false;  // reserved above
        at = advance(at, radius, segment.steer, segment.amount);
    }
    end = at;
    return true;
}

}  // namespace fairlead
