// The best: pulled tight, then cut short over all pairs, in turns until nothing is gained.

#include <fairlead/math/swept.h>

#include "grid/smooth.h"

namespace fairlead::grid {

namespace {

/// Gains below this are not worth a bend.
constexpr double kGainMin = 1e-6;

/// The route between two points that see each other is at most this much longer, if the route is the best on
/// tiles: the eight directions cost 1.0824.
constexpr double kDetourMax = 1.0824;

}  // namespace

void Smoother::begin_best() {
    careful_ = false;
    restart_best();
}

void Smoother::restart_best() {
    left_.clear();
    right_.clear();
    const std::size_t room = given_.size() + 16;
    if (!left_.reserve(room) || !right_.reserve(room) || !puller_.reserve(64)) {
        out_of_memory_ = true;
        return;
    }
    for (std::size_t i = given_.size(); i-- > 0;) {
        const Vec2 p = given_[i];
        if (right_.size() >= 2) {  // only the ends of straight runs
            const Vec2 a = right_[right_.size() - 2].at;
            const Vec2 b = right_.back().at;
            if (math::orient2d(a, b, p) == 0.0 && dot(b - a, p - b) > 0.0) right_.pop_back();
        }
        check(right_.push_back({p, false, true}));
    }
    check(left_.push_back(right_.back()));
    right_.pop_back();
    stage_ = Stage::pull;
}

void Smoother::step_pull() {
    if (right_.size() < 2) {
        begin_prove();
        return;
    }
    Bend& bend = right_.back();
    Bend& next = right_[right_.size() - 2];
    bool better = false;
    if (!bend.taut) {
        ++tests_;
        better = puller_.pull(sight_, left_.back().at, bend.at, next.at, kGainMin);
    }
    const std::span<const Vec2> bends = puller_.bends();
    if (better && careful_) {
        Vec2 from = left_.back().at;
        for (std::size_t i = 0; better && i <= bends.size(); ++i) {
            const Vec2 to = i < bends.size() ? bends[i] : next.at;
            better = sweeps(from, to);
            from = to;
        }
    }
    if (!better) {
        bend.taut = true;
        check(left_.push_back(bend));
        right_.pop_back();
        return;
    }
    next.taut = false;
    next.swept = careful_;
    right_.pop_back();
    for (std::size_t i = bends.size(); i-- > 0;) check(right_.push_back({bends[i], true, careful_}));
    if (left_.size() < 2) return;
    Bend previous = left_.back();
    previous.taut = false;
    left_.pop_back();
    check(right_.push_back(previous));
}

void Smoother::begin_prove() {
    check(left_.push_back(right_.back()));
    right_.clear();
    stage_ = Stage::prove;
    current_ = 1;
}

void Smoother::step_prove() {
    if (current_ == left_.size()) {
        begin_table();
        return;
    }
    Bend& bend = left_[current_];
    if (!bend.swept && !sweeps(left_[current_ - 1].at, bend.at)) {
        // Rounding at its worst: from the beginning, testing each step.
        careful_ = true;
        restart_best();
        return;
    }
    bend.swept = true;
    ++current_;
}

void Smoother::begin_table() {
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
    best_[1] = distance(left_[0].at, left_[1].at);
    along_.clear();
    check(along_.reserve(n));
    for (std::size_t i = 0; i < n; ++i) {
        check(along_.push_back(i == 0 ? 0.0 : along_[i - 1] + distance(left_[i - 1].at, left_[i].at)));
    }
    from_[1] = 0;
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
    const double way = along_[to] - along_[from];
    const bool hopeful = way <= kDetourMax * (cost - best_[from]) + 4.0;
    if (cost < best_[to] - kGainMin && hopeful && sweeps(a, b)) {
        best_[to] = cost;
        from_[to] = static_cast<std::uint32_t>(from);
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
    right_.clear();
    bool cut = false;
    for (;; i = from_[i]) {
        const bool cut_here = i != 0 && from_[i] + 1 != i;
        check(right_.push_back({left_[i].at, left_[i].taut && !cut && !cut_here, true}));
        cut = cut_here;
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
