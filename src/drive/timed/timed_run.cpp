// A timed query over a DriveMap, stage by stage. Its ends, ground distance and smoother are those of a query without speeds.
#include "drive/timed/timed_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "drive/lattice/prepare_ends.h"
#include "drive/timed/timed_ends.h"
#include "drive/timed/timed_way.h"
#include "search/slices.h"

namespace fairlead::drive {

namespace {

LatticeQuery without_speeds(const DriveTable& table, const TimedQuery& query) {
    LatticeQuery out;
    read_ends(table, query.start, query.goal, out);
    out.epsilon = query.epsilon;
    out.reverse_penalty = 1.0;
    out.cusp_penalty = 0.0;
    return out;
}

Result<void> check_speeds(const TimedQuery& query, const SpeedTable& times) {
    const double most = times.limits().speed_max;
    if (const Result<void> good = check_number(query.start_speed, 0.0, most, Field::start_speed); !good)
        return good;
    if (query.goal_speed == kAnySpeed) return {};
    if (const Result<void> good = check_number(query.goal_speed, 0.0, most, Field::goal_speed); !good)
        return good;
    bool level = false;
    (void)times.level_of(query.goal_speed, level);
    if (!level) return Error{ErrorCode::out_of_range, Field::goal_speed};
    return {};
}

Result<void> check(const MapData& map, const TimedQuery& query) {
    if (const Result<void> good = check_ends(query.start, query.goal); !good) return good;
    if (const Result<void> good = check_number(query.epsilon, 1.0, 100.0, Field::epsilon); !good) return good;
    if (query.times == nullptr || &query.times->moves() != &map.table())
        return Error{ErrorCode::incompatible, Field::times};
    if (!map.is_plain()) return Error{ErrorCode::unsupported};
    return check_speeds(query, *query.times);
}

// Of so many costs of the longest step the sum fits into 63 bits.
std::uint32_t shift_for(std::uint64_t states, const MapData& map, const SpeedTable& times) {
    const auto bits = std::bit_width(states) + std::bit_width(times.longest() + times.cusp()) +
                      std::bit_width(static_cast<std::uint32_t>(map.dearest()));
    return static_cast<std::uint32_t>(std::max(0, static_cast<int>(bits) - 63));
}

// Buckets no wider than half of the shortest step, and than (w - 1) of it: see drive_run.cpp.
std::int32_t timed_bucket_bits(Cost shortest, double weight) {
    const double part = weight > 1.0 ? std::min(0.5, weight - 1.0) : 0.5;
    const auto width = static_cast<Cost>(static_cast<double>(shortest) * part);
    return std::max(0, static_cast<std::int32_t>(std::bit_width(width)) - 1);
}

}  // namespace

void TimedRun::begin(const DriveMapState& map, const TimedQuery& query, const RunStart& with) {
    map_ = &map.data();
    query_ = query;
    times_ = query.times;
    trace_ = with.hooks.trace;
    at_.begin(Stage::ends, query.expansions_max);
    exact_start_ = true;
    searched_ = has_legs_ = so_far_ = too_fast_ = false;
    no_way_ = PathStatus::complete;
    ends_ = with.scratch.get<DriveWork>();
    work_ = with.scratch.get<TimedWork>();
    if (ends_ == nullptr || work_ == nullptr) return at_.fail(kNoMemory);
    work_->stats = {};
    work_->space = {};
    work_->lattice = {};
    if (const Result<void> good = check(*map_, query); !good) return at_.fail(good.error());
    drive_ = without_speeds(map_->table(), query);
    if (const Result<void> good = take_blockers(*map_, query.blockers.span(), *ends_, drive_); !good)
        return at_.fail(good.error());
    ends_->scale = CostScale{};
    // Curves to the goal are left out where the lattice leads there: each is tried anew for every level.
    begin_ends(false);
}

void TimedRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::ends: return look_at_ends(budget);
        case Stage::nearest: return look_nearby(budget);
        case Stage::search: return search(budget);
        case Stage::smooth: return smooth(budget);
        case Stage::done: return;
    }
}

// ---- the ends ----------------------------------------------------------------------------------------------

void TimedRun::begin_ends(bool goal_curves) {
    drive_.goal_curves = goal_curves;
    ends_->ends.begin(*map_, drive_, *ends_);
}

