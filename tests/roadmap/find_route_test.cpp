// Routes from waypoint to waypoint, against shortest paths computed by the test itself.

#include <gtest/gtest.h>

#include "roadmap/queries.h"
#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::kFar;
using testing::PlainArc;
using testing::PlainGraph;
using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::RandomRoadmap;
using testing::well_formed;

// Technique W1: a path of three edges of costs 2, 1 and 1; then the reverse of one edge is deleted.
TEST(RoadmapRoute, TheExampleOfTheWeightedGraph) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 2, 0);
    plain.node(3, 2, 1);
    plain.node(4, 3, 1);
    plain.edge(1, 2, 2);
    plain.edge(2, 3, 1);
    plain.edge(3, 4, 1);
    Roadmap roadmap = plain.make();
    Scratch scratch;

    const Route there = route_of(roadmap, between(1, 4), scratch);
    EXPECT_EQ(there.status, PathStatus::complete);
    EXPECT_EQ(there.cost, 4.0);
    EXPECT_EQ(there.bound, 1.0);
    ASSERT_EQ(there.legs.size(), 3U);
    EXPECT_TRUE(well_formed(there, {0, 0, 0}, {3, 1, 0}));
    EXPECT_EQ(there.legs[1].start.heading_rad, kHalfPi);
    EXPECT_EQ(route_of(roadmap, between(4, 1), scratch).cost, 4.0);

    // One way now: backwards there is no way, and no search is needed to know it.
    ASSERT_TRUE(roadmap.remove_edge({.from = {3}, .to = {2}, .one_way = true}));
    EXPECT_EQ(route_of(roadmap, between(1, 4), scratch).cost, 4.0);
    const Route back = route_of(roadmap, between(4, 1), scratch);
    EXPECT_EQ(back.status, PathStatus::unreachable);
    EXPECT_EQ(back.stats.expanded, 0U);

    // With another way round: a detour.
    ASSERT_TRUE(roadmap.add_edge({.from = {3}, .to = {1}, .cost = 7, .one_way = true}));
    const Route detour = route_of(roadmap, between(4, 1), scratch);
    EXPECT_EQ(detour.status, PathStatus::complete);
    EXPECT_EQ(detour.cost, 8.0);
    EXPECT_EQ(detour.legs.size(), 2U);
    EXPECT_EQ(detour.revision, 2U);
}

// Erratum E1: a search that skips a neighbour that is already on its list answers 6.
TEST(RoadmapRoute, TheCounterExampleOfErratumOne) {
    PlainRoadmap plain;
    for (std::int64_t id = 0; id < 4; ++id) plain.node(id, 0, 0);  // S A B G, places unknown: h = 0
    plain.edge(0, 1, 1, true);
    plain.edge(0, 2, 5, true);
    plain.edge(1, 2, 1, true);
    plain.edge(2, 3, 1, true);
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    for (const RoadmapPlanner planner : {RoadmapPlanner::astar, RoadmapPlanner::dijkstra}) {
        for (const bool backward : {false, true}) {
            RoadmapQuery query = between(0, 3);
            query.planner = planner;
            query.backward = backward;
            const Route route = route_of(roadmap, query, scratch);
            EXPECT_EQ(route.cost, 3.0);
            EXPECT_EQ(route.bound, 1.0);
            EXPECT_EQ(route.length, 0.0);
            EXPECT_EQ(std::string(route.planner), planner_name(planner));
        }
    }
}

// Greedy best-first walks into the trap; it never claims a bound.
TEST(RoadmapRoute, GreedyFollowsTheNoseAndClaimsNothing) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 9, 0);  // nearest to the goal by sight
    plain.node(3, 5, 20);
    plain.node(4, 10, 0);
    plain.edge(1, 2, 9);
    plain.edge(2, 4, 1000);
    plain.edge(1, 3);
    plain.edge(3, 4);
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    RoadmapQuery query = between(1, 4);
    const Route best = route_of(roadmap, query, scratch);
    query.planner = RoadmapPlanner::greedy_best_first;
    const Route greedy = route_of(roadmap, query, scratch);
    EXPECT_EQ(greedy.status, PathStatus::complete);
    EXPECT_EQ(greedy.cost, 1009.0);
    EXPECT_LT(best.cost, 50.0);
    EXPECT_EQ(best.bound, 1.0);
    EXPECT_EQ(greedy.bound, kNoBound);
}

