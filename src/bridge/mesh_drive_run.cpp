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
constexpr double kGoalSideRange = 16.0;        // cells: a wider goal is not searched from
/// A straight curve is tried where the way over the surface is no longer than so many times the line, and some radii.
constexpr double kDirectDetour = 1.25;

// Within reach of every mesh.
Result<void> check_place(Vec3 place, Field field) {
    for (const double value : {place.x, place.y, place.z}) {
        if (std::abs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, field};
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
    if (const Result<void> good = drive::check_ends(query.start, query.goal); !good) return good;
    if (const Result<void> good = check_place(query.start.position, Field::start); !good) return good;
    if (const Result<void> good = check_place(query.goal.at.position, Field::goal); !good) return good;
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
    PoseRun::begin(&work_, query.expansions_max);
    prepared_ = no_way_ = nearby_ = from_goal_ = false;
    ask_ = {query.planner, query.epsilon, query.smooth, query.partial};
    direct_ = {};
    engine_ = Engine(space_, open_, lattice_.nodes);
    space_.stop_watching();
    prices_ = {};
    if (const Result<void> good = check_query(query); !good) return at_.fail(good.error());
    if (table_ == nullptr) return at_.fail({ErrorCode::incompatible, Field::table});
    drive::read_ends(*table_, query.start, query.goal, ends_);
    prices_ = MeshPrices::of_filter(query.filter);
}

void MeshDriveRun::look_at_ends(std::uint64_t& budget) {
    --budget;
    prepared_ ? look_at_start() : prepare();
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
    if (!place(query_.start, start_)) return PathStatus::start_blocked;
    start_count_ = static_cast<std::uint32_t>(list_poses(start_, ends_.start_headings, start_poses_));
    if (start_count_ == 0) return PathStatus::start_blocked;
    if (!place(query_.goal.at, goal_) || !list_targets()) return PathStatus::goal_blocked;
    const bool joined = state_->component(start_.at.polygon) == state_->component(goal_.at.polygon);
    return joined ? PathStatus::complete : PathStatus::unreachable;
}

// The poses at a place that the body stands in: the exact one, or those in the headings asked for.
std::int32_t MeshDriveRun::list_poses(const End& at, std::uint32_t headings, SheetPose* poses) {
    std::int32_t count = 0;
    for (std::int32_t h = 0; h < (headings == 0 ? 1 : table_->headings()); ++h) {
        End end = at;
        if (headings != 0) {
            if ((headings >> h & 1U) == 0) continue;
            end.pose.heading_rad = heading_rad(table_->headings(), h);
        }
        if (stands(end)) poses[count++] = end.pose;
    }
    return count;
}

// Of a range it is not looked whether the body fits anywhere in it.
bool MeshDriveRun::list_targets() {
    MeshGoalPoses& goal = lattice_.goal;
    goal.targets = 0;
    goal.centre = goal_.pose.position;
    goal.reach = std::max(4.0, 3.0 * table_->turning_radius());
    goal.range = ends_.goal_range / table_->lattice_size();
    if (goal.range > 0.0) {
        const std::int32_t nearest = nearest_heading(table_->headings(), goal_.pose.heading_rad);
        goal.headings = ends_.goal_headings != 0 ? ends_.goal_headings : std::uint32_t{1} << nearest;
        return true;
    }
    goal.targets = list_poses(goal_, ends_.goal_headings, goal.target);
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
    const mesh::PathEnd goal{goal_.at.position, goal_.at.polygon};
    if (!lattice_.begin(*table_, scale_.straight) ||
        !lattice_.flood.begin(*state_, goal, prices_.closed, lattice_.width()))
        return at_.fail(kNoMemory);
    const double way = nearby_ ? 0.0 : lattice_.flood.from(start_.at.polygon, start_.at.position);
    if (!lattice_.flood.failed() && !(way < 4.0 * kMeshSpan * kMeshSpan)) {
        if (!query_.partial) return at_.finish(PathStatus::unreachable);
        nearby_ = true;
    }
    no_way_ = nearby_;
    tries_direct_ = !nearby_ && way * lattice_.sweep.frame().scale <=
                                    kDirectDetour * distance(start_.pose.position, goal_.pose.position) +
                                        2.0 * lattice_.goal.reach;
    next_start_ = 0;
    prepared_ = true;
}

// One pose of the start: the curve all the way, and those to the lattice.
void MeshDriveRun::look_at_start() {
    if (tries_direct_) find_direct();
    if (!list_starts() || lattice_.failed()) return at_.fail(kNoMemory);
    if (++next_start_ == start_count_) begin_first_search();
}

// The cheapest free curve to a pose of the goal. Which gear it starts in is free.
void MeshDriveRun::find_direct() {
    double least = direct_.which < 0 ? 1e300 : direct_.curve.cost;
    for (int i = 0; i < lattice_.goal.targets; ++i) {
        FreeCurve curve;
        if (!lattice_.goal.curves.find(start_pose(), Gear::forward, lattice_.goal.target[i], least, kAllWords,
                                       curve))
            continue;
        curve.cost = curve.plain;
        least = curve.cost;
        direct_ = {curve, next_start_, i};
    }
}

void MeshDriveRun::begin_search(double weight) {
    weight_ = weight;
    lattice_.bridges.begin();
    open_.set_width(mesh_bucket_bits(scale_, weight, *table_, lattice_.goal.curves.pivot_penalty));
    const auto weight_256 = static_cast<std::uint32_t>(std::max(1.0, weight * kMeshConsistent) * 256.0);
    MeshDriveTrace to_goal, to_start;
    if (trace_.event != nullptr) {
        const Pose goal{ground(query_.goal.at.position), query_.goal.at.heading_rad};
        const Pose start{ground(query_.start.position), query_.start.heading_rad};
        to_goal = {&lattice_, trace_, goal, ground(state_->origin)};
        to_start = {&lattice_, trace_, start, ground(state_->origin)};
    }
    const auto cell = static_cast<double>(scale_.straight);
    const auto cusp = static_cast<Cost>(lattice_.goal.curves.cusp_penalty * cell);
    const Cost direct = direct_.which >= 0 ? static_cast<Cost>(direct_.curve.cost * cell) : kCostMax;
    space_.set_costs(cusp, direct);
    watch();
    engine_ = Engine(space_, open_, lattice_.nodes, {weight_256}, to_goal);
    const bool first = !knows_path();
    limit_ = first ? kCostMax : static_cast<Cost>(work_.best_cost * cell);
    engine_.set_cost_limit(limit_);
    engine_.begin();
    const Pose* only = start_count_ == 1 ? &start_poses_[0] : nullptr;
    goal_side_.begin({&lattice_, {start_.at.position, start_.at.polygon}, only, cusp}, {weight_256},
                     to_start);
    asks_goal_side_ = first && direct_.which < 0 && !nearby_ && lattice_.goal.range <= kGoalSideRange;
    goal_side_due_ = 0;
    least_ = std::min(direct, space_.least_of_starts());
    if (query_.partial) space_.watch_nearest();
}

// With `partial` the place nearest the goal is kept, in case that there is no way.
void MeshDriveRun::watch() {
    lattice_.stop_noting();
    space_.stop_watching();
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
    const auto most = static_cast<double>(least_) * weight_ * kMeshConsistent;
    return space_.goal_cost() < limit_ && space_.opened_since() >= kPatience &&
           static_cast<double>(space_.goal_cost()) <= most;
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
        case MeshGoalSide::Progress::found: return found_from_goal();
        case MeshGoalSide::Progress::ended: return end_without_way();
        case MeshGoalSide::Progress::no_memory: return at_.fail(kNoMemory);
    }
}

