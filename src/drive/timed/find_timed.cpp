#include <fairlead/drive/find_timed.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "drive/curves/few_turns.h"
#include "drive/lattice/prepare_ends.h"
#include "drive/timed/timed_ends.h"
#include "drive/timed/timed_way.h"
#include "drive/timed/timed_work.h"
#include "search/run_search.h"
#include "search/slices.h"

namespace fairlead {

using drive::DriveWork;
using drive::MapData;
using drive::TimedWork;

namespace {

DriveQuery without_speeds(const TimedQuery& query) {
    DriveQuery out;
    out.start = query.start;
    out.goal = query.goal;
    out.start_headings = query.start_headings;
    out.goal_headings = query.goal_headings;
    out.goal_range = query.goal_range;
    out.epsilon = query.epsilon;
    out.reverse_penalty = 1.0;
    out.cusp_penalty = 0.0;
    return out;
}

Result<void> check(const TimedQuery& query, const DriveQuery& drive, const SpeedTable& times) {
    if (const Result<void> good = drive::check_query(drive); !good) return good.error();
    if (!std::isfinite(query.start_speed)) return Error{ErrorCode::not_finite, Field::start_speed};
    if (!std::isfinite(query.goal_speed)) return Error{ErrorCode::not_finite, Field::goal_speed};
    const double most = times.limits().speed_max;
    if (query.start_speed < 0.0 || query.start_speed > most) return Error{ErrorCode::out_of_range, Field::start_speed};
    if (query.goal_speed == kAnySpeed) return {};
    bool level = query.goal_speed >= 0.0 && query.goal_speed <= most;
    if (level) (void)times.level_of(query.goal_speed, level);
    if (!level) return Error{ErrorCode::out_of_range, Field::goal_speed};
    return {};
}

// Of so many costs of the longest step the sum fits into 63 bits.
std::uint32_t shift_for(std::uint64_t states, const MapData& map, const SpeedTable& times) {
    const auto bits = std::bit_width(states) + std::bit_width(times.longest() + times.cusp()) +
                      std::bit_width(static_cast<std::uint32_t>(map.dearest()));
    return static_cast<std::uint32_t>(std::max(0, static_cast<int>(bits) - 63));
}

// Buckets no wider than half of the shortest step, and than (w - 1) of it: see find_drive.cpp.
std::int32_t bucket_bits(Cost shortest, double weight) {
    const double part = weight > 1.0 ? std::min(0.5, weight - 1.0) : 0.5;
    const auto width = static_cast<Cost>(static_cast<double>(shortest) * part);
    return std::max(0, static_cast<std::int32_t>(std::bit_width(width)) - 1);
}

}  // namespace

void TimedRoute::clear() {
    route.clear();
    speeds.clear();
    too_fast = false;
    search_cost = 0.0;
}

const char* planner_name(TimedPlanner planner) {
    return planner == TimedPlanner::lattice ? "timed_lattice" : "weighted_timed";
}

TimedSearch::TimedSearch(DriveMapSnapshot map, const SpeedTable& times, const TimedQuery& query,
                         Scratch& scratch, const TimedHooks& hooks)
    : TimedSearch(*map, map, times, query, scratch, hooks) {}

TimedSearch::TimedSearch(const DriveMapState& map, DriveMapSnapshot held, const SpeedTable& times,
                         const TimedQuery& query, Scratch& scratch, const TimedHooks& hooks)
    : held_(std::move(held)),
      lease_(scratch),
      map_(&map.data()),
      times_(&times),
      query_(drive::with_few_turns(query)),
      drive_(without_speeds(query_)),
      scratch_(&scratch),
      hooks_(hooks),
      expansions_left_(query.expansions_max) {
    if (!lease_) fail(kScratchInUse);
}

void TimedSearch::fail(const Error& error) {
    failed_ = true;
    error_ = error;
    stage_ = Stage::done;
}

void TimedSearch::prepare() {
    if (const Result<void> good = check(query_, drive_, *times_); !good) return fail(good.error());
    if (!map_->is_plain()) return fail({ErrorCode::unsupported, -1, 0});
    if (&times_->moves() != &map_->table()) return fail({ErrorCode::incompatible, Field::times});
    auto* ends = scratch_->get<DriveWork>();
    auto* work = scratch_->get<TimedWork>();
    if (ends == nullptr || work == nullptr) return fail(kNoMemory);
    expansions_left_ = query_.expansions_max;
    work->stats = {};
    work->too_fast = false;
    work->has_route = work->so_far = false;
    work->space = {};
    ends->scale = CostScale{};
    // Curves to the goal are left out where the lattice leads there: each is tried anew for every level.
    begin_ends(false);
}

void TimedSearch::begin_ends(bool goal_curves) {
    DriveWork& ends = *scratch_->get<DriveWork>();
    drive_.goal_curves = goal_curves;
    ends.ends.begin(*map_, drive_, ends);
    stage_ = Stage::ends;
}

std::uint64_t TimedSearch::look_at_ends(std::uint64_t budget) {
    DriveWork& ends = *scratch_->get<DriveWork>();
    std::uint64_t used = 1;
    for (; ends.ends.step(); ++used) {
        if (used == budget) return used;
    }
    if (ends.ends.failed()) {
        fail(kNoMemory);
    } else if (ends.status == PathStatus::unreachable && !drive_.goal_curves) {
        begin_ends(true);
    } else {
        prepare_search();
    }
    return used;
}

void TimedSearch::prepare_search() {
    TimedWork* work = scratch_->get<TimedWork>();
    work->status = scratch_->get<DriveWork>()->status;
    stage_ = Stage::done;
    if (work->status != PathStatus::complete) return;
    const std::uint64_t poses =
        drive::LatticeCode::of(map_->edges().width(), map_->table().headings()).count(map_->edges().height());
    if ((poses + 1) << drive::TimedSpace::bits_of(*times_) > UINT32_MAX) {
        return fail({ErrorCode::size_limit, -1, std::int64_t{1} << 32});
    }
    if (!begin_search()) return fail(kNoMemory);
    stage_ = Stage::search;
}

bool TimedSearch::begin_search() {
    DriveWork& ends = *scratch_->get<DriveWork>();
    TimedWork& work = *scratch_->get<TimedWork>();
    bool exact = true;
    work.start_level = times_->level_of(query_.start_speed, exact_start_);
    work.goal_level =
        query_.goal_speed == kAnySpeed ? drive::kAnyLevel : times_->level_of(query_.goal_speed, exact);

    drive::LatticeSpace lattice(map_->edges(), {}, {}, ends.goal, ends.ground);
    lattice.set_costs(drive::kLengthUnit, 0, map_->table().ground_factor(), 1);
    const std::uint64_t states = std::uint64_t{lattice.goal_state()} << drive::TimedSpace::bits_of(*times_);
    drive::TimedSpace::Setting setting{
        .goal = &ends.goal, .goal_level = work.goal_level, .shift = shift_for(states, *map_, *times_)};
    // The starts' costs are made by the space that they are for.
    work.space = drive::TimedSpace(*map_, *times_, lattice, work.line, setting);
    bool failed = false;
    if (!drive::fill_timed_starts(*map_, *times_, ends, work)) return false;
    const double direct = drive::seconds_direct(*map_, *times_, ends, work, failed);
    if (failed) return false;
    setting.starts = work.starts.span();
    if (direct != drive::kNever) setting.direct = work.space.cost_of(direct);
    work.space = drive::TimedSpace(*map_, *times_, lattice, work.line, setting);
    if (query_.partial) work.space.watch_nearest();

    const double weight = query_.planner == TimedPlanner::lattice ? 1.0 : query_.epsilon;
    work.open.set_width(bucket_bits(times_->shortest() >> setting.shift, weight));
    work.engine =
        drive::TimedEngine(work.space, work.open, work.nodes, {static_cast<std::uint32_t>(weight * 256.0)});
    work.engine.begin();
    return true;
}

std::uint64_t TimedSearch::search(std::uint64_t budget) {
    TimedWork& work = *scratch_->get<TimedWork>();
    const std::uint64_t slice = std::min(budget, expansions_left_);
    const std::uint64_t before = work.engine.expanded();
    const SearchProgress progress = work.engine.step(slice);
    const std::uint64_t used = work.engine.expanded() - before;
    expansions_left_ -= std::min(expansions_left_, used);
    work.stats = {work.engine.expanded(), work.engine.generated(), work.engine.open_peak(),
                  work.engine.digest()};
    if (work.space.failed() || scratch_->get<DriveWork>()->ground.failed()) {
        fail(kNoMemory);
        return 1;
    }
    switch (progress) {
        case SearchProgress::no_memory: fail(kNoMemory); break;
        case SearchProgress::found: found(); break;
        case SearchProgress::exhausted:
            work.status = PathStatus::unreachable;
            work.too_fast = work.start_level > 0 || work.goal_level > 0;
            stage_ = Stage::done;
            break;
        case SearchProgress::running:
            if (expansions_left_ > 0) break;
            stop(true);
            break;
    }
    return std::max<std::uint64_t>(used, 1);
}

double TimedSearch::end_squared() const {
    if (scratch_->get<TimedWork>()->so_far) return 0.0;
    return query_.goal_speed == kAnySpeed ? drive::kFreeSpeed : query_.goal_speed * query_.goal_speed;
}

// The way to a node. With a start speed between two levels it may be that the speed at its end is out of reach: then there is none.
bool TimedSearch::take_way(std::uint32_t node) {
    TimedWork& work = *scratch_->get<TimedWork>();
    DriveWork& ends = *scratch_->get<DriveWork>();
    stage_ = Stage::done;
    if (!drive::fill_timed_chain(*map_, work, ends, node)) return fail(kNoMemory), false;
    const drive::EndSpeeds speeds{query_.start_speed * query_.start_speed, end_squared(), !work.so_far};
    const drive::Drivable drives =
        drive::fill_timed_route(*map_, *times_, drive_, speeds, ends.chain, work.line, work.best);
    if (drives == drive::Drivable::no_memory) fail(kNoMemory);
    work.has_route = drives == drive::Drivable::yes;
    return work.has_route;
}

void TimedSearch::pull_taut() {
    DriveWork& ends = *scratch_->get<DriveWork>();
    if (!query_.smooth) return;
    if (!ends.smoother.begin(ends.goal.curves, ends.chain)) return fail(kNoMemory);
    stage_ = Stage::smooth;
}

// A way to the goal is found.
void TimedSearch::found() {
    TimedWork& work = *scratch_->get<TimedWork>();
    if (!take_way(work.engine.goal_node())) {
        work.status = PathStatus::unreachable;
        work.too_fast = true;
        return;
    }
    work.best.search_cost = work.space.seconds(work.engine.goal_cost());
    pull_taut();
}

// A shorter way has other arcs and may take longer: then it is left.
std::uint64_t TimedSearch::smooth(std::uint64_t budget) {
    TimedWork& work = *scratch_->get<TimedWork>();
    DriveWork& ends = *scratch_->get<DriveWork>();
    std::uint64_t left = budget;
    if (ends.smoother.step(left)) return budget;
    stage_ = Stage::done;
    if (ends.smoother.failed()) {
        fail(kNoMemory);
        return budget;
    }
    const drive::EndSpeeds speeds{query_.start_speed * query_.start_speed, end_squared(), !work.so_far};
    const drive::Drivable drives =
        drive::fill_timed_route(*map_, *times_, drive_, speeds, ends.chain, work.line, work.trial);
    if (drives == drive::Drivable::no_memory) fail(kNoMemory);
    if (drives == drive::Drivable::yes && work.trial.route.cost < work.best.route.cost) {
        work.trial.search_cost = work.best.search_cost;
        std::swap(work.best, work.trial);
    }
    return budget;
}

// The budget is spent, or the call cancelled: what is left is the way to the best pose so far, if that is asked for.
void TimedSearch::stop(bool smooths) {
    TimedWork& work = *scratch_->get<TimedWork>();
    work.has_route = false;
    work.status = PathStatus::budget_spent;
    stage_ = Stage::done;
    const std::uint32_t nearest = query_.partial ? work.space.nearest() : work.space.goal_state();
    if (nearest == work.space.goal_state()) return;
    work.so_far = true;
    const std::uint32_t node = work.nodes.find(nearest);
    if (!take_way(node)) return;
    work.best.search_cost = work.space.seconds(work.nodes[node].g);
    if (smooths) pull_taut();
}

bool TimedSearch::step(std::uint64_t expansions) {
    if (stage_ == Stage::prepare) prepare();
    return work_in_slices(
        expansions, hooks_.cancel, [this] { return stage_ != Stage::done; },
        [this](std::uint64_t& left) {
            left -= std::min(left, stage_ == Stage::ends     ? look_at_ends(left)
                                   : stage_ == Stage::search ? search(left)
                                                             : smooth(left));
        },
        [this] { stop(false); });
}

// After the end the scratch is free for others.
Result<void> TimedSearch::take(TimedRoute& out) {
    const Result<void> done = write(out);
    if (stage_ == Stage::done) {
        lease_.release();
        fail(kNothingToTake);
    }
    return done;
}

Result<void> TimedSearch::write(TimedRoute& out) const {
    out.clear();
    if (failed_) return error_;
    Route& route = out.route;
    route.planner = planner_name(query_.planner);
    route.revision = map_->options().revision;
    route.end = {{query_.start.position.x, query_.start.position.y, 0.0},
                 query_.start.heading_rad,
                 map_->options().layer};
    route.status = PathStatus::budget_spent;
    if (stage_ == Stage::prepare) return {};
    const TimedWork& work = *scratch_->get<TimedWork>();
    route.stats = work.stats;
    if (stage_ != Stage::done) return {};
    route.status = work.status;
    out.too_fast = work.too_fast;
    if (!work.has_route) return {};
    const Route& best = work.best.route;
    if (!route.legs.assign(best.legs.span()) || !out.speeds.assign(work.best.speeds.span())) {
        out.clear();
        return kNoMemory;
    }
    route.length = best.length;
    route.cost = best.cost;
    route.line_cost = best.line_cost;
    route.end = best.end;
    route.bound = !exact_start_ || work.so_far              ? kNoBound
                  : query_.planner == TimedPlanner::lattice ? 1.0
                                                            : query_.epsilon;
    out.search_cost = work.best.search_cost;
    return {};
}

Result<void> find_timed_into(const DriveMapState& map, const SpeedTable& times, const TimedQuery& query,
                             Scratch& scratch, TimedRoute& out, const TimedHooks& hooks) {
    TimedSearch search(map, {}, times, query, scratch, hooks);
    while (search.step(UINT64_MAX)) {
    }
    return search.take(out);
}

Result<TimedRoute> find_timed(const DriveMapState& map, const SpeedTable& times, const TimedQuery& query,
                              Scratch& scratch, const TimedHooks& hooks) {
    TimedRoute out;
    if (const Result<void> done = find_timed_into(map, times, query, scratch, out, hooks); !done)
        return done.error();
    return out;
}

}  // namespace fairlead
