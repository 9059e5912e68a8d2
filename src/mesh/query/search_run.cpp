// A query over a level mesh, stage by stage: place start and goals, ask the components, look up, search.
#include "mesh/query/search_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/no_memory.h"

namespace fairlead::mesh {

namespace {

constexpr std::size_t kTableGoalsMax = 16;

}  // namespace

SearchRun::SearchRun(const Allocator& allocator)
    : targets_(allocator),
      ends_(allocator),
      end_of_(allocator),
      link_reach_(allocator),
      corridor_(allocator),
      best_line_(allocator),
      space_(allocator),
      open_(allocator),
      nodes_(allocator),
      table_(allocator),
      flood_(allocator),
      partial_(allocator),
      partial_goals_(allocator),
      partial_targets_(allocator),
      band_(allocator),
      way_(allocator),
      part_(allocator),
      aims_(allocator),
      nears_(allocator),
      best_way_(allocator),
      near_line_(allocator) {
    trial_.legs = Array<Leg>(allocator);
    space_.set_open(&open_);
}

std::uint32_t SearchRun::goal_count() const {
    return query_.goal.is_list() ? static_cast<std::uint32_t>(query_.goal.list.size()) : 1U;
}

Vec3 SearchRun::goal_point(std::uint32_t i) const {
    return query_.goal.is_list() ? query_.goal.list[i].position : query_.goal.at.position;
}

void SearchRun::begin(const NavMeshState& state, const MeshQuery& query, const RunStart& with) {
    state_ = &state.data();
    query_ = query;
    trace_ = with.hooks.trace;
    all_goals_ = with.all_goals;
    at_.begin(Stage::place_start, query.expansions_max);
    point_ = 0;
    best_ = kNone;
    open_goals_ = 0;
    by_table_ = false;
    engine_.reset();
    earlier_ = {};
    best_line_.clear();
    looked_near_ = false;
    start_ = {};
    nears_.clear();
    best_way_.clear();
    in_corridor_ = false;
    near_end_ = {};
    targets_.clear();
    ends_.clear();
    end_of_.clear();
    const Result<void> checked = check_query(*state_, query);
    if (!checked) return at_.fail(checked.error());
    radius_ = std::max(0.0, query.agent.radius - state_->agent_radius);
    slack_ = state_->touching() * 0.25;
    read_filter();
    by_corridor_ = weighted_ || query.planner != MeshPlanner::any_angle;
    if (by_corridor_ && (radius_ > 0.0 || all_goals_)) {
        // The field that asks for a corridor, and the one that none serves.
        const bool chosen = query_.planner != MeshPlanner::any_angle;
        const Field other = radius_ > 0.0 ? Field::agent_radius : Field::goal_list;
        at_.fail({ErrorCode::unsupported, chosen ? Field::planner : Field::areas,
                  static_cast<std::int64_t>(other)});
    }
}

// Which areas are closed, and whether the open ones cost the same.
void SearchRun::read_filter() {
    prices_ = {.closed = query_.filter.areas.closed_mask()};
    weighted_ = false;
    closed_links_ = query_.filter.links.closed_mask();
    link_reach_.begin(closed_links_);
    const KindFilter& areas = query_.filter.areas;
    double most = 0.0, least = KindFilter::kFactorMax;
    for (std::uint32_t area = 0; area < kAreasMax; ++area) {
        if ((prices_.closed >> area & 1U) != 0) continue;
        most = std::max(most, areas.factor(area));
        least = std::min(least, areas.factor(area));
    }
    if (areas.factors.empty() || most == 0.0) return;
    weighted_ = most != least;
    prices_.factors = areas.factors;
    prices_.least = least;
}

LinkUse SearchRun::link_use() const {
    return {.closed = closed_links_,
            .factors = query_.filter.links.factors,
            .price = by_corridor_ ? 1.0 : prices_.of_open(),
            .radius = query_.agent.radius,
            .room = radius_,
            .slack = slack_};
}

void SearchRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::place_start: return work_place_start(budget);
        case Stage::place_goals: return work_place_goals(budget);
        case Stage::reach: return work_reach(budget);
        case Stage::look_up: return work_look_up(budget);
        case Stage::search: return work_search(budget);
        case Stage::partial: return work_partial(budget);
        case Stage::done: return;
    }
}