// There is no way to the goal. With `partial` the search goes on for the place nearest to it.
void MeshDriveRun::end_without_way() {
    if (!query_.partial) return finish(PathStatus::unreachable);
    no_way_ = true;
    asks_goal_side_ = false;
    goal_side_due_ = 0;
}

void MeshDriveRun::go_nearby() { lead_to(lattice_.near_goal.state(), PathStatus::partial, true); }

void MeshDriveRun::found_from_goal() {
    leave_search();
    from_goal_ = true;
    goal_side_.list_path(states_) && write_curves() ? pull_taut() : at_.fail(kNoMemory);
}

void MeshDriveRun::begin_chain(std::uint32_t last) { fill_chain(last) ? pull_taut() : at_.fail(kNoMemory); }

bool MeshDriveRun::fill_chain(std::uint32_t last) {
    from_goal_ = false;
    return drive::list_nodes(lattice_.nodes, last, states_) && write_curves();
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
        leave_search();
        if (knows_path()) return end_search();
        end_without_way();
        return no_way_ ? go_nearby() : void();
    }
    if (progress == SearchProgress::found) return found(MeshLattice::kGoalState);
    if (no_way_ && engine_.expanded() % kChecks == 0 && engine_.expanded() >= next_look_) {
        next_look_ = 2 * engine_.expanded();
        const bool last = lattice_.near_goal.is_last(lattice_);
        if (lattice_.failed()) return at_.fail(kNoMemory);
        if (last) return go_nearby();
    }
    if (at_.expansions_left() == 0) end_spent(true);
}

SearchStats MeshDriveRun::search_stats() const {
    SearchStats sum = stats_of(engine_);
    sum.expanded += goal_side_.expanded();
    sum.generated += goal_side_.generated();
    return sum;
}

double MeshDriveRun::bound_of(double weight) const {
    const double least = static_cast<double>(least_) / static_cast<double>(scale_.straight);
    return least > 0.0 ? std::min(weight, std::max(1.0, work_.best_cost / (least * (1.0 - 1e-9)))) : weight;
}

Result<void> MeshDriveRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    route.planner = "mesh_lattice";
    route.revision = state_->revision;
    route.end = {query_.start.position, query_.start.heading_rad, 0};
    route.end.layer = 0;
    route.status = status();
    if (stays() && start_count_ > 0) route.end.heading_rad = start_poses_[0].heading_rad;
    if (!has_legs()) return {};
    if (!write_route(route)) return kNoMemory;
    if (!has_best()) return {};
    route.status = leads_to_;
    route.bound = work_.best_bound;
    return {};
}

}  // namespace fairlead::bridge
