// HeuristicTally: what a check of a heuristic counts, in any world. Costs in the measure of Route::cost.
#pragma once

#include <fairlead/route/heuristic.h>

namespace fairlead {

class HeuristicTally {
  public:
    explicit HeuristicTally(HeuristicReport& report) : report_(&report) {}

    /// `truth`: of the cheapest way from a place to the goal.
    void place(const Place& at, double estimate, double truth) {
        ++report_->places;
        if (truth > 0.0) {
            ratios_ += estimate / truth;
            ++count_;
            report_->ratio_mean = ratios_ / static_cast<double>(count_);
        }
        const double excess = estimate - truth;
        if (!(excess > kRounding * (estimate + truth))) return;
        ++report_->too_high;
        if (excess > report_->worst_high.excess) report_->worst_high = {at, at, estimate, truth, 0.0, excess};
    }
    void step(const Place& from, const Place& to, double estimate, double cost, double estimate_to) {
        ++report_->steps;
        const double excess = estimate - cost - estimate_to;
        if (!(excess > kRounding * (estimate + cost + estimate_to))) return;
        ++report_->falls;
        if (excess > report_->worst_fall.excess)
            report_->worst_fall = {from, to, estimate, cost, estimate_to, excess};
    }

  private:
    static constexpr double kRounding = 1e-9;

    HeuristicReport* report_;
    double ratios_ = 0.0;
    std::uint64_t count_ = 0;
};

}  // namespace fairlead