void TimedRun::look_at_ends(std::uint64_t& budget) {
    if (step_while(ends_->ends, budget)) return;
    if (ends_->ends.failed()) return at_.fail(kNoMemory);
    if (ends_->status == PathStatus::unreachable && !drive_.goal_curves) return begin_ends(true);
    prepare_search();
}

void TimedRun::prepare_search() {
    if (ends_->status != PathStatus::complete) return end_without_way(ends_->status);
    const std::uint64_t poses =
        LatticeCode::of(map_->edges().width(), map_->table().headings()).count(map_->edges().height());
    if ((poses + 1) << TimedLattice::bits_of(*times_) > UINT32_MAX)
        return at_.fail({ErrorCode::size_limit, -1, std::int64_t{1} << 32});
    if (!begin_search()) return at_.fail(kNoMemory);
    searched_ = true;
    at_.stage = Stage::search;
}

// With `partial` the unit drives to the place nearest the goal, and stands there.
void TimedRun::end_without_way(PathStatus status) {
    const bool none = status == PathStatus::goal_blocked || status == PathStatus::unreachable;
    if (no_way_ != PathStatus::complete) return at_.finish(none ? no_way_ : status);
    if (!none || !query_.partial) return at_.finish(status);
    no_way_ = status;
    ends_->near_goal.begin(*map_, drive_, *ends_);
    at_.stage = Stage::nearest;
}

void TimedRun::look_nearby(std::uint64_t& budget) {
    if (step_while(ends_->near_goal, budget)) return;
    if (ends_->near_goal.failed()) return at_.fail(kNoMemory);
    const PathStatus found = ends_->near_goal.lead(drive_, no_way_);
    if (found != PathStatus::complete) return at_.finish(found);
    query_.goal_speed = 0.0;
    at_.stage = Stage::ends;
    begin_ends(false);
}

// ---- the search --------------------------------------------------------------------------------------------

bool TimedRun::begin_search() {
    TimedWork& work = *work_;
    bool exact = true;
    work.start_level = times_->level_of(query_.start_speed, exact_start_);
    work.goal_level = query_.goal_speed == kAnySpeed ? kAnyLevel : times_->level_of(query_.goal_speed, exact);

    GridLattice lattice(map_->edges(), {}, {}, ends_->goal, ends_->ground);
    lattice.set_costs(kLengthUnit, map_->table().ground_factor(), 1);
    lattice.set_clear_moves(drive_.blockers != nullptr ? &ends_->clear_moves : nullptr);
    const std::uint64_t states = std::uint64_t{lattice.goal_state()} << TimedLattice::bits_of(*times_);
    TimedLattice::Setting setting{
        .goal = &ends_->goal, .goal_level = work.goal_level, .shift = shift_for(states, *map_, *times_)};
    // The starts' costs are made by the space that they are for.
    work.lattice = TimedLattice(*map_, *times_, lattice, work.line, setting);
    bool failed = false;
    if (!fill_timed_starts(*map_, *times_, *ends_, work)) return false;
    const double direct = seconds_direct(*map_, *times_, *ends_, work, failed);
    if (failed) return false;
    setting.starts = work.starts.span();
    if (direct != kNever) setting.direct = work.lattice.cost_of(direct);
    work.lattice = TimedLattice(*map_, *times_, lattice, work.line, setting);
    work.space = TimedSpace(work.lattice, work.nodes);
    work.space.set_costs(0, setting.direct);
    if (query_.partial) work.space.watch_nearest();

    const double weight = query_.planner == TimedPlanner::lattice ? 1.0 : query_.epsilon;
    work.open.set_width(timed_bucket_bits(times_->shortest() >> setting.shift, weight));
    const bool traced = trace_.event != nullptr;
    if (traced) work.tracer = {*map_, lattice.code(), drive_.goal, trace_};
    work.engine = TimedEngine(work.space, work.open, work.nodes, {static_cast<std::uint32_t>(weight * 256.0)},
                              LatticeTrace{traced ? &work.tracer : nullptr, work.lattice.level_bits()});
    work.engine.begin();
    return true;
}

void TimedRun::search(std::uint64_t& budget) {
    TimedWork& work = *work_;
    const SliceEnd end = step_within(
        at_, budget, [&](std::uint64_t slice) { return work.engine.step(slice); },
        [&] { return work.engine.expanded(); });
    work.stats = stats_of(work.engine);
    if (end == SliceEnd::no_memory || work.lattice.failed() || ends_->ground.failed() ||
        ends_->clear_moves.failed())
        return at_.fail(kNoMemory);
    switch (end) {
        case SliceEnd::found: return found();
        case SliceEnd::exhausted: return end_too_fast(work.start_level > 0 || work.goal_level > 0);
        case SliceEnd::spent: return end_spent(true);
        default: return;
    }
}

