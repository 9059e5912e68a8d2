// Slices, cancelling, snapshots: a search may be cut up in any way, stopped at any time, and never sees an edit.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/grids.h"
#include "support/random_campaign.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

// A random question of a topic, and all planners and smoothings for it.
struct Question {
    Rng rng;
    RandomCase drawn;
    Grid grid;

    Question(Topic topic, std::uint64_t seed, std::int32_t side)
        : rng(seed), drawn(random_case(rng, topic, side)), grid(drawn.make_grid()) {
        const oracle::GridOracle oracle(drawn.world, drawn.ask.bind());
        draw_ends(rng, topic, oracle, drawn);
    }
    GridQuery query(std::size_t planner) {
        GridQuery q = drawn.ask.bind();
        q.planner = static_cast<GridPlanner>(planner);
        q.smoothing = static_cast<Smoothing>(rng.below(4));
        q.heuristic = static_cast<GridHeuristic>(rng.below(4));
        q.partial = rng.below(2) == 0;
        q.window_grows = rng.below(4) != 0;
        if (rng.below(4) == 0) q.expansions_max = rng.below(100);
        return q;
    }
};

template <class Check>
void for_questions(int each, std::uint64_t seed, std::int32_t side, const Check& check) {
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::count_); ++t) {
        for (int i = 0; i < trials(each); ++i) {
            Question question(static_cast<Topic>(t), seed + static_cast<std::uint64_t>(i) * 16 + t, side);
            for (std::size_t p = 0; p < kPlanners; ++p) {
                check(question, question.query(p));
                ASSERT_FALSE(::testing::Test::HasFailure())
                    << topic_name(static_cast<Topic>(t)) << " case " << i << ", "
                    << planner_name(static_cast<GridPlanner>(p));
            }
        }
    }
}

TEST(Slices, AnySlicingGivesTheSameBytes) {
    Scratch scratch;
    Route route;
    int complete = 0;
    for_questions(60, 3000, 50, [&](Question& question, const GridQuery& query) {
        const Result<Route> whole = find_route(question.grid, query, scratch);
        complete += whole && whole->status == PathStatus::complete ? 1 : 0;
        const std::uint32_t most[] = {1, 2, 5, 30, 300};
        for (const std::uint32_t slice : most) {
            GridSearch search(question.grid, query, scratch);
            while (search.running()) {
                const std::uint64_t units = question.rng.below(slice) + 1;
                const std::uint64_t used = search.step(units);
                ASSERT_TRUE(used >= 1 && used <= units + 16) << used << " of " << units;
                if (question.rng.below(8) == 0) search.step(0);  // no budget, no work
            }
            ASSERT_EQ(search.step(10), 0U);
            ASSERT_FALSE(search.running());
            const Result<void> done = search.take(route);
            ASSERT_EQ(done.has_value(), whole.has_value());
            if (!done) {
                ASSERT_EQ(done.error(), whole.error());
                ASSERT_TRUE(route.legs.empty());
            } else {
                ASSERT_EQ(route_difference(route, *whole), "") << "slices of up to " << slice;
            }
        }
    });
    EXPECT_GT(complete, trials(2000));
}

// Work between two slices is bounded by the slice: no slice of one expands more than one state.
TEST(Slices, ASliceExpandsNoMoreThanItsBudget) {
    Scratch scratch;
    for_questions(6, 3500, 40, [&](Question& question, const GridQuery& query) {
        std::uint64_t expanded = 0;
        SearchHooks hooks;
        hooks.trace = {[](const SearchEvent& event, void* user) {
                           *static_cast<std::uint64_t*>(user) +=
                               event.kind == TraceEventKind::expanded ? 1 : 0;
                       },
                       &expanded};
        GridSearch search(question.grid, query, scratch, hooks);
        while (search.running()) {
            const std::uint64_t budget = 1 + question.rng.below(4);
            const std::uint64_t before = expanded;
            search.step(budget);
            ASSERT_LE(expanded - before, budget);
        }
    });
}

TEST(Slices, TheLimitOnExpansionsIsKept) {
    Scratch scratch;
    int stopped = 0;
    for_questions(20, 3600, 40, [&](Question& question, GridQuery query) {
        query.expansions_max = UINT64_MAX;
        const Result<Route> whole = find_route(question.grid, query, scratch);
        if (!whole) return;
        query.expansions_max = question.rng.below(30);
        const Result<Route> limited = find_route(question.grid, query, scratch);
        ASSERT_TRUE(limited);
        ASSERT_LE(limited->stats.expanded, query.expansions_max);
        if (whole->stats.expanded < query.expansions_max) {
            ASSERT_EQ(route_difference(*limited, *whole), "");
        } else if (limited->status == PathStatus::budget_spent) {
            ++stopped;
            ASSERT_TRUE(query.partial || limited->legs.empty());
        } else {
            // Known without a search, or the anytime planner's first route.
            ASSERT_TRUE(limited->status == whole->status);
        }
    });
    EXPECT_GT(stopped, trials(300));
}

struct Canceller {
    std::atomic<bool> cancel{false};
    std::uint64_t expanded = 0;
    std::uint64_t at = 0;
    static void see(const SearchEvent& event, void* user) {
        auto* self = static_cast<Canceller*>(user);
        if (event.kind != TraceEventKind::expanded) return;
        ++self->expanded;
        if (self->expanded == self->at) self->cancel.store(true);
    }
};

