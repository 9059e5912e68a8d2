// Of several goals one after the other, the nearest first: the best way so far is kept, until the next goal is farther away than it is
// long. A way to a range ends where it comes into it.
#include "volume/search/search_run.h"

#include <algorithm>
#include <cmath>

#include "base/no_memory.h"
#include "volume/search/metric.h"

namespace fairlead::volume {

// One goal a unit.
void SearchRun::settle_goals(std::uint64_t& budget) {
    budget -= 1;
    if ((goals_.more() && !goals_.look()) || masks_.failed()) return at_.fail(kNoMemory);
    if (goals_.more()) return;
    if (!goals_.close()) return at_.fail(kNoMemory);
    if (goals_.size() == 0) return at_.finish(goals_.status());
    begin_goal();
}

void SearchRun::begin_goal() {
    goal_ = goals_[goal_at_].end;
    ends_ = goals_[goal_at_].exact;
    best_.clear();
    way_.clear();
    guided_ = back_ = priced_ = false;
    tries_ = 0;
    best_length_ = found_length_ = 0.0;
    if (begins_ == ends_ || in_range(begins_)) {
        ends_ = begins_;
        return finish();
    }
    straight_ = metric_length(metric_, goal_.at - start_.at);
    open_length_ = open_way(metric_, start_.voxel, goal_.voxel);
    if (!start_.on_lattice || !goal_.on_lattice)
        return masks_.has_blockers() ? begin_off_middles() : begin_wide();
    if (query_.planner == VolumePlanner::any_angle) return begin_search(Stage::search, nullptr);
    voxels_.begin(masks_, prices_, query_, start_.voxel, goal_.voxel, trace_);
    at_.stage = Stage::voxels;
}

// Is a place as near the goal as `within` asks?
bool SearchRun::in_range(Vec3 at) const {
    if (query_.goal.kind != Goal::Kind::within) return false;
    const Vec3 gap = state_.data().in_world(at) - query_.goal.at.position;
    return dot(gap, gap) <= query_.goal.range * query_.goal.range;
}

// Ends the way where it comes into the range first; it ends in it.
bool SearchRun::cut_at_range() {
    if (query_.goal.kind != Goal::Kind::within || best_.empty() || !in_range(ends_)) return true;
    const StateData& data = state_.data();
    const double limit = query_.goal.range * query_.goal.range;
    if (!best_.push_back(ends_)) return false;
    Vec3 from = data.in_world(begins_);
    std::size_t i = 0;
    for (; !in_range(best_[i]) && i + 1 < best_.size(); ++i) {
        const Vec3 to = data.in_world(best_[i]), along = to - from, gap = from - query_.goal.at.position;
        // A leg may also lead in and out again.
        const double a = dot(along, along), b = dot(gap, along), root = b * b - a * (dot(gap, gap) - limit);
        if (b < 0.0 && root > 0.0 && -b - std::sqrt(root) < a) break;
        from = to;
    }
    const Vec3 along = data.in_world(best_[i]) - from, gap = from - query_.goal.at.position;
    const double a = dot(along, along), b = dot(gap, along);
    const double root = std::max(b * b - a * (dot(gap, gap) - limit), 0.0);
    const double share = a > 0.0 ? std::clamp((-b - std::sqrt(root)) / a, 0.0, 1.0) : 0.0;
    ends_ = data.in_voxels(from + along * share);
    while (best_.size() > i) best_.pop_back();
    return true;
}

// Is the way to the goal at hand the best so far? False: out of memory.
bool SearchRun::note_way() {
    if (!cut_at_range()) return false;
    const double length = query_.planner != VolumePlanner::any_angle ? found_length_ : best_length_;
    if (has_winner_ && length >= winner_length_) return true;
    std::swap(best_, winner_);
    winner_length_ = length;
    winner_ends_ = ends_;
    winner_goal_ = goal_at_;
    has_winner_ = true;
    return true;
}

// The goal at hand is done with: complete, or out of reach.
void SearchRun::next_goal(PathStatus of_this) {
    if (of_this == PathStatus::complete && !note_way()) return at_.fail(kNoMemory);
    if (goal_at_ + 1 == goals_.size() && of_this == PathStatus::unreachable && !has_winner_ &&
        !goals_.widen())
        return at_.fail(kNoMemory);
    // In a range any place will do.
    const bool any = query_.goal.kind == Goal::Kind::within;
    if (++goal_at_ < goals_.size() &&
        !(has_winner_ && (any || goals_[goal_at_].away * least_rate() >= winner_length_)))
        return begin_goal();
    if (has_winner_) return take_winner();
    if (!query_.partial || of_this != PathStatus::unreachable) return at_.finish(of_this);
    // The way to the place nearest the last goal that was met.
    if (searched_ && !theta_.list_best(way_)) return at_.fail(kNoMemory);
    at_.finish(PathStatus::partial);
}

void SearchRun::take_winner() {
    std::swap(best_, winner_);
    best_length_ = found_length_ = winner_length_;
    ends_ = winner_ends_;
    goal_at_ = winner_goal_;
    at_.finish(goals_.is_partial() ? PathStatus::partial : PathStatus::complete);
}

}  // namespace fairlead::volume
