// The one engine with the policies of each GridPlanner: what it starts with, and what follows when it ends.
#include "grid/planners.h"

#include <algorithm>

#include "grid/path.h"
#include "grid/region_rim.h"
#include "grid/take_path.h"

namespace fairlead::grid {

namespace {

// A bucket of the search over clusters spans half a cell.
constexpr std::int32_t kClusterBucketBits = 11;

bool is_heap_planner(GridPlanner planner) {
    return planner == GridPlanner::astar || planner == GridPlanner::dijkstra ||
           planner == GridPlanner::weighted_astar || planner == GridPlanner::greedy_best_first ||
           planner == GridPlanner::anytime;
}

std::uint32_t weight_256(double weight) {
    return static_cast<std::uint32_t>(std::min(weight, 100.0) * 256.0);
}

ChosenKey key_of(const GridWork& work, const GridQuery& query) {
    switch (work.query.planner) {
        case GridPlanner::dijkstra: return {ChosenKey::Kind::g, 256};
        case GridPlanner::greedy_best_first: return {ChosenKey::Kind::h, 256};
        case GridPlanner::weighted_astar: return {ChosenKey::Kind::weighted, weight_256(query.epsilon)};
        case GridPlanner::anytime: return {ChosenKey::Kind::weighted, weight_256(work.weight)};
        default: return {};
    }
}

// How much the heuristic may exceed the true cost: Manhattan with eight neighbours goes up to sqrt 2.
double heuristic_excess(const CellQuery& cells) {
    if (cells.heuristic == GridHeuristic::own) return cells.own.consistent ? 1.0 : kNoBound;
    return cells.heuristic == GridHeuristic::manhattan && cells.eight ? 1.41421356237309515 : 1.0;
}

double bound_of(const GridWork& work, const GridQuery& query) {
    const double excess = heuristic_excess(work.query.cells);
    switch (work.query.planner) {
        case GridPlanner::greedy_best_first: return kNoBound;
        case GridPlanner::weighted_astar: return query.epsilon * excess;
        case GridPlanner::anytime: return work.weight * excess;
        case GridPlanner::fixed_window:
            return work.tile_cost <= work.window.least_outside() ? kWindowBound : kNoBound;
        case GridPlanner::hierarchy: return kNoBound;
        default: return excess;
    }
}

bool use_plain_space(const CellQuery& cells) {
    return cells.uniform && !cells.filtered && cells.body != nullptr && !cells.state->wrap_x &&
           !cells.state->wrap_y && cells.state->portal_count == 0 && cells.blockers.empty() &&
           cells.goal.kind == Goal::Kind::point && !cells.ends_between() &&
           (cells.corner == CornerRule::never || cells.key <= kCellBody) && cells.state->layers == 1;
}

const MoveTables& move_tables(GridWork& work) {
    const CellQuery& cells = work.query.cells;
    // Bodies other than a point and wide discs cut no corners whatever the rule.
    const CornerRule rule = cells.key < 0 || cells.key == kCellBody ? CornerRule::never : cells.corner;
    const std::int32_t wanted = static_cast<std::int32_t>(rule) * 2 + (cells.eight ? 1 : 0);
    if (work.moves_for != wanted) {
        work.moves.fill(rule, cells.eight ? Neighbourhood::eight : Neighbourhood::four);
        work.moves_for = wanted;
    }
    return work.moves;
}

bool room_for_states(GridWork& work, PagedNodes& nodes, std::uint64_t per_cell) {
    return nodes.resize(work.query.cells.code.count(work.query.cells.state->layers) * per_cell);
}

// Branches that a diagonal jump takes at once, as measured (docs/decisions/0004): fewer where every third cell has
// a jump point.
std::int32_t jump_burst(const Body& body) { return body.corners * 3 > body.free_cells ? 4 : 8; }

// ---- start -------------------------------------------------------------------------------------------------

template <class Trace>
Trace trace_of(const GridWork& work, PlaceTrace::States states) {
    if constexpr (std::is_same_v<Trace, PlaceTrace>) return {&work, states};
    return {};
}

template <class Trace>
bool start_with(GridWork& work, const GridQuery& query) {
    using E = Engines<Trace>;
    using States = PlaceTrace::States;
    const CellQuery& cells = work.query.cells;
    const StateData& state = *cells.state;
    typename E::Any& engine = work.engine.template emplace<typename E::Any>();
    const Cell start = cells.code.cell(cells.start);
    const GridPlanner planner = work.query.planner;
    work.bucket.set_width(planner == GridPlanner::hierarchy ? kClusterBucketBits
                          : cells.scale.bits > 1            ? cells.scale.bits - 1
                                                            : 0);
    work.general = GeneralSpace(cells);
    work.nearest.begin();
    NearestPlace* const track = work.wants_nearest ? &work.nearest : nullptr;
    work.general.track(track);
    if (planner == GridPlanner::jump_point) {
        const Cell goal = cells.code.cell(cells.goals[0]);
        work.jump =
            JumpPointSpace(state.row_lines(*cells.body, start.layer),
                           state.col_lines(*cells.body, start.layer), cells.scale, jump_burst(*cells.body));
        work.jump.set_query(start.x, start.y, goal.x, goal.y);
        work.jump.track(track, cells);
        engine
            .template emplace<typename E::Jump>(work.jump, work.bucket, work.hashed, AStarKey{},
                                                trace_of<Trace>(work, States::jumps))
            .begin();
        return true;
    }
    if (planner == GridPlanner::hierarchy) {
        work.clusters.space.track(track);
        engine
            .template emplace<typename E::Clusters>(work.clusters.space, work.bucket, work.hashed,
                                                    ClusterKey{}, trace_of<Trace>(work, States::clusters))
            .begin();
        return true;
    }
    if (planner == GridPlanner::fixed_window) {
        if (!work.window_nodes.resize(work.window_side)) return false;
        work.window = WindowSpace(cells, work.window_side);
        work.window.track(track);
        if (!work.window.in_range()) return true;  // no engine: exhausted at once
        engine
            .template emplace<typename E::Window>(work.window, work.window_open, work.window_nodes,
                                                  AStarKey{}, trace_of<Trace>(work, States::window))
            .begin();
        return true;
    }
    const Trace trace = trace_of<Trace>(work, States::cells);
    if (!room_for_states(work, work.paged, planner == GridPlanner::turn_penalty ? 8 : 1)) return false;
    if (planner == GridPlanner::turn_penalty) {
        const auto units = [&](double penalty) {
            const double exact =
                turn_cells(*cells.state, penalty) * static_cast<double>(cells.scale.straight);
            return static_cast<Cost>(exact + 0.5);
        };
        work.turn = TurnSpace(cells, units(query.turn_penalty), units(query.turn_penalty_each));
        work.turn.track(track);
        engine
            .template emplace<typename E::Turn>(work.turn, work.heap, work.paged, AStarKey{},
                                                trace_of<Trace>(work, States::turns))
            .begin();
    } else if (planner == GridPlanner::bidirectional) {
        if (!room_for_states(work, work.paged_back, 1)) return false;
        work.general_back = GeneralSpace(cells, true);
        using Side = BestFirst<GeneralSpace, AStarKey, HeapOpen, PagedNodes, Trace>;
        engine
            .template emplace<typename E::Both>(
                Side(work.general, work.heap, work.paged, AStarKey{}, trace),
                Side(work.general_back, work.heap_back, work.paged_back, AStarKey{}, trace))
            .begin();
    } else if (is_heap_planner(planner)) {
        auto& heap = engine.template emplace<typename E::Heap>(work.general, work.heap, work.paged,
                                                               key_of(work, query), trace);
        if (planner == GridPlanner::anytime && work.has_path) {
            heap.set_cost_limit(work.best_cost);
        }
        heap.begin();
    } else if (use_plain_space(cells) && !work.wants_nearest) {
        const Cell goal = cells.code.cell(cells.goals[0]);
        work.plain = PlainSpace(state.row_lines(*cells.body, 0), cells.code, cells.scale, move_tables(work));
        work.plain.set_query(start.x, start.y, goal.x, goal.y);
        engine.template emplace<typename E::Plain>(work.plain, work.bucket, work.paged, AStarKey{}, trace)
            .begin();
    } else {
        engine.template emplace<typename E::Bucket>(work.general, work.bucket, work.paged, AStarKey{}, trace)
            .begin();
    }
    return true;
}

template <class Trace>
bool start_half_with(GridWork& work) {
    using E = Engines<Trace>;
    typename E::Any& engine = work.engine.template emplace<typename E::Any>();
    const CellQuery& cells = work.query.cells;
    if (work.half_jumps) {
        work.bucket.set_width(cells.half_scale.bits > 1 ? cells.half_scale.bits - 1 : 0);
        engine
            .template emplace<typename E::HalfJump>(work.half_jump, work.bucket, work.hashed, AStarKey{},
                                                    trace_of<Trace>(work, PlaceTrace::States::half_jumps))
            .begin();
        return true;
    }
    const std::uint64_t more = work.half.region() ? HalfRegion::kPlacesMax : 0;  // found on the way
    const std::uint64_t states = work.half.places_at() + std::uint64_t{cells.goal_points.size()} + more + 1;
    if (!work.paged.resize(states)) return false;
    work.bucket.set_width(cells.half_scale.bits > 1 ? cells.half_scale.bits - 1 : 0);
    work.nearest.begin();
    work.half.track(work.wants_nearest ? &work.nearest : nullptr);
    engine
        .template emplace<typename E::Half>(work.half, work.bucket, work.paged, AStarKey{},
                                            trace_of<Trace>(work, PlaceTrace::States::half))
        .begin();
    return true;
}

// ---- how far it is ------------------------------------------------------------------------------------------

template <class Engine>
void note_stats(GridWork& work, const Engine& engine) {
    work.stats.expanded = work.stats_before.expanded + engine.expanded();
    work.stats.generated = work.stats_before.generated + engine.generated();
    work.stats.open_peak = std::max(work.stats_before.open_peak, engine.open_peak());
    work.stats.digest = work.stats_before.digest ^ engine.digest();
    if constexpr (requires { engine.waited(); }) work.waited = work.waited_before + engine.waited();
}

double half_cells(const GridWork& work, Cost cost) {
    return work.query.cells.half_scale.to_cells(cost) * 0.5;
}

// Keeps the way to the nearest place that a search has expanded, if it is nearer than those of earlier searches.
template <class Trace, class Engine>
bool keep_nearest(GridWork& work, const Engine& engine) {
    using E = Engines<Trace>;
    if (!work.wants_nearest || !work.nearest.before(work.best.place)) return true;
    if constexpr (std::is_same_v<Engine, std::monostate>) {
        return true;
    } else if constexpr (std::is_same_v<Engine, typename E::Clusters>) {
        const std::uint32_t node = engine.nodes().find(work.nearest.state());
        if (!take_hops(work, engine.nodes(), node) || !unpack_path(work, Unpacked::to_last_node))
            return false;
        work.best.place = work.nearest;
        work.best.on_half = false;
        work.best.tile_cost = work.tile_cost;
        return work.best.path.assign(work.path.span());
    } else if constexpr (std::is_same_v<Engine, typename E::Both>) {
        return keep_nearest<Trace>(work, engine.forward());
    } else {
        const std::uint32_t node = engine.nodes().find(work.nearest.state());
        if (!take_path<Trace>(work, engine, node)) return false;
        const Cost cost = engine.nodes()[node].g;
        work.best.place = work.nearest;
        work.best.on_half = work.on_half;
        work.best.tile_cost = work.query.cells.scale.to_cells(cost);
        if constexpr (std::is_same_v<Engine, typename E::Half>) work.best.tile_cost = half_cells(work, cost);
        if constexpr (std::is_same_v<Engine, typename E::Window>) work.best.tile_cost = path_length(work);
        return work.best.path.assign(work.path.span());
    }
}

template <class Trace>
bool keep_with(GridWork& work) {
    const auto& any = std::get<typename Engines<Trace>::Any>(work.engine);
    return std::visit([&](const auto& engine) { return keep_nearest<Trace>(work, engine); }, any);
}

bool keep_best(GridWork& work) {
    if (work.has_path) return true;  // anytime: a way to the goal is better
    using Traced = Engines<PlaceTrace>::Any;
    return std::holds_alternative<Traced>(work.engine) ? keep_with<PlaceTrace>(work)
                                                       : keep_with<NoTrace>(work);
}

// Another search of the same query follows: what this one did counts.
bool start_again(GridWork& work, const GridQuery& query) {
    work.stats_before = work.stats;
    work.waited_before = work.waited;
    return keep_best(work) && start_planner(work, query);
}

// ---- after a search has ended ------------------------------------------------------------------------------

// No stand point of the goal's region can be reached: the cheapest place on its rim. False: none, or out of memory (`good`).
template <class Trace, class Engine>
bool end_on_rim(GridWork& work, const GridQuery& query, const Engine& engine, bool& good) {
    constexpr bool kTurns = std::is_same_v<Engine, typename Engines<Trace>::Turn>;
    const CellQuery& cells = work.query.cells;
    if (!has_rim(cells)) return false;
    std::uint32_t best = kNoNode;
    double least = 1e300;
    each_rim_cell(cells, [&](const Cell& cell) {
        const std::uint32_t state = cells.code.state(cell.x, cell.y, cell.layer);
        std::uint32_t at = kNoNode;
        for (std::uint32_t heading = 0; heading < (kTurns ? 8U : 1U); ++heading) {
            const std::uint32_t node = engine.nodes().find(kTurns ? state * 8 + heading : state);
            if (node != kNoNode && (at == kNoNode || engine.nodes()[node].g < engine.nodes()[at].g))
                at = node;
        }
        Vec2 place;
        if (at == kNoNode || !rim_place(cells, cell, place)) return;
        const double cost =
            cells.scale.to_cells(engine.nodes()[at].g) + distance(cells.stand_point(cell), place);
        if (cost >= least) return;
        least = cost;
        best = at;
    });
    if (best == kNoNode) return false;
    good = take_path<Trace>(work, engine, best);
    work.tile_cost = cells.scale.to_cells(engine.nodes()[best].g);
    work.bound = bound_of(work, query);
    work.has_path = good;
    return good;
}

template <class Trace, class Engine>
SearchProgress on_found(GridWork& work, const GridQuery& query, const Engine& engine) {
    const CostScale& scale = work.query.cells.scale;
    if constexpr (std::is_same_v<Engine, typename Engines<Trace>::Both>) {
        if (!take_meeting_path<Trace>(work, engine)) return SearchProgress::no_memory;
    } else if constexpr (std::is_same_v<Engine, typename Engines<Trace>::Clusters>) {
        const std::uint32_t last = engine.nodes()[engine.goal_node()].parent;
        if (!take_hops(work, engine.nodes(), last)) return SearchProgress::no_memory;
        work.over_clusters = true;
        work.bound = kNoBound;
        work.has_path = true;
        return SearchProgress::found;
    } else {
        if (!take_path<Trace>(work, engine, engine.goal_node())) return SearchProgress::no_memory;
    }
    const bool window = std::is_same_v<Engine, typename Engines<Trace>::Window>;
    work.tile_cost = window ? path_length(work) : scale.to_cells(engine.goal_cost());
    if constexpr (std::is_same_v<Engine, typename Engines<Trace>::Half>) {
        work.tile_cost = half_cells(work, engine.goal_cost());
        // Not what these measure.
        const bool other = query.planner == GridPlanner::turn_penalty;
        work.bound = other ? kNoBound : 1.0;
        work.has_path = true;
        return SearchProgress::found;
    }
    if constexpr (std::is_same_v<Engine, typename Engines<Trace>::HalfJump>) {
        const HalfGoal& goal = work.half_goals[0];
        work.tile_cost = half_cells(work, engine.goal_cost() + goal.cost);
        work.bound = query.planner == GridPlanner::turn_penalty ? kNoBound : 1.0;
        work.has_path = true;
        const PathStep arrival{work.half.places_at() + goal.goal, kGoalMove};
        return work.path.push_back(arrival) ? SearchProgress::found : SearchProgress::no_memory;
    }
    work.best_cost = engine.goal_cost();
    work.bound = bound_of(work, query);
    work.has_path = true;
    if (work.query.planner != GridPlanner::anytime || work.weight <= 1.0) return SearchProgress::found;
    // Halve the weight's excess; the last search is plain A*.
    work.weight = work.weight < 1.05 ? 1.0 : 1.0 + (work.weight - 1.0) / 2;
    return start_again(work, query) ? SearchProgress::running : SearchProgress::no_memory;
}

template <class Trace, class Engine>
SearchProgress on_exhausted(GridWork& work, const GridQuery& query, const Engine& engine) {
    using E = Engines<Trace>;
    if (work.query.planner == GridPlanner::anytime && work.has_path) {
        work.bound = heuristic_excess(work.query.cells);  // nothing cheaper is left
        return SearchProgress::found;
    }
    if constexpr (std::is_same_v<Engine, typename E::Half>) {
        if (!query.partial || !work.nearest.on_floor()) return SearchProgress::exhausted;
        if (!take_path<Trace>(work, engine, work.nearest.state())) return SearchProgress::no_memory;
        work.tile_cost = half_cells(work, engine.nodes()[work.nearest.state()].g);
        work.bound = query.planner == GridPlanner::turn_penalty ? kNoBound : 1.0;
        work.has_path = true;
        work.status = PathStatus::partial;
        return SearchProgress::found;
    }
    if constexpr (std::is_same_v<Engine, typename E::HalfJump>) return SearchProgress::exhausted;
    if constexpr (std::is_same_v<Engine, typename E::Clusters>) {
        work.query.planner = work.query.flat_planner;  // the cells have the last word
        return start_again(work, query) ? SearchProgress::running : SearchProgress::no_memory;
    }
    if constexpr (std::is_same_v<Engine, typename E::Window>) {
        if (!query.window_grows) return SearchProgress::exhausted;
        if (work.window_side * 2 <= kWindowSideMax) {
            work.window_side *= 2;
        } else {
            work.query.planner = GridPlanner::astar;  // the whole map
        }
        return start_again(work, query) ? SearchProgress::running : SearchProgress::no_memory;
    }
    if constexpr (std::is_same_v<Engine, typename E::Heap> || std::is_same_v<Engine, typename E::Bucket> ||
                  std::is_same_v<Engine, typename E::Turn>) {
        bool good = true;
        if (end_on_rim<Trace>(work, query, engine, good)) return SearchProgress::found;
        if (!good) return SearchProgress::no_memory;
    }
    if constexpr (std::is_same_v<Engine, typename E::Heap> || std::is_same_v<Engine, typename E::Bucket>) {
        if (query.partial && work.nearest.on_floor()) {
            if (!take_path<Trace>(work, engine, work.nearest.state())) return SearchProgress::no_memory;
            work.tile_cost = work.query.cells.scale.to_cells(engine.nodes()[work.nearest.state()].g);
            const bool other_measure =
                query.planner == GridPlanner::greedy_best_first || query.planner == GridPlanner::turn_penalty;
            work.bound = other_measure ? kNoBound : 1.0;
            work.has_path = true;
            work.status = PathStatus::partial;
            return SearchProgress::found;
        }
    } else if (query.partial) {
        work.query.planner = GridPlanner::astar;  // notes the nearest place; this planner does not
        return start_again(work, query) ? SearchProgress::running : SearchProgress::no_memory;
    }
    return SearchProgress::exhausted;
}

template <class Trace, class Engine>
SearchProgress step_engine(GridWork& work, const GridQuery& query, Engine& engine, std::uint64_t budget) {
    const SearchProgress progress = engine.step(budget);
    note_stats(work, engine);
    if (work.on_half && work.half.out_of_memory()) {
        return SearchProgress::no_memory;
    }
    switch (progress) {
        case SearchProgress::found: return on_found<Trace>(work, query, engine);
        case SearchProgress::exhausted: return on_exhausted<Trace>(work, query, engine);
        default: return progress;
    }
}

template <class Trace>
SearchProgress step_with(GridWork& work, const GridQuery& query, std::uint64_t budget) {
    using E = Engines<Trace>;
    typename E::Any& any = std::get<typename E::Any>(work.engine);
    const auto step = [&](auto& engine) -> SearchProgress {
        if constexpr (std::is_same_v<std::decay_t<decltype(engine)>, std::monostate>) {
            return SearchProgress::exhausted;
        } else {
            return step_engine<Trace>(work, query, engine, budget);
        }
    };
    return std::visit(step, any);
}

}  // namespace

bool start_planner(GridWork& work, const GridQuery& query) {
    if (!choose_clusters(work, query)) return false;
    if (work.query.planner == GridPlanner::fixed_window) {
        while (!WindowSpace(work.query.cells, work.window_side).in_range() && query.window_grows) {
            if (work.window_side * 2 > kWindowSideMax) {
                work.query.planner = GridPlanner::astar;
                break;
            }
            work.window_side *= 2;
        }
    }
    return work.trace.event == nullptr ? start_with<NoTrace>(work, query)
                                       : start_with<PlaceTrace>(work, query);
}

bool keep_best_so_far(GridWork& work) { return keep_best(work); }

bool take_best_so_far(GridWork& work, const GridQuery& query) {
    if (!keep_best(work)) return false;
    work.status = PathStatus::budget_spent;
    work.bound = kNoBound;
    work.has_path = work.best.place.before(start_of(work, query));
    if (!work.has_path) return true;
    work.on_half = work.best.on_half;
    work.tile_cost = work.best.tile_cost;
    return work.path.assign(work.best.path.span());
}

bool start_half(GridWork& work) {
    work.stats_before = work.stats;
    work.waited_before = work.waited;
    return work.trace.event == nullptr ? start_half_with<NoTrace>(work) : start_half_with<PlaceTrace>(work);
}

SearchProgress step_planner(GridWork& work, const GridQuery& query, std::uint64_t budget) {
    return work.trace.event == nullptr ? step_with<NoTrace>(work, query, budget)
                                       : step_with<PlaceTrace>(work, query, budget);
}

}  // namespace fairlead::grid
