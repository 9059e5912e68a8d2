#include "bridge/mesh_drive_run.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "drive/curves/few_turns.h"
#include "drive/lattice/lattice_query.h"
#include "drive/lattice/list_nodes.h"
#include "search/slices.h"

namespace fairlead::bridge {

using drive::ChainPose;
using drive::FreeCurve;
using drive::SheetPose;

namespace {

/// Cells that no way is longer than: at most a hundred times round every place of 2^32.
constexpr std::uint64_t kScaleUnits = std::uint64_t{1} << 38;
/// Where areas cost more and less: as many times the dearest one's cost, of a way of 2^30 cells.
constexpr double kPricedUnits = 1 << 30;
constexpr int kAllWords = 64;
constexpr std::uint64_t kSearchedFirst = 500;  // poses opened before it is searched from the goal as well
constexpr std::uint64_t kTurns = 32;           // and from then on, of either side in turn
constexpr std::uint64_t kSeedTurns = 128;      // places near the goal
constexpr std::uint64_t kChecks = 64;          // every so many poses: is the way known good enough?
constexpr std::uint64_t kPatience = 128;       // poses opened since it was found
/// A straight curve is tried where the way over the surface is no longer than so many times the line, and some radii.
constexpr double kDirectDetour = 1.25;

// A pose within reach of every mesh.
Result<void> check_pose(const Spot& spot, Field place, Field heading) {
    if (const Result<void> good = drive::check_spot(spot, place, heading); !good) return good;
    for (const double value : {spot.position.x, spot.position.y, spot.position.z}) {
        if (std::abs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, place};
    }
    return {};
}

// As in find_drive.cpp: what each pose opened once costs is bounded if no bucket is wider than (w - 1) of the cheapest move.
std::int32_t mesh_bucket_bits(const CostScale& scale, double weight, const DriveTable& table, double pivot) {
    double cheapest = 1.0;
    for (const Primitive& move : table.primitives().all()) {
        if (move.is_turn()) cheapest = std::min(cheapest, drive::turned_on_spot(move.word) * pivot);
    }
    std::int32_t bits = scale.bits - 1;
    double width = 0.5;
    for (; bits > 0 && weight > 1.0 && width > (weight - 1.0) * cheapest; --bits) width *= 0.5;
    return std::max(bits, 0);
}

constexpr double kMeshConsistent = 1.0 / (1.0 + 1e-6);

}  // namespace

Result<void> check_query(const MeshDriveQuery& query) {
    if (query.goal.kind != Goal::Kind::point) return Error{ErrorCode::unsupported, Field::goal};
    if (!query.start.has_heading || query.start.heading_tolerance_rad > 0.0)
        return Error{ErrorCode::unsupported, Field::start_heading};
    if (const Result<void> good = check_pose(query.start, Field::start, Field::start_heading); !good)
        return good;
    if (const Result<void> good = check_pose(query.goal.at, Field::goal, Field::goal_heading); !good)
        return good;
    for (const double value : {query.reach.across, query.reach.above, query.reach.below}) {
        if (std::isnan(value)) return Error{ErrorCode::not_finite, Field::reach};
        if (value < 0.0) return Error{ErrorCode::out_of_range, Field::reach};
    }
    if (const Result<void> good = check_prices(query.filter); !good) return good;
    if (const Result<void> good = drive::check_number(query.epsilon, 1.0, 100.0, Field::epsilon); !good)
        return good;
    return drive::check_penalties(query.reverse_penalty, query.cusp_penalty, query.pivot_penalty);
}

bool MeshDriveRun::is_free(const SheetPose& from, double radius, const CurveWord& word, std::uint32_t& sheet,
                           void* user) {
    sheet = from.sheet;
    return static_cast<MeshDriveRun*>(user)->lattice_.sweep.is_free(sheet, from, radius, word);
}

double MeshDriveRun::cost_along(const SheetPose& from, double radius, const CurveWord& word,
                                double reverse_penalty, void* user) {
    return static_cast<MeshDriveRun*>(user)->lattice_.sweep.priced_length(from, radius, word,
                                                                          reverse_penalty);
}

void MeshDriveRun::begin(const NavMeshState& mesh, const MeshDriveQuery& query, const RunStart& with) {
    state_ = &mesh.data();
    table_ = query.table;
    query_ = query;
    query_.start.heading_rad = drive::few_turns(query.start.heading_rad);
    query_.goal.at.heading_rad = drive::few_turns(query.goal.at.heading_rad);
    trace_ = with.hooks.trace;
    at_.begin(Stage::prepare, query.expansions_max);
    searched_ = false;
    so_far_ = no_way_ = nearby_ = false;
    direct_ = {};
    chain_.clear();
    engine_ = Engine(lattice_, open_, lattice_.nodes);
    prices_ = {};
    if (const Result<void> good = check_query(query); !good) return at_.fail(good.error());
    if (table_ == nullptr) return at_.fail({ErrorCode::incompatible, Field::table});
    drive::LatticeQuery ends;
    drive::read_ends(*table_, query.start, query.goal, ends);
    goal_headings_ = ends.goal_headings;
    prices_ = MeshPrices::of_filter(query.filter);
}

void MeshDriveRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::prepare: --budget; return prepare();
        case Stage::search: return search(budget);
        case Stage::smooth: return smooth(budget);
        case Stage::done: return;
    }
}

