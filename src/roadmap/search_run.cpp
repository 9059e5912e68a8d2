// A query over a roadmap, stage by stage: attach the start and the goals, try straight lines, ask the index, search.
#include "roadmap/search_run.h"

#include <algorithm>

#include "base/no_memory.h"

namespace fairlead::roadmap {

SearchRun::SearchRun(const Allocator& allocator)
    : attacher_(allocator),
      points_(allocator),
      starts_(allocator),
      goals_(allocator),
      shortcuts_(allocator),
      sink_order_(allocator),
      reach_(allocator),
      open_(allocator),
      nodes_(allocator),
      chain_(allocator),
      best_chain_(allocator) {}

std::uint32_t SearchRun::point_count() const {
    return query_.goal.is_list() ? static_cast<std::uint32_t>(query_.goal.list.size()) : 1U;
}

Spot SearchRun::place(std::uint32_t point) const {
    return query_.goal.is_list() ? query_.goal.list[point] : query_.goal.at;
}

Vec3 SearchRun::position_of(const Spot& at) const {
    return at.waypoint.valid() ? state_.data().node(state_.find(at.waypoint).value).position : at.position;
}

void SearchRun::begin(const RoadmapState& state, const RoadmapQuery& query, const RunStart& with) {
    state_ = state;
    query_ = query;
    trace_ = with.hooks.trace;
    all_goals_ = with.all_goals;
    at_.begin(Stage::attach_start, query.expansions_max);
    attaching_ = false;
    point_ = 0;
    before_ = {};
    digest_ = {};
    engine_.reset();
    space_.nearest = kNoSlot;
    best_chain_.clear();
    best_away_ = kInfinity;
    points_.clear();
    starts_.clear();
    goals_.clear();
    shortcuts_.clear();
    const Result<void> checked = check_query(state_, query_);
    if (!checked) return at_.fail(checked.error());
    if (all_goals_) query_.planner = RoadmapPlanner::dijkstra;
    if (all_goals_ || query_.partial) query_.backward = false;
    if (!points_.reserve(point_count() + 1)) return at_.fail(kNoMemory);
    const bool first = points_.push_back(position_of(query_.start));
    FAIRLEAD_ASSERT(first);  // reserved
    for (std::uint32_t point = 0; point < point_count(); ++point) {
        if (!points_.push_back(position_of(place(point)))) return at_.fail(kNoMemory);  // reserved
    }
    rules_ = {.prices = {&state_, query_.filter, 2.0 * query_.agent.radius},
              .sight = {state_.data().walls, query_.sight, query_.agent.radius},
              .check_edges = query_.check_edges,
              .off_net_cost = query_.off_net_cost,
              .range = query_.attach_range,
              .places = query_.attach_max,
              .tests = query_.attach_tests};
}

void SearchRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::attach_start: return work_attach_start(budget);
        case Stage::attach_goals: return work_attach_goals(budget);
        case Stage::straight: return work_straight(budget);
        case Stage::reach: return work_reach(budget);
        case Stage::search: return work_search(budget);
        case Stage::done: return;
    }
}

// ---- attaching ---------------------------------------------------------------------------------------------

bool SearchRun::attach_waypoint(const Spot& at, std::uint32_t point, Array<Attachment>& out) {
    Attachment on;
    on.slot = on.owner = state_.find(at.waypoint).value;
    on.point = point;
    on.position = position_of(at);
    return out.push_back(on);
}

void SearchRun::work_attach_start(std::uint64_t& budget) {
    if (query_.start.waypoint.valid()) {
        if (!attach_waypoint(query_.start, 0, starts_)) return at_.fail(kNoMemory);
        at_.stage = Stage::attach_goals;
        return;
    }
    if (!attaching_ && !attacher_.begin(rules_, points_[0], 0, Attacher::Side::start))
        return at_.fail(kNoMemory);
    attaching_ = true;
    const Attacher::Progress at = attacher_.step(budget, starts_);
    if (at == Attacher::Progress::no_memory) return at_.fail(kNoMemory);
    if (at == Attacher::Progress::running) return;
    attaching_ = false;
    at_.stage = Stage::attach_goals;
}