void expect_optimal(const PlainRoadmap& plain, Rng& rng, int queries) {
    const Roadmap roadmap = plain.make();
    const PlainGraph graph(plain);
    const auto count = static_cast<std::uint32_t>(plain.nodes.size());
    Scratch scratch;
    Route route;
    for (int i = 0; i < queries; ++i) {
        const std::size_t a = rng.below(count);
        const std::size_t b = rng.below(count);
        const double wanted = graph.costs_from(a)[b];
        RoadmapQuery query = between(plain.nodes[a].id.value, plain.nodes[b].id.value);
        for (const RoadmapPlanner planner :
             {RoadmapPlanner::astar, RoadmapPlanner::dijkstra, RoadmapPlanner::greedy_best_first}) {
            for (const bool backward : {false, true}) {
                query.planner = planner;
                query.backward = backward;
                ASSERT_TRUE(find_route_into(roadmap, query, scratch, route));
                ASSERT_EQ(route.status, wanted < kFar ? PathStatus::complete : PathStatus::unreachable);
                if (wanted == kFar) {
                    ASSERT_EQ(route.stats.expanded, 0U);
                    continue;
                }
                ASSERT_TRUE(well_formed(route, plain.nodes[a].position, plain.nodes[b].position));
                ASSERT_LE(route.stats.expanded, plain.nodes.size());
                if (planner == RoadmapPlanner::greedy_best_first) {
                    ASSERT_GE(route.cost, wanted * (1 - 1e-12));
                } else {
                    ASSERT_NEAR(route.cost, wanted, 1e-9 * wanted);
                    ASSERT_EQ(route.bound, 1.0);
                }
            }
        }
    }
}

TEST(RoadmapRoute, RandomGraphsAgreeWithDijkstra) {
    Rng rng(1);
    for (int i = 0; i < 200; ++i) {
        RandomRoadmap options;
        options.nodes = 2 + rng.below(120);
        options.degree = rng.between(0.5, 4.0);
        options.one_way = rng.unit();
        options.priced = rng.unit();
        options.heights = rng.below(2) == 0;
        options.local = rng.below(2) == 0;
        options.grid_points = rng.below(3) == 0;
        options.size = rng.below(2) == 0 ? 100.0 : 12.0;
        expect_optimal(random_roadmap(rng, options), rng, 10);
    }
}

TEST(RoadmapRoute, OneLargerGraphAgreesWithDijkstra) {
    Rng rng(2);
    RandomRoadmap options;
    options.nodes = 3000;
    options.degree = 2.5;
    expect_optimal(random_roadmap(rng, options), rng, 40);
}

// Costs far above and far below lengths, and far apart from each other.
TEST(RoadmapRoute, CostsOfAllMagnitudes) {
    Rng rng(3);
    for (int i = 0; i < 200; ++i) {
        RandomRoadmap options;
        options.nodes = 2 + rng.below(60);
        options.priced = 0.8;
        options.size = rng.below(2) == 0 ? 1.0 : 1e6;
        PlainRoadmap plain = random_roadmap(rng, options);
        for (WaypointEdge& edge : plain.edges) {
            if (edge.cost == kStraightCost || rng.below(2) == 0) continue;
            const double powers[] = {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12};
            edge.cost = rng.between(1.0, 9.0) * powers[rng.below(8)];
        }
        const Roadmap roadmap = plain.make();
        const PlainGraph graph(plain);
        Scratch scratch;
        for (int k = 0; k < 10; ++k) {
            const auto count = static_cast<std::uint32_t>(plain.nodes.size());
            const std::size_t a = rng.below(count);
            const std::size_t b = rng.below(count);
            const double wanted = graph.costs_from(a)[b];
            RoadmapQuery query = between(plain.nodes[a].id.value, plain.nodes[b].id.value);
            query.backward = rng.below(2) == 0;
            const Route route = route_of(roadmap, query, scratch);
            ASSERT_EQ(route.status == PathStatus::complete, wanted < kFar);
            if (wanted == kFar) continue;
            ASSERT_LE(route.cost, wanted * route.bound * (1 + 1e-12));
            ASSERT_GE(route.cost, wanted * (1 - 1e-12));
            ASSERT_LE(route.stats.expanded, 8 * plain.nodes.size());

            ASSERT_EQ(route.bound, 1.0);
        }
    }
}

