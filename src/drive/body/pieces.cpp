#include "drive/body/pieces.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::drive {

double farthest_point(const BodyCore& body) {
    const double x = std::max(std::abs(body.core.low.x), std::abs(body.core.high.x));
    const double y = std::max(std::abs(body.core.low.y), std::abs(body.core.high.y));
    return std::sqrt(x * x + y * y) + body.radius;
}

SweptPieces place_pieces(const Pose& start, double radius, const CurveWord& word) {
    SweptPieces out;
    Pose at = start;
    for (const CurveSegment& segment : word.used()) {
        if (segment.amount == 0.0) continue;
        CurveWord one;
        one.segments[0] = segment;
        one.count = 1;
        one.length = one.cost = std::abs(segment.amount);
        const Vec2 ahead = math::direction(at.heading_rad);
        const double curvature = static_cast<double>(segment.steer) / radius;
        if (segment.steer == Steer::spin) {
            out.piece[out.count++] = {at.position, ahead, 0.0, 0.0, segment.amount};
        } else {
            out.piece[out.count++] = {at.position, ahead, segment.amount * radius, curvature, 0.0};
        }
        at = end_of_curve(at, radius, one);
    }
    if (out.count == 0)
        out.piece[out.count++] = {start.position, math::direction(start.heading_rad), 0.0, 0.0, 0.0};
    return out;
}

}  // namespace fairlead::drive
