// What a scheduler promises beside its order: nobody starves, memory, time, bad input, worlds that go, jobs of the user's own.
#include <algorithm>
#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/scheduler.h>

#include "support/count_search.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

Scheduler make(const SchedulerOptions& options = {}) { return *Scheduler::make(options); }

// 1e4 frames of more urgent requests than there are units for: each one begins and ends within the header's bound.
TEST(Schedule, NobodyStarves) {
    std::atomic<int> copies{0};
    const SchedulerOptions options{
        .searches_max = 4, .slice_units = 16, .units_max = 60, .patience_frames = 20, .priority_frames = 3};
    Scheduler scheduler = make(options);
    const auto world = *scheduler.add_world(Ground(copies));
    const std::uint64_t window =
        options.patience_frames + std::uint64_t{RequestOptions::kPriorityMax} * options.priority_frames;
    const std::uint64_t each = options.units_max + 2;
    constexpr std::uint64_t kUnits = 200;
    struct Open {
        RequestId id;
        std::uint64_t frame, number;
    };
    Rng rng(5);
    std::vector<Open> open;
    std::vector<std::uint64_t> submitted_by(1, 0);  // requests until the end of each frame
    std::vector<std::uint64_t> open_at;             // requests not done at each frame
    Route route;
    std::uint64_t submitted = 0, longest = 0, told = 0, checked = 0;
    const auto frames = static_cast<std::uint64_t>(trials(10000));
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
        open_at.push_back(open.size());
        // A storm now and then; else a little less than there is room for, all of it as urgent as can be but for one in ten.
        const std::uint32_t count = frame % 500 < 20 ? 12 : rng.below(9);
        for (std::uint32_t n = 0; n < count; ++n) {
            const std::uint64_t units = rng.below(10) == 0 ? 100000 : rng.below(60);
            const std::uint32_t priority = rng.below(10) == 0 ? 0 : RequestOptions::kPriorityMax;
            open.push_back({*scheduler.submit<CountSearch>(world, {.units = units}, {.priority = priority}),
                            frame, submitted++});
        }
        submitted_by.push_back(submitted);
        const UpdateReport report = scheduler.update({.units = kUnits});
        ASSERT_LE(report.units, kUnits);
        told = std::max(told, report.longest_wait);
        std::erase_if(open, [&](const Open& request) {
            if (scheduler.status(request.id) != RequestStatus::done) return false;
            const std::uint64_t waited = scheduler.frame() - request.frame;
            longest = std::max(longest, waited);
            const std::uint64_t last =
                std::min<std::uint64_t>(request.frame + window + 1, submitted_by.size() - 1);
            const std::uint64_t ahead =
                open_at[request.frame] + submitted_by[last] - submitted_by[request.frame];
            EXPECT_LE(waited, (ahead + 1 + options.searches_max) * each / kUnits + 2) << frame;
            ++checked;
            return scheduler.take(request.id, route).has_value();
        });
    }
    EXPECT_GT(checked, frames * 3);
    EXPECT_LT(open.size(), submitted / 4);
    EXPECT_GE(longest + 1, told);
    if (all_trials()) {
        EXPECT_GT(longest, window / 2);
    }
}

TEST(Schedule, TenThousandPendingAreLetGo) {
    std::atomic<int> copies{0};
    {
        Scheduler scheduler = make();
        const auto world = *scheduler.add_world(Ground(copies));
        const auto other = *scheduler.add_world(Ground(copies));
        std::vector<RequestId> ids;
        for (int n = 0; n < 10000; ++n)
            ids.push_back(*scheduler.submit<CountSearch>(n % 10 == 0 ? other : world, {.units = 50}));
        EXPECT_EQ(copies, 2);  // those that wait hold nothing
        scheduler.update({.units = 300});
        EXPECT_GT(copies, 2);
        ASSERT_TRUE(scheduler.forget(world));
        Route route;
        EXPECT_EQ(scheduler.status(ids[9999]), RequestStatus::dropped);
        EXPECT_EQ(scheduler.info(ids[9999]).end, RequestEnd::dropped);
        EXPECT_EQ(scheduler.take(ids[9999], route).error().code, ErrorCode::world_forgotten);
        EXPECT_EQ(scheduler.submit<CountSearch>(world, {}).error().field, Field::world);
        scheduler.update({.units = 10});
        for (int n = 0; n < 10000; ++n)
            ASSERT_TRUE(scheduler.submit<CountSearch>(Ground(copies), {.units = 50}));
    }
    EXPECT_EQ(copies, 0);
}

