// Best so far (technique T3): a query that says `partial` and whose budget is spent leads to the waypoint nearest a goal that was
// expanded; more budget never ends farther away.

#include <atomic>

#include <fairlead/verify/verify_roadmap.h>
#include <gtest/gtest.h>

#include "roadmap/queries.h"
#include "support/environment.h"
#include "support/roadmaps.h"
#include "support/route_compare.h"

namespace fairlead {
namespace {

using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::RandomRoadmap;
using testing::route_difference;
using testing::trials;

double gap(Vec3 a, Vec3 b) { return testing::distance3(a, b); }

struct Tally {
    int spent = 0;
    int legs = 0;
    int done = 0;
};

void check_query(const Roadmap& roadmap, const RoadmapQuery& asked, Vec3 start, Vec3 goal, Rng& rng,
                 Tally& tally) {
    Scratch scratch;
    Scratch other;
    RoadmapQuery query = asked;
    const Route whole = route_of(roadmap, query, scratch);
    double before = 1e300;
    for (std::uint64_t budget = 0; budget <= whole.stats.expanded + 1; budget += 1 + rng.below(3)) {
        query.expansions_max = budget;
        const Route route = route_of(roadmap, query, scratch);
        RoadmapSearch slices(roadmap, query, other);
        while (slices.step(1 + rng.below(5))) {
        }
        Route sliced;
        ASSERT_TRUE(slices.take(sliced));
        ASSERT_EQ(route_difference(sliced, route), "");
        const Violation bad = verify(route, roadmap, {});
        ASSERT_FALSE(bad) << bad.text().c_str();
        if (route.status != PathStatus::budget_spent) {
            ++tally.done;
            if (route.status == PathStatus::complete) break;
            continue;
        }
        ++tally.spent;
        ASSERT_EQ(route.bound, kNoBound);
        ASSERT_EQ(route.cost, route.line_cost);
        const double here = gap(route.end.position, goal);
        ASSERT_LE(here, before + 1e-9) << budget;
        before = here;
        if (route.legs.empty()) {
            ASSERT_EQ(route.end.position, start);
        } else {
            ++tally.legs;
            ASSERT_LT(here, gap(start, goal));
        }
        query.partial = false;
        ASSERT_TRUE(route_of(roadmap, query, scratch).legs.empty());
        query.partial = true;
    }
    // Cancelled it is the same.
    std::atomic<bool> flag{false};
    query.expansions_max = UINT64_MAX;
    RoadmapSearch search(roadmap, query, scratch, {.cancel = &flag});
    search.step(1 + rng.below(20));
    if (!search.running()) return;
    flag = true;
    search.step(1);
    ASSERT_FALSE(search.running());
    Route route;
    ASSERT_TRUE(search.take(route));
    ASSERT_EQ(route.status, PathStatus::budget_spent);
    ASSERT_FALSE(verify(route, roadmap, {}));
    ASSERT_LE(gap(route.end.position, goal), gap(start, goal));
}

TEST(RoadmapBestSoFar, LeadsNearerTheMoreBudgetThereIs) {
    Rng rng(31);
    Scratch scratch;
    Tally tally;
    for (int i = 0; i < trials(300); ++i) {
        RandomRoadmap options;
        options.nodes = 10 + rng.below(90);
        options.grid_points = rng.below(2) == 0;
        options.price_high =
            rng.below(4) == 0 ? 1e6 : options.price_high;  // searched again with coarser numbers
        const PlainRoadmap plain = random_roadmap(rng, options);
        const Roadmap roadmap = plain.make();
        const std::size_t from = rng.below(static_cast<std::uint32_t>(plain.nodes.size()));
        const std::size_t to = rng.below(static_cast<std::uint32_t>(plain.nodes.size()));
        RoadmapQuery query = between(plain.nodes[from].id.value, plain.nodes[to].id.value);
        query.partial = true;
        query.planner = static_cast<RoadmapPlanner>(rng.below(3));
        check_query(roadmap, query, plain.nodes[from].position, plain.nodes[to].position, rng, tally);
        if (HasFatalFailure()) return;
        // From a place off the net.
        query.start = Vec2{rng.between(0.0, 100.0), rng.between(0.0, 100.0)};
        query.direct = false;
        const Vec3 start{query.start.position.x, query.start.position.y, query.start.position.z};
        const Result<Route> any = find_route(roadmap, query, scratch);
        if (!any || any->status == PathStatus::start_blocked) continue;
        check_query(roadmap, query, start, plain.nodes[to].position, rng, tally);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(tally.legs, tally.spent / 5);
    EXPECT_GT(tally.done, trials(300) / 2);
}

}  // namespace
}  // namespace fairlead
