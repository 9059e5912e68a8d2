// See search_run.h.
#include "volume/search/search_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/no_memory.h"
#include "volume/search/metric.h"
#include "volume/search/settle.h"
#include "volume/search/write_way.h"
#include "volume/sight/check_unit.h"

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

constexpr std::size_t kGoalsMax = 65536;

/// Tests of sight: for a way, and for each of its bends.
constexpr std::uint32_t kTests[2] = {20, 6};
constexpr std::uint32_t kTestsMore[2] = {60, 12};

}  // namespace

Result<void> SearchRun::check_goal() const {
    const Goal& goal = query_.goal;
    switch (goal.kind) {
        case Goal::Kind::point: return check_place(goal.at, Field::goal);
        case Goal::Kind::within:
            if (std::isnan(goal.range)) return Error{ErrorCode::not_finite, Field::goal_range};
            if (!(goal.range >= 0.0)) return Error{ErrorCode::out_of_range, Field::goal_range};
            return check_place(goal.at, Field::goal);
        case Goal::Kind::any_of: break;
        default: return Error{ErrorCode::unsupported, Field::goal};
    }
    if (goal.list.empty()) return Error{ErrorCode::size_zero, Field::goal_list};
    if (goal.list.size() > kGoalsMax) return Error{ErrorCode::size_limit, Field::goal_list, kGoalsMax};
    for (std::size_t i = 0; i < goal.list.size(); ++i) {
        const Result<void> good = check_place(goal.list[i], Field::goal_list);
        if (!good) return Error{good.error().code, Field::goal_list, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

Result<void> SearchRun::check() const {
    if (query_.planner >= VolumePlanner::count_)
        return Error{ErrorCode::out_of_range, Field::planner, static_cast<std::int64_t>(query_.planner)};
    if (query_.neighbours >= VoxelNeighbours::count_)
        return Error{ErrorCode::out_of_range, Field::neighbours,
                     static_cast<std::int64_t>(query_.neighbours)};
    if (query_.heuristic >= VolumeHeuristic::count_)
        return Error{ErrorCode::out_of_range, Field::heuristic, static_cast<std::int64_t>(query_.heuristic)};
    if (query_.planner != VolumePlanner::any_angle && !VoxelSpace::serves(state_.data()))
        return Error{ErrorCode::unsupported, Field::planner, static_cast<std::int64_t>(query_.planner)};
    if (const Result<void> good = check_place(query_.start, Field::start); !good) return good;
    if (query_.goal.kind > Goal::Kind::any_of)
        return Error{ErrorCode::out_of_range, Field::goal, static_cast<std::int64_t>(query_.goal.kind)};
    if (const Result<void> good = check_goal(); !good) return good;
    if (const Result<void> good = check_sphere(query_.agent); !good) return good;
    const bool narrow = query_.agent.radius <= 0.5 * side_of(state_.data()) * (1.0 + 1e-12);
    if (query_.planner != VolumePlanner::any_angle && !narrow)
        return Error{ErrorCode::unsupported, Field::agent_radius};
    if (query_.planner != VolumePlanner::any_angle && !query_.blockers.empty())
        return Error{ErrorCode::unsupported, Field::blockers};
    if (const Result<void> good = check_blockers(state_.data(), query_.blockers.span()); !good) return good;
    if (const Result<void> good = check_prices(state_.data(), query_.areas.span()); !good) return good;
    if (std::isnan(query_.reach)) return Error{ErrorCode::not_finite, Field::reach};
    if (query_.reach < 0.0) return Error{ErrorCode::out_of_range, Field::reach};
    return {};
}

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
    body_ = Body(data, query_.agent.radius);
    if (!blockers_.begin(data, query_.blockers.span())) return at_.fail(kNoMemory);
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

void SearchRun::leave_search() { add_stats(before_, theta_.stats()); }

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

void SearchRun::found() {
    if (!theta_.list_way(way_)) return at_.fail(kNoMemory);
    if (back_) std::reverse(way_.begin(), way_.end());
    leave_search();
    begin_first_polish();
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
    const bool any = whole || (query_.partial && way_.size() > 1);
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
