#include "grid/sections.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "grid/image.h"
#include "grid/region_rim.h"

namespace fairlead::grid {

bool add_point(GridWork& work, Vec2 p) {
    Section& section = work.sections.back();
    const std::size_t n = work.points.size();
    if (section.count > 0 && work.points[n - 1] == p) return true;
    if (section.count > 1) {
        const Vec2 a = work.points[n - 1] - work.points[n - 2];
        const Vec2 b = p - work.points[n - 1];
        if (cross(a, b) == 0.0 && dot(a, b) > 0.0) {
            work.points[n - 1] = p;
            return true;
        }
    }
    ++section.count;
    return work.points.push_back(p);
}

bool begin_section(GridWork& work, std::int32_t layer) {
    return work.sections.push_back({static_cast<std::uint32_t>(work.points.size()), 0, layer, UINT32_MAX});
}

std::uint32_t portal_between(const CellQuery& cells, std::uint32_t from, std::uint32_t to) {
    const PortalStep* best = nullptr;
    for (const PortalStep& step : portals_from(cells.state->portal_tables->steps, from)) {
        const bool cheaper =
            best == nullptr || cells.portal_cost(step.portal) < cells.portal_cost(best->portal);
        if (step.to == to && cheaper) best = &step;
    }
    FAIRLEAD_ASSERT(best != nullptr);
    return best->portal;
}

namespace {

// The image of `to` to which the body can move straight. On axes of up to three cells the nearest image may be one that
// something is in the way of, and the one that was meant lies on the other side.
Vec2 swept_image(const CellQuery& cells, Vec2 from, Vec2 to, std::int32_t layer) {
    const StateData& state = *cells.state;
    to = nearest_image(state, from, to);
    const bool narrow = (state.wrap_x && state.width <= 3) || (state.wrap_y && state.height <= 3);
    if (!narrow) return to;
    const Sight sight(cells.sight(layer));
    if (sight.can_sweep(from, to)) return to;
    const Vec2 lap{state.wrap_x ? static_cast<double>(state.width) : 0.0,
                   state.wrap_y ? static_cast<double>(state.height) : 0.0};
    Vec2 best = to;
    double best_gap = 1e300;
    for (std::int32_t i = 0; i < 9; ++i) {
        const Vec2 image{to.x + lap.x * (i % 3 - 1), to.y + lap.y * (i / 3 - 1)};
        const double gap = dot(image - from, image - from);
        if (gap >= best_gap || !sight.can_sweep(from, image)) continue;
        best = image;
        best_gap = gap;
    }
    return best;
}

// Around an axis of one or two cells several moves lead to the same cell.
Vec2 move_way(std::uint32_t move) {
    return {static_cast<double>(kMoveDx[move]), static_cast<double>(kMoveDy[move])};
}

// Adds the way between two stand points: a jump runs diagonally, then straight.
bool add_jump(GridWork& work, Vec2 from, Vec2 to) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double diagonal = std::min(std::abs(dx), std::abs(dy));
    if (diagonal > 0.0 && std::abs(dx) != std::abs(dy)) {
        const Vec2 bend{from.x + std::copysign(diagonal, dx), from.y + std::copysign(diagonal, dy)};
        if (!add_point(work, bend)) return false;
    }
    return add_point(work, to);
}

Vec2 goal_point_of(const GridWork& work, Vec2 stand, std::uint32_t state, std::int32_t layer) {
    const CellQuery& cells = work.query.cells;
    if (work.status == PathStatus::partial || work.status == PathStatus::budget_spent) return stand;
    if (cells.goal.kind != Goal::Kind::point && cells.goal.kind != Goal::Kind::any_of) {
        // On the region's rim, where the cell's stand point is none of the region.
        const Cell cell = cells.code.cell(state);
        if (!has_rim(cells) || cells.in_range(cells.stand_point(cell), layer)) return stand;
        if (work.path.size() == 1 && cells.in_range(cells.start_point, layer)) return cells.start_point;
        Vec2 place = stand;
        return rim_place(cells, cell, place) ? swept_image(cells, stand, place, layer) : stand;
    }
    for (std::size_t i = 0; i < cells.goals.size(); ++i) {
        if (cells.goals[i] == state) return swept_image(cells, stand, cells.goal_points[i], layer);
    }
    return stand;
}

struct SearchCost {
    double whole = 0.0;
    double last = 0.0;  ///< of it: the way from the last stand point to the goal
};

// What the search found costs, in cells, smoothed or not: each step what the cell that it enters costs, and the ways from the
// start to its cell's stand point and from the last one to the goal as they are long.
SearchCost search_cost(const GridWork& work) {
    if (work.on_half || work.stays) return {work.tile_cost, 0.0};  // from place to place
    const CellQuery& cells = work.query.cells;
    const auto gap = [&](Vec2 place, std::uint32_t state) {
        const Vec2 stand = cells.stand_point(cells.code.cell(state));
        return length(nearest_image(*cells.state, place, stand) - place);
    };
    const Section& section = work.sections.back();
    const double last = gap(work.taut[section.first + section.count - 1], work.path.back().state);
    return {work.tile_cost + gap(cells.start_point, work.path[0].state) + last, last};
}

struct Writer {
    const GridWork& work;
    const GridQuery& query;
    Route& route;
    const StateData& state;
    double unit;  // world units per cell
    Vec2 goal;    // the point asked for, in cells