TEST(Schedule, AWorldMayDieOnceItIsForgotten) {
    Scheduler scheduler = make();
    RequestId id;
    {
        Grid town = *Grid::make({.width = 200, .height = 200});
        const auto world = *scheduler.add_world(town);
        for (int n = 0; n < 20; ++n) {
            id = *scheduler.submit<GridSearch>(world, {.start = cell_centre(1, 1),
                                                       .goal = cell_centre(190, 190),
                                                       .planner = GridPlanner::dijkstra});
        }
        scheduler.update({.units = 5000});
        EXPECT_EQ(scheduler.update({.units = 1}).running, 8U);
        ASSERT_TRUE(scheduler.forget(world));
    }
    scheduler.update({});
    EXPECT_EQ(scheduler.status(id), RequestStatus::dropped);
}

// The same run again and again: from the third time on it takes no memory.
TEST(Schedule, AWarmOneAllocatesNothing) {
    Grid town = *Grid::make({.width = 80, .height = 80});
    Scheduler scheduler = make({.searches_max = 3});
    const auto world = *scheduler.add_world(town);
    std::vector<RequestId> ids(40);
    std::vector<Route> routes(40);
    const std::vector<Blocker> blockers{{.centre = {20, 20}, .radius = 3}};
    for (Route& route : routes) ASSERT_TRUE(route.legs.reserve(64));
    std::uint64_t before = 0;
    for (int round = 0; round < 12; ++round) {
        if (round == 8) before = heap_calls();
        Rng rng(9);
        for (RequestId& id : ids) {
            const std::int32_t x = rng.between(0, 79), y = rng.between(0, 79);
            const GridQuery query{.start = cell_centre(x, y),
                                  .goal = cell_centre(79 - y, x),
                                  .partial = true,
                                  .blockers = blockers};
            const Result<RequestId> given =
                scheduler.submit<GridSearch>(world, query, {.first_leg_units = 20});
            ASSERT_TRUE(given);
            id = *given;
        }
        ASSERT_TRUE(town.set(Cell{round, 0}, 1));
        while (scheduler.update({.units = 300}).untaken < 40) {
        }
        for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_TRUE(scheduler.take(ids[i], routes[i]));
    }
    EXPECT_EQ(heap_calls(), before);
}

