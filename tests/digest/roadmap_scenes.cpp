// Roadmaps: 6,000 queries over 120 random nets with one-way edges, links, walls and edits; every number of every
// route, of its repair after the next edit, and the coverage of each net.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/roadmap/coverage.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/repair.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

struct Net {
    Array<Waypoint> nodes;
    Array<WaypointEdge> edges;
    Array<RoadmapWall> walls;
    Array<Vec2> wall_points;
};

// One draw a statement throughout: their order is part of the scene.

Vec3 random_point(Rng& rng, bool heights) {
    Vec3 point;
    point.x = rng.between(0.0, 100.0);
    point.y = rng.between(0.0, 100.0);
    if (heights) point.z = rng.between(0.0, 10.0);
    return point;
}

WaypointId random_id(Rng& rng, const Net& net) {
    return net.nodes[rng.below(static_cast<std::uint32_t>(net.nodes.size()))].id;
}

WaypointEdge random_edge(Rng& rng, const Net& net) {
    WaypointEdge edge;
    edge.from = random_id(rng, net);
    edge.to = random_id(rng, net);
    if (rng.below(4) == 0) edge.cost = rng.between(0.5, 60.0);
    edge.one_way = rng.below(3) == 0;
    edge.link = rng.below(12) == 0;
    edge.kind = static_cast<std::uint8_t>(rng.below(4));
    edge.flags = rng.below(8) == 0 ? 1 : 0;
    edge.label = rng.below(3);
    return edge;
}

bool random_net(Rng& rng, Net& net) {
    net.nodes.clear();
    net.edges.clear();
    net.walls.clear();
    net.wall_points.clear();
    const std::uint32_t count = 5 + rng.below(120);
    const bool heights = rng.below(4) == 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::int64_t id = std::int64_t{i} * 1000 + rng.below(1000);
        const Vec3 at = random_point(rng, heights);
        if (!net.nodes.push_back({{id}, at})) return false;
    }
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
        WaypointEdge edge = random_edge(rng, net);
        // The nearer of a few: nets are local.
        for (int tries = 0; tries < 6; ++tries) {
            const WaypointId other = random_id(rng, net);
            const auto at = [&](WaypointId id) {
                return net.nodes[static_cast<std::size_t>(id.value / 1000)].position;
            };
            const Vec2 now = ground(at(edge.to)) - ground(at(edge.from));
            const Vec2 then = ground(at(other)) - ground(at(edge.from));
            if (then.x * then.x + then.y * then.y < now.x * now.x + now.y * now.y && other != edge.from) {
                edge.to = other;
            }
        }
        if (edge.from != edge.to && !net.edges.push_back(edge)) return false;
    }
    const std::uint32_t walls = rng.below(8);
    for (std::uint32_t i = 0; i < walls; ++i) {
        RoadmapWall wall{static_cast<std::uint32_t>(net.wall_points.size()), 3 + rng.below(3), false};
        wall.closed = rng.below(2) == 0;
        const Vec3 middle = random_point(rng, false);
        for (std::uint32_t k = 0; k < wall.points; ++k) {
            Vec2 point = ground(middle);
            point.x += rng.between(-12.0, 12.0);
            point.y += rng.between(-12.0, 12.0);
            if (!net.wall_points.push_back(point)) return false;
        }
        if (!net.walls.push_back(wall)) return false;
    }
    return true;
}

Spot random_place(Rng& rng, const Net& net) {
    const WaypointId id = random_id(rng, net);
    const Vec3 point = random_point(rng, false);
    return rng.below(3) == 0 ? Spot(id) : Spot(point);
}

RoadmapQuery random_query(Rng& rng, const Net& net, std::span<const double> factors) {
    const double radii[] = {0.0, 0.4, 1.5};
    RoadmapQuery query;
    query.start = random_place(rng, net);
    query.goal = Goal(random_place(rng, net));
    query.agent.radius = radii[rng.below(3)];
    query.planner = static_cast<RoadmapPlanner>(rng.below(3));
    query.backward = rng.below(3) == 0;
    query.check_edges = rng.below(4) == 0;
    query.direct = rng.below(3) != 0;
    query.partial = rng.below(4) == 0;
    if (rng.below(3) == 0) query.off_net_cost = rng.between(0.5, 4.0);
    if (rng.below(3) == 0) query.attach_range = rng.between(5.0, 60.0);
    query.attach_max = 1 + rng.below(10);
    query.filter.blocked_flags = rng.below(2);
    if (rng.below(3) == 0) query.filter.kinds.factors = factors;
    return query;
}

bool random_edit(Rng& rng, const Net& net, Roadmap& roadmap) {
    const WaypointEdge edge = random_edge(rng, net);
    const WaypointEdge old = net.edges[rng.below(static_cast<std::uint32_t>(net.edges.size()))];
    const Vec3 at = random_point(rng, false);
    switch (rng.below(6)) {
        case 0: return roadmap.add_edge(edge).has_value();
        case 1: return roadmap.move_node({edge.from, at}).has_value();
        case 2: {
            WaypointEdge dearer = old;
            dearer.cost = 1.0 + at.x;
            return roadmap.change_edge(dearer).has_value();
        }
        case 3: return at.x < 20.0 && roadmap.remove_node(edge.from).has_value();
        default: return roadmap.remove_edge(old).has_value();
    }
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(roadmap_queries) {
    Rng rng(20241121);
    Scratch scratch;
    Route route;
    Net net;
    double factors[256];
    for (double& factor : factors) factor = 1.0;
    factors[1] = 2.5;
    factors[2] = 0.0;
    Cover cover[15 * 15];
    for (int n = 0; n < 120; ++n) {
        if (!random_net(rng, net) || net.edges.empty()) return digest.add(std::uint64_t{1});
        Result<Roadmap> roadmap = Roadmap::make({.nodes = net.nodes.span(),
                                                 .edges = net.edges.span(),
                                                 .walls = net.walls.span(),
                                                 .wall_points = net.wall_points.span()});
        if (!roadmap) return digest.add(std::uint64_t{2});
        for (int q = 0; q < 50; ++q) {
            const RoadmapQuery query = random_query(rng, net, factors);
            const Result<void> done = find_route_into(*roadmap, query, scratch, route);
            digest.add(static_cast<std::uint32_t>(done.has_value()));
            if (done) add_route(digest, route);
            if (q % 5 != 4) continue;
            digest.add(static_cast<std::uint32_t>(random_edit(rng, net, *roadmap)));
            if (!done || !repair(*roadmap, route, query, scratch)) continue;
            add_route(digest, route);
        }
        const CoverageQuery ask{.agent = {.radius = 0.4}, .range = 40, .edges = n % 2 == 0};
        const CoverageArea area{.cell_size = 7, .width = 15, .height = 15};
        const Result<CoverageCount> count = find_coverage(*roadmap, ask, area, scratch, cover);
        if (!count) return digest.add(std::uint64_t{3});
        for (const Cover found : cover) digest.add(static_cast<std::uint32_t>(found));
        EdgeFault faults[8];
        const Result<AuditCount> audit = audit_edges(*roadmap, {.agent = {.radius = 0.4}}, faults);
        digest.add(audit ? audit->faults : 0);
        digest.add(roadmap->state().revision());
    }
}
