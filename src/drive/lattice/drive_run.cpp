// A query of a turning unit over a DriveMap, stage by stage.
#include "drive/lattice/drive_run.h"

#include <algorithm>
#include <cmath>

#include "base/no_memory.h"
#include "drive/curves/write_route.h"
#include "drive/lattice/lattice_path.h"
#include "drive/lattice/prepare_ends.h"
#include "drive/map/map_frame.h"
#include "search/slices.h"

namespace fairlead::drive {

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
double cheapest_move(const MapData& map, const LatticeQuery& query) {
    const DriveTable& table = map.table();
    double least = 1.0;
    for (const LatticeLink& link : map.links()) least = std::min(least, link.cost);
    if (!table.options().agent.can_pivot) return least;
    for (const Primitive& move : table.primitives().all()) {
        if (move.is_turn())
            least = std::min(least, turned_on_spot(move.word) * query.pivot_penalty * table.pitch());
    }
    return least;
}

// The bound of a search that opens each pose once rests on a consistent lower bound. Ours is, but for the rounding of curve
// lengths: from one end of a move, which is a cell long at least, to the other it may fall by a unit too much. Scaled down
// by this it never does. Over a turn on the spot it does not change.
constexpr double kConsistent = 1.0 / (1.0 + kCurveBoundsUnit * 1.001);

// Cells that no way is longer than. On roads costs are multiplied by factors in 1/256.
std::uint64_t scale_units(const MapData& map, const LatticeQuery& query) {
    const std::uint64_t cells =
        static_cast<std::uint64_t>(map.edges().width()) * static_cast<std::uint64_t>(map.edges().height());
    std::uint64_t units = cells * static_cast<std::uint64_t>(std::ceil(query.reverse_penalty)) *
                          static_cast<std::uint64_t>(map.dearest()) * 4;
    const double whole_turn = kTwoPi * query.pivot_penalty * map.table().pitch();
    if (map.table().options().agent.can_pivot)
        units += cells * static_cast<std::uint64_t>(std::ceil(whole_turn));
    double over_links = 0.0;  // each in each heading and gear
    for (const LatticeLink& link : map.links()) over_links += link.cost * 2 * kHeadingsMax;
    units += static_cast<std::uint64_t>(over_links);
    if (!map.has_roads()) return units;
    constexpr std::uint64_t kOne = RoadGround::kOne;
    return units > UINT64_MAX / kOne ? UINT64_MAX : units * kOne;
}

// Between ends off the lattice, over short distances, a way in a corridor of which no more is known may have a shorter one beside the
// corridor, some by 16 %; and to look is soon done.
constexpr double kContent = 1.2;
constexpr double kShortWay = 200.0;  // cells

}  // namespace

void DriveRun::begin(const DriveMapState& map, const DriveQuery& query, const RunStart& with) {
    map_ = &map.data();
    const DriveTable& table = map_->table();
    trace_ = with.hooks.trace;
    work_ = with.scratch.get<DriveWork>();
    PoseRun::begin(work_, query.expansions_max);
    if (work_ == nullptr) return;
    work_->status = PathStatus::budget_spent;
    work_->off_lattice = false;
    work_->space = {};
    work_->lattice = {};
    no_way_ = PathStatus::complete;
    if (const Result<void> good = check_query(query); !good) return at_.fail(good.error());
    if (query.agent != Agent{} && query.agent != table.options().agent)
        return at_.fail({ErrorCode::incompatible, Field::agent});
    query_ = lattice_query(table, query);
    if (const Result<void> good = take_blockers(*map_, query.blockers.span(), *work_, query_); !good)
        return at_.fail(good.error());
    ask_ = {query.planner, query.epsilon, query.smooth, query.partial};
    work_->scale = CostScale::fit(scale_units(*map_, query_));
    if (!fill_steps(*map_, query_, *work_)) return at_.fail(kNoMemory);
    work_->ends.begin(*map_, query_, *work_, may_keep_to_corridor());
}

void DriveRun::look_at_ends(std::uint64_t& budget) {
    if (step_while(work_->ends, budget)) return;
    if (work_->ends.failed()) return at_.fail(kNoMemory);
    prepare_search();
}

// ---- the search --------------------------------------------------------------------------------------------

