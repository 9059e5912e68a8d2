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

[[nodiscard]] inline double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// The smallest of several runs of the same work, one slot an item.
class Times {
  public:
    explicit Times(std::size_t items = 0) : ns_(items, UINT64_MAX) {}
    void add(std::size_t item, std::uint64_t ns) { ns_[item] = std::min(ns_[item], ns); }
    [[nodiscard]] std::uint64_t of(std::size_t item) const { return ns_[item]; }

    /// Items that were never timed do not count.
    [[nodiscard]] double mean_us() const {
        std::vector<double> us;
        for (const std::uint64_t ns : timed()) us.push_back(static_cast<double>(ns) / 1e3);
        return mean_of(us);
    }
    [[nodiscard]] double mean_of_first_us(std::size_t count) const {
        const std::vector<std::uint64_t> ns = timed();
        double sum = 0;
        for (std::size_t i = 0; i < std::min(count, ns.size()); ++i) sum += static_cast<double>(ns[i]) / 1e3;
        return ns.empty() ? 0 : sum / static_cast<double>(std::min(count, ns.size()));
    }
    [[nodiscard]] double quantile_us(double q) const {
        std::vector<std::uint64_t> sorted = timed();
        if (sorted.empty()) return 0;
        std::sort(sorted.begin(), sorted.end());
        const auto i = static_cast<std::size_t>(q * static_cast<double>(sorted.size()));
        return static_cast<double>(sorted[std::min(i, sorted.size() - 1)]) / 1e3;
    }

  private:
    [[nodiscard]] std::vector<std::uint64_t> timed() const {
        std::vector<std::uint64_t> found;
        for (const std::uint64_t ns : ns_) {
            if (ns != UINT64_MAX) found.push_back(ns);
        }
        return found;
    }

    std::vector<std::uint64_t> ns_;
};

}  // namespace fairlead::bench
