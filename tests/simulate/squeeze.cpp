#include "simulate/squeeze.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fairlead/math/contact.h>

namespace fairlead::simulate {

using oracle::World;

namespace {

/// What is on one floor, from link to link, in cells.
struct Stretch {
    std::int32_t layer = 0;
    std::vector<Vec2> points;
};

std::vector<Stretch> stretches(const World& world, const Route& route) {
    std::vector<Stretch> all;
    const auto cells = [&](const Place& place) {
        const Vec2 p{place.position.x, place.position.y};
        return (p - world.origin) * (1.0 / world.cell_size);
    };
    bool open = false;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind == LegKind::link) {
            open = false;
            continue;
        }
        if (!open) all.push_back({leg.start.layer, {cells(leg.start)}});
        open = true;
        all.back().points.push_back(cells(leg_end(route, i)));
    }
    return all;
}

struct Squeeze {
    const World& world;
    const GridQuery& query;
    double near;  ///< places this near are one

    [[nodiscard]] bool open(double x, double y, std::int32_t layer) const {
        Cell cell{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), layer};
        if (!world.wrap(cell)) return false;
        const std::uint8_t tile = world.tiles[static_cast<std::size_t>(world.index(cell))];
        return tile != 0 && query.terrain.open(tile);
    }
    [[nodiscard]] bool together(Vec2 p, Vec2 q) const {
        return std::abs(p.x - q.x) <= near && std::abs(p.y - q.y) <= near;
    }
    /// On which side of the corner is the first place away from it, from `at` on in steps of `step`? 0: there is none.
    [[nodiscard]] int side(const Stretch& way, Vec2 corner, bool rising, std::size_t at, int step) const {
        for (; at < way.points.size(); at += static_cast<std::size_t>(step)) {
            const Vec2 d = way.points[at] - corner;
            if (!together(way.points[at], corner)) return (rising ? d.x + d.y : d.x - d.y) < 0 ? -1 : 1;
        }
        return 0;
    }
    /// Points i and i + 1 are the ends of a line that touches the corner.
    [[nodiscard]] bool at(const Stretch& way, std::size_t i, Vec2 corner) const {
        const bool high = open(corner.x, corner.y, way.layer);
        const bool low = open(corner.x - 1, corner.y - 1, way.layer);
        const bool left = open(corner.x - 1, corner.y, way.layer);
        const bool right = open(corner.x, corner.y - 1, way.layer);
        if (high != low || left != right || high == left) return false;
        return side(way, corner, high, i, -1) * side(way, corner, high, i + 1, 1) < 0;
    }
    [[nodiscard]] bool along(const Stretch& way, std::size_t i) const {
        const Vec2 a = way.points[i];
        const Vec2 d = way.points[i + 1] - a;
        const bool flat = std::abs(d.x) >= std::abs(d.y);
        const double from = flat ? a.x : a.y;
        const double length = flat ? d.x : d.y;
        const double last = std::floor(std::max(from, from + length) + near);
        for (double k = std::ceil(std::min(from, from + length) - near); k <= last; k += 1.0) {
            const double part = length == 0 ? 0 : std::clamp((k - from) / length, 0.0, 1.0);
            const Vec2 there = a + d * part;
            const Vec2 corner{std::round(there.x), std::round(there.y)};
            if (together(there, corner) && at(way, i, corner)) return true;
        }
        return false;
    }
};

}  // namespace

bool squeezes(const World& world, const GridQuery& query, const Route& route) {
    const double slack = tile_contact_slack(world.origin, world.cell_size, world.width, world.height);
    const bool may = query.corner == CornerRule::always && query.agent.radius == 0;
    if (may || query.agent.footprint > 0 || query.agent.radius / world.cell_size > slack) return false;
    const Squeeze squeeze{world, query, 2 * slack};
    for (const Stretch& way : stretches(world, route)) {
        for (std::size_t i = 0; i + 1 < way.points.size(); ++i) {
            if (squeeze.along(way, i)) return true;
        }
    }
    return false;
}

}  // namespace fairlead::simulate