// Where a position is on the surface; what is wrong with it, if it is nowhere.
SurfacePoint SearchRun::place(Vec3 position, PathStatus blocked, PathStatus& status) {
    const Vec3 local = position - state_->origin;
    SurfacePoint nearest, at;
    const SpotRules rules{radius_, slack_, std::max(query_.reach.across, radius_), prices_.closed};
    if (!find_place(*state_, local, query_.reach, rules, flood_, nearest, at)) {
        at_.fail(kNoMemory);
        return at;
    }
    status = PathStatus::complete;
    if (nearest.polygon != kNone) {
        if (at.polygon == kNone) status = blocked;
        return at;
    }
    const double reach = query_.reach.across;
    const Aabb near{state_->box.low - Vec2{reach, reach}, state_->box.high + Vec2{reach, reach}};
    status = near.contains(ground(local)) ? blocked : PathStatus::off_world;
    return at;
}

void SearchRun::work_place_start(std::uint64_t& budget) {
    --budget;
    PathStatus status = PathStatus::complete;
    start_ = place(query_.start.position, PathStatus::start_blocked, status);
    if (at_.failed()) return;
    if (status != PathStatus::complete) return at_.finish(status);
    at_.stage = Stage::place_goals;
}

void SearchRun::work_place_goals(std::uint64_t& budget) {
    if (point_ == goal_count()) {
        at_.stage = Stage::reach;
        point_ = 0;
        return;
    }
    --budget;
    Target target{.number = point_};
    target.at = place(goal_point(point_), PathStatus::goal_blocked, target.status);
    ++point_;
    if (at_.failed()) return;
    if (target.status == PathStatus::complete &&
        state_->component(target.at.polygon) != state_->component(start_.polygon)) {
        bool reached = false;
        if (!link_reach_.ask(*state_, state_->component(start_.polygon), state_->component(target.at.polygon),
                             reached)) {
            return at_.fail(kNoMemory);
        }
        if (!reached) target.status = PathStatus::unreachable;
    }
    if (!targets_.push_back(target)) at_.fail(kNoMemory);
}

// Which goals are in the start's component. With `partial` the others are replaced by what is nearest to them there.
void SearchRun::work_reach(std::uint64_t& budget) {
    --budget;
    if (leads_to_best() && !list_aims()) return at_.fail(kNoMemory);
    PathStatus worst = PathStatus::goal_blocked;
    for (std::uint32_t i = 0; i < targets_.size(); ++i) {
        Target& target = targets_[i];
        if (target.status == PathStatus::unreachable) worst = PathStatus::unreachable;
        if (target.status == PathStatus::off_world && targets_.size() == 1) worst = PathStatus::off_world;
        if (target.status != PathStatus::complete) continue;
        if (!ends_.push_back({target.at.position, target.at.polygon}) || !end_of_.push_back(i))
            return at_.fail(kNoMemory);
    }
    if (ends_.empty() && query_.partial && !all_goals_ && worst == PathStatus::unreachable) {
        if (prices_.closed != 0 || radius_ > 0.0) return begin_partial();
        if (!link_reach_.find(*state_, state_->component(start_.polygon))) return at_.fail(kNoMemory);
        for (std::uint32_t i = 0; i < targets_.size(); ++i) {
            Target& target = targets_[i];
            if (target.status != PathStatus::unreachable) continue;
            const Vec3 wanted{target.at.position.x, target.at.position.y, target.at.z};
            target.at = nearest_in_component(*state_, wanted, link_reach_.set(), prices_.closed);
            target.status = PathStatus::partial;
            if (!ends_.push_back({target.at.position, target.at.polygon}) || !end_of_.push_back(i))
                return at_.fail(kNoMemory);
        }
    }
    if (ends_.empty()) return at_.finish(worst);
    if (!can_look_up()) return begin_search();
    if (!table_.prepare(query_.table->data(), *state_, {start_.position, start_.polygon}))
        return at_.fail(kNoMemory);
    at_.stage = Stage::look_up;
    end_ = 0;
    best_cost_ = std::numeric_limits<double>::infinity();
}

