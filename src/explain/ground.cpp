#include "explain/ground.h"

#include <algorithm>
#include <cmath>

namespace fairlead::explaining {

using grid::kMoveDx;
using grid::kMoveDy;

namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr double kKeyScale = 4294967296.0;

// A heap pops the least key first; the widest way comes first here.
Cost key_of(double room) { return (Cost{1} << 62) - static_cast<Cost>(room * kKeyScale); }

}  // namespace

Ground::Ground(const Allocator& a)
    : starts_(a),
      goals_(a),
      marks_(a),
      todo_{Array<std::uint32_t>(a), Array<std::uint32_t>(a)},
      nodes_(a),
      open_(a) {}

std::uint32_t Ground::code(const Place& at) const {
    const std::int64_t row = std::int64_t{at.layer} * rows_ + at.y;
    return static_cast<std::uint32_t>(row * columns_ + at.x);
}

Ground::Place Ground::place(std::uint32_t node) const {
    const auto columns = static_cast<std::uint32_t>(columns_);
    const auto rows = static_cast<std::uint32_t>(rows_);
    return {static_cast<std::int32_t>(node % columns), static_cast<std::int32_t>(node / columns % rows),
            static_cast<std::int32_t>(node / columns / rows)};
}

Vec2 Ground::position(const Place& at) const {
    return pitch_ == 1 ? Vec2{at.x + 0.5, at.y + 0.5} : Vec2{at.x * 0.5, at.y * 0.5};
}

const grid::Sight& Ground::sight(std::int32_t layer) {
    if (sight_layer_ != layer) {
        sight_ = grid::Sight(query_->cells.sight(layer));
        sight_layer_ = layer;
    }
    return sight_;
}

bool Ground::begin(const grid::PreparedQuery& query, std::int32_t pitch, bool portals) {
    query_ = &query;
    portals_ = portals;
    pitch_ = pitch;
    const grid::StateData& state = *query.cells.state;
    columns_ = state.width * pitch;
    rows_ = state.height * pitch;
    diagonals_ = pitch > 1 || (query.cells.corner == CornerRule::always && query.cells.eight);
    sight_layer_ = -1;
    const std::int64_t count = std::int64_t{columns_} * rows_ * state.layers;
    if (count >= std::int64_t{kNowhere}) return false;
    starts_.clear();
    marks_.clear();
    return marks_.resize(static_cast<std::size_t>(count));
}

bool Ground::neighbour(const Place& at, std::int32_t move, Place& to, Vec2& there) const {
    const grid::StateData& state = *query_->cells.state;
    to = {at.x + kMoveDx[move], at.y + kMoveDy[move], at.layer};
    there = position(to);
    if (state.wrap_x) to.x = (to.x + columns_) % columns_;
    if (state.wrap_y) to.y = (to.y + rows_) % rows_;
    return to.x >= 0 && to.y >= 0 && to.x < columns_ && to.y < rows_;
}

// The places around a point that can be walked to from there.
bool Ground::list_ends(Vec2 point, std::int32_t layer, double limit, Array<End>& out) {
    const grid::StateData& state = *query_->cells.state;
    const double shift = pitch_ == 1 ? 0.0 : 0.5;
    const auto x = static_cast<std::int32_t>(std::floor(point.x * pitch_ + shift));
    const auto y = static_cast<std::int32_t>(std::floor(point.y * pitch_ + shift));
    for (std::int32_t dy = -pitch_; dy <= pitch_; ++dy) {
        for (std::int32_t dx = -pitch_; dx <= pitch_; ++dx) {
            Place at{x + dx, y + dy, layer};
            const Vec2 there = position(at);
            if (state.wrap_x) at.x = (at.x + columns_) % columns_;
            if (state.wrap_y) at.y = (at.y + rows_) % rows_;
            if (at.x < 0 || at.y < 0 || at.x >= columns_ || at.y >= rows_) continue;
            if (!sight(layer).can_sweep(point, there)) continue;
            const double room = limit > 0.0 ? sight(layer).clearance(point, there, limit) : 0.0;
            if (!out.push_back({code(at), room, point})) return false;
        }
    }
    return true;
}

bool Ground::is_region() const {
    const Goal::Kind kind = query_->cells.goal.kind;
    return kind == Goal::Kind::within || kind == Goal::Kind::in_sight;
}

