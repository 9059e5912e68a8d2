// Random roads, and what a route on them costs, found by small steps.
#pragma once

#include <cmath>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/math/trig.h>

#include "support/drive_worlds.h"

namespace fairlead::testing {

/// Two to seven roads of one to four bends.
inline RoadLayer random_roads(Rng& rng, std::int32_t width, std::int32_t height) {
    RoadLayer roads = *RoadLayer::make(width, height);
    const std::uint32_t count = 2 + rng.below(6);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::vector<Vec2> line;
        Vec2 at{static_cast<double>(rng.below(static_cast<std::uint32_t>(width))),
                static_cast<double>(rng.below(static_cast<std::uint32_t>(height)))};
        line.push_back(at);
        for (std::uint32_t k = 0; k <= rng.below(4); ++k) {
            const double step = 6.0 + rng.below(30);
            at = at + heading_direction(8, static_cast<std::int32_t>(rng.below(8))) * step;
            line.push_back(at);
        }
        (void)roads.paint(line, 2.0 + rng.below(4), static_cast<RoadLanes>(rng.below(4)));
    }
    return roads;
}

/// Does a cell allow a direction of travel, `more_rad` beyond a right angle?
inline bool allows(std::uint32_t directions, double angle_rad, double more_rad = 0.0) {
    for (std::int32_t d = 0; d < 8; ++d) {
        if (((directions >> d) & 1U) == 0) continue;
        if (std::abs(math::wrap_pi(angle_rad - d * kPi / 4.0)) <= kHalfPi + more_rad) return true;
    }
    return false;
}

struct RoadSums {
    double length = 0.0;
    double bad = 0.0;   ///< off the road or against a lane
    double cost = 0.0;  ///< changes of gear not counted
};

/// By small steps; on a border the better cell counts.
inline RoadSums sample_roads(const Route& route, const GridState& grid, const RoadLayer& roads,
                             const RoadRules& rules, double reverse_penalty, int steps_a_cell = 200) {
    constexpr double kBeside = 1e-7;
    RoadSums sums;
    for (const Leg& leg : route.legs) {
        const int steps = static_cast<int>(leg.length * steps_a_cell) + 1;
        const bool back = leg.gear == Gear::reverse;
        for (int i = 0; i < steps; ++i) {
            const Place at = place_on_leg(leg, leg.length * (i + 0.5) / steps);
            const double angle = at.heading_rad + (back ? kPi : 0.0);
            double least = kRoadForbidden;
            double road = kRoadForbidden;  // 1 if it is the road's, in the right direction
            for (int side = 0; side < 4; ++side) {
                const Vec2 p{at.position.x + ((side & 1) != 0 ? kBeside : -kBeside),
                             at.position.y + ((side & 2) != 0 ? kBeside : -kBeside)};
                const std::uint8_t directions = roads.at(static_cast<std::int32_t>(std::floor(p.x)),
                                                         static_cast<std::int32_t>(std::floor(p.y)));
                const bool good = directions != 0 && allows(directions, angle, kBeside);
                const double factor = directions == 0 ? rules.off_road : good ? 1.0 : rules.against;
                const Cell cell = grid.cell_at(p);
                if (!grid.inside(cell) || grid.cost(cell) == 0) continue;
                least = std::min(least, factor * grid.cost(cell));
                if (good) road = 1.0;
            }
            const double part = leg.length / steps;
            sums.length += part;
            sums.cost += part * least * (back ? reverse_penalty : 1.0);
            if (road != 1.0) sums.bad += part;
        }
    }
    return sums;
}

inline RoadRules random_rules(Rng& rng) {
    constexpr double kOff[] = {1.0, 3.5, 20.0, kRoadForbidden};
    constexpr double kAgainst[] = {1.0, 2.25, 50.0, kRoadForbidden};
    return {.off_road = kOff[rng.below(4)], .against = kAgainst[rng.below(4)]};
}

}  // namespace fairlead::testing
