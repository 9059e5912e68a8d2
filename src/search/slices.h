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
[[nodiscard]] inline std::uint64_t next_slice(std::uint64_t budget) {
    constexpr std::uint64_t kEvery = 64;
    return std::min(budget, kEvery);
}
[[nodiscard]] inline std::uint64_t next_slice(const std::atomic<bool>* flag, std::uint64_t budget) {
    return flag == nullptr ? budget : next_slice(budget);
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

}  // namespace fairlead