// "Never" as a very large number works: prices of 1e12 beside prices of 1.
TEST(RoadmapRoute, AForbiddingPriceDoesNotBlurTheOthers) {
    PlainRoadmap plain;
    for (int i = 0; i < 1000; ++i) plain.node(i, i, 0);
    for (int i = 0; i + 1 < 1000; ++i) plain.edge(i, i + 1, i == 700 ? 1e12 : 1.0 + 1e-9 * i);
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    const Route near = route_of(roadmap, between(0, 700), scratch);
    EXPECT_EQ(near.bound, 1.0);
    EXPECT_NEAR(near.cost, 700.0, 1e-3);
    const Route past = route_of(roadmap, between(0, 999), scratch);
    EXPECT_EQ(past.status, PathStatus::complete);
    EXPECT_NEAR(past.cost, 1e12 + 998, 1.0);
    EXPECT_EQ(past.bound, 1.0);
}

TEST(RoadmapRoute, FiltersCloseAndPriceEdges) {
    Rng rng(5);
    for (int i = 0; i < 150; ++i) {
        RandomRoadmap options;
        options.nodes = 2 + rng.below(60);
        PlainRoadmap plain = random_roadmap(rng, options);
        for (WaypointEdge& edge : plain.edges) {
            edge.kind = static_cast<std::uint8_t>(rng.below(4) * 70);
            edge.flags = 1U << rng.below(6);
        }
        const Roadmap roadmap = plain.make();
        const PlainGraph graph(plain);
        std::vector<double> factors(256, 1.0);
        for (int k = 0; k < 4; ++k)
            factors[static_cast<std::size_t>(k * 70)] = rng.below(4) == 0 ? 0.0 : rng.between(0.01, 50.0);
        EdgeFilter filter{.blocked_flags = 1U << rng.below(8), .factors = factors};
        if (rng.below(2) == 0) {
            filter.factor_min = 0.5;
            // A threat on the right half; labels of 2 are shut.
            filter.factor = [](const RoadmapState& state, WaypointSlot from, const RoadmapArc& arc, void*) {
                if (arc.label == 2) return 0.0;
                const double x = std::max(state.node(from).position.x, state.node(arc.to).position.x);
                return x > 50 ? 3.0 : 0.5;
            };
        }
        const auto price = [&](const PlainArc& arc) {
            if ((arc.edge->flags & filter.blocked_flags) != 0) return kFar;
            double cost = arc.cost * factors[arc.edge->kind];
            if (cost == 0.0) return kFar;
            if (filter.factor != nullptr) {
                if (arc.edge->label == 2) return kFar;
                const double x = std::max(plain.nodes[arc.from].position.x, plain.nodes[arc.to].position.x);
                cost *= x > 50 ? 3.0 : 0.5;
            }
            return cost;
        };
        Scratch scratch;
        for (int k = 0; k < 10; ++k) {
            const auto count = static_cast<std::uint32_t>(plain.nodes.size());
            const std::size_t a = rng.below(count);
            const std::size_t b = rng.below(count);
            const double wanted = graph.costs_from({{a, 0.0}}, price)[b];
            RoadmapQuery query = between(plain.nodes[a].id.value, plain.nodes[b].id.value);
            query.filter = filter;
            query.backward = rng.below(2) == 0;
            const Route route = route_of(roadmap, query, scratch);
            ASSERT_EQ(route.status, wanted < kFar ? PathStatus::complete : PathStatus::unreachable);
            if (wanted < kFar) {
                ASSERT_NEAR(route.cost, wanted, 1e-9 * wanted);
            }
        }
    }
}