bool Ground::list_goals(double limit) {
    goals_.clear();
    const grid::CellGoal& goal = query_->cells.goal;
    if (is_region()) return true;
    if (goal.kind == Goal::Kind::point) {
        if (!list_ends(goal.point, goal.layer, limit, goals_)) return false;
    }
    for (std::size_t i = 0; i < query_->goal_points.size() && goal.kind == Goal::Kind::any_of; ++i) {
        if (!list_ends(query_->goal_points[i], goal.layer, limit, goals_)) return false;
    }
    std::sort(goals_.begin(), goals_.end(), [](const End& a, const End& b) {  // total order
        if (a.node != b.node) return a.node < b.node;
        if (a.room != b.room) return a.room > b.room;
        return a.point.x != b.point.x ? a.point.x < b.point.x : a.point.y < b.point.y;
    });
    return true;
}

bool Ground::reaches_region(const Place& at) const {
    const grid::CellQuery& cells = query_->cells;
    if (pitch_ == 1) return cells.reaches_goal(cells.code.state(at.x, at.y, at.layer));
    const Vec2 gap = position(at) - cells.goal.point;
    return at.layer == cells.goal.layer && dot(gap, gap) <= cells.goal.range * cells.goal.range;
}

// Calls visit(node) for where the portals of a place lead; `back`: for where portals to it come from.
template <class Visit>
bool Ground::each_portal(std::uint32_t node, bool back, const Visit& visit) const {
    if (query_->cells.state->portal_count == 0 || !portals_) return true;
    const grid::PortalTables& portals = *query_->cells.state->portal_tables;
    Place at = place(node);
    if (pitch_ == 2) {  // the tiles' middles
        if (at.x % 2 == 0 || at.y % 2 == 0) return true;
        at = {at.x / 2, at.y / 2, at.layer};
    }
    const std::uint32_t state = query_->cells.code.state(at.x, at.y, at.layer);
    for (const grid::PortalStep& step : grid::portals_from(back ? portals.backs : portals.steps, state)) {
        const Cell to = query_->cells.code.cell(step.to);
        const std::int32_t middle = pitch_ - 1;
        if (!visit(code({to.x * pitch_ + middle, to.y * pitch_ + middle, to.layer}))) return false;
    }
    return true;
}

bool Ground::mark(std::uint32_t node, int side, bool& met) {
    const auto own = static_cast<std::uint8_t>(1 << side);
    if ((marks_[node] & own) != 0) return true;
    marks_[node] = static_cast<std::uint8_t>(marks_[node] | own);
    if (marks_[node] == 3) met = true;
    return todo_[side].push_back(node);
}

bool Ground::flood_one(int side, bool& met) {
    const std::uint32_t node = todo_[side].back();
    todo_[side].pop_back();
    const Place at = place(node);
    if (side == 0 && is_region() && reaches_region(at)) met = true;
    for (std::int32_t move = 0; move < 8; move += diagonals_ ? 1 : 2) {
        Place to{};
        Vec2 there{};
        if (!neighbour(at, move, to, there)) continue;
        const std::uint32_t next = code(to);
        if ((marks_[next] & (1 << side)) != 0 || !sight(at.layer).can_sweep(position(at), there)) continue;
        if (!mark(next, side, met)) return false;
    }
    return each_portal(node, side == 1, [&](std::uint32_t next) {
        const Place to = place(next);
        return !sight(to.layer).can_sweep(position(to), position(to)) || mark(next, side, met);
    });
}

Answer Ground::flood(std::uint64_t& budget) {
    bool met = false;
    std::int64_t area[2] = {};
    for (Array<std::uint32_t>& list : todo_) list.clear();
    starts_.clear();
    if (!list_ends(query_->cells.start_point, query_->cells.code.cell(query_->cells.start).layer, 0.0,
                   starts_) ||
        !list_goals(0.0)) {
        return Answer::no_memory;
    }
    for (const End& end : starts_) {
        if (!mark(end.node, 0, met)) return Answer::no_memory;
    }
    for (const End& end : goals_) {
        if (!mark(end.node, 1, met)) return Answer::no_memory;
    }
    for (int side = 0; !met; side = is_region() ? 0 : 1 - side) {
        if (todo_[side].empty()) {
            goal_side_ = side == 1;
            area_ = area[side];
            return Answer::no;
        }
        if (budget == 0) return Answer::unknown;
        --budget;
        ++area[side];
        if (!flood_one(side, met)) return Answer::no_memory;
    }
    return Answer::yes;
}

double Ground::room_at(std::uint32_t node) {
    Node& n = nodes_[node];
    if (n.known) return n.room;
    n.known = true;
    n.best = -1.0;
    const Place at = place(node);
    const Vec2 p = position(at);
    const grid::Sight& look = sight(at.layer);
    n.room = look.can_sweep(p, p) ? look.clearance(p, p, limit_) : -1.0;
    return n.room;
}

