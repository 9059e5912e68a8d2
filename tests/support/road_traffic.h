// Traffic on a roadmap for tests: a net of roads, orders for units, and a run of a fleet in which every frame is judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/fleet/roadmap_fleet.h>

#include "support/road_judge.h"

namespace fairlead::testing::road_traffic {

inline constexpr double kFrame = 1.0 / 30.0;
inline constexpr FrameBudget kWork{.units = 5000};
inline constexpr double kRadius = 0.5;

inline FleetUnit person(double accel = 6.0, double speed = 2.0) {
    FleetUnit unit;
    unit.agent.radius = kRadius;
    unit.limits = SpeedLimits::only(speed);
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = accel;
    return unit;
}

inline Place at(Vec2 p) {
    Place place;
    place.position = {p.x, p.y, 0.0};
    return place;
}

struct Net {
    std::vector<Vec2> nodes;
    struct Way {
        int from = 0;
        int to = 0;
        int kind = 0;
        bool one_way = false;
    };
    std::vector<Way> ways;
    std::vector<RoadKind> kinds;

    [[nodiscard]] Roadmap make() const {
        std::vector<Waypoint> points;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            points.push_back({WaypointId{static_cast<std::int64_t>(i)}, {nodes[i].x, nodes[i].y, 0.0}});
        std::vector<WaypointEdge> edges;
        for (const Way& way : ways) {
            WaypointEdge edge{.from = WaypointId{way.from}, .to = WaypointId{way.to}};
            edge.kind = static_cast<std::uint8_t>(way.kind);
            edge.one_way = way.one_way;
            edges.push_back(edge);
        }
        return *Roadmap::make({.nodes = points, .edges = edges, .roads = kinds});
    }
    [[nodiscard]] std::vector<JudgedRoad> judged() const {
        std::vector<JudgedRoad> roads;
        for (const Way& way : ways) {
            const RoadKind& kind = kinds[static_cast<std::size_t>(way.kind)];
            roads.push_back({nodes[static_cast<std::size_t>(way.from)],
                             nodes[static_cast<std::size_t>(way.to)], kind.width, kind.speed_max,
                             way.one_way});
        }
        return roads;
    }
};

struct Order {
    Vec2 from{};
    Vec2 to{};
};

struct Seen {
    std::string wrong;
    bool all_arrived = false;
    double seconds = 0.0;
    double backwards = 0.0;
    int braked = 0;
    std::uint64_t digest = 0;
};

inline Seen play(const Net& net, const std::vector<Order>& orders, const FleetUnit& unit, double seconds,
                 std::uint32_t threads = 0) {
    const Roadmap roads = net.make();
    const RoadmapFleet port(roads);
    FleetOptions options;
    options.schedule.threads = threads;
    Fleet fleet = *Fleet::make(port.port(), options);
    const FleetKind kind = *fleet.add_kind(unit);
    RoadJudge judge(net.judged(), unit.limits.brake_max);
    for (const Order& order : orders) {
        const FleetId id = *fleet.add(kind, at(order.from));
        EXPECT_TRUE(fleet.send(id, order.to));
        judge.add(fleet, id, unit.agent.radius, unit.limits.speed_max);
    }
    Seen seen;
    for (int frame = 0; frame < static_cast<int>(seconds / kFrame) && !judge.all_arrived(); ++frame) {
        EXPECT_TRUE(fleet.update(kFrame, kWork));
        seen.wrong = judge.look(fleet, kFrame);
        seen.seconds = frame * kFrame;
        if (!seen.wrong.empty()) return seen;
    }
    seen.all_arrived = judge.all_arrived();
    seen.backwards = judge.backwards();
    seen.braked = judge.braked();
    seen.digest = fleet.digest();
    if (!seen.all_arrived) {
        for (const RoadUnit& one : judge.units()) {
            if (!one.arrived)
                seen.wrong += " (" + std::to_string(one.p.x) + ", " + std::to_string(one.p.y) + ") " +
                              fleet_state_name(fleet.unit(one.id).state);
        }
    }
    return seen;
}

/// So many places in rows beside a line, from a on.
inline std::vector<Vec2> block_of(Vec2 a, Vec2 along, int rows, int count) {
    std::vector<Vec2> places;
    const Vec2 side{-along.y, along.x};
    for (int i = 0; i < count; ++i) {
        const double x = 1.25 * (i / rows);
        const double y = 1.25 * (i % rows) - 0.625 * (rows - 1);
        places.push_back(a + along * x + side * y);
    }
    return places;
}

/// Both ways, each to where the other comes from.
inline std::vector<Order> exchange(const std::vector<Vec2>& one, const std::vector<Vec2>& other) {
    std::vector<Order> orders;
    for (std::size_t i = 0; i < one.size(); ++i) {
        orders.push_back({one[i], other[i]});
        orders.push_back({other[i], one[i]});
    }
    return orders;
}

}  // namespace fairlead::testing::road_traffic
