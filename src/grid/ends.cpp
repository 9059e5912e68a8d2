// Start and goal of a query, looked up and moved where the query has a reach; and goals where the unit cannot be.
#include "grid/ends.h"

#include <algorithm>

#include "grid/goal_list.h"
#include "grid/settle.h"

namespace fairlead::grid {

namespace {

Vec2 in_world(const StateData& state, Vec2 p) { return state.origin + p * state.cell_size; }

}  // namespace

bool settle_start(GridQuery& query, PreparedQuery& out, std::uint64_t& budget) {
    CellQuery& cells = out.cells;
    const StateData& state = *cells.state;
    if (out.start_settled) return true;
    const Vec2 asked = in_cells(query.start, state);
    cells.start_point = asked;
    Attached start;
    if (!settle(cells, query, cells.start_point, query.start.layer, PathStatus::start_blocked, start,
                out.walk, budget))
        return false;
    out.start_settled = true;
    if (!(cells.start_point == asked))
        query.start = Spot(in_world(state, cells.start_point)).on_layer(query.start.layer);
    if (start.status != PathStatus::complete) {
        out.status = start.status;
        return true;
    }
    cells.start = cells.code.state(start.cell.x, start.cell.y, start.cell.layer);
    if (start.two) cells.start_other = cells.code.state(start.other.x, start.other.y, start.other.layer);
    return true;
}

void note_goal_blocked(PreparedQuery& out) {
    out.goal_blocked = true;
    out.status = PathStatus::unreachable;
}

Result<bool> find_goal_point(GridQuery& query, PreparedQuery& out, std::uint64_t& budget) {
    CellQuery& cells = out.cells;
    const StateData& state = *cells.state;
    const Vec2 asked = cells.goal.point;
    Attached at;
    if (!settle(cells, query, cells.goal.point, cells.goal.layer, PathStatus::goal_blocked, at, out.walk,
                budget))
        return false;
    if (!(cells.goal.point == asked)) {
        out.goal_moved = true;
        out.goal_place = cells.goal.point;
        query.goal.at = Spot(in_world(state, out.goal_place)).on_layer(query.goal.at.layer);
    }
    out.status = at.status;
    if (at.status == PathStatus::goal_blocked && query.partial) {
        note_goal_blocked(out);
        at.cell = {std::min(static_cast<std::int32_t>(asked.x), state.width - 1),
                   std::min(static_cast<std::int32_t>(asked.y), state.height - 1), cells.goal.layer};
    } else if (at.status != PathStatus::complete) {
        return true;
    }
    if (!add_goal(out, at.cell, cells.goal.point)) return Error{ErrorCode::out_of_memory, -1, 0};
    if (!at.two) return true;
    if (!add_goal(out, at.other, cells.goal.point)) return Error{ErrorCode::out_of_memory, -1, 0};
    sort_few_goals(out);
    return true;
}

bool aim_at_points(const Goal& goals, PreparedQuery& out) {
    CellQuery& cells = out.cells;
    const StateData& state = *cells.state;
    note_goal_blocked(out);
    for (std::size_t i = 0; i < goals.list.size(); ++i) {
        const Vec2 p = in_cells(goals.list[i], state);
        const bool on_map = p.x >= 0.0 && p.x <= state.width && p.y >= 0.0 && p.y <= state.height;
        if (on_map && !out.goal_points.push_back(p)) return false;
    }
    cells.goal_points = out.goal_points.span();
    return true;
}

}  // namespace fairlead::grid
