#include "grid/prepare.h"
#include "grid/turn_space.h"

#include <algorithm>
#include <cmath>

#include "grid/check_query.h"
#include "grid/choose_planner.h"
#include "grid/clearance.h"
#include "grid/connectivity.h"
#include "grid/ends.h"
#include "grid/goal_list.h"
#include "grid/half_search.h"
#include "grid/image.h"
#include "grid/settle.h"
#include "grid/stand.h"
#include "grid/terrain.h"

namespace fairlead::grid {

Vec2 position_of_spot(const Spot& spot, const StateData& state) {
    if (spot.kind != Spot::Kind::cell) return spot.ground();
    return state.origin + (spot.ground() + Vec2{0.5, 0.5}) * state.cell_size;
}

Vec2 in_cells(const Spot& spot, const StateData& state) {
    return (position_of_spot(spot, state) - state.origin) * (1.0 / state.cell_size);
}

Blocker in_cells(const Blocker& b, const StateData& state) {
    constexpr double kOffMap = 1e7;  // off every map, and its square is a number
    const auto near = [=](double v) { return std::clamp(v, -kOffMap, kOffMap); };
    const double scale = 1.0 / state.cell_size;
    Blocker c = b;
    c.centre = (b.centre - state.origin) * scale;
    c.radius = b.radius * scale;
    if (b.box.empty()) return c;
    const Vec2 low = (b.box.low - state.origin) * scale, high = (b.box.high - state.origin) * scale;
    c.box = {{near(low.x), near(low.y)}, {near(high.x), near(high.y)}};
    return c;
}

CellGoal goal_in_cells(const Goal& goal, const StateData& state) {
    return {goal.kind, in_cells(goal.at, state), goal.range / state.cell_size, goal.at.layer};
}

GridQuery with_positions(const GridQuery& query, const StateData& state) {
    GridQuery own = query;
    for (Spot* spot : {&own.start, &own.goal.at}) {
        if (spot->kind == Spot::Kind::cell) {
            spot->position = {position_of_spot(*spot, state).x, position_of_spot(*spot, state).y, 0.0};
            spot->kind = Spot::Kind::position;
        }
    }
    return own;
}

namespace {

// ---- body, costs, goal -------------------------------------------------------------------------------------

void set_body(const GridQuery& query, const StateData& state, CellQuery& cells) {
    cells.key = body_key(query.agent, state.cell_size);
    cells.body = lines_body(state, cells.key);
    cells.clearance_least = cells.key > 0 ? clearance_class_for(cells.key) : 0;
    cells.footprint = query.agent.footprint;
    cells.radius = query.agent.footprint > 0 ? 0.0 : touching_radius(query.agent.radius / state.cell_size);
    cells.stand_offset = query.agent.footprint > 0 && query.agent.footprint % 2 == 0 ? 0.0 : 0.5;
    cells.corner = query.corner;
    cells.eight = query.neighbours == Neighbourhood::eight;
    cells.heuristic = query.planner == GridPlanner::dijkstra ? GridHeuristic::zero : query.heuristic;
    cells.own = query.own;
    if (query.planner == GridPlanner::automatic && query.heuristic == GridHeuristic::own) return;
    if (query.planner == GridPlanner::bucket_astar || query.planner == GridPlanner::automatic ||
        query.planner == GridPlanner::bidirectional || query.planner == GridPlanner::turn_penalty) {
        cells.heuristic = GridHeuristic::octile;
    }
}

void set_costs(const GridQuery& query, const StateData& state, CellQuery& cells) {
    std::uint64_t highest = 1;
    std::uint32_t least = UINT32_MAX;
    cells.filtered = false;
    for (std::size_t i = 1; i < 256; ++i) {
        cells.costs[i] = terrain_cost(state, query.terrain, static_cast<std::uint32_t>(i));
        // On a map of plain ground only terrain 1 is there.
        if (state.rough_cells == 0 && i > 1) break;
        if (cells.costs[i] == 0) {
            cells.filtered = true;
            continue;
        }
        highest = std::max<std::uint64_t>(highest, cells.costs[i]);
        least = std::min<std::uint32_t>(least, cells.costs[i]);
    }
    cells.costs[0] = 0;
    cells.influence = query.influence;
    if (query.influence.weight == 0) cells.influence.cells = {};
    cells.uniform = state.rough_cells == 0 && cells.costs[1] == 1 && cells.influence.cells.empty();
    cells.cost_least = least == UINT32_MAX ? 1 : least;
    if (!cells.influence.cells.empty()) highest += 255U * static_cast<std::uint64_t>(query.influence.weight);
    // No path enters a cell twice. Room for a weight of 100 and for the portals.
    const auto steps = static_cast<std::uint64_t>(state.bodies[0].free_cells) + 2;
    std::uint64_t units = steps * highest;
    const bool weighted =
        query.planner == GridPlanner::weighted_astar || query.planner == GridPlanner::anytime;
    if (weighted) units *= 101;
    if (query.planner == GridPlanner::turn_penalty) {
        const double most =
            turn_cells(state, query.turn_penalty) * 4.0 + turn_cells(state, query.turn_penalty_each);
        units += steps * (static_cast<std::uint64_t>(most) + 2);
    }
    if (state.portal_count != 0) {
        const PortalTables& portals = *state.portal_tables;
        units += portals.cost_sum * (weighted && portals.floor_cost > 0.0 ? 101 : 1);
    }
    cells.scale = CostScale::fit(2 * units);
    cells.half_scale = CostScale::fit(16 * units);
    cells.own_most = static_cast<Cost>(steps * highest) * cells.scale.straight;
}

// Portals that are quicker than walking their distance break the octile bound: the heuristic must know them, or know nothing.
bool find_far_portals(const StateData& state, PreparedQuery& out) {
    constexpr std::size_t kMost = 16;
    CellQuery& cells = out.cells;
    out.far_portals.clear();
    if (state.portal_count == 0) return true;
    // With four neighbours the bound is the longer one of blocks, up to sqrt 2 times the octile one by which they are sorted.
    const double most = cells.cost_least * (cells.eight ? 1.0 + 1e-12 : 1.4143);
    for (const PortalShortcut& s : state.portal_tables->shortcuts) {
        if (s.factor > most) break;
        if (s.cost >= (cells.eight ? s.walk : s.blocks) * cells.cost_least) continue;
        if (!out.far_portals.push_back(s.from)) return false;
        if (out.far_portals.size() <= kMost || cells.heuristic == GridHeuristic::own) continue;
        cells.heuristic = GridHeuristic::zero;
        break;
    }
    cells.far_portals = out.far_portals.span();
    return true;
}

// The goals next to a cell: from here on they are as any_of, so that the index answers for them.
bool add_neighbours(const GridQuery& query, PreparedQuery& out, const Cell& centre) {
    CellQuery& cells = out.cells;
    const StateData& state = *cells.state;
    for (std::int32_t i = 0; i < 9; ++i) {
        if (i == 4) continue;
        const Cell beside{centre.x + i % 3 - 1, centre.y + i / 3 - 1, centre.layer};
        const Cell cell = first_image(state, beside);
        if (!state.inside(cell.x, cell.y) || !cells.stands(cell.x, cell.y, cell.layer)) continue;
        const Vec2 stand = cells.stand_point(cell);
        if (cell == centre || cells.meets_blocker(stand, stand, cell.layer)) continue;
        if (!add_goal(out, cell, stand)) return false;
    }
    const bool none = out.goals.empty();
    if (none) out.status = PathStatus::goal_blocked;
    sort_few_goals(out);
    cells.goal.kind = Goal::Kind::any_of;
    if (!none || !query.partial) return true;
    note_goal_blocked(out);
    return out.goal_points.push_back(cells.goal.point);
}

// Of one goal or a region; any_of goes through its points in slices. False: the budget is spent.
Result<bool> find_goal(GridQuery& query, PreparedQuery& out, std::uint64_t& budget) {
    CellQuery& cells = out.cells;
    const StateData& state = *cells.state;
    const CellGoal& goal = cells.goal;
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (goal.kind == Goal::Kind::point) {
        const Result<bool> done = find_goal_point(query, out, budget);
        if (!done.has_value()) return done.error();
        if (!*done) return false;
    } else {
        // A region: its centre need not be free, but must be on the map.
        const auto line = [](double at, std::int32_t size) {
            return at >= 0.0 && at < size ? static_cast<std::int32_t>(at) : -1;  // -1 for NaN too
        };
        const std::int32_t x = line(goal.point.x, state.width);
        const std::int32_t y = line(goal.point.y, state.height);
        if (!state.inside(x, y) || goal.layer < 0 || goal.layer >= state.layers) {
            out.status = PathStatus::off_world;
        } else if (goal.kind == Goal::Kind::adjacent) {
            if (!add_neighbours(query, out, {x, y, goal.layer})) return no_memory;
        } else if (!add_goal(out, {x, y, goal.layer}, goal.point)) {
            return no_memory;
        }
    }
    cells.goals = out.goals.span();
    cells.goal_points = out.goal_points.span();
    return true;
}

// ---- reachability ------------------------------------------------------------------------------------------

// Moves of this query that the connectivity index does not count on would make its "no" worthless.
const Body* answering_body(const CellQuery& cells) {
    const StateData& state = *cells.state;
    const bool cuts = cells.corner == CornerRule::always && cells.key >= 0 && cells.key != kCellBody;
    if (cuts && state.corner != CornerRule::always) return nullptr;
    return contained_body(state, cells.key);
}

// May a cell be reached from the start, for all that the index knows?
bool may_reach(const CellQuery& cells, const Body& body, std::uint32_t goal) {
    const auto name = [&](std::uint32_t s) {
        const Cell c = cells.code.cell(s);
        return component_of(*cells.state, body, c.x, c.y, c.layer);
    };
    const std::uint64_t to = name(goal);
    for (const std::uint32_t start : cells.starts()) {
        if (name(start) == to) return true;
    }
    return false;
}

// Floors are joined by portals alone.
bool nothing_leads_to_floor(const CellQuery& cells) {
    return cells.state->portal_count == 0 && cells.code.cell(cells.start).layer != cells.goal.layer;
}

// Of one goal, or of the few next to a cell.
bool provably_unreachable(const CellQuery& cells) {
    if (nothing_leads_to_floor(cells)) return true;
    if (cells.goal.kind != Goal::Kind::point && cells.goal.kind != Goal::Kind::any_of) return false;
    const Body* body = answering_body(cells);
    if (body == nullptr) return false;
    for (const std::uint32_t goal : cells.goals) {
        if (may_reach(cells, *body, goal)) return false;
    }
    return true;
}

// ---- in slices ---------------------------------------------------------------------------------------------

using Part = PreparedQuery::Part;

// How many of a list are done for one unit of the budget.
constexpr std::size_t kChecksAUnit = 512;
constexpr std::size_t kBlockersAUnit = 16;
constexpr std::size_t kGoalsAUnit = 8;
constexpr std::size_t kSortsAUnit = 32;
constexpr std::size_t kKeepsAUnit = 256;

// Calls do_one(i) for what is left of `count`, a_unit of them for a unit, and moves on to `next` at the end. False: an error.
template <class DoOne>
bool go_through(PreparedQuery& out, std::size_t count, std::size_t a_unit, Part next, std::uint64_t& budget,
                DoOne do_one) {
    while (out.at < count) {
        if (budget == 0) return true;
        --budget;
        const std::size_t end = std::min(count, out.at + a_unit);
        for (; out.at < end; ++out.at) {
            if (!do_one(out.at)) return false;
        }
    }
    out.part = next;
    out.at = 0;
    return true;
}

Result<void> add_blocker(const GridQuery& query, const StateData& state, PreparedQuery& out, std::size_t i) {
    if (const Result<void> good = check_blocker(state, query.blockers[i], i, Field::blockers); !good)
        return good;
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    if (!out.blockers.push_back(in_cells(query.blockers[i], state))) return no_memory;
    if (out.cells.blocker_index != nullptr && !out.blocker_index.add(out.blockers[i])) return no_memory;
    return {};
}

// Room for the blockers; few are looked at one by one.
bool begin_blockers(const GridQuery& query, const StateData& state, PreparedQuery& out) {
    constexpr std::size_t kFew = 16;
    out.blockers.clear();
    out.cells.blocker_index = nullptr;
    if (query.blockers.size() <= kFew) return true;
    const CellQuery& cells = out.cells;
    const double reach = cells.footprint > 0 ? 0.5 * cells.footprint : cells.radius;
    if (!out.blockers.reserve(query.blockers.size())) return false;
    if (!out.blocker_index.begin({static_cast<double>(state.width), state.wrap_x},
                                 {static_cast<double>(state.height), state.wrap_y}, query.blockers.size(),
                                 std::min(reach, kRadiusCellsMax)))
        return false;
    out.cells.blocker_index = &out.blocker_index;
    return true;
}

// All that needs the blockers: the start, one goal. It stays this part's turn while ends are being moved.
Result<void> find_ends(GridQuery& query, PreparedQuery& out, std::uint64_t& budget) {
    CellQuery& cells = out.cells;
    cells.blockers = out.blockers.span();
    if (!settle_start(query, out, budget)) return {};
    if (out.status != PathStatus::complete) {
        // The half lattice finds its own way from the start to a goal, which is moved all the same.
        if (out.status == PathStatus::start_blocked && cells.half && query.reach > 0.0 &&
            cells.goal.kind == Goal::Kind::point) {
            const Result<bool> done = find_goal_point(query, out, budget);
            if (!done.has_value()) return done.error();
            if (!*done) return {};
            out.goals.clear();
            out.goal_points.clear();
            out.goal_blocked = false;
            out.status = PathStatus::start_blocked;
        }
        out.part = Part::done;
        return {};
    }
    out.no_such_floor = nothing_leads_to_floor(cells);
    if (cells.goal.kind == Goal::Kind::any_of) {
        out.part = Part::goals;
        return {};
    }
    const Result<bool> good = find_goal(query, out, budget);
    if (!good.has_value()) return good.error();
    if (!*good) return {};
    out.part = Part::done;
    if (out.status == PathStatus::complete && provably_unreachable(cells))
        out.status = PathStatus::unreachable;
    return {};
}

// A point of any_of. False: out of memory.
bool attach_goal(const GridQuery& query, PreparedQuery& out, std::size_t i, std::uint64_t& budget) {
    CellQuery& cells = out.cells;
    Vec2 p = in_cells(query.goal.list[i], *cells.state);
    Attached at;
    // A point is moved in one piece; the next ones pay for it.
    std::uint64_t free = UINT64_MAX;
    (void)settle(cells, query, p, cells.goal.layer, PathStatus::goal_blocked, at, out.walk, free);
    budget -= std::min(budget, UINT64_MAX - free);
    if (at.status == PathStatus::goal_blocked) out.none = PathStatus::goal_blocked;
    if (at.status != PathStatus::complete) return true;
    const Body* body = answering_body(cells);
    for (const Cell& cell : {at.cell, at.other}) {
        const std::uint32_t goal = cells.code.state(cell.x, cell.y, cell.layer);
        out.joined = out.joined || body == nullptr || may_reach(cells, *body, goal);
        if (!add_goal(out, cell, p)) return false;
        if (!at.two) break;
    }
    return true;
}

// False: out of memory.
bool end_goals(const GridQuery& query, PreparedQuery& out) {
    cut_goals(out, out.kept);
    if (out.goals.empty()) {
        out.status = out.none;
        if (out.none == PathStatus::goal_blocked && query.partial) return aim_at_points(query.goal, out);
    } else if (nothing_leads_to_floor(out.cells) || !out.joined) {
        out.status = PathStatus::unreachable;
    }
    return true;
}

}  // namespace

bool reaches_as_index(const CellQuery& cells) {
    const StateData& state = *cells.state;
    if (cells.filtered || !cells.blockers.empty()) return false;
    if (connectivity_body(state, cells.key) == nullptr) return false;
    if (state.portal_count != 0 && !state.portal_tables->two_way) return false;
    const bool cutter = cells.key >= 0 && cells.key != kCellBody;
    const bool query_cuts = cutter && cells.eight && cells.corner == CornerRule::always;
    return query_cuts == (cutter && state.corner == CornerRule::always);
}

Result<void> begin_prepare(const GridState& grid, const GridQuery& query, PreparedQuery& out) {
    if (const Result<void> good = check_query(grid, query); !good) return good.error();
    const StateData& state = grid.data();
    CellQuery& cells = out.cells;
    cells = {};
    out.status = PathStatus::complete;
    out.part = Part::points;
    out.planner = query.planner;  // until choose_planner knows better
    out.at = 0;
    out.kept = 0;
    out.none = PathStatus::off_world;
    out.joined = false;
    out.no_such_floor = false;
    out.goal_blocked = false;
    out.start_settled = false;
    out.goal_moved = false;
    out.walk = {};
    out.goals.clear();
    out.goal_points.clear();
    cells.state = &state;
    cells.code = CellCode::of(state);
    set_body(query, state, cells);
    cells.half = asks_half(cells, query);
    set_costs(query, state, cells);
    cells.goal = goal_in_cells(query.goal, state);
    if (!begin_blockers(query, state, out) || !find_far_portals(state, out)) {
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
    return choose_planner(query, out);
}

Result<bool> step_prepare(GridQuery& query, PreparedQuery& out, std::uint64_t& budget) {
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    const StateData& state = *out.cells.state;
    while (out.part != Part::done) {
        const Part before = out.part;
        Result<void> good;
        bool fits = true;
        switch (before) {
            case Part::points: {
                const std::size_t count = query.goal.is_list() ? query.goal.list.size() : 0;
                (void)go_through(out, count, kChecksAUnit, Part::blockers, budget, [&](std::size_t i) {
                    good = check_goal_spot(query.goal, i);
                    return good.has_value();
                });
                break;
            }
            case Part::blockers:
                (void)go_through(out, query.blockers.size(), kBlockersAUnit, Part::ends, budget,
                                 [&](std::size_t i) {
                                     good = add_blocker(query, state, out, i);
                                     return good.has_value();
                                 });
                break;
            case Part::ends: good = find_ends(query, out, budget); break;
            case Part::goals:
                fits = go_through(out, query.goal.list.size(), kGoalsAUnit, Part::sort, budget,
                                  [&](std::size_t i) { return attach_goal(query, out, i, budget); });
                break;
            case Part::sort:
                (void)go_through(out, sort_steps(out), kSortsAUnit, Part::keep, budget, [&](std::size_t i) {
                    sort_step(out, i);
                    return true;
                });
                break;
            case Part::keep:
                (void)go_through(out, out.goals.size(), kKeepsAUnit, Part::done, budget, [&](std::size_t i) {
                    keep_goal(out, i, out.kept);
                    return true;
                });
                if (out.part == Part::done) fits = end_goals(query, out);
                break;
            case Part::done: break;
        }
        if (!good) return good.error();
        if (!fits) return no_memory;
        if (out.part == before) return true;  // the budget is spent
    }
    const bool between = out.cells.ends_between();
    out.index_finds_nearest = out.goals.size() == 1 && !between && reaches_as_index(out.cells);
    if (between) choose_for_ends_between(out);
    return false;
}

Result<void> prepare_query(const GridState& grid, GridQuery& query, PreparedQuery& out) {
    if (const Result<void> good = begin_prepare(grid, query, out); !good) return good;
    std::uint64_t budget = UINT64_MAX;
    const Result<bool> more = step_prepare(query, out, budget);
    if (!more.has_value()) return more.error();
    return {};
}

}  // namespace fairlead::grid
