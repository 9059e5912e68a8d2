// The loop of every search: slices of a budget, a cancel that is seen within 64 units, progress, and a watch over the loop itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fairlead/base/assert.h>
#include <fairlead/search/hooks.h>

namespace fairlead {

/// Asserts that work goes on: a part of it spends of the budget, or is one of the few in a row that only change the stage. A search
/// that has nothing left to do and does not end would otherwise run for ever, whatever its budget (FAULT-1).
class StallWatch {
  public:
    void worked(bool spent) {
        constexpr int kStagesMost = 16;
        idle_ = spent ? 0 : idle_ + 1;
        FAIRLEAD_ASSERT(idle_ < kStagesMost);
    }

  private:
    int idle_ = 0;
};

/// Who may end a search early, and is told how far it is. `units`: what it has done so far.
class Interrupts {
  public:
    Interrupts(const SearchHooks& hooks, std::uint64_t& units, std::uint64_t all)
        : hooks_(hooks), units_(units), all_(all) {}

    /// How much of a budget may be worked off before they are looked at again.
    [[nodiscard]] std::uint64_t next_slice(std::uint64_t budget) const {
        constexpr std::uint64_t kEvery = 64;
        const bool any = hooks_.cancel != nullptr || hooks_.progress.report != nullptr;
        return any ? std::min(budget, kEvery) : budget;
    }
    [[nodiscard]] bool cancelled() const {
        return hooks_.cancel != nullptr && hooks_.cancel->load(std::memory_order_relaxed);
    }
    /// So many units more are done. False: the caller says stop.
    [[nodiscard]] bool worked(std::uint64_t used) {
        constexpr std::uint64_t kTold = 4096;
        const std::uint64_t before = units_;
        units_ += used;
        if (hooks_.progress.report == nullptr || before / kTold == units_ / kTold) return true;
        return hooks_.progress.report(hooks_.progress.user, told(units_), told(all_));
    }

  private:
    /// A web page counts in 32 bits.
    static std::size_t told(std::uint64_t units) {
        return static_cast<std::size_t>(
            std::min<std::uint64_t>(units, std::numeric_limits<std::size_t>::max()));
    }

    const SearchHooks& hooks_;
    std::uint64_t& units_;
    std::uint64_t all_;
};

/// Does it pause here? Once for each reason.
template <class Run>
[[nodiscard]] bool pauses(Run& run) {
    if constexpr (requires { run.pauses(); }) return run.pauses();
    return false;
}

/// Lets `steps` step until the budget is used up (true) or there is no more to do.
template <class Steps>
[[nodiscard]] bool step_while(Steps& steps, std::uint64_t& budget) {
    while (steps.step()) {
        if (--budget == 0) return true;
    }
    if (budget > 0) --budget;
    return false;
}

/// Lets `run` work until `budget` is used up or it is done; gives it up where it is cancelled. A run has
///     bool running() const;  void work(std::uint64_t& left);  void give_up();
/// work() does a slice of one stage and takes what it used off `left`. One that has `bool pauses()` too comes back earlier where that
/// says so: there is something to set off on.
template <class Run>
void work_in_slices(Run& run, std::uint64_t budget, Interrupts interrupts) {
    StallWatch watch;
    while (budget > 0 && run.running()) {
        if (interrupts.cancelled()) return run.give_up();
        const std::uint64_t slice = interrupts.next_slice(budget);
        std::uint64_t left = slice;
        while (left > 0 && run.running() && !interrupts.cancelled()) {
            if (pauses(run)) {
                (void)interrupts.worked(slice - left);
                return;
            }
            const std::uint64_t before = left;
            run.work(left);
            watch.worked(left < before);
        }
        budget -= slice - left;
        if (!interrupts.worked(slice - left) && run.running()) return run.give_up();
    }
}

}  // namespace fairlead
