// find_route, find_route_into and GridSearch: the stages of a tile query.

#include <fairlead/grid/find_route.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "grid/connectivity.h"
#include "grid/half_search.h"
#include "grid/nearest.h"
#include "grid/planners.h"
#include "grid/sections.h"
#include "grid/work.h"
#include "search/slices.h"

namespace fairlead {

namespace {

constexpr const char* kPlannerNames[] = {
    "auto",           "jump_point", "bucket_astar",      "astar",        "dijkstra",    "bidirectional",
    "weighted_astar", "anytime",    "greedy_best_first", "turn_penalty", "fixed_window"};
static_assert(std::size(kPlannerNames) == static_cast<std::size_t>(GridPlanner::count_));

constexpr const char* kRuleTexts[] = {
    "jump_point needs uniform cost: no terrain costs, filter or influence",
    "jump_point needs eight neighbours",
    "jump_point needs a map without seams and portals, and no blockers",
    "jump_point needs a size that is registered with the grid",
    "jump_point needs the corner rule never (or a unit that cuts no corners)",
    "jump_point needs one goal point",
    "fixed_window needs a query with walls and one goal point only",
    "bidirectional needs goal points, not a region",
    "turn_penalty needs a map of fewer than 2^29 cells",
};

grid::GridWork* work_of(Scratch& scratch) { return scratch.get<grid::GridWork>(); }

void reset_work(grid::GridWork& work, const GridQuery& query) {
    work.window_side = grid::kWindowSide;
    work.weight = query.epsilon;
    work.has_path = false;
    work.stays = false;
    work.wants_nearest = query.partial;
    work.nearest.begin();
    work.best.place.begin();
    work.on_half = false;
    work.status = PathStatus::complete;
    work.tile_cost = 0.0;
    work.bound = kNoBound;
    work.stats = {};
    work.stats_before = {};
    work.smoothing = false;
    work.section = 0;
    work.path.clear();
    work.points.clear();
    work.taut.clear();
    work.sections.clear();
}

// The points of the path found.
bool make_points(grid::GridWork& work) {
    return work.on_half ? grid::make_half_sections(work) : grid::make_sections(work);
}

// Takes the sections over as they are.
bool keep_points(grid::GridWork& work) { return work.taut.assign(work.points.span()); }

// The route of a query that ends with budget_spent and says `partial`, cancelled: unsmoothed. False: out of memory.
bool lead_to_best(grid::GridWork& work, const GridQuery& query) {
    const bool arrived = work.has_path;  // it was being smoothed
    if (!arrived && !grid::take_best_so_far(work, query)) return false;
    if (arrived && work.status == PathStatus::partial) work.has_path = grid::ends_nearer(work, query);
    if (!work.has_path) return true;
    if (!make_points(work) || !keep_points(work)) return false;
    work.status = PathStatus::budget_spent;
    work.bound = kNoBound;
    return true;
}

// Smooths section after section. False with `good` unset: out of memory.
bool smooth_step(grid::GridWork& work, const GridQuery& query, std::uint64_t& budget, bool& good) {
    good = true;
    while (work.section < work.sections.size()) {
        grid::Section& section = work.sections[work.section];
        const std::span<const Vec2> points = work.points.span().subspan(section.first, section.count);
        if (!work.smoothing) {
            const bool shortest = work.bound == 1.0 && query.planner != GridPlanner::turn_penalty;
            good =
                work.smoother.begin(work.query.cells.sight(section.layer), query.smoothing, points, shortest);
            if (!good) return false;
            work.smoothing = true;
        }
        if (budget == 0) return true;
        const std::uint64_t before = work.smoother.units();
        const bool more = work.smoother.step(budget);
        good = !work.smoother.out_of_memory();
        if (!good) return false;
        const std::uint64_t used = std::max<std::uint64_t>(1, work.smoother.units() - before);
        budget -= std::min(budget, used);
        if (more) return true;
        section.first = static_cast<std::uint32_t>(work.taut.size());
        section.count = static_cast<std::uint32_t>(work.smoother.points().size());
        for (const Vec2 p : work.smoother.points()) {
            good = work.taut.push_back(p);
            if (!good) return false;
        }
        work.smoothing = false;
        ++work.section;
    }
    return false;
}

}  // namespace

const char* planner_name(GridPlanner planner) {
    const auto i = static_cast<std::size_t>(planner);
    return i < std::size(kPlannerNames) ? kPlannerNames[i] : "unknown";
}

const char* grid_rule_text(GridRule rule) {
    const auto i = static_cast<std::size_t>(rule);
    return i < std::size(kRuleTexts) ? kRuleTexts[i] : "unknown rule";
}

Vec2 trace_position(const GridState& grid, GridPlanner planner, std::uint32_t state, std::int32_t* layer) {
    if (planner == GridPlanner::jump_point) {
        if (layer != nullptr) *layer = 0;
        return grid.cell_centre({grid::JumpPointSpace::x_of(state), grid::JumpPointSpace::y_of(state), 0});
    }
    const std::uint32_t code = planner == GridPlanner::turn_penalty ? state >> 3 : state;
    const Cell cell = grid::CellCode::of(grid.data()).cell(code);
    if (layer != nullptr) *layer = cell.layer;
    return grid.cell_centre(cell);
}

GridSearch::GridSearch(const GridState& grid, const GridQuery& query, Scratch& scratch,
                       const GridHooks& hooks)
    : grid_(grid), query_(query), scratch_(&scratch), hooks_(hooks), expansions_left_(query.expansions_max) {}

void GridSearch::fail(const Error& error) {
    failed_ = true;
    error_ = error;
    stage_ = Stage::done;
}

void GridSearch::begin() {
    grid::GridWork* work = work_of(*scratch_);
    if (work == nullptr) return fail({ErrorCode::out_of_memory, -1, 0});
    reset_work(*work, query_);
    if (const Result<void> good = grid::begin_prepare(grid_, query_, work->query); !good)
        return fail(good.error());
    stage_ = Stage::prepare;
}

// One slice of preparing, which is long for long lists of blockers and goals alone.
std::uint64_t GridSearch::prepare(std::uint64_t budget) {
    grid::GridWork& work = *work_of(*scratch_);
    const Result<bool> more = grid::step_prepare(query_, work.query, budget);
    if (!more) {
        fail(more.error());
    } else if (!*more) {
        end_prepare();
    }
    return budget;
}

void GridSearch::end_prepare() {
    grid::GridWork* work = work_of(*scratch_);
    work->status = work->query.status;
    asks_half_ = grid::asks_half(work->query.cells, query_);
    if (asks_half_) {
        // Cells know no nearest place that counts: what they do not reach the half lattice may.
        partial_ = query_.partial;
        query_.partial = false;
        if (work->status != PathStatus::complete && work->status != PathStatus::off_world) return ask_half();
        if (work->status == PathStatus::complete && grid::half_is_faster(work->query.cells, query_) &&
            !partial_)
            return ask_half();
    }
    // Where the index cannot tell which place is the nearest one, the search itself looks for it.
    const bool look = work->status == PathStatus::unreachable && query_.partial && !work->query.no_such_floor;
    if (look && !work->query.index_finds_nearest) work->status = PathStatus::complete;
    if (look && work->query.index_finds_nearest) {
        grid::begin_nearest(*work);
        stage_ = Stage::nearest;
        return;
    }
    if (work->status != PathStatus::complete) {
        stage_ = Stage::done;
        return;
    }
    if (!grid::start_planner(*work, query_, hooks_.trace)) return fail({ErrorCode::out_of_memory, -1, 0});
    stage_ = Stage::search;
}

// The cells have no way: the half lattice has the last word.
void GridSearch::ask_half() {
    grid::GridWork& work = *work_of(*scratch_);
    asks_half_ = false;
    query_.partial = partial_;
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (!grid::prepare_half(work, query_)) return fail(no_memory);
    stage_ = Stage::done;
    if (work.status != PathStatus::complete) return;
    if (!grid::start_half(work, hooks_.trace)) return fail(no_memory);
    stage_ = Stage::search;
}

// Cancelled. What there is of a route is dropped, except for the anytime planner's best one and, with `partial`, the way to the best
// place so far.
void GridSearch::give_up() {
    grid::GridWork& work = *work_of(*scratch_);
    const Stage stage = stage_;
    stage_ = Stage::done;
    const bool searches = stage == Stage::search || stage == Stage::smooth;
    if (query_.planner != GridPlanner::anytime || !work.has_path) {
        const bool leads = work.wants_nearest && searches;
        if (leads && !lead_to_best(work, query_)) fail({ErrorCode::out_of_memory, -1, 0});
        if (!leads) work.has_path = false;
        work.status = PathStatus::budget_spent;
    } else if (!make_points(work) || !keep_points(work)) {
        fail({ErrorCode::out_of_memory, -1, 0});
    }
}

// One slice of the search; like the other stages it gives back what is left of the budget.
std::uint64_t GridSearch::search(std::uint64_t budget) {
    grid::GridWork& work = *work_of(*scratch_);
    const std::uint64_t slice = std::min(budget, expansions_left_);
    const std::uint64_t before = work.stats.expanded;
    SearchProgress progress = grid::step_planner(work, query_, hooks_.trace, slice);
    // A spent budget, unless already the starts found no room.
    if (slice == 0 && progress != SearchProgress::no_memory) progress = SearchProgress::running;
    const std::uint64_t used = work.stats.expanded - before;
    expansions_left_ -= std::min(expansions_left_, used);
    budget -= std::min(budget, std::max<std::uint64_t>(used, 1));
    switch (progress) {
        case SearchProgress::no_memory: fail({ErrorCode::out_of_memory, -1, 0}); return budget;
        case SearchProgress::exhausted: {
            if (asks_half_) {
                if (!grid::keep_best_so_far(work)) return fail({ErrorCode::out_of_memory, -1, 0}), budget;
                ask_half();
                return budget;
            }
            const bool window = query_.planner == GridPlanner::fixed_window && !query_.window_grows;
            work.status = window ? PathStatus::window : PathStatus::unreachable;
            stage_ = Stage::done;
            return budget;
        }
        case SearchProgress::running:
            if (expansions_left_ > 0) return budget;
            if (!work.has_path) {
                work.status = PathStatus::budget_spent;
                stage_ = Stage::done;
                if (!work.wants_nearest) return budget;
                if (!grid::take_best_so_far(work, query_)) fail({ErrorCode::out_of_memory, -1, 0});
                if (failed_ || !work.has_path) return budget;
            }
            break;  // anytime: what there is; partial: the best place so far
        case SearchProgress::found: break;
    }
    if (!make_points(work)) {
        fail({ErrorCode::out_of_memory, -1, 0});
    } else if (query_.smoothing == Smoothing::none) {
        if (!keep_points(work)) fail({ErrorCode::out_of_memory, -1, 0});
        if (!failed_) stage_ = Stage::done;
    } else {
        stage_ = Stage::smooth;
    }
    return budget;
}

// One slice of the look for the nearest place.
std::uint64_t GridSearch::look_nearby(std::uint64_t budget) {
    grid::GridWork& work = *work_of(*scratch_);
    switch (grid::step_nearest(work, budget)) {
        case grid::NearestProgress::running: break;
        case grid::NearestProgress::none:
            work.status = PathStatus::unreachable;
            stage_ = Stage::done;
            break;
        case grid::NearestProgress::found:
            work.status = PathStatus::partial;
            stage_ = Stage::search;
            if (!grid::start_planner(work, query_, hooks_.trace)) fail({ErrorCode::out_of_memory, -1, 0});
            break;
    }
    return budget;
}

std::uint64_t GridSearch::smooth(std::uint64_t budget) {
    bool good = true;
    const bool more = smooth_step(*work_of(*scratch_), query_, budget, good);
    if (!good) {
        fail({ErrorCode::out_of_memory, -1, 0});
    } else if (!more) {
        stage_ = Stage::done;
    }
    return budget;
}

// One slice of the stage that is due.
std::uint64_t GridSearch::step_stage(std::uint64_t budget) {
    switch (stage_) {
        case Stage::nearest: return look_nearby(budget);
        case Stage::search: return search(budget);
        case Stage::smooth: return smooth(budget);
        case Stage::prepare: return prepare(budget);
        case Stage::begin:
        case Stage::done: break;
    }
    return budget;
}

bool GridSearch::step(std::uint64_t expansions) {
    if (stage_ == Stage::begin) {
        begin();
        if (stage_ == Stage::prepare) (void)prepare(0);  // all there is without lists
    }
    return work_in_slices(
        expansions, hooks_.cancel, [this] { return stage_ != Stage::done; },
        [this](std::uint64_t& left) { left = step_stage(left); }, [this] { give_up(); });
}

Result<void> GridSearch::take(Route& route) {
    route.clear();
    if (failed_) return error_;
    grid::GridWork& work = *work_of(*scratch_);
    if (stage_ != Stage::done) {
        // Only the anytime planner has something to show before its end.
        const bool showable =
            query_.planner == GridPlanner::anytime && stage_ == Stage::search && work.has_path;
        if (!showable) {
            route.status = PathStatus::budget_spent;
            return {};
        }
        if (!make_points(work) || !keep_points(work)) return Error{ErrorCode::out_of_memory, -1, 0};
    }
    route.status = work.status;
    route.planner = work.on_half ? "half_lattice"
                                 : planner_name(query_.planner == GridPlanner::automatic ? work.query.planner
                                                                                         : query_.planner);
    route.revision = grid_.revision();
    route.stats = work.stats;
    if (!work.has_path && work.wants_nearest &&
        work.status == PathStatus::budget_spent) {  // it stays where it is
        route.end = {{query_.start.x, query_.start.y, 0.0}, 0.0, query_.start_layer};
    }
    if (!work.has_path) return {};
    if (!grid::write_route(work, query_, route)) {
        route.clear();
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    return {};
}

Result<void> find_route_into(const GridState& grid, const GridQuery& query, Scratch& scratch, Route& route,
                             const GridHooks& hooks) {
    GridSearch search(grid, query, scratch, hooks);
    while (search.step(UINT64_MAX)) {
    }
    return search.take(route);
}

Result<Route> find_route(const GridState& grid, const GridQuery& query, Scratch& scratch,
                         const GridHooks& hooks) {
    Route route;
    if (const Result<void> done = find_route_into(grid, query, scratch, route, hooks); !done)
        return done.error();
    return route;
}

}  // namespace fairlead
