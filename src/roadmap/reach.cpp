#include "roadmap/reach.h"

namespace fairlead::roadmap {

Reach quick_set_reach(const ReachIndex& index, std::uint32_t from, std::uint32_t to) {
    if (from == to) return Reach::yes;
    const ReachSet& a = index.set_table()[from];
    const ReachSet& b = index.set_table()[to];
    const bool may =
        to < from && a.low <= to && b.second < a.second && a.second_low <= b.second && a.weak == b.weak;
    return may ? Reach::open : Reach::no;
}

Reach quick_reach(const ReachIndex* index, std::uint32_t from, std::uint32_t to) {
    if (from == to) return Reach::yes;
    if (index == nullptr) return Reach::no;
    const std::uint32_t a = index->set_at(from);
    const std::uint32_t b = index->set_at(to);
    return a == kNoSet || b == kNoSet ? Reach::no : quick_set_reach(*index, a, b);
}

bool ReachWalk::begin(const ReachIndex* index) {
    index_ = index;
    stack_.clear();
    goals_.clear();
    goal_low_ = kNoSet;
    found_ = failed_ = false;
    const std::size_t sets = index != nullptr ? index->sets : 0;
    if (marks_.size() < sets && !marks_.resize(sets)) return !(failed_ = true);
    stamp_ += 2;
    if (stamp_ < 2) {  // the numbers have run out
        for (std::uint32_t& mark : marks_) mark = 0;
        stamp_ = 2;
    }
    return true;
}

bool ReachWalk::add_goal(std::uint32_t slot) {
    const std::uint32_t set = index_ != nullptr ? index_->set_at(slot) : kNoSet;
    if (set == kNoSet) return goals_.push_back(~slot) || !(failed_ = true);
    if (marks_[set] == stamp_ + 1) return true;
    marks_[set] = stamp_ + 1;
    if (set < goal_low_) goal_low_ = set;
    return goals_.push_back(set) || !(failed_ = true);
}

bool ReachWalk::add_start(std::uint32_t slot) {
    const std::uint32_t set = index_ != nullptr ? index_->set_at(slot) : kNoSet;
    if (set != kNoSet) {
        put(set);
        return !failed_;
    }
    for (const std::uint32_t goal : goals_) found_ = found_ || goal == ~slot;
    return true;
}

bool ReachWalk::may_reach_goal(std::uint32_t set) const {
    if (set < goal_low_) return false;
    if (goals_.size() > kGoalsTested) return true;
    for (const std::uint32_t goal : goals_) {
        if (goal < index_->sets && quick_set_reach(*index_, set, goal) != Reach::no) return true;
    }
    return false;
}

void ReachWalk::put(std::uint32_t set) {
    if (marks_[set] == stamp_ + 1) found_ = true;
    if (marks_[set] >= stamp_ || !may_reach_goal(set)) return;
    marks_[set] = stamp_;
    if (!stack_.push_back(set)) failed_ = true;
}

Reach ReachWalk::step(std::uint64_t& budget) {
    for (;;) {
        if (found_) return Reach::yes;
        if (failed_) return Reach::open;
        if (stack_.empty()) return Reach::no;
        if (budget == 0) return Reach::open;
        --budget;
        const std::uint32_t set = stack_.back();
        stack_.pop_back();
        const std::uint32_t first = index_->set_table()[set].arc_first;
        const std::uint32_t last = index_->set_table()[set + 1].arc_first;
        for (std::uint32_t i = first; i < last && !found_; ++i) put(index_->arc_table()[i]);
    }
}

}  // namespace fairlead::roadmap
