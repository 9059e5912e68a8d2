// Corridors and the lines through them: never shorter than the shortest way, legal, and the cheapest where areas have
// prices.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>

#include "oracle/point_graph.h"
#include "support/environment.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::PlainMesh;
using testing::random_mesh;
using testing::trials;

PlainMesh random_plain(Rng& rng, std::uint32_t areas = 1) {
    return random_mesh(rng, {.width = 2 + static_cast<std::int32_t>(rng.below(9)),
                             .height = 2 + static_cast<std::int32_t>(rng.below(9)),
                             .blocked_percent = 5 + rng.below(40),
                             .split_percent = rng.below(101),
                             .join_percent = rng.below(101),
                             .slanted = rng.below(2) == 0,
                             .areas = areas});
}

Vec3 random_place(Rng& rng, const PlainMesh& plain) {
    const auto& ring = plain.polygons[rng.below(static_cast<std::uint32_t>(plain.polygons.size()))];
    Vec3 sum{};
    double weight = 0.0;
    for (const std::uint32_t v : ring) {
        const double w = rng.between(0.01, 1.0);
        sum = sum + plain.vertices[v] * w;
        weight += w;
    }
    return sum * (1.0 / weight);
}

TEST(MeshCorridor, IsLegalAndNoShorterThanTheShortest) {
    Rng rng(901);
    Scratch scratch;
    double funnel = 0.0, middles = 0.0, best = 0.0;
    for (int world = 0; world < trials(200); ++world) {
        PlainMesh plain = random_plain(rng);
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make(0);
        for (int i = 0; i < 10; ++i) {
            MeshQuery query{.start = random_place(rng, plain), .goal = random_place(rng, plain)};
            const Result<Route> shortest = find_route(mesh, query, scratch);
            query.planner = MeshPlanner::corridor;
            Result<Route> corridor = find_route(mesh, query, scratch);
            query.planner = MeshPlanner::portal_midpoints;
            Result<Route> middle = find_route(mesh, query, scratch);
            ASSERT_TRUE(shortest && corridor && middle);
            ASSERT_EQ(corridor->status, shortest->status);
            ASSERT_EQ(middle->status, shortest->status);
            if (shortest->status != PathStatus::complete) continue;
            for (Route* route : {&*corridor, &*middle}) {
                ASSERT_GE(route->length, shortest->length - 1e-9) << "world " << world << " query " << i;
                ASSERT_LE(route->cost, shortest->length * route->bound * (1.0 + 1e-9));
                ASSERT_TRUE(revalidate(mesh, *route, MeshQuery{}, scratch).value().legal)
                    << "world " << world << " query " << i << " " << route->planner;
            }
            funnel += corridor->length;
            middles += middle->length;
            best += shortest->length;
        }
    }
    EXPECT_LT(funnel, best * 1.05);
    EXPECT_LT(funnel, middles);
}

// The cheapest way over a mesh by Dijkstra on points along the sides: an upper bound, good to a percent or so.
double cheapest(const NavMeshState& mesh, const std::vector<double>& costs, Vec2 from, Vec2 to) {
    constexpr int kPoints = 24;
    struct Node {
        Vec2 at;
        std::vector<std::uint32_t> polygons;
    };
    std::vector<Node> nodes;
    std::vector<std::vector<std::size_t>> of_polygon(mesh.polygons());
    const auto number = [&](PolygonId id) {
        for (std::uint32_t i = 0; i < mesh.polygons(); ++i) {
            if (mesh.polygon(i) == id) return i;
        }
        return UINT32_MAX;
    };
    const auto add = [&](Vec2 at, const std::vector<std::uint32_t>& polygons) {
        for (const std::uint32_t p : polygons) of_polygon[p].push_back(nodes.size());
        nodes.push_back({at, polygons});
    };
    add(from, {number(mesh.nearest({from.x, from.y, 0}).polygon)});
    add(to, {number(mesh.nearest({to.x, to.y, 0}).polygon)});
    for (std::uint32_t p = 0; p < mesh.polygons(); ++p) {
        const PolygonId id = mesh.polygon(p);
        for (std::uint32_t k = 0; k < mesh.corners(id); ++k) {
            const PolygonId other = mesh.neighbour(id, k);
            if (!other.valid() || number(other) < p) continue;
            const Vec2 a = ground(mesh.corner(id, k)),
                       b = ground(mesh.corner(id, (k + 1) % mesh.corners(id)));
            for (int i = 0; i <= kPoints; ++i) add(a + (b - a) * (i / double{kPoints}), {p, number(other)});
        }
    }
    std::vector<double> known(nodes.size(), INFINITY);
    std::vector<bool> closed(nodes.size());
    known[0] = 0.0;
    for (;;) {
        const std::size_t best = testing::nearest_open(known, closed);
        if (best == nodes.size() || best == 1) return known[1];
        closed[best] = true;
        for (const std::uint32_t p : nodes[best].polygons) {
            const double price = costs[mesh.area(mesh.polygon(p))];
            if (price == 0.0) continue;
            for (const std::size_t i : of_polygon[p]) {
                known[i] = std::min(known[i], known[best] + price * distance(nodes[best].at, nodes[i].at));
            }
        }
    }
}

