// Warm queries allocate nothing; a failing allocator gives an error, no leak, and the next call works.

#include <gtest/gtest.h>

#include "support/roadmaps.h"
#include "support/starve.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::TestAllocator;

RoadmapQuery random_query(Rng& rng, const PlainRoadmap& plain, std::span<const Spot> goals) {
    const auto count = static_cast<std::uint32_t>(plain.nodes.size());
    RoadmapQuery query;
    query.start = Vec2{rng.between(0.0, 100.0), rng.between(0.0, 100.0)};
    query.goal = rng.below(2) == 0 ? Goal(plain.nodes[rng.below(count)].id) : Goal::any_of(goals);
    query.sight = {[](Vec3 a, Vec3 b, double, void*) { return std::abs(a.x - b.x) < 15; }, nullptr};
    query.planner = static_cast<RoadmapPlanner>(rng.below(3));
    query.backward = rng.below(2) == 0;
    query.partial = rng.below(2) == 0;
    return query;
}

TEST(RoadmapAllocation, WarmQueriesAllocateNothing) {
    Rng rng(61);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 500, .degree = 1.5});
    TestAllocator memory;
    const Roadmap roadmap = plain.make(memory.allocator());
    const Spot goals[] = {plain.nodes[3].id, Vec2{50, 50}, Vec2{1, 99}};
    Scratch scratch(memory.allocator());
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    std::vector<Route> routes(3);
    for (Route& r : routes) r.legs = Array<Leg>(memory.allocator());
    for (int round = 0; round < 2; ++round) {
        Rng queries(62);
        const std::int64_t calls = memory.calls;
        for (int i = 0; i < 300; ++i) {
            RoadmapQuery query = random_query(queries, plain, goals);
            ASSERT_TRUE(find_route_into(roadmap, query, scratch, route));
            query.goal = Goal::any_of(goals);
            ASSERT_TRUE(find_routes_into(roadmap, query, scratch, routes));
        }
        if (round == 1) {
            EXPECT_EQ(memory.calls, calls);
        }
    }
}

TEST(RoadmapAllocation, EveryFailureIsAnErrorAndTheNextCallWorks) {
    Rng rng(63);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 300, .degree = 1.5});
    const Roadmap roadmap = plain.make();
    const Spot goals[] = {plain.nodes[3].id, Vec2{50, 50}, Vec2{1, 99}};
    std::int64_t failures = 0;
    for (int i = 0; i < 40; ++i) {
        const RoadmapQuery query = random_query(rng, plain, goals);
        Scratch plenty;
        const Result<Route> wanted = find_route(roadmap, query, plenty);
        ASSERT_TRUE(wanted);
        TestAllocator memory;
        {
            Scratch scratch(memory.allocator());
            const auto ask = [&] {
                scratch.free_memory();
                return find_route(roadmap, query, scratch);
            };
            const auto ask_again = [&](const Result<Route>& starved) {
                if (starved) {
                    ASSERT_EQ(starved->stats, wanted->stats);
                }
                const Result<Route> fed = find_route(roadmap, query, scratch);
                ASSERT_TRUE(fed);
                ASSERT_EQ(fed->stats, wanted->stats);
            };
            for (const bool once : testing::kOnceAndForEver)
                failures += testing::starve(memory, once, ask, ask_again);
            ASSERT_FALSE(HasFailure()) << i;
        }
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    }
    EXPECT_GT(failures, 600);
}

}  // namespace
}  // namespace fairlead
