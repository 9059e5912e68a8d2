// Warm queries allocate nothing; a failing allocator gives an error, no leak, and the next call works.

#include <gtest/gtest.h>

#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/heap_counter.h"
#include "support/random_campaign.h"
#include "support/random_worlds.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

struct Ends {
    Spot start;
    Goal goal;
    std::vector<Vec2> points;
};

std::vector<Ends> draw_pairs(Rng& rng, Topic topic, RandomCase& drawn, int count) {
    const oracle::GridOracle oracle(drawn.world, drawn.ask.bind());
    std::vector<Ends> pairs;
    for (int i = 0; i < count; ++i) {
        draw_ends(rng, topic, oracle, drawn);
        const GridQuery& q = drawn.ask.query;
        pairs.push_back({q.start, q.goal, drawn.ask.goal_points});
    }
    return pairs;
}

GridQuery query_of(RandomCase& drawn, const Ends& ends, std::size_t planner, std::size_t smoothing) {
    GridQuery query = drawn.ask.bind();
    query.start = ends.start;
    query.goal = ends.goal;
    if (query.goal.is_list()) query.goal.list = SpotList(Borrowed<Vec2>(ends.points));
    query.planner = static_cast<GridPlanner>(planner);
    query.smoothing = static_cast<Smoothing>(smoothing);
    query.partial = smoothing % 2 == 0;
    query.certify = smoothing % 2 == 1;
    return query;
}

Route route_with(TestAllocator& memory) {
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    return route;
}

// What one warm round asked of the heap, the allocator included.
struct Meter {
    const TestAllocator& memory;
    std::int64_t calls = memory.calls;
    std::uint64_t heap = heap_calls();
    [[nodiscard]] std::int64_t used() const {
        return memory.calls - calls + static_cast<std::int64_t>(heap_calls() - heap);
    }
};

template <class Work>
void expect_no_allocation_when_warm(TestAllocator& memory, const Work& work) {
    work();
    const Meter meter{memory};
    work();
    EXPECT_EQ(meter.used(), 0);
}

TEST(GridAllocation, TheCounterCounts) {
    const std::uint64_t before = heap_calls();
    const std::vector<int> some(100);
    EXPECT_EQ(heap_calls(), before + 1);
    if (heap_counts_malloc()) {
        Array<Leg> legs;
        ASSERT_TRUE(legs.reserve(3));
        EXPECT_EQ(heap_calls(), before + 2);
    }
    EXPECT_EQ(some[99], 0);
}

TEST(GridAllocation, WarmQueriesAllocateNothing) {
    int answered = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::count_); ++t) {
        for (int i = 0; i < trials(12); ++i) {
            Rng rng(900 + static_cast<std::uint64_t>(i) * 16 + t);
            const auto topic = static_cast<Topic>(t);
            RandomCase drawn = random_case(rng, topic, 40);
            const Grid grid = drawn.make_grid();
            const std::vector<Ends> pairs = draw_pairs(rng, topic, drawn, 3);
            TestAllocator memory;
            Scratch scratch(memory.allocator());
            Route route = route_with(memory);
            expect_no_allocation_when_warm(memory, [&] {
                for (const Ends& ends : pairs) {
                    for (std::size_t k = 0; k < kPlanners * 4; ++k) {
                        const GridQuery query = query_of(drawn, ends, k / 4, k % 4);
                        answered += find_route_into(grid, query, scratch, route) ? 1 : 0;
                    }
                }
            });
            ASSERT_FALSE(HasFailure()) << topic_name(topic) << " case " << i;
        }
    }
    EXPECT_GT(answered, 2000);
}

TEST(GridAllocation, WarmSlicedSearchesAndTracesAllocateNothing) {
    for (int i = 0; i < trials(20); ++i) {
        Rng rng(1900 + static_cast<std::uint64_t>(i));
        RandomCase drawn = random_case(rng, Topic::plain, 40);
        const Grid grid = drawn.make_grid();
        const std::vector<Ends> pairs = draw_pairs(rng, Topic::plain, drawn, 2);
        TestAllocator memory;
        Scratch scratch(memory.allocator());
        Route route = route_with(memory);
        std::uint64_t events = 0;
        SearchHooks hooks;
        hooks.trace = {[](const SearchEvent&, void* user) { ++*static_cast<std::uint64_t*>(user); }, &events};
        expect_no_allocation_when_warm(memory, [&] {
            for (const Ends& ends : pairs) {
                for (std::size_t k = 0; k < kPlanners * 4; ++k) {
                    const GridSnapshot frozen = grid.acquire();
                    GridSearch search(frozen, query_of(drawn, ends, k / 4, k % 4), scratch,
                                      k % 3 == 0 ? hooks : SearchHooks{});
                    while (search.step(3)) {
                    }
                    (void)search.take(route).has_value();
                }
            }
        });
        ASSERT_FALSE(HasFailure()) << "case " << i;
    }
}

TEST(GridAllocation, WarmRevalidationAndRepairAllocateNothing) {
    int mended = 0;
    for (int i = 0; i < trials(60); ++i) {
        Rng rng(2900 + static_cast<std::uint64_t>(i));
        const Topic topic = i % 2 == 0 ? Topic::plain : Topic::blocked;
        RandomCase drawn = random_case(rng, topic, 40);
        Grid grid = drawn.make_grid();
        const std::vector<Ends> pairs = draw_pairs(rng, topic, drawn, 1);
        TestAllocator memory;
        Scratch scratch(memory.allocator());
        Route made = route_with(memory);
        Route route = route_with(memory);
        const GridQuery query = query_of(drawn, pairs[0], 0, 1);
        ASSERT_TRUE(find_route_into(grid, query, scratch, made));
        if (made.legs.empty()) continue;
        const Cell wall = grid.state().cell_at(ground(place_on_route(made, made.length / 2).position));
        ASSERT_TRUE(grid.set(wall, 0));
        const CellRect changed{{wall.x, wall.y}, {wall.x + 1, wall.y + 1}};
        expect_no_allocation_when_warm(memory, [&] {
            ASSERT_TRUE(route.legs.assign(made.legs.span()));
            route.status = made.status;
            route.end = made.end;
            const Result<Revalidation> still = revalidate(grid, route, query, scratch, &changed);
            ASSERT_TRUE(still && revalidate(grid, route, query, scratch));
            mended += still->legal ? 0 : 1;
            ASSERT_TRUE(repair(grid, route, query, scratch));
        });
        ASSERT_FALSE(HasFailure()) << "case " << i;
    }
    EXPECT_GT(mended, 3);
}

}  // namespace
}  // namespace fairlead::testing
