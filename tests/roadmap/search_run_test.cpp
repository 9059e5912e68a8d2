// How a search on a roadmap runs: slices, budgets, cancels, its trace, and lists in any order.

#include <gtest/gtest.h>

#include "roadmap/queries.h"
#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::RandomRoadmap;

TEST(RoadmapRoute, SlicesGiveTheSameRouteAndDigest) {
    Rng rng(4);
    for (int i = 0; i < 100; ++i) {
        RandomRoadmap options;
        options.nodes = 10 + rng.below(200);
        options.grid_points = rng.below(2) == 0;
        const PlainRoadmap plain = random_roadmap(rng, options);
        const Roadmap roadmap = plain.make();
        Scratch scratch;
        RoadmapQuery query;
        query.start = Vec2{rng.between(0.0, 100.0), rng.between(0.0, 100.0)};
        query.goal = Vec2{rng.between(0.0, 100.0), rng.between(0.0, 100.0)};
        query.sight = {
            [](Vec3 a, Vec3 b, double, void*) { return std::abs(a.x - b.x) + std::abs(a.y - b.y) < 30; },
            nullptr};
        query.backward = rng.below(2) == 0;
        query.check_edges = rng.below(2) == 0;
        const Route whole = route_of(roadmap, query, scratch);
        for (const std::uint64_t slice : {1U, 2U, 7U, 64U, 65U, 1000U}) {
            RoadmapSearch search(roadmap, query, scratch);
            int rounds = 0;
            while (search.step(slice)) ASSERT_LT(++rounds, 100000);
            Route route;
            ASSERT_TRUE(search.take(route));
            ASSERT_EQ(route.status, whole.status);
            ASSERT_EQ(route.stats, whole.stats);
            ASSERT_EQ(route.cost, whole.cost);
            ASSERT_EQ(route.legs.size(), whole.legs.size());
            for (std::size_t k = 0; k < route.legs.size(); ++k) ASSERT_EQ(route.legs[k], whole.legs[k]);
        }
    }
}

TEST(RoadmapRoute, BudgetAndCancelEndWithBudgetSpent) {
    Rng rng(8);
    RandomRoadmap options;
    options.nodes = 2000;
    options.degree = 3;
    options.one_way = 0;
    const PlainRoadmap plain = random_roadmap(rng, options);
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    RoadmapQuery query = between(plain.nodes[0].id.value, plain.nodes[1].id.value);
    query.planner = RoadmapPlanner::dijkstra;
    const Route whole = route_of(roadmap, query, scratch);
    ASSERT_GT(whole.stats.expanded, 200U);
    for (const std::uint64_t limit :
         {std::uint64_t{0}, std::uint64_t{1}, whole.stats.expanded / 2, whole.stats.expanded}) {
        query.expansions_max = limit;
        const Route route = route_of(roadmap, query, scratch);
        EXPECT_EQ(route.status, PathStatus::budget_spent);
        EXPECT_EQ(route.stats.expanded, limit);
        EXPECT_TRUE(route.legs.empty());
    }
    query.expansions_max = whole.stats.expanded + 1;
    EXPECT_EQ(route_of(roadmap, query, scratch).status, PathStatus::complete);

    std::atomic<bool> cancel{false};
    RoadmapSearch search(roadmap, query, scratch, {.cancel = &cancel});
    search.step(100);
    ASSERT_TRUE(search.running());
    cancel = true;
    search.step(1);
    EXPECT_FALSE(search.running());
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.status, PathStatus::budget_spent);
    EXPECT_LE(route.stats.expanded, 100U);
}

TEST(RoadmapRoute, TheTraceSeesEveryExpansion) {
    Rng rng(9);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 100, .one_way = 0});
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    struct Seen {
        std::uint64_t expanded = 0, generated = 0;
    } seen;
    const auto note = [](const SearchEvent& event, void* user) {
        auto* counts = static_cast<Seen*>(user);
        (event.kind == TraceEventKind::expanded ? counts->expanded : counts->generated) += 1;
    };
    RoadmapQuery query = between(plain.nodes[0].id.value, plain.nodes[1].id.value);
    Result<Route> route = find_route(roadmap, query, scratch, {.trace = {note, &seen}});
    ASSERT_TRUE(route);
    EXPECT_EQ(seen.expanded, route->stats.expanded);
    EXPECT_EQ(seen.generated, route->stats.generated);
}

// Different starting numbers of the same graph: the same route and digest, bit for bit.
TEST(RoadmapRoute, TheOrderOfTheListsDoesNotMatter) {
    Rng rng(10);
    for (int i = 0; i < 100; ++i) {
        PlainRoadmap plain = random_roadmap(rng, {.nodes = 100, .size = 9.0, .grid_points = true});
        const Roadmap first = plain.make();
        for (std::size_t k = plain.nodes.size(); k > 1; --k)
            std::swap(plain.nodes[k - 1], plain.nodes[rng.below(static_cast<std::uint32_t>(k))]);
        for (std::size_t k = plain.edges.size(); k > 1; --k)
            std::swap(plain.edges[k - 1], plain.edges[rng.below(static_cast<std::uint32_t>(k))]);
        for (WaypointEdge& edge : plain.edges) {
            if (!edge.one_way && rng.below(2) == 0) std::swap(edge.from, edge.to);
        }
        const Roadmap second = plain.make();
        Scratch scratch;
        for (int k = 0; k < 5; ++k) {
            RoadmapQuery query{.start = plain.nodes[rng.below(100)].id,
                               .goal = Vec2{rng.between(0.0, 9.0), rng.between(0.0, 9.0)}};
            query.sight = {[](Vec3, Vec3, double, void*) { return true; }, nullptr};
            query.direct = false;
            query.attach_max = 3;
            query.backward = rng.below(2) == 0;
            const Route a = route_of(first, query, scratch);
            const Route b = route_of(second, query, scratch);
            ASSERT_EQ(a.status, b.status);
            ASSERT_EQ(a.stats, b.stats);
            ASSERT_EQ(a.cost, b.cost);
        }
    }
}

}  // namespace
}  // namespace fairlead
