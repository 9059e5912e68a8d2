// What a flow field holds. Everything in cells; a node is a point of the lattice (tiles' middles, or half tiles) or a corner.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/grid/flow_field.h>

#include "grid/sight.h"

namespace fairlead::grid {

inline constexpr std::uint32_t kNoNode = UINT32_MAX;

/// Where ways bend, or a goal.
struct FlowCorner {
    Vec2 at{};
    double value = 0.0;            ///< cost of the way from here
    std::uint32_t next = kNoNode;  ///< the node that it goes to; a goal: none
    std::uint32_t link = kNoNode;  ///< the next corner at the same point of the lattice
};

/// The points of a floor that ways are known from. (i, j) lies at ((i + 1) / parts, (j + 1) / parts) / 2 x parts: with parts = 1 in
/// the tiles' middles, with 2 also on their sides and corners.
struct FlowLattice {
    std::int32_t parts = 1;
    std::int32_t width = 0;
    std::int32_t height = 0;

    [[nodiscard]] static FlowLattice of(std::int32_t cells_x, std::int32_t cells_y, double radius) {
        if (radius <= 0.5) return {1, cells_x, cells_y};
        return {2, 2 * cells_x - 1, 2 * cells_y - 1};
    }
    [[nodiscard]] std::uint32_t size() const {
        return static_cast<std::uint32_t>(width) * static_cast<std::uint32_t>(height);
    }
    [[nodiscard]] Vec2 at(std::int32_t i, std::int32_t j) const {
        if (parts == 1) return {i + 0.5, j + 0.5};
        return {0.5 * (i + 1), 0.5 * (j + 1)};
    }
    [[nodiscard]] Vec2 at(std::uint32_t node) const {
        const auto w = static_cast<std::uint32_t>(width);
        return at(static_cast<std::int32_t>(node % w), static_cast<std::int32_t>(node / w));
    }
    /// The column or row nearest to a coordinate.
    [[nodiscard]] std::int32_t nearest(double v, std::int32_t count) const {
        const double spaced =
            parts == 1 ? v : 2.0 * v - 0.5;  // counted in spacings, the first one from 0 to 1
        if (!(spaced > 0.0)) return 0;
        if (spaced >= count) return count - 1;
        return static_cast<std::int32_t>(spaced);
    }
    [[nodiscard]] std::uint32_t node(std::int32_t i, std::int32_t j) const {
        return static_cast<std::uint32_t>(j) * static_cast<std::uint32_t>(width) +
               static_cast<std::uint32_t>(i);
    }
};

struct FlowData {
    explicit FlowData(const Allocator& allocator)
        : parents(allocator), corners(allocator), places(allocator) {}

    GridSnapshot world;
    Sight sight;
    std::uint16_t costs[256] = {};
    bool filtered = false;
    FlowLattice lattice;
    PathStatus status = PathStatus::unreachable;
    std::uint32_t goals = 0;       ///< the first corners are goals
    Array<std::uint32_t> parents;  ///< of each point of the lattice: the node that it goes to, in sight of it
    Array<FlowCorner> corners;     ///< node lattice.size() + i
    Array<Vec2> places;            ///< of the goals, as they were asked for

    [[nodiscard]] bool is_corner(std::uint32_t node) const { return node >= lattice.size(); }
    [[nodiscard]] FlowCorner& corner(std::uint32_t node) { return corners[node - lattice.size()]; }
    [[nodiscard]] const FlowCorner& corner(std::uint32_t node) const {
        return corners[node - lattice.size()];
    }
    [[nodiscard]] Vec2 at(std::uint32_t node) const {
        return is_corner(node) ? corner(node).at : lattice.at(node);
    }
    [[nodiscard]] std::uint32_t next(std::uint32_t node) const {
        return is_corner(node) ? corner(node).next : parents[node];
    }
    [[nodiscard]] double cost(Vec2 a, Vec2 b) const {
        const double way = distance(a, b);
        return sight.uniform() ? way * sight.cost_min() : sight.cost(a, b);
    }
    /// Of a node that has a way: a goal, or one with a next node.
    [[nodiscard]] bool reached(std::uint32_t node) const {
        return next(node) != kNoNode || (is_corner(node) && node - lattice.size() < goals);
    }
    /// Cost of the way from a node that is reached.
    [[nodiscard]] double value(std::uint32_t node) const {
        double sum = 0.0;
        for (; !is_corner(node); node = parents[node]) sum += cost(lattice.at(node), at(parents[node]));
        return sum + corner(node).value;
    }
};

/// Sight of the data's own world and unit, from radius, corner rule and costs.
inline void look(FlowData& data, double radius, CornerRule corner, std::int32_t layer) {
    SightWorld world;
    world.state = &data.world->data();
    world.layer = layer;
    world.radius = touching_radius(radius);
    world.corner = corner;
    const bool plain = data.world->uniform() && !data.filtered;
    world.costs = plain ? nullptr : data.costs;
    data.sight = Sight(world);
}

}  // namespace fairlead::grid