// Whichever allocation fails: an error of that call or of that request, no leak, and the next run is as ever.
TEST(Schedule, EveryFailingAllocationIsAnError) {
    TestAllocator memory;
    const Grid town = *Grid::make({.width = 30, .height = 30});
    const int blockers_at[] = {3, 9};
    std::vector<Blocker> blockers;
    for (const int at : blockers_at) blockers.push_back({.centre = {at + 0.5, 4.5}, .radius = 1});
    const auto run = [&](int& found) {
        found = 0;
        Result<Scheduler> scheduler = Scheduler::make({.allocator = memory.allocator()});
        if (!scheduler) return;
        const auto world = scheduler->add_world(town);
        if (!world) return;
        std::vector<RequestId> ids;
        for (int n = 0; n < 20; ++n) {
            const Result<RequestId> id = scheduler->submit<GridSearch>(
                *world, {.start = cell_centre(1, 1), .goal = cell_centre(20, n), .blockers = blockers});
            if (id) {
                ids.push_back(*id);
            } else {
                EXPECT_EQ(id.error().code, ErrorCode::out_of_memory);
            }
        }
        scheduler->update({});
        Route route;
        route.legs = Array<Leg>(memory.allocator());
        route.speeds = Array<SpeedKnot>(memory.allocator());
        for (const RequestId id : ids) {
            const Result<void> done = scheduler->take(id, route);
            if (!done) {
                EXPECT_EQ(done.error().code, ErrorCode::out_of_memory);
            }
            found += done && route.status == PathStatus::complete ? 1 : 0;
        }
    };
    int all = 0, some = 0;
    run(all);
    EXPECT_EQ(all, 20);
    const std::int64_t calls = memory.calls;
    EXPECT_EQ(memory.live_blocks, 0);
    for (std::int64_t n = 0; n < calls; n += 1 + calls / trials(300)) {
        for (const bool once : {true, false}) {
            memory.fail_after(n, once);
            run(some);
            memory.feed();
            ASSERT_EQ(memory.live_blocks, 0) << n;
            EXPECT_LE(some, all);
        }
    }
    run(some);
    EXPECT_EQ(some, all);
}

// ---- time ----------------------------------------------------------------------------------------------------------

/// A clock that the search itself moves on: a unit takes so many microseconds.
struct SlowQuery {
    std::uint64_t cheap = 0;  ///< units of 0.1 us, before
    std::uint64_t dear = 0;   ///< units of 5 us
    double* clock_us = nullptr;
};
class SlowSearch {
  public:
    using World = int;
    using Query = SlowQuery;
    SlowSearch(const int&, const SlowQuery& query, Scratch&) : query_(query) {}
    std::uint64_t step(std::uint64_t units) {
        std::uint64_t used = 0;
        for (; used < units && running(); ++used) *query_.clock_us += done_++ < query_.cheap ? 0.1 : 5.0;
        return used;
    }
    [[nodiscard]] bool running() const { return done_ < query_.cheap + query_.dear; }
    [[nodiscard]] bool has_route() const { return false; }
    [[nodiscard]] Result<void> take(Route& route) {
        route.clear();
        return {};
    }
    [[nodiscard]] SearchStats stats() const { return {}; }
    void stop() { done_ = query_.cheap + query_.dear; }
    void restart(const SlowQuery& query) { *this = SlowSearch(query); }

  private:
    explicit SlowSearch(const SlowQuery& query) : query_(query) {}
    SlowQuery query_;
    std::uint64_t done_ = 0;
};
static_assert(ScheduledSearch<SlowSearch>);

TEST(Schedule, TimeIsKeptByWhatUnitsTook) {
    double clock_us = 0.0;
    Scheduler scheduler =
        make({.clock = {[](void* user) { return *static_cast<double*>(user) += 0.03; }, &clock_us}});
    Rng rng(3);
    std::vector<double> over;
    std::vector<RequestId> ids;
    Route route;
    std::uint64_t units = 0;
    const auto frames = static_cast<std::size_t>(trials(3000));
    for (std::size_t frame = 0; frame < frames; ++frame) {
        while (ids.size() < 30) {
            const std::uint64_t cheap = rng.below(3000);
            ids.push_back(*scheduler.submit<SlowSearch>(
                0, {.cheap = cheap, .dear = rng.below(100), .clock_us = &clock_us}));
        }
        const double before = clock_us;
        units += scheduler.update({.time_us = 1000.0}).units;
        over.push_back(clock_us - before - 1000.0);
        std::erase_if(ids, [&](RequestId id) { return scheduler.take(id, route).has_value(); });
    }
    std::sort(over.begin(), over.end());
    EXPECT_LT(over[frames * 999 / 1000], 50.0);
    EXPECT_LT(over.back(), 60.0);
    EXPECT_GT(over[frames / 100], -40.0);  // and it is used
    EXPECT_GT(units, frames * 500);
}

