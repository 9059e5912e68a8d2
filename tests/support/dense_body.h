// The second witness (dense_sampler.h) for bodies that turn: it looks at a body whenever its farthest point has moved by
// 0.001 tile, with the standard library's sine. How deep a body is in a tile it reads off the Minkowski difference of
// the two, made as a convex hull; the checker never makes one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fairlead/grid/query.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

#include "support/dense_sampler.h"

namespace fairlead::testing {

namespace dense {

/// Four corners, in order, and a radius around them. Tiles.
struct Shape {
    std::array<Vec2, 4> core{};
    double radius = 0.0;
};

inline Shape box_shape(Vec2 low, Vec2 high, double radius = 0.0) {
    return {{low, Vec2{high.x, low.y}, high, Vec2{low.x, high.y}}, radius};
}

/// In the unit's frame, read from the agent's own numbers.
inline Shape body_shape(const Agent& agent, double cell_size) {
    const double s = 1.0 / cell_size;
    if (agent.shape == BodyShape::box) {
        const double x = agent.axle_offset;
        return box_shape(Vec2{x - agent.length / 2, -agent.width / 2} * s,
                         Vec2{x + agent.length / 2, agent.width / 2} * s);
    }
    if (agent.shape == BodyShape::disc) return box_shape({}, {}, agent.radius * s);
    const double half = agent.length / 2 - agent.radius;
    return box_shape(Vec2{agent.axle_offset - half, 0} * s, Vec2{agent.axle_offset + half, 0} * s,
                     agent.radius * s);
}

inline double reach_of(const Shape& shape) {
    double far = 0.0;
    for (const Vec2 c : shape.core) far = std::max(far, std::hypot(c.x, c.y));
    return far + shape.radius;
}

inline Shape placed(const Shape& shape, Vec2 at, double heading) {
    Shape there = shape;
    for (Vec2& c : there.core) {
        c = {at.x + c.x * std::cos(heading) - c.y * std::sin(heading),
             at.y + c.x * std::sin(heading) + c.y * std::cos(heading)};
    }
    return there;
}

/// Andrew's monotone chain (1979), counter-clockwise, without points on its sides.
inline std::vector<Vec2> hull_of(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end(),
              [](Vec2 a, Vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::vector<Vec2> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t base = hull.size();
        for (const Vec2 p : points) {
            while (hull.size() >= base + 2 &&
                   cross(hull.back() - hull[hull.size() - 2], p - hull[hull.size() - 2]) <= 0.0) {
                hull.pop_back();
            }
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

inline double to_segment(Vec2 a, Vec2 b) {
    const Vec2 ab = b - a;
    const double size = dot(ab, ab);
    const double t = size > 0.0 ? std::clamp(-dot(a, ab) / size, 0.0, 1.0) : 0.0;
    const Vec2 p = a + ab * t;
    return std::hypot(p.x, p.y);
}

/// How deep two shapes are in one another: the smallest move that frees them; negative: how far they are apart.
inline double depth_between(const Shape& a, const Shape& b) {
    std::vector<Vec2> differences;
    for (const Vec2 p : a.core) {
        for (const Vec2 q : b.core) differences.push_back(p - q);
    }
    const std::vector<Vec2> hull = hull_of(differences);
    bool inside = hull.size() > 2;
    double near = hull.empty() ? std::hypot(differences[0].x, differences[0].y) : 1e9;
    for (std::size_t i = 0; i < hull.size(); ++i) {
        const Vec2 from = hull[i];
        const Vec2 to = hull[(i + 1) % hull.size()];
        near = std::min(near, to_segment(from, to));
        inside = inside && cross(to - from, Vec2{} - from) >= 0.0;
    }
    return a.radius + b.radius + (inside ? near : -near);
}

inline constexpr double kLook = 0.3;  // tiles: how far around the body one looks

template <class World>
double body_depth(const World& world, const Shape& body, Vec2 axle, std::int32_t layer,
                  std::span<const Blocker> blockers) {
    const double reach = reach_of(placed(body, -axle, 0.0)) + kLook;
    double worst = -kLook;
    for (auto y = static_cast<std::int32_t>(std::floor(axle.y - reach)); y <= axle.y + reach; ++y) {
        for (auto x = static_cast<std::int32_t>(std::floor(axle.x - reach)); x <= axle.x + reach; ++x) {
            if (!is_wall(world, x, y, layer)) continue;
            const Vec2 low{static_cast<double>(x), static_cast<double>(y)};
            worst = std::max(worst, depth_between(body, box_shape(low, low + Vec2{1, 1})));
        }
    }
    for (const Blocker& blocker : blockers) {
        const bool disc = blocker.box.empty();
        worst = std::max(worst,
                         depth_between(body, disc ? box_shape(blocker.centre, blocker.centre, blocker.radius)
                                                  : box_shape(blocker.box.low, blocker.box.high)));
    }
    return worst;
}

/// The change of heading along a leg.
inline double turned(const Leg& leg) {
    if (leg.kind == LegKind::turn) return leg.turn_rad;
    return leg.kind == LegKind::drive ? leg.curvature * leg.length : 0.0;
}

}  // namespace dense

/// Walls, map edges, and blockers (given in tiles, where the map does not wrap). `alarm` in tiles.
template <class World>
DenseResult dense_sample_body(const Route& route, const World& world, const Agent& agent, double alarm,
                              std::span<const Blocker> blockers = {}, double step = 0.001) {
    DenseResult result;
    const dense::Shape shape = dense::body_shape(agent, world.cell_size());
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const double run = leg.kind == LegKind::drive ? leg.length : 0.0;
        const double turn = dense::turned(leg);
        const double moved = run / world.cell_size() + std::fabs(turn) * dense::reach_of(shape);
        const auto count = static_cast<std::int64_t>(std::ceil(moved / step));
        for (std::int64_t j = 0; j <= count;) {
            const double share = count == 0 ? 0.0 : static_cast<double>(j) / static_cast<double>(count);
            const Vec2 p = (dense::point_on(leg, run * share) - world.origin()) * (1.0 / world.cell_size());
            const dense::Shape body = dense::placed(shape, p, leg.start.heading_rad + turn * share);
            const double depth = dense::body_depth(world, body, p, leg.start.layer, blockers);
            result.depth = std::max(result.depth, depth);
            if (!result.alarm && depth > alarm) {
                result.alarm = true;
                result.leg = i;
                result.distance = run * share;
            }
            // A gap shrinks by no more than the body moves: while it is wide, nothing is missed by a longer step.
            const double gap = std::max(0.0, -depth - 4.0 * alarm);
            j += j == count ? 1
                            : std::clamp<std::int64_t>(static_cast<std::int64_t>(gap / step), 1, count - j);
        }
    }
    return result;
}

}  // namespace fairlead::testing
