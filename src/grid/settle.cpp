// A point belongs to the nearest cell that it can walk to; a point without room to the nearest place that has some.
#include "grid/settle.h"

#include <algorithm>
#include <cmath>

#include "grid/image.h"

namespace fairlead::grid {

namespace {

// Has the unit no place at the point, over half tiles neither?
bool has_no_place(const CellQuery& cells, const Attached& at, Vec2 point, std::int32_t layer) {
    if (at.status == PathStatus::complete) return false;
    return at.status == PathStatus::off_world || !cells.half || !can_sweep(cells.sight(layer), point, point);
}

// Does the unit stand in a cell, and come there from the point in a straight line? A cell a lap outside becomes that on the map.
bool leads_to(const CellQuery& cells, const Sight& sight, Vec2 point, Cell& cell) {
    const Vec2 stand = cells.stand_point(cell);
    cell = first_image(*cells.state, cell);
    return cells.state->inside(cell.x, cell.y) && cells.stands(cell.x, cell.y, cell.layer) &&
           sight.can_sweep(point, stand);
}

// The free cell on the other side of a corner between two walls.
void add_other_side(const CellQuery& cells, const Sight& sight, Vec2 point, Attached& at) {
    if (!sight.between_walls(point)) return;
    const Vec2 corner{std::floor(point.x + 0.5), std::floor(point.y + 0.5)};
    for (std::int32_t i = 0; i < 4; ++i) {
        Cell cell{static_cast<std::int32_t>(corner.x) - i % 2, static_cast<std::int32_t>(corner.y) - i / 2,
                  at.cell.layer};
        if (!leads_to(cells, sight, point, cell) || cell == at.cell) continue;
        at.two = true;
        at.other = cell;
    }
}

}  // namespace

Attached attach(const CellQuery& cells, Vec2 point, std::int32_t layer, PathStatus blocked) {
    const StateData& state = *cells.state;
    if (layer < 0 || layer >= state.layers || !(point.x >= 0.0 && point.x <= state.width) ||
        !(point.y >= 0.0 && point.y <= state.height)) {
        return {PathStatus::off_world};
    }
    if (cells.radius > kRadiusCellsMax) return {blocked};
    const double shift = 0.5 - cells.stand_offset;
    const auto at_x = static_cast<std::int32_t>(std::floor(point.x + shift));
    const auto at_y = static_cast<std::int32_t>(std::floor(point.y + shift));
    // Mostly the point is the stand point of a cell where the body fits.
    if (state.inside(at_x, at_y) && cells.stand_point({at_x, at_y, layer}) == point) {
        if (!cells.stands(at_x, at_y, layer) || cells.meets_blocker(point, point, layer)) return {blocked};
        return {PathStatus::complete, {at_x, at_y, layer}};
    }
    const SightWorld world = cells.sight(layer);
    const Sight sight(world);
    Attached best{blocked};
    double best_gap = 1e300;
    if (!sight.can_sweep(point, point)) return best;
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            Cell cell{at_x + dx, at_y + dy, layer};
            const Vec2 stand = cells.stand_point(cell);
            const double gap = dot(stand - point, stand - point);
            if (gap >= best_gap || !leads_to(cells, sight, point, cell)) continue;
            best = {PathStatus::complete, cell};
            best_gap = gap;
        }
    }
    if (best.status == PathStatus::complete) add_other_side(cells, sight, point, best);
    return best;
}

bool settle(const CellQuery& cells, const GridQuery& query, Vec2& point, std::int32_t layer,
            PathStatus blocked, Attached& at, FreePlace& walk, std::uint64_t& budget) {
    at = attach(cells, point, layer, blocked);
    if (query.reach == 0.0 || !has_no_place(cells, at, point, layer)) return true;
    if (!walk.running()) walk.begin(cells, point, layer, query.reach / cells.state->cell_size);
    switch (walk.step(budget)) {
        case FreePlace::Progress::running: return false;
        case FreePlace::Progress::none: return true;
        case FreePlace::Progress::found: break;
    }
    point = walk.place();
    at = attach(cells, point, layer, blocked);
    return true;
}

bool move_goal_point(const CellQuery& cells, const GridQuery& query, Vec2& point, std::uint64_t& budget) {
    if (query.reach == 0.0) return false;
    FreePlace walk;
    walk.begin(cells, point, cells.goal.layer, query.reach / cells.state->cell_size);
    std::uint64_t free = UINT64_MAX;
    const bool found = walk.step(free) == FreePlace::Progress::found;
    budget -= std::min(budget, UINT64_MAX - free);
    if (!found) return false;
    point = walk.place();
    return true;
}

}  // namespace fairlead::grid
