// A query from its beginning to its route: the order of the stages, the search from voxel to voxel, and the polish.
#include "volume/search/search_run.h"

#include <limits>

#include "base/no_memory.h"
#include "volume/search/metric.h"
#include "volume/search/settle.h"
#include "volume/search/write_way.h"
#include "volume/sight/check_unit.h"

namespace fairlead::volume {

namespace {

/// Tests of sight: for a way, and for each of its bends.
constexpr std::uint32_t kTests[2] = {20, 6};
constexpr std::uint32_t kTestsMore[2] = {60, 12};

}  // namespace

void SearchRun::begin(const VolumeState& volume, const VolumeQuery& query, const RunStart& with) {
    state_ = volume;
    query_ = query;
    trace_ = with.hooks.trace;
    at_.begin(Stage::prepare, query.expansions_max);
    before_ = {};
    begins_ = state_.data().in_voxels(query.start.position);
    (void)prices_.begin(state_.data(), {});
    best_.clear();
    way_.clear();
    has_winner_ = false;
    guided_ = back_ = searched_ = false;
    goal_at_ = 0;
    tries_ = 0;
    used_ = 0;
    if (const Result<void> good = check(); !good) at_.fail(good.error());
}

bool SearchRun::has_route() const {
    return !at_.running() && !at_.failed() &&
           (at_.status == PathStatus::complete || at_.status == PathStatus::partial);
}

SearchStats SearchRun::stats() const {
    SearchStats sum = before_;
    if (at_.stage == Stage::voxels) add_stats(sum, voxels_.stats());
    if (at_.stage == Stage::search || at_.stage == Stage::guided || at_.stage == Stage::again ||
        at_.stage == Stage::priced)
        add_stats(sum, theta_.stats());
    return sum;
}

void SearchRun::prepare() {
    const StateData& data = state_.data();
    body_ = Body(data, query_.agent);
    if (!blockers_.begin(data, query_.blockers.span(), body_.half)) return at_.fail(kNoMemory);
    if (!blockers_.empty()) body_.blockers = &blockers_;
    if (!prices_.begin(data, query_.areas.span())) return at_.fail(kNoMemory);
    if (!masks_.begin(data, body_)) return at_.fail(kNoMemory);
    metric_ = metric_of(data);
    settler_.emplace(data, masks_, body_, query_.reach);
    bool on_map = false;
    const bool stands = settler_->settle(query_.start.position, start_, begins_, on_map);
    if (masks_.failed()) return at_.fail(kNoMemory);
    if (!stands) return at_.finish(on_map ? PathStatus::start_blocked : PathStatus::off_world);
    goals_.begin(masks_, *settler_, query_, start_, begins_);
    at_.stage = Stage::goals;
}

// From voxel to voxel, and from the ends straight to the middles of theirs.
void SearchRun::search_voxels(std::uint64_t& budget) {
    const SliceEnd end = step_within(
        at_, budget, [&](std::uint64_t slice) { return voxels_.step(slice); },
        [&] { return voxels_.expanded(); });
    if (end == SliceEnd::running) return;
    add_stats(before_, voxels_.stats());
    at_.stage = Stage::coarse;  // counted
    if (end == SliceEnd::no_memory || !voxels_.list_way(end == SliceEnd::found, way_))
        return at_.fail(kNoMemory);
    if (end == SliceEnd::spent) return end_spent();
    if (end == SliceEnd::exhausted) return next_goal(PathStatus::unreachable);
    const Vec3 first = middle_of(start_.voxel), last = middle_of(goal_.voxel);
    const auto line = [&](Vec3 from, Vec3 to) {
        return has_prices() ? prices_.of_voxels(from, to) : metric_length(metric_, to - from);
    };
    found_length_ = voxels_.length() + line(begins_, first) + line(last, ends_);
    if (!query_.smooth) {
        if (!best_.assign(way_.span())) return at_.fail(kNoMemory);
        return finish();
    }
    best_length_ = std::numeric_limits<double>::infinity();
    // The polish begins where it can see.
    if (!best_.push_back(start_.at)) return at_.fail(kNoMemory);
    for (const Vec3& middle : way_) {
        if (!best_.push_back(middle)) return at_.fail(kNoMemory);
    }
    if (!best_.push_back(goal_.at)) return at_.fail(kNoMemory);
    begin_long_polish(Stage::polish_best);
}

void SearchRun::begin_first_polish() {
    if (!query_.smooth) {
        if (!best_.assign(way_.span())) return at_.fail(kNoMemory);
        best_length_ = 0.0;
        for (std::size_t i = 1; i < best_.size(); ++i)
            best_length_ += metric_length(metric_, best_[i] - best_[i - 1]);
        return finish();
    }
    begin_polish(at_.stage == Stage::again ? Stage::polish_again : Stage::polish, kTests[0], kTests[1]);
}

void SearchRun::begin_polish(Stage stage, std::uint32_t base, std::uint32_t bend) {
    const bool by_voxels = query_.planner != VolumePlanner::any_angle;
    Prices* prices = has_prices() && (by_voxels || stage == Stage::polish_priced) ? &prices_ : nullptr;
    const bool of_best = stage == Stage::polish_best || (stage == Stage::polish_priced && !better_);
    if (!polisher_.begin(state_.data(), body_, prices, of_best ? best_ : way_, base, bend))
        return at_.fail(kNoMemory);
    at_.stage = stage;
}

void SearchRun::begin_long_polish(Stage stage) { begin_polish(stage, kTestsMore[0], kTestsMore[1]); }

void SearchRun::polish(std::uint64_t& budget) {
    if (polisher_.step(budget)) return;
    if (polisher_.failed()) return at_.fail(kNoMemory);
    const double length = polisher_.cost();
    if (best_.empty() || length < best_length_) {
        best_length_ = length;
        if (!best_.assign(polisher_.points().span())) return at_.fail(kNoMemory);
    }
    if (at_.stage == Stage::polish_best) return finish();
    end_try();
}

void SearchRun::finish() {
    const bool asked = has_prices() && !priced_ && query_.planner == VolumePlanner::any_angle;
    if (FAIRLEAD_UNLIKELY(asked) && !best_.empty()) return begin_priced();
    next_goal(PathStatus::complete);
}

void SearchRun::end_spent() {
    const bool searching =
        at_.stage == Stage::search || at_.stage == Stage::guided || at_.stage == Stage::priced;
    if (searching) leave_search();
    at_.stage = Stage::coarse;  // counted
    // Only a better way, or one to a farther goal, was being looked for.
    if (!best_.empty() && !note_way()) return at_.fail(kNoMemory);
    if (has_winner_) return take_winner();
    if (query_.partial && searched_ && !theta_.list_best(way_)) return at_.fail(kNoMemory);
    at_.finish(PathStatus::budget_spent);
}

void SearchRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::prepare:
            prepare();
            budget -= 1;
            return;
        case Stage::goals: return settle_goals(budget);
        case Stage::search:
        case Stage::guided:
        case Stage::again: return search(budget);
        case Stage::wide: return search_wide(budget);
        case Stage::coarse: return search_coarse(budget);
        case Stage::voxels: return search_voxels(budget);
        case Stage::polish:
        case Stage::polish_again:
        case Stage::polish_best: return polish(budget);
        case Stage::priced: return search_priced(budget);
        case Stage::polish_priced: return polish_priced(budget);
        case Stage::done: return;
    }
}