void DriveRun::prepare_search() {
    if (work_->status == PathStatus::unreachable) return leave_lattice();
    if (work_->status == PathStatus::goal_blocked) return end_without_way(PathStatus::goal_blocked);
    if (work_->status != PathStatus::complete) return at_.finish(work_->status);
    const EdgeMap& edges = map_->edges();
    const DriveTable& table = map_->table();
    GridLattice& lattice = work_->lattice;
    lattice = GridLattice(edges, work_->steps.span(), work_->starts.span(), work_->goal, work_->ground);
    lattice.set_costs(work_->scale.straight, table.ground_factor() * map_->cheapest(),
                      static_cast<Cost>(map_->cheapest()));
    if (!work_->nodes.resize(lattice.code(), edges.height())) return at_.fail(kNoMemory);
    lattice.set_terrain(step_costs(*map_, *work_));
    if (map_->has_links()) lattice.set_links(map_->links());
    if (query_.heuristic == DriveHeuristic::article) work_->article.fill(table.turning_radius());
    work_->other = OtherEstimate(query_.heuristic, query_.own, *map_, work_->article);
    if (query_.heuristic != DriveHeuristic::bounds) lattice.set_estimate(work_->other);
    lattice.set_clear_moves(query_.blockers != nullptr ? &work_->clear_moves : nullptr);
    lattice.set_corridor(work_->in_corridor ? &work_->corridor.cells() : nullptr);
    const auto cell = static_cast<double>(work_->scale.straight);
    const bool direct = work_->direct.which >= 0;
    work_->space = GridSpace(lattice, work_->nodes);
    work_->space.set_costs(static_cast<Cost>(query_.cusp_penalty * table.pitch() * cell),
                           direct ? static_cast<Cost>(work_->direct.curve.cost * cell) : kCostMax);
    if (query_.partial) work_->space.watch_nearest();
    begin_first_search();
}

void DriveRun::begin_search(double weight) {
    work_->open.set_width(bucket_bits(work_->scale, weight, cheapest_move(*map_, query_)));
    const auto weight_256 = static_cast<std::uint32_t>(std::max(1.0, weight * kConsistent) * 256.0);
    const bool traced = trace_.event != nullptr;
    if (traced) work_->tracer = {*map_, work_->lattice.code(), query_.goal, trace_};
    work_->engine = LatticeEngine(work_->space, work_->open, work_->nodes, {weight_256},
                                  LatticeTrace{traced ? &work_->tracer : nullptr});
    if (work_->best_cost < kNoCost) {
        const double limit = work_->best_cost * static_cast<double>(work_->scale.straight);
        work_->engine.set_cost_limit(static_cast<Cost>(limit));
    }
    // The ground at the starts is known. What lies beyond them may be far on the ground: then the search waits for it.
    work_->ground.grow_in_slices(false);
    work_->engine.begin();
    if (!work_->in_corridor && query_.heuristic == DriveHeuristic::bounds) {
        const auto least = static_cast<double>(work_->space.least_of_starts());
        work_->least = std::max(work_->least, least / static_cast<double>(work_->scale.straight));
    }
    work_->ground.grow_in_slices(true);
    work_->lattice.look_in_parts(true);
}

void DriveRun::search(std::uint64_t& budget) {
    LatticeEngine& engine = work_->engine;
    // What it waits for is no expansion, and belongs to the last one.
    const std::uint64_t room = std::max<std::uint64_t>(at_.expansions_left(), engine.waits() ? 1 : 0);
    const std::uint64_t before = engine.expanded();
    const std::uint64_t waited = engine.waited();
    const SearchProgress progress = engine.step(std::min(budget, room));
    const std::uint64_t expanded = engine.expanded() - before;
    const std::uint64_t used = expanded + engine.waited() - waited;
    at_.spend(expanded);
    budget -= std::min(budget, std::max<std::uint64_t>(used, 1));
    if (progress == SearchProgress::no_memory || work_->ground.failed() || work_->clear_moves.failed())
        return at_.fail(kNoMemory);
    switch (progress) {
        case SearchProgress::found: return found(engine.goal_node());
        case SearchProgress::exhausted:
            leave_search();
            if (work_->in_corridor) return look_everywhere();
            return knows_path() ? end_search() : leave_lattice();
        default: break;
    }
    if (at_.expansions_left() == 0 && !engine.waits()) end_spent(true);
}

// The lattice has no path.
void DriveRun::leave_lattice() {
    if (query_.off_lattice_max == 0 || work_->divided) return end_without_way(PathStatus::unreachable);
    // No curve leads to another floor.
    const MapFrame frame(*map_);
    if (frame.floor_of(query_.start_layer) != frame.floor_of(query_.goal_layer))
        return end_without_way(PathStatus::unreachable);
    bool possible = false;
    if (!work_->bins.begin(*map_, query_, work_->goal, work_->scale.straight, trace_, possible))
        return at_.fail(kNoMemory);
    if (!possible) return end_without_way(PathStatus::unreachable);
    beyond_ = Beyond::off_lattice;
    at_.stage = PoseStage::beyond;
}

