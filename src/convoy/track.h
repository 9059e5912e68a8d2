// Where the discs of a unit are over time, and whether another one comes too near.
#pragma once

#include "convoy/course.h"
#include "convoy/cover.h"

namespace fairlead::convoy {

/// Samples at base, base + step, ...; the last one at `last`. Then it stands, or (open) nobody knows.
class Track {
  public:
    explicit Track(const Allocator& allocator) : at_(allocator) {}

    /// A plan from `base` to its end. False: out of memory.
    [[nodiscard]] bool fill(const Plan& plan, const Cover& cover, double radius, double base, double step) {
        return sample(plan, cover, radius, {base, step, plan.end(), false});
    }
    /// To `until`; what comes then is open.
    [[nodiscard]] bool fill_until(const Plan& plan, const Cover& cover, double radius, double base,
                                  double step, double until) {
        return sample(plan, cover, radius, {base, step, until, true});
    }

    /// Does a body whose discs move on straight lines from `from` at time `start` to `to` at time `end` come nearer than `both` between
    /// centres? start >= base.
    [[nodiscard]] bool meets(const Vec2* from, const Vec2* to, std::uint32_t discs, double start, double end,
                             double both) const;
    /// Can what lies in a circle from `start` to `end` be near? A quick answer, often yes.
    [[nodiscard]] bool near(Vec2 middle, double reach, double start, double end, double both) const {
        if (open_ && start >= last_) return false;
        const double seconds = start >= last_ ? 0.0 : end - start;
        const double most = reach + both + cover_->reach + cover_->speed_max * (seconds + step_);
        const Vec2 gap = at_[index(start) * cover_->discs] - middle;
        return dot(gap, gap) < most * most;
    }
    [[nodiscard]] const Cover& cover() const { return *cover_; }
    [[nodiscard]] double last() const { return last_; }

  private:
    struct Span {
        double base, step, last;
        bool open;
    };
    [[nodiscard]] bool sample(const Plan& plan, const Cover& cover, double radius, const Span& span);
    [[nodiscard]] std::size_t index(double time) const {
        const double k = (time - base_) / step_;
        const std::size_t most = count_ - 1;
        return k >= static_cast<double>(most) ? most : k > 0.0 ? static_cast<std::size_t>(k) : 0;
    }
    [[nodiscard]] double time_of(std::size_t k) const {
        return k + 1 < count_ ? base_ + static_cast<double>(k) * step_ : last_;
    }

    const Cover* cover_ = nullptr;
    double base_ = 0.0;
    double step_ = 0.1;
    double last_ = 0.0;
    std::size_t count_ = 0;
    bool open_ = false;
    Array<Vec2> at_;
};

}  // namespace fairlead::convoy
