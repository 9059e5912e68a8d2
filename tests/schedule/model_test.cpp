// Random runs, compared after every call with plain lists that do the same (support/schedule_model.h).
#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/schedule_model.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

TEST(ScheduleModel, RandomRunsDoWhatPlainListsDo) {
    ScheduleTally tally;
    const int seeds = trials(1500);
    for (int seed = 0; seed < seeds; ++seed)
        ASSERT_EQ(check_schedule(static_cast<std::uint64_t>(seed), tally), "") << "seed " << seed;
    if (!all_trials()) return;
    EXPECT_GT(tally.requests, 100000U);
    for (const std::uint64_t came_up :
         {tally.complete, tally.capped, tally.late, tally.failed, tally.dropped, tally.cancelled,
          tally.first_legs, tally.retried, tally.restarted, tally.shared, tally.over})
        EXPECT_GT(came_up, 300U);
}

TEST(ScheduleModel, OnThreadsOfItsOwnAndOfTheCallers) {
    ScheduleTally tally;
    for (int seed = 0; seed < trials(30); ++seed) {
        ASSERT_EQ(check_schedule(static_cast<std::uint64_t>(seed), tally, 3), "") << "seed " << seed;
        Threads threads{2};
        ASSERT_EQ(check_schedule(static_cast<std::uint64_t>(seed), tally, 0, {&Threads::run, &threads}), "")
            << "seed " << seed;
    }
}

}  // namespace
}  // namespace fairlead::testing
