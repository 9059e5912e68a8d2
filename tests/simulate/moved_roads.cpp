#include "simulate/moved_roads.h"

#include <algorithm>
#include <cmath>

namespace fairlead::simulate {

namespace {

constexpr int kRim = 32;
constexpr double kSlack = 1e-7;

WaypointId id_of(const MovedMap& map, std::int32_t x, std::int32_t y) {
    return {static_cast<std::int64_t>(y) * map.width + x};
}

Waypoint middle_of(const MovedMap& map, std::int32_t x, std::int32_t y) {
    return {id_of(map, x, y), {x + 0.5, y + 0.5, 0.0}};
}

/// From a tile to its neighbour on the right (0) or above (1).
WaypointEdge road_of(const MovedMap& map, std::int32_t x, std::int32_t y, int way) {
    return {.from = id_of(map, x, y), .to = way == 0 ? id_of(map, x + 1, y) : id_of(map, x, y + 1)};
}

bool joins(const MovedMap& map, std::int32_t x, std::int32_t y, int way) {
    return !map.wall(x, y) && !map.wall(way == 0 ? x + 1 : x, way == 0 ? y : y + 1);
}

bool link_of(const MovedMap& map, const std::vector<double>& portal, WaypointEdge& link) {
    if (portal.size() != 4) return false;
    std::int32_t at[4];
    for (std::size_t i = 0; i < 4; ++i) at[i] = static_cast<std::int32_t>(std::clamp(portal[i], -1.0, 1e4));
    if (map.wall(at[0], at[1]) || map.wall(at[2], at[3])) return false;
    link = {.from = id_of(map, at[0], at[1]), .to = id_of(map, at[2], at[3])};
    link.cost = 2.0;
    link.link = true;
    link.label = 9;
    return !(link.from == link.to);
}

bool on_a_road(const MovedMap& map, Vec2 p) {
    const auto column = static_cast<std::int32_t>(std::floor(p.x));
    const auto row = static_cast<std::int32_t>(std::floor(p.y));
    for (std::int32_t y = row - 1; y <= row + 1; ++y) {
        for (std::int32_t x = column - 1; x <= column + 1; ++x) {
            for (int way = 0; way < 2; ++way) {
                if (!joins(map, x, y, way)) continue;
                const double ax = x + 0.5;
                const double ay = y + 0.5;
                const double dx = p.x - (way == 0 ? std::clamp(p.x, ax, ax + 1.0) : ax);
                const double dy = p.y - (way == 1 ? std::clamp(p.y, ay, ay + 1.0) : ay);
                if (std::hypot(dx, dy) <= 0.5 + kSlack) return true;
            }
        }
    }
    return false;
}

}  // namespace

Result<Roadmap> make_moved_roads(const MovedMap& map, const std::vector<double>& portal) {
    std::vector<Waypoint> nodes;
    std::vector<WaypointEdge> edges;
    for (std::int32_t y = 0; y < map.height; ++y) {
        for (std::int32_t x = 0; x < map.width; ++x) {
            if (map.wall(x, y)) continue;
            nodes.push_back(middle_of(map, x, y));
            for (int way = 0; way < 2; ++way) {
                if (joins(map, x, y, way)) edges.push_back(road_of(map, x, y, way));
            }
        }
    }
    WaypointEdge link;
    if (link_of(map, portal, link)) edges.push_back(link);
    const RoadKind kinds[] = {{1.0, kNoLimit}};
    return Roadmap::make({.nodes = nodes, .edges = edges, .roads = kinds});
}

bool change_moved_roads(Roadmap& roads, const MovedMap& before, const MovedMap& after,
                        const std::vector<double>& portal) {
    std::vector<RoadmapEdit> edits;
    for (std::int32_t y = 0; y < after.height; ++y) {
        for (std::int32_t x = 0; x < after.width; ++x) {
            if (before.wall(x, y) == after.wall(x, y)) continue;
            edits.push_back(after.wall(x, y) ? RoadmapEdit::remove_node(id_of(after, x, y))
                                             : RoadmapEdit::add_node(middle_of(after, x, y)));
        }
    }
    for (std::int32_t y = 0; y < after.height; ++y) {
        for (std::int32_t x = 0; x < after.width; ++x) {
            for (int way = 0; way < 2; ++way) {
                if (joins(after, x, y, way) && !joins(before, x, y, way))
                    edits.push_back(RoadmapEdit::add_edge(road_of(after, x, y, way)));
            }
        }
    }
    WaypointEdge link;
    if (link_of(after, portal, link) && !link_of(before, portal, link))
        edits.push_back(RoadmapEdit::add_edge(link));
    return roads.apply(edits).has_value();
}

bool on_moved_roads(const MovedMap& map, Vec2 p, double radius) {
    if (!(std::abs(p.x) < 1e6 && std::abs(p.y) < 1e6)) return false;
    if (!on_a_road(map, p)) return false;
    for (int i = 0; i < kRim; ++i) {
        const double turn = 2.0 * 3.14159265358979323846 * i / kRim;
        if (!on_a_road(map, {p.x + radius * std::cos(turn), p.y + radius * std::sin(turn)})) return false;
    }
    return true;
}

}  // namespace fairlead::simulate
