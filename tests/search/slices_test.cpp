// The loop that works in slices: cancelled in time, and watched, so that work that comes to nothing is noticed.
#include "search/run_search.h"

#include <atomic>

#include <gtest/gtest.h>

#include <fairlead/base/assert.h>

namespace fairlead {
namespace {

TEST(Slices, ACancelIsSeenWithin64Units) {
    std::atomic<bool> cancel{false};
    std::uint64_t done = 0;
    bool stopped = false;
    const bool more = work_in_slices(
        UINT64_MAX, &cancel, [&] { return !stopped; },
        [&](std::uint64_t& left) {
            --left;
            if (++done == 1000) cancel = true;
        },
        [&] { stopped = true; });
    EXPECT_FALSE(more);
    EXPECT_GE(done, 1000U);
    EXPECT_LT(done, 1064U);
}

// FAULT-1: a search that was told the same goal for ever spent nothing, and no budget ended it.
TEST(SlicesDeathTest, WorkThatComesToNothingIsAnAssertion) {
    EXPECT_DEATH((void)work_in_slices(
                     64, nullptr, [] { return true; }, [](std::uint64_t&) {}, [] {}),
                 "");
}

}  // namespace
}  // namespace fairlead