Pose MeshDriveRun::to_world(const Pose& cells) const {
    return {ground(state_->origin) + lattice_.sweep.frame().to_mesh(cells.position), cells.heading_rad};
}

Vec3 MeshDriveRun::on_surface(std::uint32_t polygon, Vec2 mesh) const {
    return state_->origin + Vec3{mesh.x, mesh.y, mesh::ground_near(*state_, polygon, mesh)};
}

// The surface above or below a pose.
bool MeshDriveRun::place(const Spot& place, End& end) const {
    const MeshReach reach{0.0, query_.reach.above, query_.reach.below};
    const Vec3 at = place.position + state_->origin * -1.0;
    end.at = mesh::nearest_point(*state_, at, reach, prices_.closed);
    const Vec2 cells = lattice_.sweep.frame().in_cells(ground(at));
    end.pose = SheetPose({cells, place.heading_rad}, end.at.polygon);
    return end.at.polygon != mesh::kNone;
}

bool MeshDriveRun::stands(End& end) {
    return lattice_.sweep.is_free(end.pose.sheet, end.pose, 1.0, CurveWord{});
}

PathStatus MeshDriveRun::place_ends() {
    const Vec2 from = ground(query_.start.position) - ground(state_->origin);
    const Vec2 to = ground(query_.goal.at.position) - ground(state_->origin);
    if (state_->polygons == 0 || !state_->box.contains(from) || !state_->box.contains(to))
        return PathStatus::off_world;
    const BodyCore body = body_beyond(table_->options().agent, state_->agent_radius);
    const MeshFrame frame = MeshFrame::around(from, table_->lattice_size());
    lattice_.sweep.begin(*state_, frame, scaled_body(body, frame.scale), prices_);
    const double cell = table_->options().cell_size;
    lattice_.goal.curves = {
        .body = scaled_body(body, frame.scale),
        .radius = table_->turning_radius(),
        .can_reverse = table_->options().agent.can_reverse,
        .reverse_penalty = query_.reverse_penalty,
        .cusp_penalty = drive::cusp_in_cells(query_.cusp_penalty, cell) * table_->pitch() / prices_.unit,
        .can_pivot = table_->options().agent.can_pivot,
        .pivot_penalty = drive::pivot_in_cells(query_.pivot_penalty, cell) * table_->pitch() / prices_.unit,
        .surface = {&MeshDriveRun::is_free, nullptr, this}};
    if (!prices_.even) lattice_.goal.curves.surface.cost = &MeshDriveRun::cost_along;
    goal_.at.polygon = mesh::kNone;
    if (!place(query_.start, start_) || !stands(start_)) return PathStatus::start_blocked;
    if (!place(query_.goal.at, goal_) || !list_targets()) return PathStatus::goal_blocked;
    const bool joined = state_->component(start_.at.polygon) == state_->component(goal_.at.polygon);
    return joined ? PathStatus::complete : PathStatus::unreachable;
}

// The goal's poses that the body stands in.
bool MeshDriveRun::list_targets() {
    MeshGoalPoses& goal = lattice_.goal;
    goal.targets = 0;
    goal.reach = std::max(4.0, 3.0 * table_->turning_radius());
    const std::int32_t headings = goal_headings_ == 0 ? 1 : table_->headings();
    for (std::int32_t h = 0; h < headings; ++h) {
        End end = goal_;
        if (goal_headings_ != 0) {
            if ((goal_headings_ >> h & 1U) == 0) continue;
            end.pose.heading_rad = heading_rad(headings, h);
        }
        if (stands(end)) goal.target[goal.targets++] = end.pose;
    }
    return goal.targets > 0;
}

