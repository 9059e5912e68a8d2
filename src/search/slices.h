// What loops that work in slices have in common: a flag of the caller's that cancels, looked at before every slice of 64 units;
// and a watch over the loop itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <fairlead/base/assert.h>

namespace fairlead {

[[nodiscard]] inline bool is_cancelled(const std::atomic<bool>* flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
}

/// How much of a budget may be worked off before the flag is looked at again.
[[nodiscard]] inline std::uint64_t next_slice(const std::atomic<bool>* flag, std::uint64_t budget) {
    constexpr std::uint64_t kEvery = 64;
    return flag == nullptr ? budget : std::min(budget, kEvery);
}

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

/// Calls work(left) until `budget` is used up or the search is done, and give_up() when it was cancelled. True: there is more to do.
template <class Running, class Work, class GiveUp>
[[nodiscard]] bool work_in_slices(std::uint64_t budget, const std::atomic<bool>* cancel, Running running,
                                  Work work, GiveUp give_up) {
    StallWatch watch;
    while (budget > 0 && running()) {
        if (is_cancelled(cancel)) {
            give_up();
            break;
        }
        const std::uint64_t slice = next_slice(cancel, budget);
        std::uint64_t left = slice;
        while (left > 0 && running() && !is_cancelled(cancel)) {  // work is a stage at most
            const std::uint64_t before = left;
            work(left);
            watch.worked(left < before);
        }
        budget -= slice - left;
    }
    return running();
}

}  // namespace fairlead
