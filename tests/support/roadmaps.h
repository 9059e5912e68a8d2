// Making roadmaps in tests, and plain answers about them that use none of the library's search code.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead::testing {

inline constexpr double kFar = std::numeric_limits<double>::infinity();

[[nodiscard]] inline double distance3(Vec3 a, Vec3 b) {
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/// A roadmap as lists.
struct PlainRoadmap {
    std::vector<Waypoint> nodes;
    std::vector<WaypointEdge> edges;
    std::vector<RoadmapWall> walls;
    std::vector<Vec2> wall_points;

    void node(std::int64_t id, double x, double y, double z = 0.0) { nodes.push_back({{id}, {x, y, z}}); }
    void edge(std::int64_t from, std::int64_t to, double cost = kStraightCost, bool one_way = false) {
        edges.push_back({.from = {from}, .to = {to}, .cost = cost, .one_way = one_way});
    }
    void wall(const std::vector<Vec2>& points, bool closed) {
        walls.push_back({static_cast<std::uint32_t>(wall_points.size()),
                         static_cast<std::uint32_t>(points.size()), closed});
        wall_points.insert(wall_points.end(), points.begin(), points.end());
    }

    [[nodiscard]] Result<Roadmap> try_make(const Allocator& allocator = {}) const {
        return Roadmap::make({.nodes = nodes,
                              .edges = edges,
                              .walls = walls,
                              .wall_points = wall_points,
                              .allocator = allocator});
    }
    [[nodiscard]] Roadmap make(const Allocator& allocator = {}) const {
        Result<Roadmap> made = try_make(allocator);
        FAIRLEAD_ASSERT(made.has_value());
        return std::move(*made);
    }

    [[nodiscard]] Vec3 position(WaypointId id) const {
        for (const Waypoint& n : nodes) {
            if (n.id == id) return n.position;
        }
        return {};
    }
    [[nodiscard]] double cost(const WaypointEdge& e) const {
        return e.cost == kStraightCost ? distance3(position(e.from), position(e.to)) : e.cost;
    }
};

/// One direction of an edge.
struct PlainArc {
    std::size_t from, to;
    double cost;
    const WaypointEdge* edge;
};

/// The explicit graph, by index of the node, and shortest paths on it (Bellman-Ford style relaxation in rounds by a
/// sorted set: plain Dijkstra over std::map).
struct PlainGraph {
    const PlainRoadmap* roadmap;
    std::map<std::int64_t, std::size_t> index;
    std::vector<std::vector<PlainArc>> out;

    explicit PlainGraph(const PlainRoadmap& r) : roadmap(&r), out(r.nodes.size()) {
        for (std::size_t i = 0; i < r.nodes.size(); ++i) index[r.nodes[i].id.value] = i;
        for (const WaypointEdge& e : r.edges) {
            const std::size_t a = index.at(e.from.value);
            const std::size_t b = index.at(e.to.value);
            const double cost =
                e.cost == kStraightCost ? distance3(r.nodes[a].position, r.nodes[b].position) : e.cost;
            out[a].push_back({a, b, cost, &e});
            if (!e.one_way) out[b].push_back({b, a, cost, &e});
        }
    }

    /// Least costs from several sources with a head start each; kFar where there is no way.
    template <class Price>
    [[nodiscard]] std::vector<double> costs_from(const std::vector<std::pair<std::size_t, double>>& sources,
                                                 Price price) const {
        std::vector<double> best(out.size(), kFar);
        std::multimap<double, std::size_t> open;
        for (const auto& [node, head] : sources) {
            if (head < best[node]) {
                best[node] = head;
                open.insert({head, node});
            }
        }
        while (!open.empty()) {
            const auto [g, at] = *open.begin();
            open.erase(open.begin());
            if (g > best[at]) continue;
            for (const PlainArc& arc : out[at]) {
                const double next = g + price(arc);
                if (next < best[arc.to]) {
                    best[arc.to] = next;
                    open.insert({next, arc.to});
                }
            }
        }
        return best;
    }
    [[nodiscard]] std::vector<double> costs_from(std::size_t source) const {
        return costs_from({{source, 0.0}}, [](const PlainArc& arc) { return arc.cost; });
    }
};

struct RandomRoadmap {
    std::size_t nodes = 50;
    double degree = 3.0;     ///< edges per node
    double one_way = 0.3;    ///< share
    double priced = 0.3;     ///< share of edges that do not cost their length
    double price_low = 0.2;  ///< factor on the length of those
    double price_high = 4.0;
    double size = 100.0;
    bool heights = false;
    bool local = true;         ///< edges join near waypoints
    bool grid_points = false;  ///< whole coordinates: many equal distances and costs
};

[[nodiscard]] inline PlainRoadmap random_roadmap(Rng& rng, const RandomRoadmap& options) {
    PlainRoadmap made;
    std::map<std::int64_t, bool> used;
    while (made.nodes.size() < options.nodes) {
        const auto id = static_cast<std::int64_t>(rng.below(1000000));
        if (used[id]) continue;
        used[id] = true;
        Vec3 at{rng.between(0.0, options.size), rng.between(0.0, options.size),
                options.heights ? rng.between(0.0, options.size / 5) : 0.0};
        if (options.grid_points) at = {std::floor(at.x), std::floor(at.y), std::floor(at.z)};
        made.nodes.push_back({{id}, at});
    }
    const auto wanted = static_cast<std::size_t>(static_cast<double>(options.nodes) * options.degree);
    for (std::size_t i = 0; i < wanted && options.nodes > 1; ++i) {
        const auto count = static_cast<std::uint32_t>(options.nodes);
        const std::size_t a = rng.below(count);
        std::size_t b = rng.below(count);
        for (int tries = 0; options.local && tries < 8; ++tries) {
            const std::size_t c = rng.below(count);
            const bool nearer = distance3(made.nodes[a].position, made.nodes[c].position) <
                                distance3(made.nodes[a].position, made.nodes[b].position);
            if (c != a && (b == a || nearer)) b = c;
        }
        if (a == b) continue;
        const double length = distance3(made.nodes[a].position, made.nodes[b].position);
        WaypointEdge edge{.from = made.nodes[a].id, .to = made.nodes[b].id};
        edge.one_way = rng.unit() < options.one_way;
        edge.label = rng.below(3);
        if (rng.unit() < options.priced || length == 0.0) {
            edge.cost = (length > 0.0 ? length : 1.0) * rng.between(options.price_low, options.price_high);
        }
        made.edges.push_back(edge);
    }
    return made;
}

/// What a route must be by itself, whatever it is a route for.
[[nodiscard]] inline bool well_formed(const Route& route, Vec3 start, Vec3 end, double slack = 1e-9) {
    if (distance3(route.end.position, end) > slack) return false;
    Vec3 at = start;
    double length = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (distance3(leg.start.position, at) > slack) return false;
        at = leg_end(route, i).position;
        length += leg.length;
        if (leg.kind == LegKind::link) continue;
        const Place reached = place_on_leg(leg, leg.length);
        const double z = leg.length > 0.0 ? reached.position.z : leg.start.position.z + leg.rise;
        if (distance3({reached.position.x, reached.position.y, z}, at) > slack) return false;
        if (leg.length < 0.0 || leg.curvature != 0.0) return false;
    }
    return distance3(at, end) <= slack && std::abs(length - route.length) <= slack * (1.0 + length);
}

}  // namespace fairlead::testing
