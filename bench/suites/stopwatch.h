// Times of a run, their mean and quantiles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "measure/clock.h"

namespace fairlead::bench {

/// Nanoseconds of processor time that the call took.
template <class Call>
[[nodiscard]] std::uint64_t time_ns(Call&& call) {
    const std::uint64_t before = measure::thread_ns();
    call();
    return measure::thread_ns() - before;
}

/// The smallest of several runs of the same work, one slot an item.
class Times {
  public:
    explicit Times(std::size_t items) : ns_(items, UINT64_MAX) {}
    void add(std::size_t item, std::uint64_t ns) { ns_[item] = std::min(ns_[item], ns); }
    [[nodiscard]] std::uint64_t of(std::size_t item) const { return ns_[item]; }

    [[nodiscard]] double mean_us() const {
        double sum = 0;
        for (const std::uint64_t ns : ns_) sum += static_cast<double>(ns);
        return ns_.empty() ? 0 : sum / static_cast<double>(ns_.size()) / 1e3;
    }
    [[nodiscard]] double quantile_us(double q) const {
        if (ns_.empty()) return 0;
        std::vector<std::uint64_t> sorted = ns_;
        std::sort(sorted.begin(), sorted.end());
        const auto i = static_cast<std::size_t>(q * static_cast<double>(sorted.size()));
        return static_cast<double>(sorted[std::min(i, sorted.size() - 1)]) / 1e3;
    }

  private:
    std::vector<std::uint64_t> ns_;
};

}  // namespace fairlead::bench
