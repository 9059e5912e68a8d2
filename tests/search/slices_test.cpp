// The loop that works in slices: cancelled in time, and watched, so that work that comes to nothing is noticed.
#include "search/run_search.h"

#include <atomic>

#include <gtest/gtest.h>

#include <fairlead/base/assert.h>

namespace fairlead {
namespace {

// Work that ends when it is told to.
struct Endless {
    std::atomic<bool>* cancel = nullptr;
    std::uint64_t done = 0;
    bool stopped = false;
    [[nodiscard]] bool running() const { return !stopped; }
    void work(std::uint64_t& left) {
        --left;
        if (++done == 1000 && cancel != nullptr) *cancel = true;
    }
    void give_up() { stopped = true; }
};

TEST(Slices, ACancelIsSeenWithin64Units) {
    std::atomic<bool> cancel{false};
    Endless run{.cancel = &cancel};
    const SearchHooks hooks{.cancel = &cancel};
    std::uint64_t units = 0;
    work_in_slices(run, UINT64_MAX, Interrupts(hooks, units, 0));
    EXPECT_FALSE(run.running());
    EXPECT_GE(run.done, 1000U);
    EXPECT_LT(run.done, 1064U);
}

struct Idle {
    [[nodiscard]] bool running() const { return true; }
    void work(std::uint64_t&) {}
    void give_up() {}
};

// FAULT-1: a search that was told the same goal for ever spent nothing, and no budget ended it.
TEST(SlicesDeathTest, WorkThatComesToNothingIsAnAssertion) {
    Idle run;
    const SearchHooks hooks;
    std::uint64_t units = 0;
    EXPECT_DEATH(work_in_slices(run, 64, Interrupts(hooks, units, 0)), "");
}

}  // namespace
}  // namespace fairlead