    [[nodiscard]] Vec3 world(Vec2 p) const {
        // The points that were asked for come back as they were, not rounded by the way to cells and back.
        if (p == work.query.cells.start_point) return {query.start.position.x, query.start.position.y, 0.0};
        if (query.goal.kind == Goal::Kind::point && p == goal)
            return {query.goal.at.position.x, query.goal.at.position.y, 0.0};
        return {state.origin.x + p.x * unit, state.origin.y + p.y * unit, 0.0};
    }
    [[nodiscard]] bool drive(Vec2 a, Vec2 b, std::int32_t layer) {
        const Vec3 from = world(a);
        const Vec3 to = world(b);
        const Vec2 way = ground(to) - ground(from);
        Leg leg;
        leg.start = {from, math::atan2(way.y, way.x), layer};
        leg.length = length(way);
        if (query.certify) {
            const double limit = work.query.cells.radius + kClaimReach;
            leg.clearance = sweep_clearance(work.query.cells.sight(layer), a, b, limit) * unit;
        }
        route.length += leg.length;
        route.end = {to, leg.start.heading_rad, layer};
        return route.legs.push_back(leg);
    }
    [[nodiscard]] bool link(Vec2 from, const Section& section, std::int32_t next_layer, Vec2 to) {
        Leg leg;
        leg.kind = LegKind::link;
        leg.start = {world(from), route.end.heading_rad, section.layer};
        leg.link_id = section.portal;
        route.end = {world(to), leg.start.heading_rad, next_layer};
        return route.legs.push_back(leg);
    }
};

}  // namespace

bool make_sections(GridWork& work) {
    const CellQuery& cells = work.query.cells;
    work.points.clear();
    work.sections.clear();
    Cell cell = cells.code.cell(work.path[0].state);
    if (!begin_section(work, cell.layer) || !add_point(work, cells.start_point)) return false;
    Vec2 at = swept_image(cells, cells.start_point, cells.stand_point(cell), cell.layer);
    if (!add_point(work, at)) return false;
    for (std::size_t i = 1; i < work.path.size(); ++i) {
        cell = cells.code.cell(work.path[i].state);
        const std::uint32_t by = work.path[i].by;
        if (by == kByPortal) {
            work.sections.back().portal = portal_between(cells, work.path[i - 1].state, work.path[i].state);
            at = cells.stand_point(cell);
            if (!begin_section(work, cell.layer) || !add_point(work, at)) return false;
            continue;
        }
        const Vec2 to = by >= kByMove ? at + move_way(by - kByMove)
                                      : swept_image(cells, at, cells.stand_point(cell), cell.layer);
        if (by == kByLine ? !add_point(work, to) : !add_jump(work, at, to)) return false;
        at = to;
    }
    const Vec2 goal = goal_point_of(work, at, work.path[work.path.size() - 1].state, cell.layer);
    // There already: not to the middle of the cell and back.
    work.stays = work.path.size() == 1 && goal == cells.start_point;
    if (work.stays) {
        work.points.clear();
        work.sections.back().count = 0;
    }
    return add_point(work, goal);
}

bool write_route(const GridWork& work, const GridQuery& query, Route& route) {
    const CellQuery& cells = work.query.cells;
    Writer writer{work,
                  query,
                  route,
                  *cells.state,
                  cells.state->cell_size,
                  goal_in_cells(query.goal, *cells.state).point};
    double along = 0.0;  // in cells
    route.end = {writer.world(cells.start_point), 0.0, work.sections[0].layer};
    for (std::size_t s = 0; s < work.sections.size(); ++s) {
        const Section& section = work.sections[s];
        const SightWorld sight = cells.sight(section.layer);
        const std::span<const Vec2> points = work.taut.span().subspan(section.first, section.count);
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (!writer.drive(points[i - 1], points[i], section.layer)) return false;
            along += cells.uniform ? length(points[i] - points[i - 1])
                                   : sweep_cost(sight, points[i - 1], points[i]);
        }
        if (section.portal == UINT32_MAX) continue;
        const Section& next = work.sections[s + 1];
        if (!writer.link(points.back(), section, next.layer, work.taut[next.first])) return false;
        along += cells.state->portals[section.portal].cost;
    }
    route.line_cost = along * cells.state->cell_size;
    const SearchCost cost = search_cost(work);
    route.cost = cost.whole * cells.state->cell_size;
    route.bound = work.bound;
    // Of several goals the search takes the one whose tile is reached for least: another one may lie nearer to its tile's middle.
    if (cells.goal.kind == Goal::Kind::any_of && cost.last > 0.0)
        route.bound *= cost.whole > cost.last ? cost.whole / (cost.whole - cost.last) : kNoBound;
    return true;
}

}  // namespace fairlead::grid