TEST(RoadmapRoute, TheNearestOfSeveralGoalsAndRoutesToEach) {
    Rng rng(6);
    for (int i = 0; i < 150; ++i) {
        RandomRoadmap options;
        options.nodes = 2 + rng.below(80);
        options.degree = rng.between(0.5, 3.0);
        const PlainRoadmap plain = random_roadmap(rng, options);
        const Roadmap roadmap = plain.make();
        const PlainGraph graph(plain);
        const auto count = static_cast<std::uint32_t>(plain.nodes.size());
        const std::size_t a = rng.below(count);
        const std::vector<double> costs = graph.costs_from(a);
        std::vector<Spot> goals;
        std::vector<std::size_t> indices;
        double wanted = kFar;
        for (std::uint32_t k = 0; k < 1 + rng.below(12); ++k) {
            indices.push_back(rng.below(count));
            goals.emplace_back(plain.nodes[indices.back()].id);
            wanted = std::min(wanted, costs[indices.back()]);
        }
        RoadmapQuery query{.start = plain.nodes[a].id, .goal = Goal::any_of(goals)};
        Scratch scratch;
        for (const bool backward : {false, true}) {
            query.backward = backward;
            const Route route = route_of(roadmap, query, scratch);
            ASSERT_EQ(route.status, wanted < kFar ? PathStatus::complete : PathStatus::unreachable);
            if (wanted < kFar) {
                ASSERT_NEAR(route.cost, wanted, 1e-9 * wanted);
            }
        }
        std::vector<Route> routes(goals.size());
        ASSERT_TRUE(find_routes_into(roadmap, query, scratch, routes));
        for (std::size_t k = 0; k < goals.size(); ++k) {
            const double cost = costs[indices[k]];
            ASSERT_EQ(routes[k].status, cost < kFar ? PathStatus::complete : PathStatus::unreachable);
            if (cost == kFar) continue;
            ASSERT_NEAR(routes[k].cost, cost, 1e-9 * cost);
            ASSERT_EQ(routes[k].bound, 1.0);
            ASSERT_TRUE(well_formed(routes[k], plain.nodes[a].position, plain.nodes[indices[k]].position));
        }
    }
}

TEST(RoadmapRoute, LinksAreLegsOfTheirOwn) {
    PlainRoadmap plain;
    plain.node(1, 0, 0, 5);
    plain.node(2, 3, 4, 5);
    plain.node(3, 3, 10, 0);  // below the ledge
    plain.node(4, 3, 10, 9);  // straight above: a lift
    plain.edge(1, 2);
    plain.edges.push_back({.from = {2}, .to = {3}, .cost = 0.5, .one_way = true, .link = true, .label = 42});
    plain.edge(3, 4);
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    const Route route = route_of(roadmap, between(1, 4), scratch);
    ASSERT_EQ(route.legs.size(), 3U);
    EXPECT_EQ(route.cost, 5 + 0.5 + 9);
    EXPECT_EQ(route.length, 5.0);
    EXPECT_EQ(route.legs[0].kind, LegKind::drive);
    EXPECT_EQ(route.legs[1].kind, LegKind::link);
    EXPECT_EQ(route.legs[1].link_id, 42U);
    EXPECT_EQ(route.legs[1].length, 0.0);
    EXPECT_EQ(route.legs[2].kind, LegKind::drive);
    EXPECT_EQ(route.legs[2].length, 0.0);
    EXPECT_EQ(route.legs[2].rise, 9.0);
    EXPECT_EQ(route.legs[2].start.heading_rad, route.legs[1].start.heading_rad);
    EXPECT_EQ(route.end.position, (Vec3{3, 10, 9}));
    EXPECT_TRUE(well_formed(route, {0, 0, 5}, {3, 10, 9}));
    // Nobody jumps up.
    EXPECT_EQ(route_of(roadmap, between(4, 1), scratch).status, PathStatus::unreachable);
}

TEST(RoadmapRoute, PartialGoesToTheReachableWaypointNearestTheGoal) {
    Rng rng(7);
    int seen = 0;
    for (int i = 0; i < 200; ++i) {
        RandomRoadmap options;
        options.nodes = 2 + rng.below(60);
        options.degree = 0.9;
        const PlainRoadmap plain = random_roadmap(rng, options);
        const Roadmap roadmap = plain.make();
        const PlainGraph graph(plain);
        const auto count = static_cast<std::uint32_t>(plain.nodes.size());
        const std::size_t a = rng.below(count);
        const std::size_t b = rng.below(count);
        const std::vector<double> costs = graph.costs_from(a);
        Scratch scratch;
        RoadmapQuery query = between(plain.nodes[a].id.value, plain.nodes[b].id.value);
        query.partial = true;
        const Route route = route_of(roadmap, query, scratch);
        if (costs[b] < kFar) {
            ASSERT_EQ(route.status, PathStatus::complete);
            continue;
        }
        ++seen;
        ASSERT_EQ(route.status, PathStatus::partial);
        ASSERT_EQ(route.bound, kNoBound);
        double least = kFar;
        for (std::size_t k = 0; k < plain.nodes.size(); ++k) {
            if (costs[k] < kFar)
                least = std::min(least, testing::distance3(plain.nodes[k].position, plain.nodes[b].position));
        }
        ASSERT_EQ(testing::distance3(route.end.position, plain.nodes[b].position), least);
        ASSERT_TRUE(well_formed(route, plain.nodes[a].position, route.end.position));
    }
    EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace fairlead