TEST(MeshCorridor, PricesOfAreas) {
    Rng rng(902);
    Scratch scratch;
    double sum = 0.0, sum_best = 0.0;
    for (int world = 0; world < trials(40); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 5,
                                            .height = 5,
                                            .blocked_percent = 10,
                                            .split_percent = 30,
                                            .join_percent = 40,
                                            .areas = 3});
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make();
        std::vector<double> costs(kAreasMax, 1.0);
        costs[1] = rng.between(1.0, 6.0);
        costs[2] = rng.below(4) == 0 ? 0.0 : rng.between(0.3, 3.0);
        for (int i = 0; i < 4; ++i) {
            const MeshQuery query{.start = random_place(rng, plain),
                                  .goal = random_place(rng, plain),
                                  .reach = {.across = 0.0},
                                  .filter = {.areas = {.factors = costs}}};
            Result<Route> route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route);
            if (route->status == PathStatus::start_blocked || route->status == PathStatus::goal_blocked)
                continue;
            const double best = cheapest(mesh, costs, query.start.ground(), query.goal.at.ground());
            ASSERT_EQ(std::isinf(best), route->status != PathStatus::complete)
                << "world " << world << " query " << i;
            if (route->status != PathStatus::complete) continue;
            // The oracle's points are a little off the best crossings.
            ASSERT_GE(route->cost, best * 0.97) << "world " << world << " query " << i;
            ASSERT_LE(route->cost, best * route->bound * (1.0 + 1e-9));
            sum += route->cost;
            sum_best += best;
        }
    }
    EXPECT_LT(sum, sum_best * 1.10);
}

TEST(MeshCorridor, RefractsAtTheShore) {
    // Two halves, the lower one twice as dear: Snell's law at the shore between them.
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {20, 0, 0}, {20, 10, 0}, {0, 10, 0}, {20, 20, 0}, {0, 20, 0}};
    plain.polygons = {{0, 1, 2, 3}, {3, 2, 4, 5}};
    plain.areas = {1, 0};
    const NavMesh mesh = plain.make();
    Scratch scratch;
    std::vector<double> costs(kAreasMax, 1.0);
    costs[1] = 2.0;
    Result<Route> route = find_route(
        mesh, MeshQuery{.start = {4, 4, 0}, .goal = Vec3{16, 16, 0}, .filter = {.areas = {.factors = costs}}},
        scratch);
    ASSERT_TRUE(route);
    ASSERT_EQ(route->legs.size(), 2U);
    const Vec2 shore = ground(route->legs[1].start.position);
    EXPECT_NEAR(shore.y, 10.0, 1e-9);
    const double in = (shore.x - 4.0) / route->legs[0].length, out = (16.0 - shore.x) / route->legs[1].length;
    EXPECT_NEAR(2.0 * in, out, 1e-6);
    EXPECT_NEAR(route->cost, 2.0 * route->legs[0].length + route->legs[1].length, 1e-9);
    // All prices the same: the shortest way, at that price.
    std::vector<double> same(kAreasMax, 3.0);
    const Result<Route> plainly = find_route(
        mesh, MeshQuery{.start = {4, 4, 0}, .goal = Vec3{16, 16, 0}, .filter = {.areas = {.factors = same}}},
        scratch);
    ASSERT_TRUE(plainly);
    EXPECT_EQ(plainly->bound, 1.0);
    EXPECT_NEAR(plainly->cost, 3.0 * std::sqrt(288.0), 1e-9);
}

}  // namespace
}  // namespace fairlead
