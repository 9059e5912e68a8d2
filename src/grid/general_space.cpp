#include "grid/general_space.h"

#include <algorithm>

#include <fairlead/math/swept.h>

#include "grid/block.h"
#include "grid/clearance.h"
#include "grid/stand.h"
#include "route/blocker_index.h"

namespace fairlead::grid {

namespace {

// For places at most one lap outside: no division.
std::int32_t wrapped_once(std::int32_t value, std::int32_t size) {
    return value < 0 ? value + size : (value >= size ? value - size : value);
}

constexpr double kTouch = 1e-9;  // cells; a step may touch, not overlap

// Shortest way between two columns or rows, across the seam if there is one.
std::int32_t axis_gap(std::int32_t a, std::int32_t b, std::int32_t size, bool wrap) {
    const std::int32_t gap = a < b ? b - a : a - b;
    return wrap && size - gap < gap ? size - gap : gap;
}

// The image of `point` nearest to `p` across the seams; both on the map.
Vec2 image_beside(const StateData& state, Vec2 p, Vec2 point) {
    const auto shift = [](double gap, double size) {
        return gap > size / 2 ? -size : (gap < -size / 2 ? size : 0.0);
    };
    if (state.wrap_x) point.x += shift(point.x - p.x, state.width);
    if (state.wrap_y) point.y += shift(point.y - p.y, state.height);
    return point;
}

// Do all cells under the body have open terrain?
bool terrain_open(const CellQuery& q, std::int32_t x, std::int32_t y, std::int32_t layer) {
    const StateData& s = *q.state;
    const std::int32_t reach = body_reach(q.key);
    for (std::int32_t dy = -reach; dy <= reach; ++dy) {
        std::int32_t low = 0;
        std::int32_t high = 0;
        if (q.key < 0) {
            const auto side = static_cast<std::int32_t>(-q.key);
            if (dy < -(side / 2) || dy >= side - side / 2) continue;
            low = -(side / 2);
            high = low + side - 1;
        } else {
            high = disc_half_width(q.key, dy);
            if (high < 0) continue;
            low = -high;
        }
        const std::int32_t cy = s.wrap_y ? wrapped_once(y + dy, s.height) : y + dy;
        if (cy < 0 || cy >= s.height) continue;  // past the edge: the walls' test covers it
        const std::uint8_t* row = s.tile_row(cy, layer);
        if (row == nullptr) {
            if (q.costs[1] == 0) return false;
            continue;
        }
        for (std::int32_t dx = low; dx <= high; ++dx) {
            const std::int32_t cx = s.wrap_x ? wrapped_once(x + dx, s.width) : x + dx;
            if (cx >= 0 && cx < s.width && q.costs[row[cx]] == 0) return false;
        }
    }
    return true;
}

// Is the terrain open in the two cells that a wide disc sweeps on a diagonal step beyond those that it covers at its
// ends (diagonal_corner)?
bool corner_open(const CellQuery& q, std::int32_t x, std::int32_t y, std::int32_t layer, std::int32_t dx,
                 std::int32_t dy) {
    const std::int32_t i = diagonal_corner(q.key);
    if (i == 0) return true;
    const StateData& s = *q.state;
    const auto open = [&](std::int32_t cx, std::int32_t cy) {
        if (s.wrap_x) cx = wrapped_once(cx, s.width);
        if (s.wrap_y) cy = wrapped_once(cy, s.height);
        if (!s.inside(cx, cy)) return false;
        const std::uint8_t* row = s.tile_row(cy, layer);
        return q.costs[row == nullptr ? 1 : row[cx]] != 0;
    };
    return open(x + dx * i, y + dy * (1 - i)) && open(x + dx * (1 - i), y + dy * i);
}

/// What is thinner than the slack is a point: a disc's depth in a box is measured by its radius, a point's by the box.
double thick(double radius) { return radius > kTouch ? radius : 0.0; }

double penetration(const CellQuery& q, const Blocker& blocker, Vec2 a, Vec2 b) {
    const bool disc = blocker.box.empty();
    if (q.footprint == 0) {
        const Aabb box = disc ? Aabb{blocker.centre, blocker.centre} : blocker.box;
        return math::penetration_disc_box(a, b, thick(q.radius + (disc ? blocker.radius : 0.0)), box);
    }
    const double half = q.footprint * 0.5;
    if (!disc) return math::penetration_square_box(a, b, half, blocker.box);
    // Seen from the body the blocker's disc moves the other way past a square that stands still.
    return math::penetration_disc_box(blocker.centre - a, blocker.centre - b, thick(blocker.radius),
                                      {{-half, -half}, {half, half}});
}

}  // namespace

bool CellQuery::stands(std::int32_t x, std::int32_t y, std::int32_t layer) const {
    if (body != nullptr) {
        if (!state->row_lines(*body, layer).get(x, y)) return false;
    } else if (clearance_least != 0) {
        if (clearance_class(state->clearance_lines(layer), x, y) < clearance_least) return false;
    } else if (!body_fits(*state, key, x, y, layer)) {
        return false;
    }
    return !filtered || terrain_open(*this, x, y, layer);
}

std::uint32_t CellQuery::cell_cost(std::int32_t x, std::int32_t y, std::int32_t layer) const {
    const std::uint8_t* row = state->tile_row(y, layer);
    std::uint32_t cost = costs[row == nullptr ? 1 : row[x]];
    if (!influence.cells.empty()) {
        const auto i =
            static_cast<std::size_t>(layer * state->height + y) * static_cast<std::size_t>(state->width) +
            static_cast<std::size_t>(x);
        cost += static_cast<std::uint32_t>(influence.cells[i]) * static_cast<std::uint32_t>(influence.weight);
    }
    return cost;
}

bool CellQuery::meets_blocker(Vec2 a, Vec2 b, std::int32_t layer) const {
    // In every lap of a wrapped axis.
    if (state->wrap_x || state->wrap_y) return !Sight(sight(layer)).blockers_allow(a, b);
    const auto misses = [&](const Blocker& blocker) { return !(penetration(*this, blocker, a, b) > kTouch); };
    if (blocker_index == nullptr) {
        for (const Blocker& blocker : blockers) {
            if (blocker.layer == layer && !misses(blocker)) return true;
        }
        return false;
    }
    const double reach = footprint > 0 ? footprint * 0.5 : radius;
    const Vec2 low{std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach};
    const Vec2 high{std::max(a.x, b.x) + reach, std::max(a.y, b.y) + reach};
    return !blocker_index->near(layer, low, high, [&](std::uint32_t i) { return misses(blockers[i]); });
}

bool CellQuery::can_step(std::int32_t x, std::int32_t y, std::int32_t layer, std::uint32_t move,
                         std::int32_t& to_x, std::int32_t& to_y) const {
    const std::int32_t dx = kMoveDx[move];
    const std::int32_t dy = kMoveDy[move];
    to_x = x + dx;
    to_y = y + dy;
    if (state->wrap_x) to_x = wrapped_once(to_x, state->width);
    if (state->wrap_y) to_y = wrapped_once(to_y, state->height);
    if (!state->inside(to_x, to_y) || !stands(to_x, to_y, layer)) return false;
    if (is_diagonal(move)) {
        const bool side_x = stands(to_x, y, layer);
        const bool side_y = stands(x, to_y, layer);
        // Only a point and a disc wider than a cell have corners to cut; geometry forbids it to all others.
        const CornerRule rule = key < 0 || key == kCellBody ? CornerRule::never : corner;
        if (rule == CornerRule::never && !(side_x && side_y)) return false;
        if (rule == CornerRule::one_free && !(side_x || side_y)) return false;
        if (rule != CornerRule::never && key > 0) {
            const bool up = dy > 0;
            if (!diagonal_step_allowed(*state, {.key = key}, layer, up ? x : x + dx, up ? y : y + dy,
                                       up ? dx : -dx)) {
                return false;
            }
            if (filtered && !corner_open(*this, x, y, layer, dx, dy)) return false;
        }
    }
    if (blockers.empty()) return true;
    const Vec2 a = stand_point({x, y, layer});
    return !meets_blocker(a, {a.x + dx, a.y + dy}, layer);
}

Cost CellQuery::own_estimate(const Cell& from) const {
    const Vec2 at = state->origin + stand_point(from) * state->cell_size;
    const double told = own.estimate({{at.x, at.y, 0.0}, 0.0, from.layer}, own.user);
    const double units = told / state->cell_size * static_cast<double>(scale.straight);
    if (!(units > 0.0)) return 0;
    return units < static_cast<double>(own_most) ? static_cast<Cost>(units) : own_most;
}

Cost CellQuery::estimate(std::uint32_t from) const {
    if (heuristic == GridHeuristic::zero) return 0;
    const Cell a = code.cell(from);
    if (heuristic == GridHeuristic::own) return own_estimate(a);
    const auto between = [&](const Cell& b) -> Cost {
        const std::int32_t dx = axis_gap(a.x, b.x, state->width, state->wrap_x);
        const std::int32_t dy = axis_gap(a.y, b.y, state->height, state->wrap_y);
        if (heuristic == GridHeuristic::manhattan) return static_cast<Cost>(dx + dy) * scale.straight;
        if (heuristic == GridHeuristic::euclidean) {
            const double length = std::sqrt(static_cast<double>(dx) * dx + static_cast<double>(dy) * dy);
            // Rounded down twice, so that rounding never makes it too high.
            const double units = length * static_cast<double>(scale.straight) * (1.0 - 0x1.0p-50);
            return static_cast<Cost>(units);
        }
        return eight ? scale.octile(dx, dy) : static_cast<Cost>(dx + dy) * scale.straight;
    };
    Cost best = kCostMax;
    switch (goal.kind) {
        case Goal::Kind::point:
        case Goal::Kind::any_of:
            if (goals.size() <= 8) {
                for (const std::uint32_t g : goals) {
                    const Cell at = code.cell(g);
                    const Cost h = between(at) * cost_least + floors_between(a.layer, at.layer);
                    if (h < best) best = h;
                }
            } else {
                best = 0;
            }
            break;
        case Goal::Kind::within:
        case Goal::Kind::in_sight:
        case Goal::Kind::adjacent: {
            // The octile length of a vector is at most 1.0824 times its Euclidean one; a cell's own centre is at
            // most 0.71 from the point in it.
            const double reach = goal.kind == Goal::Kind::adjacent ? 1.5 : goal.range + 0.75;
            const Cell centre = code.cell(goals.empty() ? from : goals[0]);
            const double slack = reach * (eight ? 1.0824 : 1.4143) * static_cast<double>(scale.straight);
            const Cost h = between(centre);
            const bool far = slack < static_cast<double>(h);
            best = (far ? h - static_cast<Cost>(slack) - 1 : 0) * cost_least +
                   floors_between(a.layer, centre.layer);
            break;
        }
    }
    for (const std::uint32_t entry : far_portals) {
        const Cost h = between(code.cell(entry)) * cost_least;
        if (h < best) best = h;
    }
    return best == kCostMax ? 0 : best;
}

double CellQuery::goal_gap(Vec2 p) const {
    const auto square = [&](Vec2 point) {
        const Vec2 gap = image_beside(*state, p, point) - p;
        return dot(gap, gap);
    };
    if (aims) return square(aim);
    if (goal.kind != Goal::Kind::any_of) return square(goal.point);
    double best = 1e300;
    for (const Vec2 point : goal_points) best = square(point) < best ? square(point) : best;
    return best;
}

bool CellQuery::reaches_goal(std::uint32_t at) const {
    if (goal.kind == Goal::Kind::point || goal.kind == Goal::Kind::any_of) {
        std::size_t low = 0;
        std::size_t high = goals.size();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (goals[middle] < at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < goals.size() && goals[low] == at;
    }
    const Cell cell = code.cell(at);
    if (cell.layer != goal.layer) return false;
    const Vec2 p = stand_point(cell);
    if (goal.kind == Goal::Kind::adjacent) {
        const Cell centre = code.cell(goals[0]);
        const std::int32_t dx = axis_gap(cell.x, centre.x, state->width, state->wrap_x);
        const std::int32_t dy = axis_gap(cell.y, centre.y, state->height, state->wrap_y);
        return dx <= 1 && dy <= 1 && dx + dy > 0;
    }
    return in_range(p, cell.layer);
}

bool CellQuery::in_range(Vec2 p, std::int32_t layer) const {
    const Vec2 target = image_beside(*state, p, goal.point);
    const Vec2 gap = target - p;
    if (goal.range < 1e9 && dot(gap, gap) > goal.range * goal.range * (1.0 + 1e-12)) return false;
    if (goal.kind == Goal::Kind::within) return true;
    SightWorld line;
    line.state = state;
    line.layer = layer;
    line.corner = CornerRule::never;
    return can_sweep(line, p, target);
}

Cost GeneralSpace::heuristic(std::uint32_t state) const {
    if (!backward_) return query_->estimate(state);
    if (query_->heuristic == GridHeuristic::zero || !query_->far_portals.empty()) return 0;
    const Cell a = query_->code.cell(state);
    const auto from = [&](std::uint32_t start) {
        const Cell b = query_->code.cell(start);
        const std::int32_t dx = axis_gap(a.x, b.x, query_->state->width, query_->state->wrap_x);
        const std::int32_t dy = axis_gap(a.y, b.y, query_->state->height, query_->state->wrap_y);
        const Cost length = query_->eight ? query_->scale.octile(dx, dy)
                                          : static_cast<Cost>(dx + dy) * query_->scale.straight;
        return length * query_->cost_least + query_->floors_between(a.layer, b.layer);
    };
    Cost least = kCostMax;
    for (const std::uint32_t start : query_->starts()) least = std::min(least, from(start));
    return least;
}

}  // namespace fairlead::grid
