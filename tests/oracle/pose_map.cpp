#include "oracle/pose_map.h"

#include <algorithm>
#include <cmath>

namespace fairlead::oracle {

PoseBody pose_body(const Agent& agent) {
    PoseBody body;
    double half = 0.0;
    if (agent.shape == BodyShape::disc) {
        body.radius = agent.radius;
    } else if (agent.shape == BodyShape::box) {
        half = agent.length / 2;
        body.side = agent.width / 2;
    } else {
        body.radius = agent.radius;
        half = agent.length / 2 - agent.radius;
    }
    const double offset = agent.shape == BodyShape::disc ? 0.0 : agent.axle_offset;
    body.ahead = offset + half;
    body.behind = half - offset;
    body.reach = std::hypot(std::max(body.ahead, body.behind), body.side) + body.radius;
    body.inside = std::max(0.0, std::min({body.ahead, body.behind, body.side}) + body.radius);
    return body;
}

namespace {

double away(double p, double low, double high) { return std::max({low - p, 0.0, p - high}); }

// Distance of two rectangles that are apart: some corner of one is as near to the other.
double distance_apart(const PoseBody& body, Vec2 axle, Vec2 u, Vec2 low) {
    double best = 1e30;
    for (const double x : {-body.behind, body.ahead}) {
        for (const double y : {-body.side, body.side}) {
            const Vec2 p = axle + u * x + Vec2{-u.y, u.x} * y;
            best = std::min(best, std::hypot(away(p.x, low.x, low.x + 1), away(p.y, low.y, low.y + 1)));
        }
    }
    for (const double x : {0.0, 1.0}) {
        for (const double y : {0.0, 1.0}) {
            const Vec2 gap = low + Vec2{x, y} - axle;
            const double ahead = gap.x * u.x + gap.y * u.y;
            const double left = gap.y * u.x - gap.x * u.y;
            best = std::min(
                best, std::hypot(away(ahead, -body.behind, body.ahead), away(left, -body.side, body.side)));
        }
    }
    return best;
}

double depth_facing(const PoseBody& body, Vec2 axle, Vec2 u, std::int32_t x, std::int32_t y) {
    const Vec2 low{static_cast<double>(x), static_cast<double>(y)};
    const double half = (body.ahead + body.behind) / 2;
    const Vec2 gap = axle + u * (body.ahead - half) - low - Vec2{0.5, 0.5};
    const double ux = std::fabs(u.x);
    const double uy = std::fabs(u.y);
    const double overlap = std::min({0.5 + half * ux + body.side * uy - std::fabs(gap.x),
                                     0.5 + half * uy + body.side * ux - std::fabs(gap.y),
                                     half + 0.5 * (ux + uy) - std::fabs(gap.x * u.x + gap.y * u.y),
                                     body.side + 0.5 * (ux + uy) - std::fabs(gap.y * u.x - gap.x * u.y)});
    if (overlap > 0.0 || body.radius == 0.0) return overlap + body.radius;
    return body.radius - distance_apart(body, axle, u, low);
}

Vec2 facing(const Pose& pose) { return {std::cos(pose.heading_rad), std::sin(pose.heading_rad)}; }

}  // namespace

double depth_in_cell(const PoseBody& body, const Pose& pose, std::int32_t x, std::int32_t y) {
    return depth_facing(body, pose.position, facing(pose), x, y);
}

double depth_on_map(const PoseBody& body, const PoseMap& map, const Pose& pose, double look) {
    const Vec2 at = pose.position;
    const Vec2 u = facing(pose);
    const double reach = body.reach + look;
    double worst = -look;
    const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
    for (std::int32_t y = cell(at.y - reach); y <= cell(at.y + reach); ++y) {
        for (std::int32_t x = cell(at.x - reach); x <= cell(at.x + reach); ++x) {
            if (map.wall(x, y)) worst = std::max(worst, depth_facing(body, at, u, x, y));
        }
    }
    return worst;
}

}  // namespace fairlead::oracle
