// The best: pulled tight, then cut short over all pairs, in turns until nothing is gained.

#include <fairlead/math/swept.h>

#include "grid/smooth.h"

namespace fairlead::grid {

namespace {

/// Gains below this are not worth a bend.
constexpr double kGainMin = 1e-6;

}  // namespace

bool Smoother::begin_best() {
    left_.clear();
    right_.clear();
    const std::size_t room = given_.size() + 16;
    if (!left_.reserve(room) || !right_.reserve(room) || !puller_.reserve(64)) {
        out_of_memory_ = true;
        return false;
    }
    for (std::size_t i = given_.size(); i-- > 0;) {
        const Vec2 p = given_[i];
        if (right_.size() >= 2) {  // only the ends of straight runs
            const Vec2 a = right_[right_.size() - 2].at;
            const Vec2 b = right_.back().at;
            if (math::orient2d(a, b, p) == 0.0 && dot(b - a, p - b) > 0.0) right_.pop_back();
        }
        check(right_.push_back({p, false}));
    }
    check(left_.push_back(right_.back()));
    right_.pop_back();
    stage_ = Stage::pull;
    return !out_of_memory_;
}

void Smoother::step_pull() {
    if (right_.size() < 2) {
        begin_table();
        return;
    }
    Bend& bend = right_.back();
    Bend& next = right_[right_.size() - 2];
    if (bend.taut || !puller_.pull(sight_, left_.back().at, bend.at, next.at, kGainMin, tests_)) {
        bend.taut = true;
        check(left_.push_back(bend));
        right_.pop_back();
        return;
    }
    next.taut = false;
    right_.pop_back();
    const std::span<const Vec2> bends = puller_.bends();
    for (std::size_t i = bends.size(); i-- > 0;) check(right_.push_back({bends[i], true}));
    if (left_.size() < 2) return;
    Bend previous = left_.back();
    previous.taut = false;
    left_.pop_back();
    check(right_.push_back(previous));
}

void Smoother::begin_table() {
    check(left_.push_back(right_.back()));
    right_.clear();
    stage_ = Stage::table;
    best_.clear();
    from_.clear();
    const std::size_t n = left_.size();
    if (n < 3) {
        finish_best();
        return;
    }
    if (!best_.resize_uninitialized(n) || !from_.resize_uninitialized(n)) {
        out_of_memory_ = true;
        return;
    }
    best_[0] = 0.0;
    from_[0] = 0;
    for (std::size_t i = 1; i < 2; ++i) {
        best_[i] = best_[i - 1] + distance(left_[i - 1].at, left_[i].at);
        from_[i] = static_cast<std::uint32_t>(i - 1);
    }
    current_ = 2;
    anchor_ = 0;
}

void Smoother::step_table() {
    const std::size_t to = current_;
    if (anchor_ == 0) {
        best_[to] = best_[to - 1] + distance(left_[to - 1].at, left_[to].at);
        from_[to] = static_cast<std::uint32_t>(to - 1);
    }
    const std::size_t from = anchor_;
    const Vec2 a = left_[from].at;
    const Vec2 b = left_[to].at;
    const double cost = best_[from] + distance(a, b);
    if (cost < best_[to] - kGainMin) {
        ++tests_;
        if (sight_.can_sweep(a, b)) {
            best_[to] = cost;
            from_[to] = static_cast<std::uint32_t>(from);
        }
    }
    ++anchor_;
    if (anchor_ + 1 < to) return;
    anchor_ = 0;
    ++current_;
    if (current_ == left_.size()) finish_table();
}

void Smoother::finish_table() {
    std::size_t i = left_.size() - 1;
    bool changed = false;
    for (std::size_t k = i; k > 0; k = from_[k]) changed = changed || from_[k] + 1 != k;
    if (!changed) {
        finish_best();
        return;
    }
    // Once more, pulling where neighbours have changed.
    Array<Bend>& route = right_;
    route.clear();
    bool cut = false;
    for (;; i = from_[i]) {
        const bool cut_here = from_[i] + 1 != i && i != 0;
        Bend bend = left_[i];
        bend.taut = bend.taut && !cut && !cut_here;
        cut = cut_here;
        check(route.push_back(bend));
        if (i == 0) break;
    }
    left_.clear();
    check(left_.push_back(right_.back()));
    right_.pop_back();
    stage_ = Stage::pull;
}

void Smoother::finish_best() {
    stage_ = Stage::done;
    for (const Bend& bend : left_) keep(bend.at);
}

}  // namespace fairlead::grid
