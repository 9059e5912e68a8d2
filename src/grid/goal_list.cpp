// Goals are sorted by heapsort (Williams 1964): each of its steps is bounded work, so a list of 65,536 is sorted in slices of a
// query's budget. The order is total, so that the result is the same however the sorting goes about it.

#include "grid/goal_list.h"

#include <utility>

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

// One goal down the heap.
void sink_goal(PreparedQuery& out, std::size_t at, std::size_t size) {
    for (;;) {
        std::size_t child = 2 * at + 1;
        if (child >= size) return;
        if (child + 1 < size && goal_before(out, child, child + 1)) ++child;
        if (!goal_before(out, at, child)) return;
        exchange_goals(out, at, child);
        at = child;
    }
}

}  // namespace

bool add_goal(PreparedQuery& out, const Cell& cell, Vec2 point) {
    return out.goals.push_back(out.cells.code.state(cell.x, cell.y, cell.layer)) &&
           out.goal_points.push_back(point);
}

// The heap is made in the first half of the goals, and taken down in as many steps as there are goals.
std::size_t sort_steps(const PreparedQuery& out) { return out.goals.size() / 2 + out.goals.size(); }

void sort_step(PreparedQuery& out, std::size_t at) {
    const std::size_t half = out.goals.size() / 2;
    if (at < half) return sink_goal(out, half - 1 - at, out.goals.size());
    const std::size_t last = out.goals.size() - 1 - (at - half);
    if (last == 0) return;
    exchange_goals(out, 0, last);
    sink_goal(out, 0, last);
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
