// Cancelling: a flag of the caller's, looked at before every slice of 64 units.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

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

}  // namespace fairlead