void SearchRun::work_attach_goals(std::uint64_t& budget) {
    if (point_ == point_count()) {
        point_ = 0;
        if (!join_on_arcs()) return at_.fail(kNoMemory);
        at_.stage = Stage::straight;
        return;
    }
    const Spot goal = place(point_);
    if (goal.waypoint.valid()) {
        --budget;
        if (!attach_waypoint(goal, point_, goals_)) return at_.fail(kNoMemory);
        ++point_;
        return;
    }
    if (!attaching_ && !attacher_.begin(rules_, goal.position, point_, Attacher::Side::goal))
        return at_.fail(kNoMemory);
    attaching_ = true;
    const Attacher::Progress at = attacher_.step(budget, goals_);
    if (at == Attacher::Progress::no_memory) return at_.fail(kNoMemory);
    if (at == Attacher::Progress::running) return;
    attaching_ = false;
    ++point_;
}

// Start and goal on one arc, the goal further on: no waypoint lies between.
bool SearchRun::join_on_arcs() {
    const StateData& data = state_.data();
    for (std::uint32_t i = 0; i < starts_.size(); ++i) {
        const Attachment& start = starts_[i];
        if (!start.on_arc()) continue;
        for (std::uint32_t k = 0; k < goals_.size(); ++k) {
            const Attachment& goal = goals_[k];
            if (goal.owner != start.owner || goal.arc != start.arc || goal.t < start.t) continue;
            const RoadmapArc& arc = data.arcs(start.owner)[start.arc];
            if (query_.check_edges && !rules_.sight.clear(start.position, goal.position)) continue;
            const double along = (goal.t - start.t) * rules_.prices.of(start.owner, arc);
            if (!shortcuts_.push_back({goal.point, i, k, start.off + along + goal.off})) return false;
        }
    }
    return true;
}

void SearchRun::work_straight(std::uint64_t& budget) {
    if (point_ == point_count()) return judge_attachments();
    --budget;
    const std::uint32_t point = point_++;
    if (query_.start.waypoint.valid() && place(point).waypoint.valid()) return;
    const Vec3 from = points_[0];
    const Vec3 to = points_[point + 1];
    const bool known = rules_.sight.known();
    if (!(from == to) && (!known || !query_.direct)) return;
    if (known && !rules_.sight.clear(from, to)) return;
    if (!shortcuts_.push_back({point, kNoSlot, kNoSlot, query_.off_net_cost * distance(from, to)}))
        at_.fail(kNoMemory);
}

void SearchRun::judge_attachments() {
    if (shortcuts_.empty()) {
        if (starts_.empty()) return at_.finish(PathStatus::start_blocked);
        if (goals_.empty()) return at_.finish(PathStatus::goal_blocked);
        if (!all_goals_) return begin_reach();
    }
    begin_search();
}

// ---- is there a path ---------------------------------------------------------------------------------------

void SearchRun::begin_reach() {
    if (!reach_.begin(state_.data().reach)) return at_.fail(kNoMemory);
    for (const Attachment& goal : goals_) {
        if (!reach_.add_goal(goal.slot)) return at_.fail(kNoMemory);
    }
    for (const Attachment& start : starts_) {
        if (!reach_.add_start(start.slot)) return at_.fail(kNoMemory);
    }
    at_.stage = Stage::reach;
}

void SearchRun::work_reach(std::uint64_t& budget) {
    const Reach settled = reach_.step(budget);
    if (reach_.out_of_memory()) return at_.fail(kNoMemory);
    if (settled == Reach::open) return;
    if (settled == Reach::no && !query_.partial) return at_.finish(PathStatus::unreachable);
    begin_search();
}

// ---- the search --------------------------------------------------------------------------------------------

