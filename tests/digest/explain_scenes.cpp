// Why there is no way: on 40 random level meshes with links and closed areas, for points and discs; over 40 random nets of roads of
// several widths, some of them closed.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/explain/explain.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_place;
using fairlead::testing::add_route;

void add_explanation(Digest& digest, const Explanation& why) {
    digest.add(static_cast<std::uint32_t>(why.reason));
    digest.add(static_cast<std::uint32_t>(why.status));
    if (why.has_place) add_place(digest, why.place);
    digest.add(why.width);
    digest.add(static_cast<std::uint64_t>(why.area));
    digest.add(why.ground_area);
    digest.add(static_cast<std::uint64_t>(why.link));
    digest.add(std::uint32_t{why.goal_side} | std::uint32_t{why.one_way} << 1);
    for (const Help& help : why.helps) {
        digest.add(static_cast<std::uint32_t>(help.proof));
        if (help.proof == Proof::not_asked) continue;
        digest.add(help.value);
        digest.add(help.failed);
        digest.add(help.terrain[0]);
        digest.add(help.links);
        digest.add(help.flags);
        if (help.has_place) add_place(digest, help.place);
        if (help.proof == Proof::found) add_route(digest, help.route);
    }
    digest.add(why.expanded);
    digest.add(static_cast<std::uint32_t>(why.trials));
}

/// Cells of columns and rows of several widths, a third of them missing.
struct CellFloor {
    static constexpr std::uint32_t kAcross = 9;
    Array<Vec3> vertices;
    Array<std::uint32_t> sizes;
    Array<std::uint32_t> corners;
    Array<std::uint8_t> areas;

    bool make(Rng& rng) {
        double x[kAcross] = {}, y[kAcross] = {};
        for (std::uint32_t i = 1; i < kAcross; ++i) {
            x[i] = x[i - 1] + 0.5 + rng.below(32) * 0.125;
            y[i] = y[i - 1] + 0.5 + rng.below(32) * 0.125;
        }
        for (std::uint32_t i = 0; i < kAcross * kAcross; ++i) {
            if (!vertices.push_back({x[i % kAcross], y[i / kAcross], 0.0})) return false;
        }
        for (std::uint32_t i = 0; i < kAcross * (kAcross - 1); ++i) {
            if (i % kAcross + 1 == kAcross || rng.below(3) == 0) continue;
            for (const std::uint32_t corner : {i, i + 1, i + kAcross + 1, i + kAcross}) {
                if (!corners.push_back(corner)) return false;
            }
            if (!sizes.push_back(4) || !areas.push_back(static_cast<std::uint8_t>(rng.below(4))))
                return false;
        }
        return true;
    }
    [[nodiscard]] NavMeshTile tile() const {
        return {.vertices = vertices, .polygon_sizes = sizes, .polygon_corners = corners, .areas = areas};
    }
};

Vec3 random_spot(Rng& rng) {
    const double x = rng.between(0.0, 20.0);
    const double y = rng.between(0.0, 20.0);
    return {x, y, 0.0};
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(explain_meshes) {
    Rng rng(20261128);
    Scratch scratch;
    for (int world = 0; world < 40; ++world) {
        CellFloor floor;
        if (!floor.make(rng)) return digest.add(std::uint64_t{1});
        const NavMeshTile tile = floor.tile();
        MeshLink links[2] = {{.id = 1, .kind = 1}, {.id = 2, .one_way = true}};
        for (MeshLink& link : links) {
            link.from = random_spot(rng);
            link.to = random_spot(rng);
            link.radius_max = rng.between(0.2, 3.0);
        }
        const Result<NavMesh> mesh = NavMesh::make({.radius_max = 3.0, .tiles = {&tile, 1}, .links = links});
        if (!mesh) return digest.add(std::uint64_t{2});
        for (int i = 0; i < 10; ++i) {
            MeshQuery query;
            query.start = random_spot(rng);
            query.goal = random_spot(rng);
            if (rng.below(3) != 0) query.agent.radius = rng.between(0.0, 2.5);
            query.filter.areas.closed = KindSet::of_mask(rng.below(16));
            query.filter.links.closed = KindSet::of_mask(rng.below(4));
            const Result<Explanation> why = explain(*mesh, query, scratch);
            if (!why) return digest.add(std::uint64_t{3});
            add_explanation(digest, *why);
        }
    }
}

FAIRLEAD_DIGEST_SCENE(explain_roadmaps) {
    constexpr std::uint32_t kNodes = 24;
    Rng rng(20261129);
    Scratch scratch;
    for (int world = 0; world < 40; ++world) {
        Waypoint nodes[kNodes];
        for (std::uint32_t i = 0; i < kNodes; ++i) nodes[i] = {WaypointId{i}, random_spot(rng)};
        WaypointEdge edges[kNodes * 3 / 2];
        for (WaypointEdge& edge : edges) {
            const std::uint32_t from = rng.below(kNodes);
            edge.from = WaypointId{from};
            edge.to = WaypointId{(from + 1 + rng.below(kNodes - 1)) % kNodes};
            edge.one_way = rng.below(3) == 0;
            edge.kind = static_cast<std::uint8_t>(rng.below(4));
            edge.flags = rng.below(3) == 0 ? 1U << rng.below(3) : 0U;
        }
        RoadKind roads[4];
        for (RoadKind& road : roads) road.width = 0.5 * (1 + rng.below(12));
        const Result<Roadmap> net = Roadmap::make({.nodes = nodes, .edges = edges, .roads = roads});
        if (!net) return digest.add(std::uint64_t{1});
        for (int i = 0; i < 10; ++i) {
            RoadmapQuery query;
            query.start = random_spot(rng);
            query.goal = WaypointId{rng.below(kNodes)};
            if (rng.below(3) != 0) query.agent.radius = rng.between(0.0, 3.0);
            query.filter.kinds.closed = KindSet::of_mask(rng.below(16));
            query.filter.blocked_flags = rng.below(8);
            const Result<Explanation> why = explain(*net, query, scratch);
            if (!why) return digest.add(std::uint64_t{2});
            add_explanation(digest, *why);
        }
    }
}