// Room on the way of a step; negative: none.
double Ground::step_room(std::uint32_t from, std::int32_t move, const Place& to, Vec2 there) {
    const double ends = std::min(room_at(from), room_at(code(to)));
    if (ends < 0.0) return -1.0;
    const Place at = place(from);
    const Vec2 here = position(at);
    const double room = grid::is_diagonal(static_cast<std::uint32_t>(move))
                            ? std::min(ends, sight(at.layer).clearance(here, there, limit_))
                            : ends;
    return room > 0.0 || sight(at.layer).can_sweep(here, there) ? room : -1.0;
}

bool Ground::relax(std::uint32_t from, std::uint32_t to, double room) {
    if (room < 0.0) return true;
    (void)room_at(to);
    Node& n = nodes_[to];
    if (n.done || room <= n.best) return true;
    n.best = room;
    n.from = from;
    return open_.push(key_of(room), 0, to);
}

bool Ground::expand(std::uint32_t node) {
    const Place at = place(node);
    const double best = nodes_[node].best;
    for (std::int32_t move = 0; move < 8; move += diagonals_ ? 1 : 2) {
        Place to{};
        Vec2 there{};
        if (!neighbour(at, move, to, there)) continue;
        const Node& next = nodes_[code(to)];
        if (next.done || (next.known && next.best >= best)) continue;
        if (!relax(node, code(to), std::min(best, step_room(node, move, to, there)))) return false;
    }
    return each_portal(node, false,
                       [&](std::uint32_t next) { return relax(node, next, std::min(best, room_at(next))); });
}

// A place from which the goal can be walked to: how wide is the way by it?
void Ground::note_goal(std::uint32_t node) {
    const double best = nodes_[node].best;
    const auto note = [&](double room, Vec2 point) {
        if (room <= goal_room_) return;
        goal_room_ = room;
        goal_node_ = node;
        goal_point_ = point;
    };
    if (is_region()) {
        if (reaches_region(place(node))) note(best, position(place(node)));
        return;
    }
    const End* end = std::lower_bound(goals_.begin(), goals_.end(), node,
                                      [](const End& a, std::uint32_t b) { return a.node < b; });
    for (; end != goals_.end() && end->node == node; ++end) note(std::min(best, end->room), end->point);
}

// Goes back along the widest way; of several tightest places the one nearest to the start remains.
void Ground::trace_back() {
    room_ = goal_room_;
    const auto take = [&](Vec2 p, std::int32_t layer) {
        tightest_ = p;
        tightest_layer_ = layer;
    };
    std::uint32_t node = goal_node_;
    take(goal_point_, place(node).layer);
    for (;; node = nodes_[node].from) {
        const Place at = place(node);
        if (nodes_[node].room <= room_) take(position(at), at.layer);
        const std::uint32_t from = nodes_[node].from;
        if (from == kNowhere) break;
        const Place before = place(from);
        if (nodes_[node].best <= room_ && nodes_[node].room > room_ && nodes_[from].room > room_ &&
            nodes_[from].best > room_) {
            take((position(at) + position(before)) * 0.5, at.layer);  // the corner of a diagonal step
        }
    }
    if (nodes_[node].best <= room_ && nodes_[node].room > room_) {
        take(query_->cells.start_point, place(node).layer);
    }
}

Answer Ground::widest(double limit, std::uint64_t& budget) {
    limit_ = limit;
    goal_room_ = -1.0;
    nodes_.clear();
    open_.reset();
    starts_.clear();
    const std::int32_t layer = query_->cells.code.cell(query_->cells.start).layer;
    if (!nodes_.resize(marks_.size()) || !list_ends(query_->cells.start_point, layer, limit, starts_) ||
        !list_goals(limit)) {
        return Answer::no_memory;
    }
    for (const End& end : starts_) {
        if (!relax(kNowhere, end.node, end.room)) return Answer::no_memory;
    }
    std::uint32_t node = 0;
    while (open_.pop(node)) {
        if (nodes_[node].done) continue;
        if (nodes_[node].best <= goal_room_) break;
        if (budget == 0) return Answer::unknown;
        --budget;
        nodes_[node].done = true;
        note_goal(node);
        if (!expand(node)) return Answer::no_memory;
    }
    if (goal_room_ < 0.0) return Answer::no;
    trace_back();
    return Answer::yes;
}

}  // namespace fairlead::explaining
