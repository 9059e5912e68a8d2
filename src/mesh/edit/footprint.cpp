#include "mesh/edit/footprint.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/predicates.h>
#include <fairlead/math/trig.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead {

MeshObstacle MeshObstacle::box(Vec2 centre, Vec2 half, double heading_rad, double low, double high) {
    const Vec2 ahead = math::direction(heading_rad);
    const Vec2 along = ahead * half.x;
    const Vec2 across = Vec2{-ahead.y, ahead.x} * half.y;
    MeshObstacle out;
    out.points[0] = centre - along - across;
    out.points[1] = centre + along - across;
    out.points[2] = centre + along + across;
    out.points[3] = centre - along + across;
    out.count = 4;
    out.low = low;
    out.high = high;
    return out;
}

MeshObstacle MeshObstacle::pillar(Vec2 centre, double radius, double low, double high) {
    constexpr double kTan = 0x1.a827999fcef32p-2;  // tan 22.5 degrees
    const double r = radius, s = radius * kTan;
    const Vec2 ring[] = {{r, -s}, {r, s}, {s, r}, {-s, r}, {-r, s}, {-r, -s}, {-s, -r}, {s, -r}};
    MeshObstacle out;
    for (const Vec2 p : ring) out.points[out.count++] = centre + p;
    out.low = low;
    out.high = high;
    return out;
}

namespace mesh {

namespace {

Error not_convex() {
    return {ErrorCode::incompatible, -1, static_cast<std::int64_t>(NavMeshRule::not_convex)};
}

// Appends a point, unless it repeats the last one.
void append(Footprint& out, Vec2 p, double quantum) {
    p = {std::round(p.x / quantum) * quantum, std::round(p.y / quantum) * quantum};
    if (out.count > 0 && (out.points[out.count - 1] == p || out.points[0] == p)) return;
    out.points[out.count++] = p;
}

// Rounding may have bent the outline inward by a hair: corners that turn right or not at all are left out.
void keep_convex(Footprint& out) {
    for (std::uint32_t i = 0; i < out.count && out.count > 3;) {
        const Vec2 a = out.points[(i + out.count - 1) % out.count], b = out.points[i],
                   c = out.points[(i + 1) % out.count];
        if (math::orient2d(a, b, c) > 0.0) {
            ++i;
            continue;
        }
        for (std::uint32_t k = i; k + 1 < out.count; ++k) out.points[k] = out.points[k + 1];
        --out.count;
        i = i > 0 ? i - 1 : 0;
    }
}

}  // namespace

Result<void> check_obstacle(const MeshObstacle& obstacle) {
    if (obstacle.count < 3 || obstacle.count > kObstaclePointsMax)
        return Error{ErrorCode::size_limit, -1, kObstaclePointsMax};
    if (!std::isfinite(obstacle.low) || !std::isfinite(obstacle.high))
        return Error{ErrorCode::not_finite, -1, 0};
    for (std::uint32_t i = 0; i < obstacle.count; ++i) {
        if (!is_finite(obstacle.points[i])) return Error{ErrorCode::not_finite, -1, 0};
        if (std::fabs(obstacle.points[i].x) > kMeshSpan || std::fabs(obstacle.points[i].y) > kMeshSpan) {
            return Error{ErrorCode::out_of_range, -1, 0};
        }
    }
    if (std::fabs(obstacle.low) > kMeshSpan || std::fabs(obstacle.high) > kMeshSpan ||
        obstacle.low > obstacle.high) {
        return Error{ErrorCode::out_of_range, -1, 0};
    }
    int left = 0, right = 0, climbs = 0;
    const std::uint32_t n = obstacle.count;
    for (std::uint32_t i = 0; i < n; ++i) {
        const Vec2 a = obstacle.points[i], b = obstacle.points[(i + 1) % n], c = obstacle.points[(i + 2) % n];
        const double turn = math::orient2d(a, b, c);
        if (a == b || (turn == 0.0 && dot(b - a, c - b) < 0.0)) return not_convex();
        left += turn > 0.0 ? 1 : 0;
        right += turn < 0.0 ? 1 : 0;
        const auto rises = [](Vec2 p, Vec2 q) { return q.y > p.y || (q.y == p.y && q.x > p.x); };
        climbs += !rises(a, b) && rises(b, c) ? 1 : 0;
    }
    if ((left > 0 && right > 0) || left + right < 3 || climbs != 1) return not_convex();
    return {};
}

// Each side moves out by the radius; between two sides come the corners of a polygon around the circle, with sides
// that turn by 45 degrees at most.
Footprint make_footprint(const MeshObstacle& obstacle, const FootprintRules& rules) {
    constexpr double kTurnMax = 0.8;  // 45 degrees, and room for rounding
    Footprint out;
    const std::uint32_t n = obstacle.count;
    double area = 0.0;
    for (std::uint32_t i = 0; i < n; ++i) {
        area +=
            cross(obstacle.points[i] - obstacle.points[0], obstacle.points[(i + 1) % n] - obstacle.points[0]);
    }
    const auto corner = [&](std::uint32_t i) {
        const Vec2 p = obstacle.points[area > 0.0 ? i % n : (2 * n - 1 - i % n) % n];
        return p - ground(rules.origin);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        const Vec2 a = corner(i + n - 1), b = corner(i), c = corner(i + 1);
        if (rules.radius <= 0.0) {
            append(out, b, rules.quantum);
            continue;
        }
        const double from = math::atan2(b.y - a.y, b.x - a.x);
        const double turn = math::wrap_two_pi(math::atan2(c.y - b.y, c.x - b.x) - from);
        const auto steps = static_cast<std::uint32_t>(turn / kTurnMax) + 1;
        if (out.count + steps > kFootprintPointsMax) break;  // 16 corners and one full turn make 24
        // Corners of the polygon around the arc: in the middle of each step, outside by the half step's secant.
        const double step = turn / steps;
        const double far = rules.radius / math::cos(step / 2.0);
        for (std::uint32_t k = 0; k < steps; ++k) {
            append(out, b + math::direction(from - 1.5707963267948966 + (k + 0.5) * step) * far,
                   rules.quantum);
        }
    }
    keep_convex(out);
    out.box = {out.points[0], out.points[0]};
    for (std::uint32_t i = 1; i < out.count; ++i) {
        out.box.low = {std::min(out.box.low.x, out.points[i].x), std::min(out.box.low.y, out.points[i].y)};
        out.box.high = {std::max(out.box.high.x, out.points[i].x), std::max(out.box.high.y, out.points[i].y)};
    }
    out.low = obstacle.low - rules.origin.z - rules.height;
    out.high = obstacle.high - rules.origin.z;
    return out;
}

}  // namespace mesh

}  // namespace fairlead