ScaleInput SearchRun::scale_input() const {
    double dearest = 0.0;
    for (const Attachment& start : starts_) dearest = larger(dearest, start.cost);
    for (const Attachment& goal : goals_) dearest = larger(dearest, goal.cost);
    for (const Shortcut& shortcut : shortcuts_) dearest = larger(dearest, shortcut.cost);
    return {.state = &state_.data(),
            .factors = rules_.prices.range(),
            .off_net_cost = query_.off_net_cost,
            .attach_cost_max = dearest,
            .points = points_.span()};
}

void SearchRun::begin_search() {
    space_.prices = rules_.prices;
    space_.sight = rules_.sight;
    space_.check_edges = query_.check_edges;
    space_.backward = query_.backward;
    space_.all_goals = all_goals_;
    space_.own = query_.own;
    space_.heuristic_on = query_.planner != RoadmapPlanner::dijkstra;
    space_.track_nearest = query_.partial;
    space_.sources = query_.backward ? goals_.span() : starts_.span();
    space_.sinks = query_.backward ? starts_.span() : goals_.span();
    space_.shortcuts = shortcuts_.span();
    const std::span<const Vec3> points = points_.span();
    space_.targets = query_.backward ? points.first(1) : points.subspan(1);
    if (!order_sinks() || !chain_.resize(0) || !chain_.resize(point_count())) return at_.fail(kNoMemory);
    space_.sink_order = sink_order_.span();
    space_.goals_wanted = goals_in_reach();
    at_.stage = Stage::search;
    begin_engine(finest_scale(scale_input()));
}

bool SearchRun::order_sinks() {
    if (!sink_order_.resize(space_.sinks.size())) return false;
    for (std::uint32_t i = 0; i < sink_order_.size(); ++i) sink_order_[i] = {space_.sinks[i].slot, i};
    const auto before = [](const SinkRef& a, const SinkRef& b) {
        return a.slot != b.slot ? a.slot < b.slot : a.index < b.index;
    };
    std::sort(sink_order_.begin(), sink_order_.end(), before);  // total order: by index at last
    return true;
}

// Goals that something leads to. chain_ holds a zero for each goal.
std::uint32_t SearchRun::goals_in_reach() {
    std::uint32_t count = 0;
    const auto note = [&](std::uint32_t point) {
        if (chain_[point] == 0) ++count;
        chain_[point] = 1;
    };
    for (const Attachment& goal : goals_) note(goal.point);
    for (const Shortcut& shortcut : shortcuts_) note(shortcut.point);
    return count;
}

void SearchRun::begin_engine(const FixedScale& scale) {
    space_.prepare(scale);
    engine_.emplace(space_, open_, nodes_, RunKey{query_.planner == RoadmapPlanner::greedy_best_first},
                    RunTrace{&space_, &state_.data(), &digest_, trace_});
    engine_->begin();
}

void SearchRun::work_search(std::uint64_t& budget) {
    const SliceEnd end = step_within(
        at_, budget, [this](std::uint64_t slice) { return engine_->step(slice); },
        [this] { return engine_->expanded(); });
    switch (end) {
        case SliceEnd::running: return;
        case SliceEnd::no_memory: return at_.fail(kNoMemory);
        case SliceEnd::found: return at_.finish(PathStatus::complete);
        case SliceEnd::spent: return at_.finish(PathStatus::budget_spent);
        case SliceEnd::exhausted: return end_search();
    }
}

void SearchRun::end_search() {
    if (space_.spilled) {
        if (!keep_best()) return at_.fail(kNoMemory);
        before_ = stats();
        before_.digest = 0;
        return begin_engine(coarser_scale(scale_input(), space_.scale));
    }
    if (all_goals_) return at_.finish(PathStatus::complete);  // each goal has its own status
    at_.finish(query_.partial && space_.nearest != kNoSlot ? PathStatus::partial : PathStatus::unreachable);
}

}  // namespace fairlead::roadmap
