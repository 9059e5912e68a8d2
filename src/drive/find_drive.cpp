#include <fairlead/drive/find_drive.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/drive_work.h"
#include "drive/prepare_ends.h"

namespace fairlead {

using drive::ChainPose;
using drive::DriveWork;
using drive::FreeCurve;
using drive::LatticePose;
using drive::LatticeStart;
using drive::LatticeStep;

namespace {

Result<void> check(const DriveQuery& query) {
    const double numbers[] = {query.start.position.x, query.start.position.y, query.start.heading_rad,
                              query.goal.position.x,  query.goal.position.y,  query.goal.heading_rad,
                              query.goal_range,       query.epsilon,          query.reverse_penalty,
                              query.cusp_penalty};
    constexpr std::int64_t kField[] = {0, 0, 0, 1, 1, 1, 4, 6, 7, 8};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (!std::isfinite(numbers[i])) return Error{ErrorCode::not_finite, kField[i], 0};
    }
    if (query.goal_range < 0.0) return Error{ErrorCode::out_of_range, 4, 0};
    if (query.epsilon < 1.0 || query.epsilon > 100.0) return Error{ErrorCode::out_of_range, 6, 0};
    if (query.reverse_penalty < 1.0 || query.reverse_penalty > 1000.0)
        return Error{ErrorCode::out_of_range, 7, 0};
    if (query.cusp_penalty < 0.0 || query.cusp_penalty > 1000.0) return Error{ErrorCode::out_of_range, 8, 0};
    return {};
}

bool fill_steps(const DriveMap& map, const DriveQuery& query, DriveWork& work) {
    const std::span<const Primitive> all = map.table().primitives().all();
    if (!work.steps.resize_uninitialized(all.size())) return false;
    const auto cell = static_cast<double>(work.scale.straight);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Primitive& p = all[i];
        const double cost = p.length * (p.gear == Gear::reverse ? query.reverse_penalty : 1.0);
        work.steps[i] = {static_cast<Cost>(cost * cell + 0.5), p.dx, p.dy, p.to, p.gear};
    }
    return true;
}

Pose to_world(const DriveMap& map, const Pose& cells) {
    const double size = map.table().options().cell_size;
    return {map.options().origin + cells.position * size, cells.heading_rad};
}

bool same_line(const Leg& a, const Leg& b) {
    return a.curvature == 0.0 && b.curvature == 0.0 && a.gear == b.gear &&
           a.start.heading_rad == b.start.heading_rad;
}

// Straight legs that go on as they were are one leg.
void merge_lines(Array<Leg>& legs) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        if (kept > 0 && same_line(legs[kept - 1], legs[i])) {
            legs[kept - 1].length += legs[i].length;
        } else {
            legs[kept++] = legs[i];
        }
    }
    while (legs.size() > kept) legs.pop_back();
}

// The nodes from the start to the goal.
bool list_path(DriveWork& work) {
    work.path.clear();
    for (std::uint32_t node = work.engine.goal_node(); node != kNoNode; node = work.nodes[node].parent) {
        if (!work.path.push_back(node)) return false;
    }
    std::reverse(work.path.begin(), work.path.end());
    return true;
}

// No two primitives have the same ends and gear.
const Primitive& primitive_between(const DriveMap& map, const LatticePose& from, const LatticePose& to) {
    const std::span<const Primitive> group = map.table().primitives().from(from.heading);
    const auto found = std::find_if(group.begin(), group.end(), [&](const Primitive& p) {
        return p.dx == to.x - from.x && p.dy == to.y - from.y && p.to == to.heading && p.gear == to.gear;
    });
    FAIRLEAD_ASSERT(found != group.end());
    return *found;
}

// The curve that a node of the path came by, from the pose before it, and where it ends.
bool curve_into(const DriveMap& map, DriveWork& work, std::size_t i, FreeCurve& out, Pose& end) {
    const std::uint32_t before = work.path[i - 1];
    const LatticePose at = work.space.code().pose(before);
    if (work.path[i] == work.space.goal_state()) {
        int which = 0;
        const bool free = work.goal.curve_from(work.space.pose_in_cells(at), at.gear, out, which);
        if (free) end = work.goal.target[which];
        return free;
    }
    const LatticePose to = work.space.code().pose(work.path[i]);
    end = work.space.pose_in_cells(to);
    const Primitive& step = primitive_between(map, at, to);
    out = {step.word, 0.0, step.gear, step.gear};
    out.cost = step.length * (step.gear == Gear::reverse ? work.goal.curves.reverse_penalty : 1.0);
    out.word.cost = out.cost / work.goal.curves.radius;
    if (step.gear != at.gear) out.cost += work.goal.curves.cusp_penalty;
    return true;
}