void MeshDriveRun::prepare() {
    const PathStatus status = place_ends();
    // A body that was not looked at, for want of memory, is not one that does not fit.
    if (status != PathStatus::off_world && lattice_.sweep.failed()) return at_.fail(kNoMemory);
    nearby_ = query_.partial && goal_.at.polygon != mesh::kNone &&
              (status == PathStatus::goal_blocked || status == PathStatus::unreachable);
    if (status != PathStatus::complete && !nearby_) return at_.finish(status);
    scale_ = CostScale::fit(
        prices_.even ? kScaleUnits : static_cast<std::uint64_t>(kPricedUnits * std::ceil(prices_.ratio)));
    const auto cusp = lattice_.goal.curves.cusp_penalty * static_cast<double>(scale_.straight);
    const mesh::PathEnd goal{goal_.at.position, goal_.at.polygon};
    if (!lattice_.begin(*table_, scale_.straight, static_cast<Cost>(cusp)) ||
        !lattice_.flood.begin(*state_, goal, prices_.closed, lattice_.width()))
        return at_.fail(kNoMemory);
    const double way = nearby_ ? 0.0 : lattice_.flood.from(start_.at.polygon, start_.at.position);
    if (!lattice_.flood.failed() && !(way < 4.0 * kMeshSpan * kMeshSpan)) {
        if (!query_.partial) return at_.finish(PathStatus::unreachable);
        nearby_ = true;
    }
    no_way_ = nearby_;
    if (!nearby_ &&
        way * lattice_.sweep.frame().scale <=
            kDirectDetour * distance(start_.pose.position, goal_.pose.position) + 2.0 * lattice_.goal.reach)
        find_direct();
    if (!list_starts() || lattice_.failed()) return at_.fail(kNoMemory);
    begin_search();
}

// One curve all the way, if one is free. Which gear it starts in is free.
void MeshDriveRun::find_direct() {
    double least = 1e300;
    for (int i = 0; i < lattice_.goal.targets; ++i) {
        FreeCurve curve;
        if (!lattice_.goal.curves.find(start_.pose, Gear::forward, lattice_.goal.target[i], least, kAllWords,
                                       curve))
            continue;
        curve.cost = curve.plain;
        least = curve.cost;
        direct_ = {curve, i};
    }
    if (direct_.which >= 0)
        lattice_.set_direct(static_cast<Cost>(least * static_cast<double>(scale_.straight)));
}

void MeshDriveRun::begin_search() {
    const double weight = query_.epsilon;
    open_.set_width(mesh_bucket_bits(scale_, weight, *table_, lattice_.goal.curves.pivot_penalty));
    const auto weight_256 = static_cast<std::uint32_t>(std::max(1.0, weight * kMeshConsistent) * 256.0);
    MeshDriveTrace to_goal, to_start;
    if (trace_.event != nullptr) {
        const Pose goal{ground(query_.goal.at.position), query_.goal.at.heading_rad};
        const Pose start{ground(query_.start.position), query_.start.heading_rad};
        to_goal = {&lattice_, trace_, goal, ground(state_->origin)};
        to_start = {&lattice_, trace_, start, ground(state_->origin)};
    }
    watch();
    engine_ = Engine(lattice_, open_, lattice_.nodes, {weight_256}, to_goal);
    engine_.begin();
    goal_side_.begin(lattice_, *table_, {start_.at.position, start_.at.polygon}, start_.pose, {weight_256},
                     to_start);
    asks_goal_side_ = direct_.which < 0 && !nearby_;
    goal_side_due_ = 0;
    least_ = lattice_.least_cost();
    if (query_.partial) lattice_.watch_nearest(least_);
    searched_ = true;
    at_.stage = Stage::search;
}

// With `partial` the place nearest the goal is kept, in case that there is no way.
void MeshDriveRun::watch() {
    lattice_.stop_watching();
    next_look_ = 0;
    if (!query_.partial) return;
    const MeshNearest::At to{goal_.pose.position, goal_.at.z};
    const MeshNearest::At from{start_.pose.position, start_.at.z};
    lattice_.near_goal.begin(to, from, state_->component(start_.at.polygon));
    lattice_.note_places();
    if (nearby_) lattice_.look_nearby();
}

// A way within the bound is known, and a better one was not found for a while.
bool MeshDriveRun::is_good_enough() const {
    const auto most = static_cast<double>(least_) * query_.epsilon * kMeshConsistent;
    return lattice_.goal_cost() != kCostMax && lattice_.since_goal() >= kPatience &&
           static_cast<double>(lattice_.goal_cost()) <= most;
}

// A search that takes long may look for what is not there, or stand before a goal that has to be come to from behind: it is searched
// from the goal as well. Both take turns, at the same poses however the search is sliced.
void MeshDriveRun::ask_goal_side(std::uint64_t budget) {
    goal_side_due_ -= budget;
    const std::uint64_t before = goal_side_.expanded();
    const MeshGoalSide::Progress progress = goal_side_.step(budget);
    at_.spend(goal_side_.expanded() - before);
    switch (progress) {
        case MeshGoalSide::Progress::running: return;
        case MeshGoalSide::Progress::found: return found(true);
        case MeshGoalSide::Progress::ended: return end_without_way();
        case MeshGoalSide::Progress::no_memory: return at_.fail(kNoMemory);
    }
}

