// A second witness, slow and simple: it looks at a body every 0.001 tile along each leg, with the standard
// library's sine, one tile after the other. It sees no overlap shallower than its step, and proves nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

namespace fairlead::testing {

struct DenseResult {
    double depth = -1e9;    ///< the deepest overlap, in tiles; negative: the smallest gap that was noticed
    std::size_t leg = 0;    ///< where depth first passes `alarm`, or the end
    double distance = 0.0;  ///< along that leg, in world units
    bool alarm = false;
};

namespace dense {

/// How deep a body at p (in tiles) is in the tile (x, y): the smallest move that frees it.
inline double depth_in_tile(Vec2 p, const Agent& agent, double cell_size, std::int32_t x, std::int32_t y) {
    const double half = 0.5 * agent.footprint;
    const double radius = agent.footprint > 0 ? 0.0 : agent.radius / cell_size;
    const double out_x = std::max(x - half - p.x, p.x - (x + 1 + half));
    const double out_y = std::max(y - half - p.y, p.y - (y + 1 + half));
    if (out_x > 0.0 && out_y > 0.0) return radius - std::hypot(out_x, out_y);
    return radius - std::max(out_x, out_y);
}

template <class World>
bool is_wall(const World& world, std::int32_t x, std::int32_t y, std::int32_t layer) {
    const std::int32_t w = world.width();
    const std::int32_t h = world.height();
    if (world.wrap_x()) x = ((x % w) + w) % w;
    if (world.wrap_y()) y = ((y % h) + h) % h;
    return x < 0 || y < 0 || x >= w || y >= h || world.blocked({x, y, layer});
}

template <class World>
double depth_at(const World& world, const Agent& agent, Vec2 p, std::int32_t layer) {
    const double reach =
        (agent.footprint > 0 ? 0.5 * agent.footprint : agent.radius / world.cell_size()) + 0.01;
    double worst = -1e9;
    for (auto y = static_cast<std::int32_t>(std::floor(p.y - reach)); y <= p.y + reach; ++y) {
        for (auto x = static_cast<std::int32_t>(std::floor(p.x - reach)); x <= p.x + reach; ++x) {
            if (!is_wall(world, x, y, layer)) continue;
            worst = std::max(worst, depth_in_tile(p, agent, world.cell_size(), x, y));
        }
    }
    return worst;
}

inline Vec2 point_on(const Leg& leg, double s) {
    const double travel = leg.start.heading_rad + (leg.gear == Gear::reverse ? 3.14159265358979323846 : 0.0);
    const Vec2 start{leg.start.position.x, leg.start.position.y};
    if (leg.curvature == 0.0) return start + Vec2{s * std::cos(travel), s * std::sin(travel)};
    const double end = travel + leg.curvature * s;
    return start +
           Vec2{std::sin(end) - std::sin(travel), std::cos(travel) - std::cos(end)} * (1.0 / leg.curvature);
}

}  // namespace dense

/// Walls and map edges only; drive legs of moderate curvature. `alarm` in tiles.
template <class World>
DenseResult dense_sample(const Route& route, const World& world, const Agent& agent, double alarm,
                         double step = 0.001) {
    DenseResult result;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const double reach = leg.kind == LegKind::drive ? leg.length : 0.0;
        const auto count = static_cast<std::int64_t>(std::ceil(reach / world.cell_size() / step));
        for (std::int64_t j = 0; j <= count; ++j) {
            const double s = count == 0 ? 0.0 : reach * static_cast<double>(j) / static_cast<double>(count);
            const Vec2 p = dense::point_on(leg, s) - world.origin();
            const double depth =
                dense::depth_at(world, agent, p * (1.0 / world.cell_size()), leg.start.layer);
            result.depth = std::max(result.depth, depth);
            if (!result.alarm && depth > alarm) {
                result.alarm = true;
                result.leg = i;
                result.distance = s;
            }
        }
    }
    return result;
}

}  // namespace fairlead::testing
