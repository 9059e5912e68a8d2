// See fly_run.h.
#include "fly/fly_run.h"

#include "fly/check_flier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "volume/search/settle.h"
#include "volume/sight/check_unit.h"

namespace fairlead::fly {

namespace {

/// Cells in voxels' shortest sides.
struct Level {
    double cell = 1.0;
    std::int32_t sectors = 16;
    std::int32_t bends = 3;
    std::int32_t climbs = 3;
    std::uint32_t weight_256 = 512;
    std::uint64_t most = 4000;  ///< expansions
};
constexpr Level kLevels[] = {
    {1.0, 16, 3, 3, 512, 6000},
    {0.5, 32, 3, 3, 512, UINT64_MAX},
    {0.25, 48, 5, 3, 512, UINT64_MAX},
};
constexpr std::uint32_t kLevelCount = sizeof(kLevels) / sizeof(kLevels[0]);
constexpr std::uint64_t kTurn = 8;  ///< expansions from one end, then from the other
/// More from one end where the other one is shut in: a curve may lead in where no moves lead out.
constexpr std::uint64_t kAlone = 400;

Result<void> check_end(const Spot& spot, Field place, Field heading) {
    if (const Result<void> good = volume::check_place(spot, place); !good) return good;
    if (!std::isfinite(spot.heading_rad) || !std::isfinite(spot.heading_tolerance_rad))
        return Error{ErrorCode::not_finite, heading};
    if (!spot.has_heading || spot.heading_tolerance_rad != 0.0) return Error{ErrorCode::unsupported, heading};
    return {};
}

/// What is added to a heading of many turns would be lost in its rounding.
double few_turns(double heading) { return std::fabs(heading) <= kTwoPi ? heading : math::wrap_pi(heading); }

Place place_of(const Spot& spot) { return {spot.position, few_turns(spot.heading_rad), 0}; }

}  // namespace

void FlyTrace::tell(TraceEventKind kind, std::uint32_t s, Cost g) const {
    if (s == FlyPoses::kJoined) return;
    SearchEvent event{.kind = kind, .state = s, .g = g};
    event.at = poses->nodes()[s].at;
    event.left = event.right = event.at.position;
    event.has_heading = true;
    hook.event(event, hook.user);
}

Result<void> FlyRun::check() const {
    if (const Result<void> good = check_end(query_.start, Field::start, Field::start_heading); !good)
        return good;
    if (query_.goal.kind > Goal::Kind::any_of)
        return Error{ErrorCode::out_of_range, Field::goal, static_cast<std::int64_t>(query_.goal.kind)};
    if (query_.goal.kind != Goal::Kind::point) return Error{ErrorCode::unsupported, Field::goal};
    if (const Result<void> good = check_end(query_.goal.at, Field::goal, Field::goal_heading); !good)
        return good;
    return check_flier(state_, query_);
}

void FlyRun::begin(const VolumeState& volume, const FlyQuery& query, const RunStart& with) {
    state_ = volume;
    query_ = query;
    trace_ = with.hooks.trace;
    at_.begin(Stage::prepare, query.expansions_max);
    before_ = {};
    legs_.clear();
    end_ = place_of(query.start);
    leads_to_ = PathStatus::complete;
    engines_[0].reset();
    engines_[1].reset();
    spaces_[0].stop_watching();
    if (const Result<void> good = check(); !good) at_.fail(good.error());
}

void FlyRun::prepare() {
    const StateData& data = state_.data();
    task_ = {&data,
             &probe_,
             query_.agent.turning_radius,
             query_.climb,
             place_of(query_.start),
             place_of(query_.goal.at)};
    end_ = task_.start;
    if (!blockers_.begin(data, query_.blockers.span(), core_half_height(query_.agent)))
        return at_.fail(kNoMemory);
    probe_ = CurveProbe(data, query_.agent, blockers_.empty() ? nullptr : &blockers_);
    const Vec3 ends[2] = {data.in_voxels(task_.start.position), data.in_voxels(task_.goal.position)};
    const auto on_map = [&](Vec3 at) {
        return data.holds(at) && data.is_loaded_at(volume::voxel_of(data, at));
    };
    if (!on_map(ends[0]) || !on_map(ends[1])) return at_.finish(PathStatus::off_world);
    if (const Result<void> good = check_airplane(task_.start, task_.goal, task_.radius, task_.climb); !good)
        return at_.fail({good.error().code, Field::agent_turning_radius});
    if (!probe_.stands(task_.start)) return at_.finish(PathStatus::start_blocked);
    Voxel voxels[2];
    const bool starts = volume::free_voxel_at(data, ends[0], voxels[0]);
    const bool held = starts && volume::free_voxel_at(data, ends[1], voxels[1]);
    PathStatus why = PathStatus::complete;
    if (!probe_.stands(task_.goal))
        why = PathStatus::goal_blocked;
    else if (held && volume::label_of(data, voxels[0]) != volume::label_of(data, voxels[1]))
        why = PathStatus::unreachable;
    if (why != PathStatus::complete) {
        if (!query_.partial || !starts) return at_.finish(why);
        if (!aim_nearby(why, voxels[0])) return;
    }
    end_ = task_.goal;
    if (task_.start == task_.goal) return at_.finish(leads_to_);
    body_ = guide_of(data, query_.agent);
    if (!masks_.begin(data, body_)) return at_.fail(kNoMemory);
    const bool serves = masks_.by_rows();
    for (int i = 0; i < 2; ++i) {
        if (!poses_[i].make_field(task_, serves ? &masks_ : nullptr, i == 1)) return at_.fail(kNoMemory);
    }
    if (leads_to_ == PathStatus::partial) turn_goal();
    begin_level(0);
}

// There is no way to the goal: to the middle of the voxel nearest to it, of those where the unit can be and that the start's part of the
// volume has.
bool FlyRun::aim_nearby(PathStatus why, Voxel from) {
    const StateData& data = state_.data();
    body_ = volume::Body(data, body_within(data, query_.agent));
    // Made taller for a box they are at least as tall as what is within it.
    if (!blockers_.empty()) body_.blockers = &blockers_;
    if (!masks_.begin(data, body_)) {
        at_.fail(kNoMemory);
        return false;
    }
    constexpr double kAnywhere = std::numeric_limits<double>::infinity();
    const std::uint32_t label = volume::label_of(data, from);
    const Vec3 goal = task_.goal.position;
    volume::WayEnd end;
    const volume::Settler settler(data, masks_, body_, 0.0);
    const bool found = settler.nearest(data.in_voxels(goal), kAnywhere, &label, end);
    leads_to_ = PathStatus::partial;
    task_.goal.position = data.in_world(end.at);
    if (masks_.failed())
        at_.fail(kNoMemory);
    else if (!found)
        at_.finish(why);
    else if (!(length(task_.goal.position - goal) < length(task_.start.position - goal)))
        at_.finish(PathStatus::partial);
    return at_.running();
}

// Beside a wall not every heading can be come in: the one in which the waves from the start come there.
void FlyRun::turn_goal() {
    constexpr int kDirections = 16;
    constexpr double kBefore = 2.0;  // voxels
    const StateData& data = state_.data();
    const double back = kBefore * std::min({data.scale.x, data.scale.y, data.scale.z});
    double least = std::numeric_limits<double>::infinity();
    for (int h = 0; h < kDirections; ++h) {
        const double heading = math::wrap_pi(h * kTwoPi / kDirections);
        const Vec2 way = math::direction(heading) * back;
        const Vec3 before = task_.goal.position - Vec3{way.x, way.y, 0.0};
        const double left = poses_[1].left_at(data.in_voxels(before));
        if (left < 0.0 || left >= least) continue;
        if (!probe_.stands({task_.goal.position, heading, 0})) continue;
        least = left;
        task_.goal.heading_rad = heading;
    }
    end_ = task_.goal;
}

void FlyRun::begin_level(std::uint32_t level) {
    const StateData& data = state_.data();
    const Level& how = kLevels[level];
    level_ = level;
    spent_ = alone_ = 0;
    at_.stage = Stage::search;
    join_ = {};
    join_.length = std::numeric_limits<double>::infinity();
    FlyGrain grain;
    grain.cell = how.cell * std::min({data.scale.x, data.scale.y, data.scale.z});
    grain.sectors = how.sectors;
    grain.bends = how.bends;
    grain.climbs = how.climbs;
    for (int i = 0; i < 2; ++i) poses_[i].begin(task_, grain, i == 1, poses_[1 - i], join_);
    if (poses_[0].failed() || poses_[1].failed()) return at_.fail(kNoMemory);
    if (query_.partial) spaces_[0].watch_nearest();
    for (int i = 0; i < 2; ++i) {
        exhausted_[i] = false;
        engines_[i].emplace(spaces_[i], opens_[i], stores_[i], WeightedKey{how.weight_256},
                            FlyTrace{&poses_[i], trace_});
        engines_[i]->begin();
        // The one that may never have its turn as well.
        if (engines_[i]->step(0) == SearchProgress::no_memory || poses_[i].failed())
            return at_.fail(kNoMemory);
    }
}

void FlyRun::leave_search() {
    for (std::optional<Engine>& engine : engines_) {
        if (engine) add_stats(before_, stats_of(*engine));
        engine.reset();
    }
}

SearchStats FlyRun::stats() const {
    SearchStats sum = before_;
    for (const std::optional<Engine>& engine : engines_) {
        if (engine) add_stats(sum, stats_of(*engine));
    }
    return sum;
}

// From both ends in turn, by what was expanded so far: the same in any slices.
void FlyRun::search(std::uint64_t& budget) {
    int which = spent_ / kTurn % 2 == 0 ? 0 : 1;
    std::uint64_t turn = kTurn - spent_ % kTurn;
    if (exhausted_[which]) which = 1 - which;
    if (exhausted_[1 - which]) turn = std::min(turn, kAlone - alone_);
    Engine& engine = *engines_[which];
    const std::uint64_t slice = std::min({budget, at_.expansions_left(), turn});
    const std::uint64_t before = engine.expanded();
    const SearchProgress progress = engine.step(slice);
    const std::uint64_t used = engine.expanded() - before;
    spent_ += used;
    at_.spend(used);
    budget -= std::min(budget, std::max<std::uint64_t>(used, 1));
    if (progress == SearchProgress::no_memory || poses_[which].failed()) return at_.fail(kNoMemory);
    if (progress == SearchProgress::found) return found(true);
    if (progress == SearchProgress::exhausted) {
        if (exhausted_[1 - which]) return next_level();
        exhausted_[which] = true;
        alone_ = 0;
    } else if (exhausted_[1 - which]) {
        alone_ += used;
    }
    if (at_.expansions_left() == 0) return end_spent();
    if (spent_ >= kLevels[level_].most || alone_ >= kAlone) next_level();
}

void FlyRun::next_level() {
    if (join_.found()) return found(true);
    if (level_ + 1 < kLevelCount) {
        leave_search();
        return begin_level(level_ + 1);
    }
    end_spent();
}

bool FlyRun::list_forward(std::uint32_t node) {
    legs_.clear();
    const Array<FlyNode>& nodes = poses_[0].nodes();
    for (; nodes[node].parent != kNoNode; node = nodes[node].parent) {
        if (!legs_.push_back(poses_[0].leg_to(node))) return false;
    }
    std::reverse(legs_.begin(), legs_.end());
    return true;
}

bool FlyRun::list_found() {
    if (!list_forward(join_.from)) return false;
    const Array<FlyNode>& back = poses_[1].nodes();
    Place end;
    if (!append_legs(join_.curve, poses_[0].nodes()[join_.from].at, back[join_.to].at.position.z, legs_, end))
        return false;
    for (std::uint32_t node = join_.to; back[node].parent != kNoNode; node = back[node].parent) {
        if (!legs_.push_back(poses_[1].leg_to(node))) return false;
    }
    // Legs from the goal's side alone begin where they come out: at the start but for rounding.
    if (!legs_.empty()) legs_[0].start = task_.start;
    return true;
}

void FlyRun::found(bool in_time) {
    if (!list_found()) return at_.fail(kNoMemory);
    leave_search();
    end_ = task_.goal;
    if (!query_.smooth || !in_time) return at_.finish(leads_to_);
    if (!smoother_.begin(probe_, task_.radius, task_.climb, legs_.span(), end_)) return at_.fail(kNoMemory);
    at_.stage = Stage::smooth;
}

void FlyRun::smooth(std::uint64_t& budget) {
    if (smoother_.step(budget)) return;
    if (smoother_.failed() || !legs_.assign(smoother_.legs().span())) return at_.fail(kNoMemory);
    at_.finish(leads_to_);
}

void FlyRun::end_spent() {
    if (at_.stage == Stage::smooth) return at_.finish(leads_to_);
    if (at_.stage == Stage::search && join_.found()) return found(false);
    end_ = task_.start;
    legs_.clear();
    if (at_.stage == Stage::search) {
        const std::uint32_t nearest = spaces_[0].nearest();
        if (nearest != kNoNode) {
            if (!list_forward(nearest)) return at_.fail(kNoMemory);
            end_ = poses_[0].nodes()[nearest].at;
        }
        leave_search();
    }
    at_.finish(PathStatus::budget_spent);
}

void FlyRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::prepare:
            prepare();
            budget -= 1;
            return;
        case Stage::search: return search(budget);
        case Stage::smooth: return smooth(budget);
        case Stage::done: return;
    }
}

Result<void> FlyRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    route.status = at_.status;
    route.planner = "fly";
    route.revision = state_.data().revision;
    route.end = at_.running() ? place_of(query_.start) : end_;
    if (at_.running()) return {};
    merge_legs(legs_);
    if (!route.legs.assign(legs_.span())) return kNoMemory;
    for (const Leg& leg : route.legs) {
        route.length += leg.length;
        route.line_cost += length(Vec2{leg.length, leg.rise});
    }
    route.cost = route.line_cost;
    return {};
}

}  // namespace fairlead::fly