Result<void> SearchRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    const StateData& data = state_.data();
    route.status = at_.status;
    route.planner = planner_name(query_.planner);
    route.revision = data.revision;
    const bool by_voxels = query_.planner != VolumePlanner::any_angle;
    // A partial way of a wide body is the search's own, to where it was nearest.
    const bool whole = has_winner_;
    const Array<Vec3>& way = whole ? best_ : way_;
    const bool stood = whole || at_.status == PathStatus::partial || at_.status == PathStatus::budget_spent;
    const bool moved = stood && !(data.in_voxels(query_.start.position) == begins_);
    WayWriter writer(data, route, prices_, moved ? data.in_world(begins_) : query_.start.position);
    bool any = whole || (query_.partial && way_.size() > 1);
    // Its places are lattice places: none of them may be nearer than where the unit is.
    if (any && !whole) any = goals_.left_from(way_[way_.size() - 1]) < goals_.left_from(begins_);
    if (!any) return writer.stay() ? Result<void>{} : kNoMemory;
    const Vec3 asked = whole ? goals_[goal_at_].asked : Vec3{};
    if (!writer.write(begins_, way.span(), whole ? &ends_ : nullptr, query_.start.position, asked))
        return kNoMemory;
    if (whole && by_voxels && !(begins_ == ends_)) {
        route.cost = found_length_ * side_of(data);
        if (voxels_.is_shortest() && query_.planner != VolumePlanner::greedy_best_first) route.bound = 1.0;
    }
    return {};
}

}  // namespace fairlead::volume