TEST(Schedule, NoTimeNoWork) {
    double clock_us = 0.0;
    Scheduler scheduler =
        make({.clock = {[](void* user) { return *static_cast<double*>(user) += 0.03; }, &clock_us}});
    const RequestId id = *scheduler.submit<SlowSearch>(0, {.cheap = 100, .clock_us = &clock_us});
    for (const double none : {0.0, -5.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_EQ(scheduler.update({.time_us = none}).units, 0U);
    EXPECT_EQ(scheduler.update({.units = 0}).units, 0U);
    EXPECT_EQ(scheduler.status(id), RequestStatus::waiting);
    // However little time there is, some of it is used.
    for (int frame = 0; frame < 400; ++frame) scheduler.update({.time_us = 0.5});
    EXPECT_EQ(scheduler.status(id), RequestStatus::done);
}

// ---- jobs, callbacks, bad input ------------------------------------------------------------------------------------

struct Fill {
    std::uint64_t left = 1000;
    std::uint64_t step(std::uint64_t units) {
        const std::uint64_t used = std::min(units, left);
        left -= used;
        return used;
    }
    [[nodiscard]] bool running() const { return left > 0; }
};

TEST(Schedule, JobsOfTheUsersOwn) {
    Scheduler scheduler = make();
    Fill field, endless{UINT64_MAX};
    const RequestId filled = *scheduler.submit_job(field);
    const RequestId capped = *scheduler.submit_job(endless, {.units_max = 500});
    scheduler.update({.units = 800});
    EXPECT_EQ(scheduler.status(filled), RequestStatus::running);
    const UpdateReport report = scheduler.update({.units = 5000});
    EXPECT_EQ(field.left, 0U);
    EXPECT_EQ(report.done,
              1U + (scheduler.info(capped).end == RequestEnd::capped && report.capped == 1 ? 1U : 0U));
    EXPECT_EQ(scheduler.info(capped).end, RequestEnd::capped);
    Route route;
    EXPECT_TRUE(scheduler.take(filled, route));
    EXPECT_TRUE(scheduler.take(capped, route));
    EXPECT_TRUE(route.legs.empty());
    EXPECT_EQ(scheduler.submit_job(field, {.first_leg_units = 3}).error().field, Field::first_leg_units);
    EXPECT_EQ(scheduler.submit_job(field, {.retry = {.times = 1}}).error().field, Field::retry);
}

TEST(Schedule, CallbacksMaySubmitTakeAndCancel) {
    struct Game {
        std::atomic<int> copies{0};
        Scheduler* scheduler = nullptr;
        WorldId<Ground> world{};
        std::vector<RequestId> others;
        int told = 0;
        Route route;
        static void on(void* user, RequestId id, RequestEvent event) {
            auto* game = static_cast<Game*>(user);
            ++game->told;
            EXPECT_EQ(event, RequestEvent::done);
            EXPECT_TRUE(game->scheduler->take(id, game->route));
            for (const RequestId other : game->others) game->scheduler->cancel(other);
            for (int n = 0; n < 100; ++n)
                EXPECT_TRUE(
                    game->scheduler->submit<CountSearch>(game->world, {}, {.callback = {&Game::on, game}}));
        }
    } game;
    Scheduler scheduler = make();
    game.scheduler = &scheduler;
    game.world = *scheduler.add_world(Ground(game.copies));
    for (int n = 0; n < 5; ++n)
        game.others.push_back(
            *scheduler.submit<CountSearch>(game.world, {}, {.callback = {&Game::on, &game}}));
    scheduler.update({});
    EXPECT_EQ(game.told, 1);  // the others were cancelled by the first
    EXPECT_EQ(scheduler.update({.units = 0}).waiting, 100U);
}

TEST(Schedule, OptionsAreChecked) {
    const auto field = [](const SchedulerOptions& options) {
        const Result<Scheduler> made = Scheduler::make(options);
        return made ? Field::none : made.error().field;
    };
    EXPECT_EQ(field({.threads = 65}), Field::threads);
    EXPECT_EQ(field({.searches_max = 0}), Field::searches_max);
    EXPECT_EQ(field({.searches_max = 257}), Field::searches_max);
    EXPECT_EQ(field({.requests_max = 0}), Field::requests_max);
    EXPECT_EQ(field({.slice_units = 0}), Field::slice_units);
    EXPECT_EQ(field({.units_max = 0}), Field::units_max);
    EXPECT_EQ(field({.patience_frames = 1U << 21}), Field::patience_frames);
    EXPECT_EQ(field({.priority_frames = 1U << 21}), Field::priority_frames);
    EXPECT_EQ(field({.slice_us = std::numeric_limits<double>::quiet_NaN()}), Field::slice_us);

    std::atomic<int> copies{0};
    Scheduler scheduler = make({.requests_max = 2});
    const auto world = *scheduler.add_world(Ground(copies));
    const auto bad = [&](const RequestOptions& options) {
        return scheduler.submit<CountSearch>(Ground(copies), {}, options).error();
    };
    EXPECT_EQ(bad({.priority = 16}), Error(ErrorCode::out_of_range, Field::priority, 16));
    EXPECT_EQ(bad({.on_edit = OnEdit::restart}).field, Field::on_edit);
    EXPECT_EQ(bad({.retry = {.newer_revision_only = true}}).field, Field::retry);
    EXPECT_EQ(bad({.share_key = 1}).field, Field::share_key);
    EXPECT_EQ(scheduler.submit<CountSearch>(WorldId<Ground>{99}, {}).error().code, ErrorCode::unknown_id);
    const RequestId malformed = *scheduler.submit<CountSearch>(world, {.malformed = true});
    const RequestId good = *scheduler.submit<CountSearch>(world, {});
    EXPECT_EQ(scheduler.submit<CountSearch>(world, {}).error(),
              Error(ErrorCode::size_limit, Field::requests_max, 2));
    EXPECT_EQ(scheduler.update({}).failed, 1U);
    Route route;
    EXPECT_EQ(scheduler.take(malformed, route).error(), Error(ErrorCode::not_finite, Field::start));
    EXPECT_TRUE(scheduler.take(good, route));
    EXPECT_EQ(scheduler.take(good, route).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scheduler.take({}, route).error().code, ErrorCode::unknown_id);
    EXPECT_EQ(scheduler.peek({12345}, route).error().code, ErrorCode::unknown_id);
}

TEST(Schedule, WhatAUnitDoesMeanwhile) {
    using enum RequestStatus;
    const auto advice = [](RequestStatus status, RequestEnd end, bool route, bool sight) {
        return wait_advice({.status = status, .end = end, .has_route = route}, sight);
    };
    for (const RequestStatus status : {waiting, running, retrying}) {
        EXPECT_EQ(advice(status, RequestEnd::none, false, true), WaitAdvice::go_straight);
        EXPECT_EQ(advice(status, RequestEnd::none, false, false), WaitAdvice::hold);
        EXPECT_EQ(advice(status, RequestEnd::none, true, true), WaitAdvice::follow);
    }
    EXPECT_EQ(advice(done, RequestEnd::capped, false, true), WaitAdvice::go_straight);
    EXPECT_EQ(advice(done, RequestEnd::searched, false, true), WaitAdvice::hold);
    EXPECT_EQ(advice(done, RequestEnd::searched, true, false), WaitAdvice::follow);
    EXPECT_EQ(advice(dropped, RequestEnd::dropped, false, true), WaitAdvice::hold);
    for (int i = 0; i <= static_cast<int>(count_); ++i)
        EXPECT_NE(std::string(status_name(static_cast<RequestStatus>(i))), "");
    for (int i = 0; i <= static_cast<int>(RequestEnd::count_); ++i)
        EXPECT_NE(std::string(end_name(static_cast<RequestEnd>(i))), "");
}

}  // namespace
}  // namespace fairlead::testing