// Does the table know about what is asked?
bool SearchRun::can_look_up() const {
    const MeshTable* const table = query_.table;
    return table != nullptr && table->serves_data(*state_) && !all_goals_ && !by_corridor_ &&
           radius_ == 0.0 && ends_.size() <= kTableGoalsMax && (prices_.closed & table->data().areas) == 0 &&
           (table->data().link_kinds & ~closed_links_) == 0 && trace_.event == nullptr;
}

// One goal after the other; the way to the nearest one stays.
void SearchRun::work_look_up(std::uint64_t& budget) {
    if (end_ == ends_.size()) {
        if (best_ == kNone)
            return begin_search();  // no way in the table, though there is one: not known to happen
        by_table_ = true;
        return at_.finish(targets_[best_].status);
    }
    if (end_ >= query_.expansions_max) return at_.finish(PathStatus::budget_spent);
    --budget;
    switch (table_.find(ends_[end_], best_cost_)) {
        case TableRun::Found::no_memory: return at_.fail(kNoMemory);
        case TableRun::Found::untrue: best_ = kNone; return begin_search();
        case TableRun::Found::no: break;
        case TableRun::Found::yes: best_cost_ = table_.length; best_ = end_of_[end_];
    }
    ++end_;
}

// No goal can be come to. If so asked, near one.
void SearchRun::finish_without_way() {
    if (query_.partial && !all_goals_ && !looked_near_) return begin_partial();
    at_.finish(PathStatus::unreachable);
}

void SearchRun::begin_partial() {
    looked_near_ = true;
    at_.stage = Stage::partial;
    partial_goals_.clear();
    partial_targets_.clear();
    for (std::uint32_t i = 0; i < targets_.size(); ++i) {
        const Target& target = targets_[i];
        if (target.status != PathStatus::complete && target.status != PathStatus::unreachable) continue;
        if (!partial_goals_.push_back(target.at) || !partial_targets_.push_back(i))
            return at_.fail(kNoMemory);
    }
    const SpotRules spot{radius_, slack_, std::max(query_.reach.across, radius_), prices_.closed};
    if (!partial_.begin(*state_, {start_, least_gate(radius_, slack_), link_use(), spot}))
        at_.fail(kNoMemory);
}

void SearchRun::work_partial(std::uint64_t& budget) {
    const PartialGoal::Outcome outcome = partial_.step(partial_goals_.span(), budget);
    if (outcome == PartialGoal::Outcome::running) return;
    if (outcome == PartialGoal::Outcome::no_memory) return at_.fail(kNoMemory);
    if (partial_.goal == kNone) return at_.finish(PathStatus::unreachable);
    if (budget > 0) --budget;
    const std::uint32_t number = partial_targets_[partial_.goal];
    Target& target = targets_[number];
    target.at = partial_.place;
    target.status = PathStatus::partial;
    ends_.clear();
    end_of_.clear();
    if (!ends_.push_back({target.at.position, target.at.polygon}) || !end_of_.push_back(number))
        return at_.fail(kNoMemory);
    begin_search();
}

void SearchRun::begin_search() {
    if (by_corridor_) return begin_corridor();
    if (engine_.has_value() && leads_to_best() && !keep_near()) return at_.fail(kNoMemory);
    const PathEnd start{start_.position, start_.polygon};
    if (!space_.prepare(*state_, start, ends_.span(), prices_.closed, least_gate(radius_, slack_),
                        link_use()))
        return at_.fail(kNoMemory);
    space_.watch(trace_);
    if (leads_to_best()) space_.tell_passed({note_side, this});
    open_goals_ = static_cast<std::uint32_t>(ends_.size());
    if (engine_.has_value()) add_stats(earlier_, stats_of(*engine_));
    engine_.emplace(space_, open_, nodes_, AStarKey{});
    engine_->begin();
    at_.stage = Stage::search;
}