// The cheapest of the starts that lead to a pose.
const LatticeStart& start_of(const DriveWork& work, const LatticePose& pose) {
    const LatticeStart* best = nullptr;
    for (const LatticeStart& start : work.starts) {
        if (start.pose == pose && (best == nullptr || start.cost < best->cost)) best = &start;
    }
    FAIRLEAD_ASSERT(best != nullptr);
    return *best;
}

// The way found as poses and curves.
bool fill_chain(const DriveMap& map, const DriveQuery& query, DriveWork& work) {
    if (!list_path(work)) return false;
    work.chain.clear();
    const LatticeStart& first = start_of(work, work.space.code().pose(work.path[0]));
    if (first.word.count > 0) {
        FreeCurve curve{first.word, 0.0, first.pose.gear, first.pose.gear};
        const double penalty = first.pose.gear == Gear::reverse ? query.reverse_penalty : 1.0;
        curve.word.cost = first.word.length * penalty;
        curve.cost = curve.word.cost * work.goal.curves.radius;
        if (!work.chain.push_back({first.from, curve})) return false;
    }
    const LatticePose start = work.space.code().pose(work.path[0]);
    if (!work.chain.push_back({work.space.pose_in_cells(start), {}})) return false;
    for (std::size_t i = 1; i < work.path.size(); ++i) {
        if (work.path[i] == work.space.goal_state() &&
            work.goal.accepts(work.space.code().pose(work.path[i - 1]))) {
            break;  // it is there
        }
        Pose end;
        if (!curve_into(map, work, i, work.chain.back().next, end) || !work.chain.push_back({end, {}}))
            return false;
    }
    return true;
}

bool write_legs(const DriveMap& map, DriveWork& work, const DriveQuery& query, Route& route) {
    const double radius = map.table().options().agent.turning_radius;
    const std::int32_t layer = map.options().layer;
    double cost = 0.0;
    // Ends that were asked for exactly are as they were asked for.
    Pose start = to_world(map, work.chain[0].pose);
    Pose goal = to_world(map, work.chain.back().pose);
    start.position = query.start.position;
    if (query.start_headings == 0) start.heading_rad = query.start.heading_rad;
    if (query.goal_range <= 0.0) goal.position = query.goal.position;
    if (query.goal_range <= 0.0 && query.goal_headings == 0) goal.heading_rad = query.goal.heading_rad;
    for (std::size_t i = 0; i + 1 < work.chain.size(); ++i) {
        Pose end;
        const Pose from = i == 0 ? start : to_world(map, work.chain[i].pose);
        if (!append_legs(work.chain[i].next.word, from, radius, layer, route.legs, end)) return false;
        cost += work.chain[i].next.cost;
    }
    merge_lines(route.legs);
    route.end = {{goal.position.x, goal.position.y, 0.0}, goal.heading_rad, layer};
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.cost = cost * map.table().options().cell_size;
    return true;
}

}  // namespace

std::uint32_t headings_near(std::int32_t count, double heading, double tolerance_rad) {
    std::uint32_t out = 0;
    for (std::int32_t h = 0; h < count; ++h) {
        if (std::abs(math::wrap_pi(heading - heading_rad(count, h))) <= tolerance_rad) out |= 1U << h;
    }
    return out;
}

DriveSearch::DriveSearch(const DriveMap& map, const DriveQuery& query, Scratch& scratch)
    : map_(&map), query_(query), scratch_(&scratch), expansions_left_(query.expansions_max) {}

void DriveSearch::fail(const Error& error) {
    failed_ = true;
    error_ = error;
    stage_ = Stage::done;
}

