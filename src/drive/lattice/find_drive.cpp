#include <fairlead/drive/find_drive.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "drive/curves/few_turns.h"
#include "drive/curves/write_route.h"
#include "drive/lattice/drive_work.h"
#include "drive/lattice/lattice_path.h"
#include "drive/lattice/prepare_ends.h"
#include "search/slices.h"

namespace fairlead {

using drive::ChainPose;
using drive::DriveWork;

namespace {

// A bucket of the open list is half a cell wide; in a search that opens each pose once no wider than (w - 1) of the cheapest
// move, which is a cell or a turn on the spot. Let s be opened before s1, the first pose on its optimal way that is not, and s0, the one
// before that, be reached for g(s0) <= w g*(s0). Then f(s) <= f(s1) + width, and g(s1) <= w g*(s1) - (w - 1) of a move, so that
// g(s) <= w g*(s) all the same.
std::int32_t bucket_bits(const CostScale& scale, double weight, double cheapest_move) {
    std::int32_t bits = scale.bits - 1;
    double width = 0.5;
    for (; bits > 0 && weight > 1.0 && width > (weight - 1.0) * cheapest_move; --bits) width *= 0.5;
    return std::max(bits, 0);
}

// In cells.
double cheapest_move(const DriveMap& map, const DriveQuery& query) {
    const DriveTable& table = map.table();
    double least = 1.0;
    for (const drive::LatticeLink& link : map.links()) least = std::min(least, link.cost);
    if (!table.options().agent.can_pivot) return least;
    for (const Primitive& move : table.primitives().all()) {
        if (move.is_turn())
            least = std::min(least, drive::turned_on_spot(move.word) * query.pivot_penalty * table.pitch());
    }
    return least;
}

// The bound of a search that opens each pose once rests on a consistent lower bound. Ours is, but for the rounding of curve
// lengths: from one end of a move, which is a cell long at least, to the other it may fall by a unit too much. Scaled down
// by this it never does. Over a turn on the spot it does not change.
constexpr double kConsistent = 1.0 / (1.0 + drive::kCurveBoundsUnit * 1.001);

// Cells that no way is longer than. On roads costs are multiplied by factors in 1/256.
std::uint64_t scale_units(const DriveMap& map, const DriveQuery& query) {
    const std::uint64_t cells =
        static_cast<std::uint64_t>(map.edges().width()) * static_cast<std::uint64_t>(map.edges().height());
    std::uint64_t units = cells * static_cast<std::uint64_t>(std::ceil(query.reverse_penalty)) *
                          static_cast<std::uint64_t>(map.dearest()) * 4;
    const double whole_turn = kTwoPi * query.pivot_penalty * map.table().pitch();
    if (map.table().options().agent.can_pivot)
        units += cells * static_cast<std::uint64_t>(std::ceil(whole_turn));
    double over_links = 0.0;  // each in each heading and gear
    for (const drive::LatticeLink& link : map.links()) over_links += link.cost * 2 * kHeadingsMax;
    units += static_cast<std::uint64_t>(over_links);
    if (!map.has_roads()) return units;
    constexpr std::uint64_t kOne = drive::RoadGround::kOne;
    return units > UINT64_MAX / kOne ? UINT64_MAX : units * kOne;
}

}  // namespace

std::uint32_t headings_near(std::int32_t count, double heading, double tolerance_rad) {
    std::uint32_t out = 0;
    for (std::int32_t h = 0; h < count; ++h) {
        if (std::abs(math::wrap_pi(drive::few_turns(heading) - heading_rad(count, h))) <= tolerance_rad)
            out |= 1U << h;
    }
    return out;
}

const char* planner_name(DrivePlanner planner) {
    switch (planner) {
        case DrivePlanner::weighted: return "weighted_lattice";
        case DrivePlanner::lattice: return "lattice";
        case DrivePlanner::anytime: return "anytime_lattice";
    }
    return "";
}

DriveSearch::DriveSearch(const DriveMap& map, const DriveQuery& query, Scratch& scratch,
                         const DriveHooks& hooks)
    : map_(&map),
      query_(drive::with_few_turns(query)),
      scratch_(&scratch),
      hooks_(hooks),
      expansions_left_(query.expansions_max) {
    map_changes_ = map.changes();
}

void DriveSearch::fail(const Error& error) {
    failed_ = true;
    error_ = error;
    stage_ = Stage::done;
}

void DriveSearch::prepare() {
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (const Result<void> good = drive::check_query(query_); !good) return fail(good.error());
    auto* work = scratch_->get<DriveWork>();
    if (work == nullptr) return fail(no_memory);
    work->stats = {};
    map_changes_ = map_->changes();
    work->scale = CostScale::fit(scale_units(*map_, query_));
    if (!drive::fill_steps(*map_, query_, *work)) return fail(no_memory);
    work->best.clear();
    work->best_cost = drive::kNoCost;
    work->off_lattice = false;
    work->so_far = false;
    work->space = {};
    work->ends.begin(*map_, query_, *work);
    stage_ = Stage::ends;
}

std::uint64_t DriveSearch::look_at_ends(std::uint64_t budget) {
    DriveWork& work = *scratch_->get<DriveWork>();
    std::uint64_t used = 1;
    for (; work.ends.step(); ++used) {
        if (used == budget) return used;
    }
    if (work.ends.failed()) {
        fail({ErrorCode::out_of_memory, -1, 0});
    } else {
        prepare_search();
    }
    return used;
}

void DriveSearch::prepare_search() {
    auto* work = scratch_->get<DriveWork>();
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    const EdgeMap& edges = map_->edges();
    stage_ = Stage::done;
    if (work->status == PathStatus::unreachable) return leave_lattice();
    if (work->status != PathStatus::complete) return;
    work->space =
        drive::LatticeSpace(edges, work->steps.span(), work->starts.span(), work->goal, work->ground);
    const auto cell = static_cast<double>(work->scale.straight);
    work->space.set_costs(
        work->scale.straight, static_cast<Cost>(query_.cusp_penalty * map_->table().pitch() * cell),
        map_->table().ground_factor() * map_->cheapest(), static_cast<Cost>(map_->cheapest()));

    if (!work->nodes.resize(work->space.code().count(edges.height()) + 1)) return fail(no_memory);
    work->space.set_terrain(drive::step_costs(*map_, *work));
    if (map_->has_links()) work->space.set_links(map_->links());
    if (work->direct.which >= 0) work->space.set_direct(static_cast<Cost>(work->direct.curve.cost * cell));
    if (query_.heuristic == DriveHeuristic::article) {
        work->article.fill(map_->table().turning_radius());
        work->space.set_article(work->article);
    }
    work->space.set_nodes(work->nodes, map_->table().options().agent.can_reverse);
    if (query_.partial) work->space.watch_nearest();
    begin_search(query_.planner == DrivePlanner::lattice ? 1.0 : query_.epsilon);
}

void DriveSearch::begin_search(double weight) {
    DriveWork& work = *scratch_->get<DriveWork>();
    weight_ = weight;
    work.open.set_width(bucket_bits(work.scale, weight, cheapest_move(*map_, query_)));
    const auto weight_256 = static_cast<std::uint32_t>(std::max(1.0, weight * kConsistent) * 256.0);
    const bool traced = hooks_.trace.event != nullptr;
    if (traced) work.tracer = {*map_, work.space.code(), query_.goal, hooks_.trace};
    work.engine = drive::LatticeEngine(work.space, work.open, work.nodes, {weight_256},
                                       drive::LatticeTrace{traced ? &work.tracer : nullptr});
    if (work.best_cost < drive::kNoCost) {
        work.engine.set_cost_limit(
            static_cast<Cost>(work.best_cost * static_cast<double>(work.scale.straight)));
    }
    // The ground at the starts is known. What lies beyond them may be far on the ground: then the search waits for it.
    work.ground.grow_in_slices(false);
    work.engine.begin();
    work.ground.grow_in_slices(true);
    stage_ = Stage::search;
}

// A way to the goal is found: from here on only its chain matters.
void DriveSearch::found() { begin_chain(scratch_->get<DriveWork>()->engine.goal_node()); }

void DriveSearch::begin_chain(std::uint32_t last) {
    DriveWork& work = *scratch_->get<DriveWork>();
    stage_ = Stage::chain;
    if (!work.chain_work.begin(*map_, work, last)) fail({ErrorCode::out_of_memory, -1, 0});
}

std::uint64_t DriveSearch::write_chain(std::uint64_t budget) {
    drive::ChainWork& chain = scratch_->get<DriveWork>()->chain_work;
    std::uint64_t used = 1;
    for (; chain.step(); ++used) {
        if (used == budget) return used;
    }
    if (chain.failed()) {
        fail({ErrorCode::out_of_memory, -1, 0});
    } else {
        pull_taut();
    }
    return used;
}

void DriveSearch::pull_taut() {
    DriveWork& work = *scratch_->get<DriveWork>();
    stage_ = Stage::smooth;
    if (!query_.smooth) return keep_best();
    if (!work.smoother.begin(work.goal.curves, work.chain)) fail({ErrorCode::out_of_memory, -1, 0});
}

// The lattice has no way.
void DriveSearch::leave_lattice() {
    DriveWork& work = *scratch_->get<DriveWork>();
    work.status = PathStatus::unreachable;
    stage_ = Stage::done;
    if (query_.off_lattice_max == 0 || work.divided) return;
    // No curve leads to another floor.
    const drive::MapFrame frame(*map_);
    if (frame.floor_of(query_.start_layer) != frame.floor_of(query_.goal_layer)) return;
    bool possible = false;
    if (!work.bins.begin(*map_, query_, work.goal, work.scale.straight, hooks_.trace, possible))
        return fail({ErrorCode::out_of_memory, -1, 0});
    if (possible) stage_ = Stage::off_lattice;
}

std::uint64_t DriveSearch::search_off_lattice(std::uint64_t budget) {
    using End = drive::BinSearch::Progress;
    DriveWork& work = *scratch_->get<DriveWork>();
    const std::uint64_t before = work.bins.expanded();
    const std::uint64_t room =
        std::min(expansions_left_, query_.off_lattice_max - std::min(before, query_.off_lattice_max));
    const End progress = room == 0 ? End::running : work.bins.step(std::min(budget, room));
    const std::uint64_t used = work.bins.expanded() - before;
    expansions_left_ -= std::min(expansions_left_, used);
    work.stats.expanded += used;
    switch (progress) {
        case End::no_memory: fail({ErrorCode::out_of_memory, -1, 0}); break;
        case End::exhausted: stage_ = Stage::done; break;
        case End::found:
            work.status = PathStatus::complete;
            work.off_lattice = true;
            if (!work.bins.write_chain(work.chain)) return fail({ErrorCode::out_of_memory, -1, 0}), 1;
            pull_taut();
            break;
        case End::running:
            if (room > used) break;
            stage_ = Stage::done;
            if (expansions_left_ == 0) stop(true);
            break;
    }
    return std::max<std::uint64_t>(used, 1);
}

// The budget is spent, or the call cancelled: what is left is the way to the best pose so far, if that is asked for.
void DriveSearch::stop(bool smooths) {
    DriveWork& work = *scratch_->get<DriveWork>();
    work.status = PathStatus::budget_spent;
    stage_ = Stage::done;
    work.best.clear();
    const std::uint32_t nearest = query_.partial ? work.space.nearest() : work.space.goal_state();
    work.so_far = nearest != work.space.goal_state();
    if (!work.so_far) return;
    if (smooths) return begin_chain(nearest);
    if (!drive::fill_chain(*map_, work, nearest)) return fail({ErrorCode::out_of_memory, -1, 0});
    keep_best();
}

void DriveSearch::keep_best() {
    DriveWork& work = *scratch_->get<DriveWork>();
    double cost = 0.0;
    for (const ChainPose& pose : work.chain) cost += pose.next.cost;
    if (cost < work.best_cost) {
        work.best_cost = cost;
        if (!work.best.resize_uninitialized(work.chain.size()))
            return fail({ErrorCode::out_of_memory, -1, 0});
        std::copy(work.chain.begin(), work.chain.end(), work.best.begin());
    }
    if (work.so_far) {
        stage_ = Stage::done;
        return;
    }
    next_weight();
}

void DriveSearch::add_stats() {
    DriveWork& work = *scratch_->get<DriveWork>();
    work.stats.expanded += work.engine.expanded();
    work.stats.generated += work.engine.generated();
    work.stats.open_peak = std::max(work.stats.open_peak, work.engine.open_peak());
    work.stats.digest ^= work.engine.digest();
}

// A search with weight w that ends proves that the best way known costs at most w times the least: it found a cheaper one,
// or left out only what costs more by its reckoning, which is at most w times too high. The anytime planner goes on.
void DriveSearch::next_weight() {
    DriveWork& work = *scratch_->get<DriveWork>();
    const bool bounded = !work.off_lattice && query_.heuristic == DriveHeuristic::bounds;
    work.best_bound = bounded ? weight_ : kNoBound;
    stage_ = Stage::done;
    if (work.off_lattice) return;
    add_stats();
    if (query_.planner != DrivePlanner::anytime || weight_ <= 1.0 || work.best_cost >= drive::kNoCost) return;
    begin_search(weight_ > 1.05 ? 0.5 * (weight_ + 1.0) : 1.0);
}

std::uint64_t DriveSearch::search(std::uint64_t budget) {
    DriveWork& work = *scratch_->get<DriveWork>();
    // What it waits for is no expansion, and belongs to the last one.
    const std::uint64_t room = std::max<std::uint64_t>(expansions_left_, work.engine.waits() ? 1 : 0);
    const std::uint64_t before = work.engine.expanded();
    const std::uint64_t waited = work.engine.waited();
    const SearchProgress progress = work.engine.step(std::min(budget, room));
    const std::uint64_t expanded = work.engine.expanded() - before;
    const std::uint64_t used = expanded + work.engine.waited() - waited;
    expansions_left_ -= std::min(expansions_left_, expanded);
    const bool known = work.best_cost < drive::kNoCost;
    switch (progress) {
        case SearchProgress::no_memory: fail({ErrorCode::out_of_memory, -1, 0}); break;
        case SearchProgress::found: found(); break;
        case SearchProgress::exhausted:
            next_weight();
            if (!known) leave_lattice();
            break;
        case SearchProgress::running:
            if (expansions_left_ > 0 || work.engine.waits()) break;
            add_stats();
            stage_ = Stage::done;
            if (!known) stop(true);
            break;
    }
    if (work.ground.failed()) fail({ErrorCode::out_of_memory, -1, 0});
    return std::max<std::uint64_t>(used, 1);
}

std::uint64_t DriveSearch::smooth(std::uint64_t budget) {
    DriveWork& work = *scratch_->get<DriveWork>();
    if (work.smoother.step(budget)) return budget;
    if (work.smoother.failed()) {
        fail({ErrorCode::out_of_memory, -1, 0});
    } else {
        keep_best();
    }
    return budget;
}

// Cancelled. What there is of a route is dropped, except for the anytime planner's best one.
void DriveSearch::give_up() {
    DriveWork& work = *scratch_->get<DriveWork>();
    if (stage_ == Stage::search) add_stats();
    const bool keeps = query_.planner == DrivePlanner::anytime && work.best_cost < drive::kNoCost;
    stage_ = Stage::done;
    if (keeps) return;
    work.best_cost = drive::kNoCost;
    stop(false);
}

std::uint64_t DriveSearch::go_on(std::uint64_t budget) {
    switch (stage_) {
        case Stage::ends: return look_at_ends(budget);
        case Stage::search: return search(budget);
        case Stage::chain: return write_chain(budget);
        case Stage::off_lattice: return search_off_lattice(budget);
        default: return smooth(budget);
    }
}

bool DriveSearch::step(std::uint64_t expansions) {
    if (stage_ != Stage::done && map_changes_ != map_->changes()) stage_ = Stage::prepare;
    if (stage_ == Stage::prepare) prepare();
    return work_in_slices(
        expansions, hooks_.cancel, [this] { return stage_ != Stage::done; },
        [this](std::uint64_t& left) { left -= std::min(left, go_on(left)); }, [this] { give_up(); });
}

bool DriveSearch::has_route() const {
    if (failed_ || stage_ == Stage::prepare) return false;
    const DriveWork& work = *scratch_->get<DriveWork>();
    return work.status == PathStatus::complete && work.best_cost < drive::kNoCost;
}

Result<void> DriveSearch::take(Route& route) {
    route.clear();
    if (failed_) return error_;
    route.planner = planner_name(query_.planner);
    route.revision = map_->options().revision;
    const std::int32_t layer = query_.start_layer == kMapLayer ? map_->options().layer : query_.start_layer;
    route.end = {{query_.start.position.x, query_.start.position.y, 0.0}, query_.start.heading_rad, layer};
    route.status = PathStatus::budget_spent;
    if (stage_ == Stage::prepare) return {};
    DriveWork& work = *scratch_->get<DriveWork>();
    route.stats = work.stats;
    const bool so_far = stage_ == Stage::done && work.so_far && !work.best.empty();
    if (!has_route() && !so_far) {
        if (stage_ == Stage::done) route.status = work.status;
        return {};
    }
    if (!drive::write_route(*map_, query_, work.best, route, !so_far)) {
        route.clear();
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    route.status = work.status;
    if (so_far) return {};
    route.bound = work.best_bound;
    if (work.off_lattice) route.planner = "off_lattice";
    return {};
}

Result<void> find_route_into(const DriveMap& map, const DriveQuery& query, Scratch& scratch, Route& route,
                             const DriveHooks& hooks) {
    DriveSearch search(map, query, scratch, hooks);
    while (search.step(UINT64_MAX)) {
    }
    return search.take(route);
}

Result<Route> find_route(const DriveMap& map, const DriveQuery& query, Scratch& scratch,
                         const DriveHooks& hooks) {
    Route route;
    if (const Result<void> done = find_route_into(map, query, scratch, route, hooks); !done)
        return done.error();
    return route;
}

}  // namespace fairlead