// One corridor for each end, the cheapest line of all of them.
void SearchRun::begin_corridor() {
    at_.stage = Stage::search;
    end_ = 0;
    best_cost_ = std::numeric_limits<double>::infinity();
    const auto style = weighted_                                         ? CorridorRun::Style::weighted
                       : query_.planner == MeshPlanner::portal_midpoints ? CorridorRun::Style::midpoints
                                                                         : CorridorRun::Style::funnel;
    if (in_corridor_) add_stats(earlier_, corridor_.stats());
    in_corridor_ = true;
    corridor_.begin(*state_,
                    {{start_.position, start_.polygon},
                     ends_[0],
                     prices_,
                     style,
                     link_use(),
                     leads_to_best() ? &aims_ : nullptr,
                     near_square_,
                     trace_},
                    cost_units(*state_));
}

void SearchRun::work_corridor(std::uint64_t& budget) {
    const SliceEnd end = step_within(
        at_, budget, [this](std::uint64_t slice) { return corridor_.step(slice); },
        [this] { return corridor_.expanded(); });
    switch (end) {
        case SliceEnd::running: return;
        case SliceEnd::no_memory: return at_.fail(kNoMemory);
        case SliceEnd::spent: return at_.finish(PathStatus::budget_spent);
        case SliceEnd::found:
        case SliceEnd::exhausted: return end_corridor(end == SliceEnd::found);
    }
}

void SearchRun::end_corridor(bool found) {
    if (!keep_near()) return at_.fail(kNoMemory);
    if (found) {
        if (!corridor_.lay_line()) return at_.fail(kNoMemory);
        if (corridor_.cost < best_cost_) {
            best_cost_ = corridor_.cost;
            best_cap_ = corridor_.cap();
            best_ = end_of_[end_];
            if (!best_line_.assign(corridor_.line.span())) return at_.fail(kNoMemory);
        }
    }
    if (++end_ < ends_.size()) {
        add_stats(earlier_, corridor_.stats());
        CorridorRun::Task next = corridor_.task();
        next.to = ends_[end_];
        next.near_square = near_square_;
        return corridor_.begin(*state_, next, cost_units(*state_));
    }
    if (best_ == kNone) return finish_without_way();
    at_.finish(targets_[best_].status);
}

void SearchRun::work_search(std::uint64_t& budget) {
    if (by_corridor_) return work_corridor(budget);
    const SliceEnd end = step_within(
        at_, budget, [this](std::uint64_t slice) { return engine_->step(slice); },
        [this] { return engine_->expanded(); });
    if (at_.failed()) return;  // in note_near
    if (space_.failed()) return at_.fail(kNoMemory);
    switch (end) {
        case SliceEnd::running: return;
        case SliceEnd::no_memory: return at_.fail(kNoMemory);
        case SliceEnd::found: return note_goal();
        case SliceEnd::spent: return at_.finish(PathStatus::budget_spent);
        case SliceEnd::exhausted: break;
    }
    if (best_ == kNone) return finish_without_way();
    at_.finish(PathStatus::unreachable);  // the goals that were not reached; the others have routes
}

// The first goal reached is the nearest one. With all_goals the search goes on to the next.
void SearchRun::note_goal() {
    const std::uint32_t state = nodes_.state_of(engine_->goal_node());
    const std::uint32_t end = space_.interval(state).goal;
    Target& target = targets_[end_of_[end]];
    if (target.interval == kNone) {
        target.interval = state;
        space_.close_goal(end);
        --open_goals_;
        if (best_ == kNone) best_ = end_of_[end];
    }
    if (!all_goals_ || open_goals_ == 0) at_.finish(targets_[best_].status);
}

}  // namespace fairlead::mesh