void DriveSearch::prepare() {
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (const Result<void> good = check(query_); !good) return fail(good.error());
    auto* work = scratch_->get<DriveWork>();
    if (work == nullptr) return fail(no_memory);
    const EdgeMap& edges = map_->edges();
    work->scale = CostScale::fit(static_cast<std::uint64_t>(edges.width()) *
                                 static_cast<std::uint64_t>(edges.height()) *
                                 static_cast<std::uint64_t>(std::ceil(query_.reverse_penalty)) * 4);
    if (!fill_steps(*map_, query_, *work)) return fail(no_memory);
    stage_ = Stage::done;
    if (!drive::prepare_ends(*map_, query_, *work, work->status)) return fail(no_memory);
    if (work->status != PathStatus::complete) return;
    work->space =
        drive::LatticeSpace(edges, work->steps.span(), work->starts.span(), work->goal, work->ground);
    const auto cell = static_cast<double>(work->scale.straight);
    work->space.set_costs(work->scale.straight, static_cast<Cost>(query_.cusp_penalty * cell),
                          map_->table().ground_factor());

    if (!work->nodes.resize(work->space.code().count(edges.height()) + 1)) return fail(no_memory);
    work->space.set_nodes(map_->table().options().agent.can_reverse ? &work->nodes : nullptr);
    work->open.set_width(work->scale.bits > 1 ? work->scale.bits - 1 : 0);
    const bool exact = query_.planner == DrivePlanner::lattice;
    const auto weight = static_cast<std::uint32_t>((exact ? 1.0 : query_.epsilon) * 256.0);
    work->engine = drive::LatticeEngine(work->space, work->open, work->nodes, {weight});
    work->engine.begin();
    stage_ = Stage::search;
}

// The goal is reached: from here on only the chain matters.
void DriveSearch::found() {
    DriveWork& work = *scratch_->get<DriveWork>();
    stage_ = query_.smooth ? Stage::smooth : Stage::done;
    if (!fill_chain(*map_, query_, work) ||
        (query_.smooth && !work.smoother.begin(work.goal.curves, work.chain))) {
        fail({ErrorCode::out_of_memory, -1, 0});
    }
}

std::uint64_t DriveSearch::search(std::uint64_t budget) {
    DriveWork& work = *scratch_->get<DriveWork>();
    const std::uint64_t slice = std::min(budget, expansions_left_);
    const std::uint64_t before = work.engine.expanded();
    const SearchProgress progress = slice == 0 ? SearchProgress::running : work.engine.step(slice);
    const std::uint64_t used = work.engine.expanded() - before;
    expansions_left_ -= std::min(expansions_left_, used);
    switch (progress) {
        case SearchProgress::no_memory: fail({ErrorCode::out_of_memory, -1, 0}); break;
        case SearchProgress::found: found(); break;
        case SearchProgress::exhausted:
            work.status = PathStatus::unreachable;
            stage_ = Stage::done;
            break;
        case SearchProgress::running:
            if (expansions_left_ > 0) break;
            work.status = PathStatus::budget_spent;
            stage_ = Stage::done;
            break;
    }
    if (work.ground.failed()) fail({ErrorCode::out_of_memory, -1, 0});
    return std::max<std::uint64_t>(used, 1);
}

std::uint64_t DriveSearch::smooth(std::uint64_t budget) {
    DriveWork& work = *scratch_->get<DriveWork>();
    if (work.smoother.step(budget)) return budget;
    stage_ = Stage::done;
    if (work.smoother.failed()) fail({ErrorCode::out_of_memory, -1, 0});
    return budget;
}

bool DriveSearch::step(std::uint64_t expansions) {
    if (stage_ == Stage::prepare) prepare();
    while (expansions > 0 && stage_ != Stage::done) {
        const std::uint64_t used = stage_ == Stage::search ? search(expansions) : smooth(expansions);
        expansions -= std::min(expansions, used);
    }
    return stage_ != Stage::done;
}

Result<void> DriveSearch::take(Route& route) {
    route.clear();
    if (failed_) return error_;
    DriveWork& work = *scratch_->get<DriveWork>();
    route.status = work.status;
    route.planner = query_.planner == DrivePlanner::lattice ? "lattice" : "weighted_lattice";
    route.revision = map_->options().revision;
    route.stats = {work.engine.expanded(), work.engine.generated(), work.engine.open_peak(),
                   work.engine.digest()};
    const std::int32_t layer = map_->options().layer;
    route.end = {{query_.start.position.x, query_.start.position.y, 0.0}, query_.start.heading_rad, layer};
    if (work.status != PathStatus::complete) return {};
    if (!write_legs(*map_, work, query_, route)) {
        route.clear();
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    route.bound = query_.planner == DrivePlanner::lattice ? 1.0 : query_.epsilon;
    return {};
}

Result<void> find_route_into(const DriveMap& map, const DriveQuery& query, Scratch& scratch, Route& route) {
    DriveSearch search(map, query, scratch);
    while (search.step(UINT64_MAX)) {
    }
    return search.take(route);
}

Result<Route> find_route(const DriveMap& map, const DriveQuery& query, Scratch& scratch) {
    Route route;
    if (const Result<void> done = find_route_into(map, query, scratch, route); !done) return done.error();
    return route;
}

}  // namespace fairlead
