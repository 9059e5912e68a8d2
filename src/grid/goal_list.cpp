// Goals are sorted in steps (heap_steps.h), so a list of 65,536 is sorted in slices of a query's budget.

#include "grid/goal_list.h"

#include <utility>

#include "grid/heap_steps.h"

namespace fairlead::grid {

namespace {

// The order of the goals of any_of: by state, of one state the point nearest to the cell's stand point first.
bool goal_before(const PreparedQuery& out, std::size_t a, std::size_t b) {
    const auto gap = [&](std::size_t i) {
        const Vec2 d = out.goal_points[i] - out.cells.stand_point(out.cells.code.cell(out.goals[i]));
        return dot(d, d);
    };
    if (out.goals[a] != out.goals[b]) return out.goals[a] < out.goals[b];
    if (gap(a) != gap(b)) return gap(a) < gap(b);
    const Vec2 p = out.goal_points[a];
    const Vec2 q = out.goal_points[b];
    return p.x != q.x ? p.x < q.x : p.y < q.y;
}

void exchange_goals(PreparedQuery& out, std::size_t a, std::size_t b) {
    std::swap(out.goals[a], out.goals[b]);
    std::swap(out.goal_points[a], out.goal_points[b]);
}

}  // namespace

bool add_goal(PreparedQuery& out, const Cell& cell, Vec2 point) {
    return out.goals.push_back(out.cells.code.state(cell.x, cell.y, cell.layer)) &&
           out.goal_points.push_back(point);
}

std::size_t sort_steps(const PreparedQuery& out) { return heap_steps(out.goals.size()); }

void sort_step(PreparedQuery& out, std::size_t at) {
    heap_step(
        at, out.goals.size(), [&](std::size_t a, std::size_t b) { return goal_before(out, a, b); },
        [&](std::size_t a, std::size_t b) { exchange_goals(out, a, b); });
}

void keep_goal(PreparedQuery& out, std::size_t at, std::size_t& kept) {
    if (kept > 0 && out.goals[kept - 1] == out.goals[at]) return;
    out.goals[kept] = out.goals[at];
    out.goal_points[kept++] = out.goal_points[at];
}

void cut_goals(PreparedQuery& out, std::size_t kept) {
    const bool shrunk = out.goals.resize(kept) && out.goal_points.resize(kept);
    FAIRLEAD_ASSERT(shrunk);
    out.cells.goals = out.goals.span();
    out.cells.goal_points = out.goal_points.span();
}

void sort_few_goals(PreparedQuery& out) {
    for (std::size_t i = 0; i < sort_steps(out); ++i) sort_step(out, i);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < out.goals.size(); ++i) keep_goal(out, i, kept);
    cut_goals(out, kept);
}

}  // namespace fairlead::grid
