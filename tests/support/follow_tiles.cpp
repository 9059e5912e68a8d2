// A tile route, step by step: each leg is a chain of the oracle's own moves, or a portal.
#include "support/follow_tiles.h"

#include <algorithm>
#include <cmath>

namespace fairlead::testing {

using oracle::GridOracle;
using oracle::Length;
using oracle::World;

Vec2 to_cells(const World& world, Vec2 p) { return (p - world.origin) * (1.0 / world.cell_size); }
Vec2 standing_cells(const World& world, const Agent& agent, std::int32_t cell) {
    return to_cells(world, standing_point(world, agent, world.cell(cell)));
}

std::int32_t standing_cell(const World& world, const GridQuery& query, Vec2 p, std::int32_t layer) {
    const bool even = query.agent.footprint > 0 && query.agent.footprint % 2 == 0;
    const Vec2 corner = p - (even ? Vec2{0, 0} : Vec2{0.5, 0.5});
    const double x = std::round(corner.x);
    const double y = std::round(corner.y);
    if (std::abs(corner.x - x) > 1e-6 || std::abs(corner.y - y) > 1e-6) return -1;
    Cell cell{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), layer};
    return world.wrap(cell) ? world.index(cell) : -1;
}

std::int64_t turn_units(const GridOracle& oracle, double penalty) {
    return std::llround(std::min(penalty / oracle.world().cell_size, 1e6) * 1024.0);
}

namespace {

std::int32_t heading_of(double dx, double dy) {
    constexpr std::int32_t kHeadings[3][3] = {{5, 6, 7}, {4, -1, 0}, {3, 2, 1}};
    const auto sign = [](double d) { return d > 1e-6 ? 2 : (d < -1e-6 ? 0 : 1); };
    return kHeadings[sign(dy)][sign(dx)];
}

const GridOracle::Move* move_with(const GridOracle& oracle, std::int32_t cell, std::int32_t heading) {
    for (const GridOracle::Move* m = oracle.begin(cell); m != oracle.end(cell); ++m) {
        if (m->heading == heading) return m;
    }
    return nullptr;
}

/// Follows one straight leg of a tile route. False: it is not a chain of legal steps.
bool follow_leg(const GridOracle& oracle, const GridQuery& query, Vec2 way, std::int32_t& heading,
                TileRoute& out) {
    const double steps = std::max(std::abs(way.x), std::abs(way.y));
    const bool straight = std::abs(way.x) < 1e-6 || std::abs(way.y) < 1e-6;
    const bool diagonal = std::abs(std::abs(way.x) - std::abs(way.y)) < 1e-6;
    if (std::abs(steps - std::round(steps)) > 1e-6 || (!straight && !diagonal)) return false;
    const std::int32_t next = heading_of(way.x, way.y);
    for (auto i = std::llround(steps); i > 0; --i) {
        const GridOracle::Move* move = move_with(oracle, out.cells.back(), next);
        if (move == nullptr) return false;
        if (heading >= 0) {
            const std::int32_t turn = ((next - heading) % 8 + 8) % 8;
            out.turned.extra += turn_units(oracle, query.turn_penalty) * std::min(turn, 8 - turn);
            if (turn != 0) out.turned.extra += turn_units(oracle, query.turn_penalty_each);
        }
        heading = next;
        out.length = out.length + move->length;
        out.turned = out.turned + move->length;
        out.cells.push_back(move->to);
    }
    return true;
}

bool follow_portal(const GridOracle& oracle, std::uint32_t id, TileRoute& out) {
    const World& world = oracle.world();
    if (id >= world.portals.size()) return false;
    const Portal& portal = world.portals[id];
    const std::int32_t a = world.index(portal.from);
    const std::int32_t b = world.index(portal.to);
    const std::int32_t from = out.cells.back();
    if (from != a && !(from == b && portal.two_way)) return false;
    const std::int32_t to = from == a ? b : a;
    if (!oracle.fits(to)) return false;
    const Length length{0, 0, std::llround(portal.cost * 1024.0)};
    out.length = out.length + length;
    out.turned = out.turned + length;
    out.cells.push_back(to);
    return true;
}

}  // namespace

TileRoute follow_tiles(const GridOracle& oracle, const GridQuery& query, const Route& route,
                       std::int32_t start) {
    const World& world = oracle.world();
    TileRoute out;
    out.cells.push_back(start);
    std::int32_t heading = -1;
    const std::size_t count = route.legs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Leg& leg = route.legs[i];
        const Vec2 from = to_cells(world, ground(leg.start.position));
        const Vec2 to = to_cells(world, ground(leg_end(route, i).position));
        if (leg.kind == LegKind::link) {
            if (!follow_portal(oracle, leg.link_id, out)) {
                out.problem = "leg " + std::to_string(i) + " is no portal of this world";
                return out;
            }
            continue;
        }
        const Vec2 stand = standing_cells(world, query.agent, out.cells.back());
        const bool leaves_cell = oracle.distance(from, stand) < 1e-6;
        const std::int32_t target = standing_cell(world, query, to, leg.start.layer);
        // From the exact start to its cell's point, and from the last cell's point to the exact goal.
        if (i == 0 && !leaves_cell && target == start) continue;
        if (i + 1 == count && leaves_cell && target < 0) continue;
        if (!leaves_cell || !follow_leg(oracle, query, to - from, heading, out)) {
            out.problem = "leg " + std::to_string(i) + " is not a chain of legal steps";
            return out;
        }
    }
    return out;
}

}  // namespace fairlead::testing