void DriveRun::search_off_lattice(std::uint64_t& budget) {
    using End = BinSearch::Progress;
    const std::uint64_t before = work_->bins.expanded();
    const std::uint64_t allowed = query_.off_lattice_max - std::min(before, query_.off_lattice_max);
    const std::uint64_t room = std::min(at_.expansions_left(), allowed);
    const End progress = room == 0 ? End::running : work_->bins.step(std::min(budget, room));
    const std::uint64_t used = work_->bins.expanded() - before;
    at_.spend(used);
    work_->stats.expanded += used;
    budget -= std::min(budget, std::max<std::uint64_t>(used, 1));
    switch (progress) {
        case End::no_memory: return at_.fail(kNoMemory);
        case End::exhausted: return end_without_way(PathStatus::unreachable);
        case End::found:
            work_->off_lattice = true;
            return work_->bins.write_chain(work_->chain) ? pull_taut() : at_.fail(kNoMemory);
        case End::running: break;
    }
    if (room > used) return;
    at_.expansions_left() == 0 ? end_spent(true) : end_without_way(PathStatus::unreachable);
}

// ---- where there is none -----------------------------------------------------------------------------------

// With `partial` the unit drives to the place nearest the goal.
void DriveRun::end_without_way(PathStatus status) {
    const bool nearby = query_.partial && no_way_ == PathStatus::complete;
    if (nearby) no_way_ = status;
    if (nearby) leads_to_ = PathStatus::partial;
    if (!nearby) return at_.finish(no_way_ == PathStatus::complete ? status : no_way_);
    work_->space = {};  // its nearest pose is of no use any more
    work_->near_goal.begin(*map_, query_, *work_);
    beyond_ = Beyond::nearest;
    at_.stage = PoseStage::beyond;
}

void DriveRun::look_nearby(std::uint64_t& budget) {
    if (step_while(work_->near_goal, budget)) return;
    if (work_->near_goal.failed()) return at_.fail(kNoMemory);
    const PathStatus found = work_->near_goal.lead(query_, no_way_);
    if (found != PathStatus::complete) return at_.finish(found);
    query_.off_lattice_max = 0;
    work_->ends.begin(*map_, query_, *work_);
    at_.stage = PoseStage::ends;
}

// ---- the path found ----------------------------------------------------------------------------------------

// From here on only the path's chain matters.
void DriveRun::begin_chain(std::uint32_t last) {
    at_.stage = PoseStage::chain;
    if (!work_->chain_work.begin(*map_, *work_, last)) at_.fail(kNoMemory);
}

void DriveRun::write_chain(std::uint64_t& budget) {
    if (step_while(work_->chain_work, budget)) return;
    work_->chain_work.failed() ? at_.fail(kNoMemory) : pull_taut();
}

bool DriveRun::fill_chain(std::uint32_t last) { return drive::fill_chain(*map_, *work_, last); }

double DriveRun::bound_of(double weight) const {
    if (work_->in_corridor) return measured_bound();
    const bool bounded = !work_->off_lattice && work_->other.is_bound();
    return bounded ? std::min(weight, measured_bound()) : kNoBound;
}

bool DriveRun::takes_over() {
    if (work_->off_lattice) {
        finish(PathStatus::complete);
        return true;
    }
    if (!work_->in_corridor) return false;
    const bool off_lattice = !work_->goal.on_lattice || work_->starts[0].word.count > 0;
    const bool looks = off_lattice && work_->least < kShortWay;
    if (work_->best_bound <= (looks ? std::min(query_.epsilon, kContent) : query_.epsilon)) return false;
    look_everywhere();
    return true;
}

// Where all ways cost what they are long.
bool DriveRun::may_keep_to_corridor() const {
    return query_.planner == DrivePlanner::weighted && query_.heuristic == DriveHeuristic::bounds &&
           !query_.partial && map_->uniform() && !map_->has_links();
}

// The corridor has no path, or one of which it is not known that it is good enough: now without, for a cheaper one.
void DriveRun::look_everywhere() {
    work_->ends.begin_everywhere();
    at_.stage = PoseStage::ends;
}

// What the best path costs against the least that any could.
double DriveRun::measured_bound() const {
    if (work_->best_cost >= kNoCost || work_->least <= 0.0) return kNoBound;
    return std::max(1.0, work_->best_cost / (work_->least * (1.0 - 1e-9)));
}

// ---- the result --------------------------------------------------------------------------------------------

Result<void> DriveRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    const DriveMapOptions& world = map_->options();
    const std::int32_t layer = query_.start_layer == kMapLayer ? world.layer : query_.start_layer;
    const Vec2 start = query_.start.position;
    route.planner = planner_name(query_.planner);
    route.revision = world.revision;
    route.status = status();
    route.end = {{start.x, start.y, 0.0}, query_.start.heading_rad, layer};
    if (!has_legs()) return {};
    if (!write_route(*map_, query_, work_->best, route, has_best())) return kNoMemory;
    if (!has_best()) return {};
    route.status = leads_to_;
    route.bound = work_->best_bound;
    if (work_->off_lattice) route.planner = "off_lattice";
    return {};
}

}  // namespace fairlead::drive