TEST(Slices, ACancelIsSeenWithin64Expansions) {
    Scratch scratch;
    int cancelled = 0;
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(400)); ++seed) {
        Rng rng(3700 + seed);
        const std::vector<std::uint8_t> tiles = random_tiles(rng, 64 * 64, rng.below(40), 1 + rng.below(2));
        const Grid grid = *Grid::make({.width = 64, .height = 64}, tiles);
        GridQuery query{.start = cell_centre(rng.between(0, 63), rng.between(0, 63)),
                        .goal = cell_centre(rng.between(0, 63), rng.between(0, 63))};
        query.planner = static_cast<GridPlanner>(seed % kPlanners);
        query.partial = rng.below(2) == 0;
        Canceller canceller;
        canceller.at = rng.below(200);  // 0: before it begins
        canceller.cancel = canceller.at == 0;
        SearchHooks hooks;
        hooks.cancel = &canceller.cancel;
        hooks.trace = {&Canceller::see, &canceller};
        const Result<Route> route = find_route(grid, query, scratch, hooks);
        if (!route) continue;
        if (!canceller.cancel) continue;
        ASSERT_LE(canceller.expanded, canceller.at + 64);
        const bool known = canceller.expanded == 0 && route->status != PathStatus::complete;
        if (known) continue;  // blocked, unreachable: no search to cancel
        const bool kept = route->status == PathStatus::complete || route->status == PathStatus::partial;
        if (query.planner == GridPlanner::anytime && kept) continue;  // the best that it had
        ++cancelled;
        ASSERT_EQ(route->status, PathStatus::budget_spent) << planner_name(query.planner);
        ASSERT_TRUE(query.partial || route->legs.empty());
    }
    EXPECT_GT(cancelled, trials(100));
}

// Smoothing and the look for the nearest place end on a cancel too.
TEST(Slices, ACancelEndsEveryStage) {
    Scratch scratch;
    Route route;
    Rng rng(3800);
    int late = 0;
    for (int i = 0; i < trials(300); ++i) {
        const Grid grid =
            *Grid::make({.width = 120, .height = 90}, random_tiles(rng, 120 * 90, 25 + rng.below(20)));
        GridQuery query{.start = cell_centre(rng.between(0, 119), rng.between(0, 89)),
                        .goal = cell_centre(rng.between(0, 119), rng.between(0, 89))};
        query.smoothing = static_cast<Smoothing>(1 + rng.below(3));
        query.partial = true;
        std::uint64_t steps = 0;
        GridSearch whole(grid, query, scratch);
        for (; whole.running(); ++steps) whole.step(1);
        ASSERT_TRUE(whole.take(route));
        if (steps < 3) continue;
        std::atomic<bool> cancel{false};
        GridSearch search(grid, query, scratch, {.cancel = &cancel});
        const std::uint64_t before = steps - 1 - rng.below(static_cast<std::uint32_t>(steps / 2));
        for (std::uint64_t k = 0; k < before; ++k) search.step(1);
        ASSERT_TRUE(search.running());
        cancel = true;
        search.step(64);
        ASSERT_FALSE(search.running()) << "step " << before << " of " << steps;
        ASSERT_TRUE(search.take(route));
        ASSERT_EQ(route.status, PathStatus::budget_spent);
        ASSERT_FALSE(
            verify(route, grid.state(), query.agent));  // the best so far, or where the search has come to
        ++late;
    }
    EXPECT_GT(late, trials(100));
}

TEST(Snapshots, ASearchInFlightNeverSeesAnEdit) {
    struct Flight {
        GridSnapshot frozen;
        Scratch scratch;
        GridQuery query;
        Route wanted;
        std::unique_ptr<GridSearch> search;
    };
    const Agent sizes[] = {{.radius = 0.8}, {.footprint = 2}};
    const Agent agents[] = {{}, {.radius = 0.8}, {.footprint = 2}, {.radius = 1.3}};
    for (int round = 0; round < trials(25); ++round) {
        Rng rng(3900 + static_cast<std::uint64_t>(round));
        Grid grid = *Grid::make({.width = 90, .height = 70, .sizes = sizes},
                                random_tiles(rng, 90 * 70, 15, 1 + rng.below(2) * 3));
        std::vector<std::unique_ptr<Flight>> flights;
        Scratch other;
        for (int step = 0; step < 60; ++step) {
            if (flights.size() < 6) {
                auto flight = std::make_unique<Flight>();
                flight->frozen = grid.acquire();
                flight->query = {.start = cell_centre(rng.between(0, 89), rng.between(0, 69)),
                                 .goal = cell_centre(rng.between(0, 89), rng.between(0, 69)),
                                 .agent = agents[rng.below(4)]};
                flight->query.planner = static_cast<GridPlanner>(rng.below(kPlanners));
                Result<Route> wanted = find_route(*flight->frozen, flight->query, other);
                if (!wanted) continue;
                flight->wanted = std::move(*wanted);
                flight->search = std::make_unique<GridSearch>(flight->frozen, flight->query, flight->scratch);
                flights.push_back(std::move(flight));
            }
            const std::int32_t x = rng.between(0, 89);
            const std::int32_t y = rng.between(0, 69);
            const CellRect rect{{x, y},
                                {std::min(x + rng.between(1, 30), 90), std::min(y + rng.between(1, 30), 70)}};
            ASSERT_TRUE(grid.fill(rect, static_cast<std::uint8_t>(rng.below(3))));
            for (std::size_t i = flights.size(); i-- > 0;) {
                Flight& flight = *flights[i];
                flight.search->step(1 + rng.below(60));
                if (flight.search->running()) continue;
                Route route;
                ASSERT_TRUE(flight.search->take(route));
                ASSERT_EQ(route_difference(route, flight.wanted), "");
                ASSERT_EQ(route.revision, flight.frozen->revision());
                ASSERT_FALSE(verify(route, *flight.frozen, flight.query.agent));
                flights.erase(flights.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
