// A tile query, stage by stage: prepare, where asked look for the nearest place, search, smooth.
#include "grid/search_run.h"

#include <algorithm>

#include "base/no_memory.h"
#include "grid/half_prepare.h"
#include "grid/half_search.h"
#include "grid/nearest.h"
#include "grid/path.h"
#include "grid/planners.h"
#include "grid/sections.h"

namespace fairlead::grid {

namespace {

bool append_points(Array<Vec2>& to, std::span<const Vec2> points) {
    for (const Vec2 p : points) {
        if (!to.push_back(p)) return false;
    }
    return true;
}

}  // namespace

void SearchRun::begin(const GridState& grid, const GridQuery& query, const RunStart& with) {
    grid_ = grid;
    query_ = with_positions(query, grid.data());
    asks_half_ = partial_ = pause_ = false;
    at_.begin(Stage::prepare, query.expansions_max);
    reset_work();
    work_.trace = with.hooks.trace;
    if (const Result<void> good = begin_prepare(grid_, query_, work_.query); !good)
        return at_.fail(good.error());
    std::uint64_t nothing = 0;
    prepare(nothing);  // all there is without lists
}

void SearchRun::reset_work() {
    work_.window_side = kWindowSide;
    work_.weight = query_.epsilon;
    work_.has_path = false;
    work_.stays = false;
    work_.wants_nearest = query_.partial;
    work_.nearest.begin();
    work_.best.place.begin();
    work_.on_half = false;
    work_.clusters_tried = work_.over_clusters = false;
    work_.status = PathStatus::complete;
    work_.tile_cost = 0.0;
    work_.bound = kNoBound;
    work_.stats = {};
    work_.stats_before = {};
    work_.waited = work_.waited_before = 0;
    work_.smoothing = false;
    work_.section = 0;
    work_.path.clear();
    work_.points.clear();
    work_.taut.clear();
    work_.sections.clear();
}

// One slice of the stage that is due.
void SearchRun::work(std::uint64_t& budget) {
    switch (at_.stage) {
        case Stage::prepare: return prepare(budget);
        case Stage::nearest: return look_nearby(budget);
        case Stage::half: return work_at_half(budget);
        case Stage::search: return search(budget);
        case Stage::lay: --budget; return lay_route();
        case Stage::smooth: return smooth(budget);
        case Stage::done: return;
    }
}

// ---- preparing ---------------------------------------------------------------------------------------------

// Long for long lists of blockers and goals alone.
void SearchRun::prepare(std::uint64_t& budget) {
    const Result<bool> more = step_prepare(query_, work_.query, budget);
    if (!more.has_value()) return at_.fail(more.error());
    if (!*more) end_prepare();
}

void SearchRun::end_prepare() {
    work_.status = work_.query.status;
    asks_half_ = asks_half(work_.query.cells, query_);
    if (asks_half_) {
        // Cells know no nearest place that counts: what they do not reach the half lattice may.
        partial_ = query_.partial;
        query_.partial = false;
        if (work_.status != PathStatus::complete && work_.status != PathStatus::off_world) return ask_half();
        if (work_.status == PathStatus::complete && half_is_faster(work_.query.cells, query_) && !partial_)
            return ask_half();
    }
    // Where the index cannot tell which place is the nearest one, the search itself looks for it.
    const bool look = work_.status == PathStatus::unreachable && query_.partial && !work_.query.no_such_floor;
    const bool window = query_.planner == GridPlanner::fixed_window && !query_.window_grows;
    const bool may_search = !work_.query.goal_blocked || !window;
    if (look && !work_.query.index_finds_nearest && may_search) search_without_index();
    if (look && work_.query.index_finds_nearest) {
        begin_nearest(work_);
        at_.stage = Stage::nearest;
        return;
    }
    if (work_.status == PathStatus::unreachable) return at_.finish(no_way());
    if (work_.status != PathStatus::complete) return at_.finish(work_.status);
    begin_search();
}

// The search notes the nearest place. A blocked goal is none that it could arrive at: those that need one do not serve.
void SearchRun::search_without_index() {
    work_.status = PathStatus::complete;
    PreparedQuery& query = work_.query;
    if (!query.goal_blocked) return;
    query.goals.clear();
    query.cells.goals = {};
    const bool needs_goal =
        query.planner == GridPlanner::jump_point || query.planner == GridPlanner::bidirectional ||
        query.planner == GridPlanner::hierarchy || query.planner == GridPlanner::fixed_window;
    if (needs_goal) query.planner = GridPlanner::bucket_astar;
}

// What a query without a way ends with.
PathStatus SearchRun::no_way() const {
    return work_.query.goal_blocked ? PathStatus::goal_blocked : PathStatus::unreachable;
}

void SearchRun::begin_search() {
    at_.stage = Stage::search;
    if (!start_planner(work_, query_)) at_.fail(kNoMemory);
}

// The cells have no path: the half lattice has the last word.
void SearchRun::ask_half() {
    asks_half_ = false;
    query_.partial = partial_;
    at_.stage = Stage::half;
    if (!begin_half(work_, query_)) return at_.fail(kNoMemory);
    std::uint64_t nothing = 0;
    work_at_half(nothing);  // all there is without lists and long floods
}

void SearchRun::work_at_half(std::uint64_t& budget) {
    if (!step_half(work_, query_, budget)) return at_.fail(kNoMemory);
    if (work_.half_preparing.part != HalfPreparing::Part::done) return;
    if (work_.status == PathStatus::unreachable) return at_.finish(no_way());
    if (work_.status != PathStatus::complete && work_.status != PathStatus::partial)
        return at_.finish(work_.status);
    at_.stage = Stage::search;
    if (!start_half(work_)) at_.fail(kNoMemory);
}

void SearchRun::look_nearby(std::uint64_t& budget) {
    switch (step_nearest(work_, budget)) {
        case NearestProgress::running: return;
        case NearestProgress::none: return at_.finish(no_way());
        case NearestProgress::found: work_.status = PathStatus::partial; return begin_search();
    }
}

// ---- the search --------------------------------------------------------------------------------------------

void SearchRun::search(std::uint64_t& budget) {
    const std::uint64_t waited = work_.waited;
    const SliceEnd end = step_within(
        at_, budget, [this](std::uint64_t slice) { return step_planner(work_, query_, slice); },
        [this] { return work_.stats.expanded; });
    // What it waits for is no expansion, and belongs to the last one.
    budget -= std::min(budget, work_.waited - waited);
    if (end == SliceEnd::no_memory) return at_.fail(kNoMemory);
    if (end != SliceEnd::running) end_search(end);
}

void SearchRun::end_search(SliceEnd end) {
    if (end == SliceEnd::exhausted) {
        if (asks_half_) return keep_best_so_far(work_) ? ask_half() : at_.fail(kNoMemory);
        const bool window = work_.query.planner == GridPlanner::fixed_window && !query_.window_grows;
        return at_.finish(window ? PathStatus::window : no_way());
    }
    // Spent: the anytime planner has what it has; with `partial` there is the best place so far.
    if (end == SliceEnd::spent && !work_.has_path) {
        work_.status = PathStatus::budget_spent;
        if (!work_.wants_nearest) return at_.finish(work_.status);
        if (!take_best_so_far(work_, query_)) return at_.fail(kNoMemory);
        if (!work_.has_path) return at_.finish(work_.status);
    }
    end_path();
}

// Over clusters there is a pause: who looks in can take the first legs, before the whole way is unpacked.
void SearchRun::end_path() {
    at_.stage = Stage::lay;
    pause_ = work_.over_clusters;
    if (!pause_) lay_route();
}

// ---- the route ---------------------------------------------------------------------------------------------

// The points of the path found.
bool SearchRun::make_points() {
    if (work_.over_clusters && work_.path.empty() && !unpack_path(work_, Unpacked::all)) return false;
    return work_.on_half ? make_half_sections(work_) : make_sections(work_);
}

// Takes the sections over as they are.
bool SearchRun::keep_points() { return work_.taut.assign(work_.points.span()); }

void SearchRun::lay_route() {
    if (!make_points()) return at_.fail(kNoMemory);
    at_.stage = Stage::smooth;
    if (query_.smoothing != Smoothing::none) return;
    keep_points() ? at_.finish(work_.status) : at_.fail(kNoMemory);
}

void SearchRun::smooth(std::uint64_t& budget) {
    if (work_.section == work_.sections.size()) return at_.finish(work_.status);
    if (!work_.smoothing && !begin_section()) return at_.fail(kNoMemory);
    const std::uint64_t before = work_.smoother.units();
    const bool more = work_.smoother.step(budget);
    if (work_.smoother.out_of_memory()) return at_.fail(kNoMemory);
    const std::uint64_t used = std::max<std::uint64_t>(1, work_.smoother.units() - before);
    budget -= std::min(budget, used);
    if (more) return;
    if (!end_section()) return at_.fail(kNoMemory);
    if (work_.section == work_.sections.size()) at_.finish(work_.status);
}

bool SearchRun::begin_section() {
    const Section& section = work_.sections[work_.section];
    const std::span<const Vec2> points = work_.points.span().subspan(section.first, section.count);
    const bool shortest = work_.bound == 1.0 && query_.planner != GridPlanner::turn_penalty;
    work_.smoothing = true;
    if (work_.over_clusters && query_.smoothing == Smoothing::best)
        return work_.smoother.begin_taut(work_.query.cells.sight(section.layer), points);
    return work_.smoother.begin(work_.query.cells.sight(section.layer), query_.smoothing, points, shortest);
}

bool SearchRun::end_section() {
    Section& section = work_.sections[work_.section];
    section.first = static_cast<std::uint32_t>(work_.taut.size());
    section.count = static_cast<std::uint32_t>(work_.smoother.points().size());
    if (!append_points(work_.taut, work_.smoother.points())) return false;
    work_.smoothing = false;
    ++work_.section;
    return true;
}

// ---- a search that is cut short ----------------------------------------------------------------------------

// The route of a query that ends with budget_spent and says `partial`, cancelled: unsmoothed. False: out of memory.
bool SearchRun::lead_to_best() {
    const bool arrived = work_.has_path;  // it was being smoothed
    if (!arrived && !take_best_so_far(work_, query_)) return false;
    if (arrived && work_.status == PathStatus::partial) work_.has_path = ends_nearer(work_, query_);
    if (!work_.has_path) return true;
    if (!make_points() || !keep_points()) return false;
    work_.bound = kNoBound;
    return true;
}

// Cancelled. What there is of a route is dropped, except for the anytime planner's best one and, with `partial`, the way to the best
// place so far.
void SearchRun::give_up() {
    if (query_.planner == GridPlanner::anytime && work_.has_path) {
        const PathStatus status = work_.status;
        return make_points() && keep_points() ? at_.finish(status) : at_.fail(kNoMemory);
    }
    const bool searches = at_.stage == Stage::half || at_.stage == Stage::search || at_.stage == Stage::lay ||
                          at_.stage == Stage::smooth;
    if (work_.wants_nearest && searches) {
        if (!lead_to_best()) return at_.fail(kNoMemory);
    } else {
        work_.has_path = false;
    }
    at_.finish(PathStatus::budget_spent);
}

// ---- the result --------------------------------------------------------------------------------------------

// The anytime planner has something to show before its end, and a search over clusters as soon as it has found the way.
bool SearchRun::shows_best() const {
    if (work_.over_clusters) return at_.stage == Stage::lay || at_.stage == Stage::smooth;
    return query_.planner == GridPlanner::anytime && at_.stage == Stage::search && work_.has_path;
}

// The way over clusters as far as the second entrance, pulled tight.
bool SearchRun::show_first_legs() {
    work_.status = PathStatus::partial;
    bool good = unpack_path(work_, Unpacked::first_legs) && make_sections(work_);
    while (good && work_.section < work_.sections.size()) {
        good = begin_section();
        while (good && work_.smoother.step(UINT64_MAX)) {
        }
        good = good && !work_.smoother.out_of_memory() && end_section();
    }
    work_.section = 0;
    work_.smoothing = false;
    return good;
}

// The way as it is while it is being smoothed: some sections are done, one is being worked on, the others are as they were found.
bool SearchRun::show_points() {
    for (std::size_t s = work_.section; s < work_.sections.size(); ++s) {
        Section& section = work_.sections[s];
        const std::span<const Vec2> raw = work_.points.span().subspan(section.first, section.count);
        const auto first = static_cast<std::uint32_t>(work_.taut.size());
        const bool at_work = s == work_.section && work_.smoothing;
        if (at_work ? !work_.smoother.append_so_far(work_.taut) : !append_points(work_.taut, raw))
            return false;
        section.first = first;
        section.count = static_cast<std::uint32_t>(work_.taut.size()) - first;
    }
    return true;
}

// What is written is put back: the search goes on from where it was.
Result<void> SearchRun::take_best(Route& route) {
    if (!work_.over_clusters) {
        route.status = work_.status;
        if (!make_points() || !keep_points()) return kNoMemory;
        return write_route(work_, query_, route) ? Result<void>{} : Result<void>{kNoMemory};
    }
    const PathStatus status = work_.status;
    const bool first = at_.stage == Stage::lay;
    const std::size_t done = work_.taut.size();
    if (!work_.shown.assign(work_.sections.span())) return kNoMemory;
    const bool shown = first ? show_first_legs() : show_points();
    route.status = work_.status;
    const bool written = shown && write_route(work_, query_, route);
    work_.status = status;
    if (first) {
        work_.path.clear();
        work_.points.clear();
    }
    // Both had as many before.
    const bool back = work_.taut.resize(done) && work_.sections.assign(work_.shown.span());
    return written && back ? Result<void>{} : Result<void>{kNoMemory};
}

bool SearchRun::has_route() const {
    return !at_.failed() && work_.has_path && (!at_.running() || shows_best());
}

const char* SearchRun::planner() const {
    if (work_.on_half) return "half_lattice";
    return planner_name(query_.planner == GridPlanner::automatic ? work_.query.planner : query_.planner);
}

Result<void> SearchRun::take(Route& route) {
    if (at_.failed()) return at_.error();
    route.status = at_.status;
    route.planner = planner();
    route.revision = grid_.revision();
    if (at_.running()) return shows_best() ? take_best(route) : Result<void>{};
    if (!work_.has_path && work_.wants_nearest &&
        at_.status == PathStatus::budget_spent) {  // it stays where it is
        route.end = {{query_.start.position.x, query_.start.position.y, 0.0}, 0.0, query_.start.layer};
    }
    if (!work_.has_path) return {};
    return write_route(work_, query_, route) ? Result<void>{} : Result<void>{kNoMemory};
}

}  // namespace fairlead::grid
