#include "grid/half_space.h"

#include <cmath>

#include "grid/image.h"

namespace fairlead::grid {

namespace {

/// More goals than this are not looked at one by one: the heuristic is 0.
constexpr std::size_t kGoalsMax = 16;

/// A unit of work at gaps: so many rows of tiles looked at. And what is done at once, before the search waits.
constexpr std::int32_t kRowsAUnit = 128;
constexpr std::int32_t kUnitsAtOnce = 8;

std::uint64_t reversed(std::uint64_t x) {
    x = ((x >> 1) & 0x5555555555555555ULL) | ((x & 0x5555555555555555ULL) << 1);
    x = ((x >> 2) & 0x3333333333333333ULL) | ((x & 0x3333333333333333ULL) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fULL) | ((x & 0x0f0f0f0f0f0f0f0fULL) << 4);
    x = ((x >> 8) & 0x00ff00ff00ff00ffULL) | ((x & 0x00ff00ff00ff00ffULL) << 8);
    x = ((x >> 16) & 0x0000ffff0000ffffULL) | ((x & 0x0000ffff0000ffffULL) << 16);
    return (x >> 32) | (x << 32);
}

std::int32_t gap_on_axis(std::int32_t a, std::int32_t b, std::int32_t lap) {
    const std::int32_t gap = a < b ? b - a : a - b;
    return lap != 0 && lap - gap < gap ? lap - gap : gap;
}

}  // namespace

Cost HalfSpace::estimate(HalfPoint p, HalfPoint to) const {
    const std::int32_t di = gap_on_axis(p.i, to.i, code_.lap_i);
    const std::int32_t dj = gap_on_axis(p.j, to.j, code_.lap_j);
    return query_->half_scale.octile(di, dj) * query_->cost_least;
}

Cost HalfSpace::heuristic(std::uint32_t state) const {
    if (state >= places_at_ || query_->heuristic == GridHeuristic::zero) return 0;
    const HalfPoint p = code_.point(state);
    Cost best = kCostMax;
    if (region()) {
        // As for cells (CellQuery::estimate): the octile length is at most 1.0824 times the distance.
        const Vec2 at = query_->goal.point;
        const HalfPoint centre{static_cast<std::int32_t>(2.0 * at.x), static_cast<std::int32_t>(2.0 * at.y)};
        const double reach = query_->goal.kind == Goal::Kind::adjacent ? 3.6 : query_->goal.range + 0.75;
        const double slack = reach * 2.0 * 1.0824 * static_cast<double>(query_->half_scale.straight) *
                             static_cast<double>(query_->cost_least);
        const Cost h = estimate(p, centre);
        best = slack < static_cast<double>(h) ? h - static_cast<Cost>(slack) - 1 : 0;
    } else {
        if (goals_.size() > kGoalsMax) return 0;
        for (const HalfGoal& g : goals_) best = std::min(best, estimate(p, code_.point(g.state)) + g.cost);
    }
    if (!query_->far_portals.empty()) {
        if (query_->far_portals.size() > kGoalsMax) return 0;
        for (const std::uint32_t entry : query_->far_portals) {
            const Cell cell = query_->code.cell(entry);
            best = std::min(best, estimate(p, {2 * cell.x + 1, 2 * cell.y + 1}));
        }
    }
    return best == kCostMax ? 0 : best;
}

bool HalfSpace::region_holds(Vec2 place, std::int32_t layer) const {
    if (layer != query_->goal.layer) return false;
    if (query_->goal.kind != Goal::Kind::adjacent) return query_->in_range(place, layer);
    // A place on a side lies in the cells on both.
    const Vec2 goal = query_->goal.point;
    const Vec2 middle{std::floor(goal.x) + 0.5, std::floor(goal.y) + 0.5};
    const Vec2 gap = nearest_image(*query_->state, middle, place) - middle;
    const double dx = std::fabs(gap.x), dy = std::fabs(gap.y);
    return dx <= 1.5 && dy <= 1.5 && (dx >= 0.5 || dy >= 0.5);
}

std::uint32_t HalfSpace::tile_cost(std::int32_t x, std::int32_t y, std::int32_t layer) const {
    const StateData& state = *query_->state;
    if (state.wrap_x) x = wrapped(x, state.width);
    if (state.wrap_y) y = wrapped(y, state.height);
    // The disc fits, so neither cell beside a side is a wall.
    return state.inside(x, y) ? query_->cell_cost(x, y, layer) : UINT32_MAX;
}

Cost HalfSpace::step_cost(HalfPoint p, std::int32_t dx, std::int32_t dy, std::int32_t layer) const {
    const Cost length = dx != 0 && dy != 0 ? query_->half_scale.diagonal : query_->half_scale.straight;
    if (query_->uniform) return length;
    const std::int32_t i = dx < 0 ? p.i - 1 : p.i;
    const std::int32_t j = dy < 0 ? p.j - 1 : p.j;
    std::uint32_t cost = tile_cost(i >> 1, j >> 1, layer);
    if (dy == 0 && (j & 1) == 0) cost = std::min(cost, tile_cost(i >> 1, (j >> 1) - 1, layer));
    if (dx == 0 && (i & 1) == 0) cost = std::min(cost, tile_cost((i >> 1) - 1, j >> 1, layer));
    return length * cost;
}

// A piece looks at the rows of tiles that the disc touches.
std::int32_t HalfSpace::pieces_a_unit() const {
    const auto rows = 2 * static_cast<std::int32_t>(planes_->disc().radius) + 5;
    return std::max(kRowsAUnit / rows, 1);
}

// Are the ways through the point's gaps known? If not the search waits for them.
bool HalfSpace::know_gaps(HalfPoint p) {
    if (!knows_) {
        ways_->begin_gaps(p, region_ != nullptr && region_->comes_near(position_of(p)));
        bool more = true;
        for (std::int32_t left = kUnitsAtOnce * pieces_a_unit(); more && left > 0; --left)
            more = ways_->step_ends();
        waits_ = more;
        if (waits_) return false;
    }
    knows_ = false;
    told_gaps_ = true;
    return true;
}

bool HalfSpace::go_on() {
    for (std::int32_t left = pieces_a_unit(); left > 0; --left) {
        if (ways_->step_ends()) continue;
        waits_ = false;
        knows_ = true;
        return true;
    }
    return false;
}

Cost HalfSpace::across(HalfPoint from, HalfPoint to) {
    if (ways_->way_across(from, to).empty()) return kCostMax;
    return std::max(cost_of(ways_->cost()), estimate(from, to));
}

// The last point of the straight run from `at` (which it is not): where a wall ends beside it, a stop, or before a wall. `stops`:
// is there anything to do but to go on?
std::int32_t HalfSpace::run_end(bool row, std::int32_t at, std::int32_t line, bool up, bool& stops) const {
    HalfPlanes& planes = row ? *planes_ : *columns_;
    HalfStops* const gaps = row ? stops_ : column_stops_;
    for (;; at += up ? 63 : -63) {
        const std::int32_t low = up ? at : at - 63;
        // In the direction of the run: bit 0 is `at`.
        const auto turned = [&](std::uint64_t bits) { return up ? bits : reversed(bits); };
        const auto read = [&](std::int32_t l) { return turned(planes.window(low, l)); };
        const std::uint64_t self = read(line);
        const std::uint64_t above = read(line + 1);
        const std::uint64_t below = read(line - 1);
        const std::uint64_t ends = (above & ~(above << 1)) | (below & ~(below << 1));
        const std::uint64_t leave = gaps == nullptr ? 0 : turned(gaps->window(low, line));
        const std::uint64_t found = (~self | ends | leave) & ~1ULL;
        if (found == 0) continue;
        const std::int32_t n = std::countr_zero(found);
        if (((self >> n) & 1U) != 0) {
            stops = true;
            return up ? at + n : at - n;
        }
        // Before a wall: a way between its corner and the one beside it?
        stops = ((ends >> n) & 1U) != 0;
        return up ? at + n - 1 : at - n + 1;
    }
}

bool HalfSpace::jump(HalfPoint p, std::uint32_t move, HalfPoint& to) const {
    const bool row = kMoveDy[move] == 0;
    const bool up = kMoveDx[move] + kMoveDy[move] > 0;
    const std::int32_t line = row ? p.j : p.i;
    const std::int32_t from = row ? p.i : p.j;
    bool stops = false;
    std::int32_t end = run_end(row, from, line, up, stops);
    for (const HalfGoal& goal : goals_) {
        const HalfPoint at = code_.point(goal.state);
        const std::int32_t place = row ? at.i : at.j;
        const bool ahead = up ? place > from && place <= end : place < from && place >= end;
        if ((row ? at.j : at.i) != line || !ahead) continue;
        end = place;
        stops = true;
    }
    to = row ? HalfPoint{end, line} : HalfPoint{line, end};
    return stops && end != from;
}

}  // namespace fairlead::grid
