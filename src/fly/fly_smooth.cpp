// See fly_smooth.h.
#include "fly/fly_smooth.h"

#include <algorithm>
#include <cmath>

namespace fairlead::fly {

namespace {

constexpr int kPasses = 3;
constexpr double kGain = 1e-6;  ///< of the length that is replaced

}  // namespace

bool FlySmoother::begin(const CurveProbe& probe, double radius, const ClimbLimits& climb,
                        std::span<const Leg> legs, const Place& end) {
    probe_ = &probe;
    radius_ = radius;
    climb_ = climb;
    end_ = end;
    at_ = span_ = 0;
    passes_ = 0;
    better_ = failed_ = false;
    next_.clear();
    return legs_.assign(legs) && sum_lengths();
}

bool FlySmoother::sum_lengths() {
    length_.clear();
    double sum = 0.0;
    if (!length_.push_back(0.0)) return false;
    for (const Leg& leg : legs_) {
        sum += length(Vec2{leg.length, leg.rise});
        if (!length_.push_back(sum)) return false;
    }
    span_ = legs_.size();
    return true;
}

bool FlySmoother::try_curve(std::size_t to) {
    const Place &a = pose(at_), &b = pose(to);
    const double old = (length_[to] - length_[at_]) * (1.0 - kGain);
    if (airplane_distance(a, b, radius_, climb_) >= old) return false;
    const AirplaneCurve curve = shortest_airplane(a, b, radius_, climb_);
    if (curve.length >= old) return false;
    Leg legs[kAirplaneLegs];
    Place end;
    const int count = legs_of(curve, a, b.position.z, legs, end);
    for (int i = 0; i < count; ++i) {
        if (!probe_->is_free(legs[i])) return false;
    }
    for (int i = 0; i < count; ++i) failed_ = failed_ || !next_.push_back(legs[i]);
    return true;
}

bool FlySmoother::end_pass() {
    std::swap(legs_, next_);
    next_.clear();
    at_ = 0;
    ++passes_;
    const bool again = better_ && passes_ < kPasses;
    better_ = false;
    if (!sum_lengths()) failed_ = true;
    return again && !failed_;
}

bool FlySmoother::step(std::uint64_t& budget) {
    while (budget > 0) {
        if (at_ >= legs_.size()) return end_pass();
        if (span_ < 2) {
            if (!next_.push_back(legs_[at_])) failed_ = true;
            if (failed_) return false;
            ++at_;
            span_ = legs_.size() - at_;
            continue;
        }
        --budget;
        const std::size_t span = span_;
        if (try_curve(at_ + span)) {
            better_ = true;
            at_ += span;
            span_ = legs_.size() - at_;
        } else {
            span_ = span > 4 ? span * 2 / 3 : span - 1;
        }
        if (failed_) return false;
    }
    return true;
}

void merge_legs(Array<Leg>& legs) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& leg = legs[i];
        if (kept > 0) {
            Leg& last = legs[kept - 1];
            const double slope = leg.rise / leg.length, before = last.rise / last.length;
            if (leg.curvature == last.curvature && std::fabs(slope - before) <= 1e-13) {
                last.length += leg.length;
                last.rise += leg.rise;
                continue;
            }
        }
        legs[kept++] = leg;
    }
    (void)legs.resize(kept);  // fewer
}

}  // namespace fairlead::fly
