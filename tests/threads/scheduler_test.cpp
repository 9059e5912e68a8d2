// Storms over a scheduler with threads: submits, cancels, takes, edits on another thread, worlds that come and go, destruction in the
// middle of it. Run under ThreadSanitizer by `./run test all` (stage tsan).
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/scheduler.h>

#include "support/environment.h"
#include "support/schedule_model.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 50;

GridQuery any_query(Rng& rng) {
    const std::int32_t x = rng.between(0, kSide - 1), y = rng.between(0, kSide - 1);
    const std::int32_t to_x = rng.between(0, kSide - 1);
    return {
        .start = cell_centre(x, y), .goal = cell_centre(to_x, rng.between(0, kSide - 1)), .partial = true};
}

// One thread edits a town all the while, another one schedules over the snapshots that it hands over.
TEST(SchedulerStorm, EditsOnAnotherThread) {
    Grid town = *Grid::make({.width = kSide, .height = kSide});
    std::mutex mutex;
    GridSnapshot newest = town.acquire();
    std::atomic<bool> end{false};
    Scheduler scheduler = *Scheduler::make({.threads = 4, .searches_max = 6, .slice_units = 40});
    const auto id = *scheduler.add_world(newest);
    std::thread editor([&] {
        Rng rng(1);
        while (!end.load()) {
            const std::int32_t x = rng.between(0, kSide - 6), y = rng.between(0, kSide - 6);
            ASSERT_TRUE(town.fill({{x, y}, {x + 4, y + 4}}, static_cast<std::uint8_t>(rng.below(2))));
            GridSnapshot now = town.acquire();
            const std::lock_guard lock(mutex);
            newest = std::move(now);
        }
    });
    Rng rng(2);
    std::vector<RequestId> ids;
    Route route;
    int taken = 0;
    for (int frame = 0; frame < trials(2000); ++frame) {
        for (std::uint32_t n = rng.below(6); n > 0; --n) {
            RequestOptions options{.first_leg_units = rng.below(2) * 50};
            if (rng.below(2) == 0) options.on_edit = OnEdit::restart;
            ids.push_back(*scheduler.submit<GridSearch>(id, any_query(rng), options));
        }
        if (rng.below(2) == 0) {
            const std::lock_guard lock(mutex);
            ASSERT_TRUE(scheduler.publish(id, newest));
        }
        if (!ids.empty() && rng.below(2) == 0)
            scheduler.cancel(ids[rng.below(static_cast<std::uint32_t>(ids.size()))]);
        frame % 2 == 0 ? scheduler.update({.units = 1000}) : scheduler.update({.time_us = 100.0});
        std::erase_if(ids, [&](RequestId request) {
            if (scheduler.status(request) == RequestStatus::unknown) return true;
            const bool done = scheduler.take(request, route).has_value();
            taken += done ? 1 : 0;
            return done;
        });
    }
    EXPECT_GT(taken, trials(2000) / 2);
    ASSERT_TRUE(scheduler.forget(id));
    end.store(true);
    editor.join();
    newest.release();
}

// Schedulers that are destroyed with thousands of requests, some on their way, and their towns after them.
TEST(SchedulerStorm, DestroyedInTheMiddle) {
    Rng rng(3);
    for (int n = 0; n < trials(60); ++n) {
        Grid town = *Grid::make({.width = kSide, .height = kSide});
        Scheduler scheduler =
            *Scheduler::make({.threads = 1 + rng.below(5), .searches_max = 1 + rng.below(9)});
        const auto id = *scheduler.add_world(town);
        for (int i = 0; i < 500; ++i) ASSERT_TRUE(scheduler.submit<GridSearch>(id, any_query(rng)));
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(scheduler.submit<GridSearch>(town, any_query(rng)));
        for (std::uint32_t frames = rng.below(4); frames > 0; --frames) scheduler.update({.units = 3000});
        if (rng.below(2) == 0) {
            ASSERT_TRUE(scheduler.forget(id));
        }
        scheduler.update({.units = rng.below(2000)});
    }
}

TEST(SchedulerStorm, RandomRunsOnThreads) {
    ScheduleTally tally;
    for (int seed = 0; seed < trials(100); ++seed)
        ASSERT_EQ(check_schedule(static_cast<std::uint64_t>(seed), tally, 4), "") << "seed " << seed;
}

}  // namespace
}  // namespace fairlead::testing