// There is no way to the goal. With `partial` the search goes on for the place nearest to it.
void MeshDriveRun::end_without_way() {
    if (!query_.partial) return at_.finish(PathStatus::unreachable);
    no_way_ = true;
    asks_goal_side_ = false;
    goal_side_due_ = 0;
}

void MeshDriveRun::go_nearby() { begin_leading(lattice_.near_goal.state(), PathStatus::partial, true); }

void MeshDriveRun::found(bool from_goal) {
    at_.finish(PathStatus::complete);
    from_goal_ = from_goal;
    const bool listed = from_goal ? goal_side_.list_path(path_)
                                  : drive::list_nodes(lattice_.nodes, MeshLattice::kGoalState, path_);
    if (!listed || !fill_chain()) return at_.fail(kNoMemory);
    begin_smoothing();
}

// Poses that the search opens before the goal's side has its turn.
std::uint64_t MeshDriveRun::until_goal_side() const {
    if (!asks_goal_side_) return UINT64_MAX;
    const std::uint64_t opened = engine_.expanded();
    return opened < kSearchedFirst ? kSearchedFirst - opened : kTurns - (opened - kSearchedFirst) % kTurns;
}

void MeshDriveRun::search(std::uint64_t& budget) {
    if (goal_side_due_ > 0 && at_.expansions_left() > 0) {
        const std::uint64_t due = std::min({budget, goal_side_due_, at_.expansions_left()});
        budget -= due;
        return ask_goal_side(due);
    }
    const std::uint64_t turn = until_goal_side();
    const std::uint64_t before = engine_.expanded();
    const std::uint64_t slice = std::min({budget, at_.expansions_left(), turn, kChecks - before % kChecks});
    SearchProgress progress = engine_.step(slice);
    const std::uint64_t used = engine_.expanded() - before;
    at_.spend(used);
    budget -= std::min(budget, std::max<std::uint64_t>(used, 1));
    if (used == turn) goal_side_due_ = goal_side_.is_searching() ? kTurns : kSeedTurns;
    if (progress == SearchProgress::no_memory || lattice_.failed()) return at_.fail(kNoMemory);
    if (progress == SearchProgress::running && engine_.expanded() % kChecks == 0 && is_good_enough())
        progress = SearchProgress::found;
    if (progress == SearchProgress::exhausted) {
        end_without_way();
        return no_way_ ? go_nearby() : void();
    }
    if (progress == SearchProgress::found) return found(false);
    if (no_way_ && engine_.expanded() % kChecks == 0 && engine_.expanded() >= next_look_) {
        next_look_ = 2 * engine_.expanded();
        if (lattice_.near_goal.is_last(lattice_)) return go_nearby();
    }
    if (at_.expansions_left() == 0) end_spent(true);
}

void MeshDriveRun::begin_smoothing() {
    if (!query_.smooth) return;
    at_.stage = Stage::smooth;
    if (!smoother_.begin(lattice_.goal.curves, chain_)) at_.fail(kNoMemory);
}

void MeshDriveRun::smooth(std::uint64_t& budget) {
    if (smoother_.step(budget)) return;
    at_.finish(at_.status);
    if (smoother_.failed() || lattice_.failed()) at_.fail(kNoMemory);
}

// The budget is spent, or the call cancelled: what is left is the path to the best pose so far, if that is asked for.
void MeshDriveRun::end_spent(bool smooths) {
    at_.finish(PathStatus::budget_spent);
    if (!searched_ || !query_.partial) return;
    begin_leading(no_way_ ? lattice_.near_goal.state() : lattice_.nearest(), PathStatus::budget_spent,
                  smooths);
}

// Ends with the path to a pose. The goal's state: there is no better one than the start.
void MeshDriveRun::begin_leading(std::uint32_t state, PathStatus status, bool smooths) {
    at_.finish(status);
    so_far_ = state != MeshLattice::kGoalState;
    from_goal_ = false;
    if (!so_far_) return;
    if (!drive::list_nodes(lattice_.nodes, state, path_) || !fill_chain()) return at_.fail(kNoMemory);
    if (smooths) begin_smoothing();
}

bool MeshDriveRun::has_route() const {
    return !at_.failed() && !at_.running() && (at_.status == PathStatus::complete || so_far_);
}

SearchStats MeshDriveRun::stats() const {
    if (!searched_) return {};
    SearchStats sum = stats_of(engine_);
    sum.expanded += goal_side_.expanded();
    sum.generated += goal_side_.generated();
    return sum;
}

Result<void> MeshDriveRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    route.planner = "mesh_lattice";
    route.revision = state_->revision;
    route.end = {query_.start.position, query_.start.heading_rad, 0};
    route.end.layer = 0;
    route.status = at_.running() ? PathStatus::budget_spent : at_.status;
    if (!has_route()) return {};
    if (!write_route(route)) return kNoMemory;
    if (!so_far_) route.bound = query_.epsilon;
    return {};
}

}  // namespace fairlead::bridge