double TimedRun::end_squared() const {
    if (so_far_) return 0.0;
    return query_.goal_speed == kAnySpeed ? kFreeSpeed : query_.goal_speed * query_.goal_speed;
}

// The path to a node. With a start speed between two levels it may be that the speed at its end is out of reach: then there is none.
bool TimedRun::take_path(std::uint32_t node) {
    if (!fill_timed_chain(*map_, *work_, *ends_, node)) {
        at_.fail(kNoMemory);
        return false;
    }
    const EndSpeeds speeds{query_.start_speed * query_.start_speed, end_squared(), !so_far_};
    const Drivable drives =
        fill_timed_route(*map_, *times_, drive_, speeds, ends_->chain, work_->line, work_->best);
    if (drives == Drivable::no_memory) at_.fail(kNoMemory);
    has_legs_ = drives == Drivable::yes;
    return has_legs_;
}

void TimedRun::pull_taut(PathStatus status) {
    if (!query_.smooth) return at_.finish(status);
    if (!ends_->smoother.begin(ends_->goal.curves, ends_->chain)) return at_.fail(kNoMemory);
    result_ = status;
    at_.stage = Stage::smooth;
}

// A path to the goal is found.
void TimedRun::found() {
    if (!take_path(work_->engine.goal_node())) return at_.failed() ? void() : end_too_fast(true);
    work_->best.level_cost = work_->lattice.seconds(work_->engine.goal_cost());
    pull_taut(no_way_ == PathStatus::complete ? PathStatus::complete : PathStatus::partial);
}

// The poses are joined, and its speed keeps the unit from the last one.
void TimedRun::end_too_fast(bool told) {
    too_fast_ = told;
    at_.finish(no_way_ != PathStatus::complete ? no_way_ : PathStatus::unreachable);
}

// A shorter path has other arcs and may take longer: then it is left.
void TimedRun::smooth(std::uint64_t& budget) {
    const bool more = ends_->smoother.step(budget);
    budget = 0;
    if (more) return;
    if (ends_->smoother.failed()) return at_.fail(kNoMemory);
    const EndSpeeds speeds{query_.start_speed * query_.start_speed, end_squared(), !so_far_};
    const Drivable drives =
        fill_timed_route(*map_, *times_, drive_, speeds, ends_->chain, work_->line, work_->trial);
    if (drives == Drivable::no_memory) return at_.fail(kNoMemory);
    if (drives == Drivable::yes && work_->trial.cost < work_->best.cost) {
        work_->trial.level_cost = work_->best.level_cost;
        std::swap(work_->best, work_->trial);
    }
    at_.finish(result_);
}

// The budget is spent, or the call cancelled: what is left is the path to the best pose so far, if that is asked for.
void TimedRun::end_spent(bool smooths) {
    at_.finish(PathStatus::budget_spent);
    has_legs_ = false;
    if (!searched_) return;
    const std::uint32_t nearest = query_.partial ? work_->space.nearest() : kNoNode;
    if (nearest == kNoNode) return;
    so_far_ = true;
    const std::uint32_t node = work_->nodes.find(nearest);
    if (!take_path(node)) return;
    work_->best.level_cost = work_->lattice.seconds(work_->nodes[node].g);
    if (smooths) pull_taut(PathStatus::budget_spent);
}

Result<void> TimedRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    route.planner = planner_name(query_.planner);
    route.revision = map_->options().revision;
    route.end = {{drive_.start.position.x, drive_.start.position.y, 0.0},
                 drive_.start.heading_rad,
                 map_->options().layer};
    route.status = at_.status;
    route.too_fast = too_fast_;
    if (!has_legs_ || at_.running()) return {};
    const Route& best = work_->best;
    if (!route.legs.assign(best.legs.span()) || !route.speeds.assign(best.speeds.span())) return kNoMemory;
    route.length = best.length;
    route.cost = best.cost;
    route.line_cost = best.line_cost;
    route.level_cost = best.level_cost;
    route.end = best.end;
    route.bound = !exact_start_ || so_far_                  ? kNoBound
                  : query_.planner == TimedPlanner::lattice ? 1.0
                                                            : query_.epsilon;
    return {};
}

}  // namespace fairlead::drive
