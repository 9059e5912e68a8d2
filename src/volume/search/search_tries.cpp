// The searches for one goal: from the start; where that is lost, a guided one, or for wide bodies one that asks whether there is a way at
// all; and where the way is long against open space, again from the other end or with less haste.
#include "volume/search/search_run.h"

#include <algorithm>
#include <iterator>

#include "base/no_memory.h"
#include "volume/search/settle.h"

namespace fairlead::volume {

namespace {

constexpr std::uint64_t kLost = 120;  ///< expansions after which a search is guided
constexpr double kNear = 150.0;       ///< sides: shorter ways are searched with more care
constexpr double kWeightNear = 1.5;
constexpr double kWeightFar = 2.0;
constexpr double kWeightCoarse = 2.0;
/// Times the way through open space, voxel by voxel: where it is longer it is searched again. Short ways cost little: they are measured
/// against the straight line as well.
constexpr double kLong = 1.09;
constexpr double kLongStraight = 1.2;
constexpr double kShort = 40.0;  ///< sides

/// Searched again: from which end, with which weight (0: that of the first), and how many expansions at most where the first search
/// was lost and where it was not.
struct Again {
    bool back;
    double weight;
    std::uint64_t most_lost;
    std::uint64_t most;
};
constexpr Again kAgain[] = {{true, 0.0, 240, UINT64_MAX}, {false, 1.0, 0, 24}};
constexpr std::uint32_t kAgainMost = std::size(kAgain);

}  // namespace

void SearchRun::begin_search(Stage stage, const CoarseSearch* guide) {
    const bool again = stage == Stage::again;
    back_ = again && kAgain[tries_ - 1].back;
    const double weight = again ? kAgain[tries_ - 1].weight : 0.0;
    ThetaTask task;
    task.masks = &masks_;
    task.body = &body_;
    task.start = back_ ? goal_ : start_;
    task.goal = back_ ? start_ : goal_;
    task.weight = weight > 0.0 ? weight : guide != nullptr || straight_ <= kNear ? kWeightNear : kWeightFar;
    task.guide = guide;
    task.trace = trace_;
    used_ = 0;
    if (!theta_.begin(task)) return at_.fail(kNoMemory);
    searched_ = true;
    at_.stage = stage;
}

void SearchRun::search(std::uint64_t& budget) {
    const bool again = at_.stage == Stage::again;
    const std::uint64_t most = at_.stage == Stage::search ? kLost
                               : !again                   ? UINT64_MAX
                               : guided_                  ? kAgain[tries_ - 1].most_lost
                                                          : kAgain[tries_ - 1].most;
    const SearchProgress progress = step_theta(budget, most);
    if (progress == SearchProgress::no_memory || masks_.failed()) return at_.fail(kNoMemory);
    if (progress == SearchProgress::found) return found();
    if (again) {
        if (progress == SearchProgress::running && used_ < most && at_.expansions_left() > 0) return;
        leave_search();
        return end_try();
    }
    if (at_.expansions_left() == 0 && progress == SearchProgress::running) return end_spent();
    if (progress == SearchProgress::running && used_ < most) return;
    // Lost, or (with a guide) led astray: the coarse search; after that without it, as long as it takes.
    leave_search();
    if (at_.stage == Stage::search)
        return masks_.is_narrow() || masks_.has_blockers() ? begin_coarse() : begin_wide();
    if (theta_.is_guided()) return begin_search(Stage::guided, nullptr);
    if (masks_.has_blockers()) return next_goal(PathStatus::unreachable);
    // From the ends of a wide body more middles can be reached than those that the search begins with.
    FAIRLEAD_ASSERT(!masks_.is_narrow());
    take_wide_way();
}

SearchProgress SearchRun::step_theta(std::uint64_t& budget, std::uint64_t most) {
    const std::uint64_t slice = std::min({budget, at_.expansions_left(), most - used_});
    const std::uint64_t before = theta_.expanded();
    const SearchProgress progress = theta_.step(slice);
    const std::uint64_t spent = theta_.expanded() - before;
    used_ += spent;
    at_.spend(spent);
    budget -= std::min(budget, std::max<std::uint64_t>(spent, 1));
    return progress;
}

void SearchRun::leave_search() { add_stats(before_, theta_.stats()); }

void SearchRun::begin_coarse() {
    if (!coarse_.begin(state_.data(), goal_.voxel, start_.voxel, kWeightCoarse, trace_))
        return at_.fail(kNoMemory);
    at_.stage = Stage::coarse;
}

void SearchRun::search_coarse(std::uint64_t& budget) {
    const std::uint64_t slice = std::min(budget, at_.expansions_left());
    const std::uint64_t before = coarse_.expanded();
    const SearchProgress progress = coarse_.step(slice);
    const std::uint64_t spent = coarse_.expanded() - before;
    before_.expanded += spent;
    at_.spend(spent);
    budget -= std::min(budget, std::max<std::uint64_t>(spent, 1));
    if (progress == SearchProgress::no_memory) return at_.fail(kNoMemory);
    if (progress == SearchProgress::running) {
        if (at_.expansions_left() == 0) end_spent();
        return;
    }
    guided_ = true;
    begin_search(Stage::guided, progress == SearchProgress::found ? &coarse_ : nullptr);
}

void SearchRun::begin_wide() {
    wide_.begin(masks_, start_.at, goal_.at);
    at_.stage = Stage::wide;
}

// Shut in between blockers, no middle of a voxel can be come to: straight there, or not at all.
void SearchRun::begin_off_middles() {
    if (!sees(state_.data(), body_, start_.at, goal_.at)) return next_goal(PathStatus::unreachable);
    if (!way_.push_back(start_.at) || !way_.push_back(goal_.at)) return at_.fail(kNoMemory);
    begin_first_polish();
}

void SearchRun::search_wide(std::uint64_t& budget) {
    const SliceEnd end = step_within(
        at_, budget, [&](std::uint64_t slice) { return wide_.step(slice); },
        [&] { return wide_.counts().units; });
    if (end == SliceEnd::running) return;
    if (end == SliceEnd::no_memory) return at_.fail(kNoMemory);
    if (end == SliceEnd::exhausted) return next_goal(PathStatus::unreachable);
    if (end == SliceEnd::spent) return end_spent();
    // From middle to middle the other search finds shorter ways.
    if (searched_ && wide_.counts().means == WideWay::Means::lattice) return begin_coarse();
    take_wide_way();
}

void SearchRun::take_wide_way() {
    if (!wide_.list_way(way_)) return at_.fail(kNoMemory);
    begin_first_polish();
}

void SearchRun::found() {
    if (!theta_.list_way(way_)) return at_.fail(kNoMemory);
    if (back_) std::reverse(way_.begin(), way_.end());
    leave_search();
    begin_first_polish();
}

// Is the best way so far longer than it should be?
bool SearchRun::wants_again() const {
    if (!start_.on_lattice || !goal_.on_lattice) return false;
    if (tries_ == kAgainMost || (guided_ && kAgain[tries_].most_lost == 0)) return false;
    const bool is_short = straight_ <= kShort;
    if (tries_ > 0 && !is_short) return false;
    return best_length_ > kLong * open_length_ || (is_short && best_length_ > kLongStraight * straight_);
}

void SearchRun::end_try() {
    if (wants_again()) {
        ++tries_;
        return begin_search(Stage::again, nullptr);
    }
    if (tries_ == 0) return finish();
    begin_long_polish(Stage::polish_best);
}

}  // namespace fairlead::volume
