#include "grid/nearest.h"

#include <algorithm>

#include "grid/connectivity.h"
#include "grid/image.h"
#include "grid/stand.h"

namespace fairlead::grid {

namespace {

struct Ring {
    GridWork& work;
    const Body& body;
    std::uint64_t home;  // the start's component
    Cell centre;

    void look(std::int32_t x, std::int32_t y) {
        const CellQuery& cells = work.query.cells;
        const StateData& state = *cells.state;
        const Vec2 at = cells.stand_point({x, y, centre.layer});
        const Vec2 gap = nearest_image(state, at, cells.goal_points[0]) - at;
        const double square = dot(gap, gap);
        if (square >= work.ring_best) return;
        const Cell cell = first_image(state, Cell{x, y, centre.layer});
        if (!state.inside(cell.x, cell.y) || !cells.stands(cell.x, cell.y, cell.layer)) return;
        if (component_of(state, body, cell.x, cell.y, cell.layer) != home) return;
        work.ring_best = square;
        work.ring_state = cells.code.state(cell.x, cell.y, cell.layer);
    }
};

}  // namespace

void begin_nearest(GridWork& work) {
    work.ring = work.query.goal_blocked ? 0 : 1;  // another place in the goal's own cell may do
    work.ring_best = 1e300;
    work.ring_state = UINT32_MAX;
}

NearestProgress step_nearest(GridWork& work, std::uint64_t& budget) {
    PreparedQuery& query = work.query;
    CellQuery& cells = query.cells;
    const StateData& state = *cells.state;
    const Body* body = connectivity_body(state, cells.key);
    const Cell start = cells.code.cell(cells.start);
    const Cell centre = cells.code.cell(cells.goals[0]);
    Ring ring{work, *body, component_of(state, *body, start.x, start.y, start.layer), centre};
    const std::int32_t last = std::max(state.width, state.height);
    while (budget > 0) {
        const std::int32_t k = work.ring;
        // The next ring's cells are at least k - 1 away from a point in the centre cell.
        const double least = static_cast<double>(k - 1);
        if (k > last || least * least > work.ring_best) {
            if (work.ring_state == UINT32_MAX) return NearestProgress::none;
            cells.aim = query.goal_points[0];
            cells.aims = true;
            query.goals[0] = work.ring_state;
            query.goal_points[0] = cells.stand_point(cells.code.cell(work.ring_state));
            cells.goals = query.goals.span().first(1);
            cells.goal_points = query.goal_points.span().first(1);
            cells.goal = {.point = query.goal_points[0], .layer = centre.layer};
            return NearestProgress::found;
        }
        for (std::int32_t i = -k; i <= k; ++i) {
            ring.look(centre.x + i, centre.y - k);
            ring.look(centre.x + i, centre.y + k);
        }
        for (std::int32_t i = -k + 1; i < k; ++i) {
            ring.look(centre.x - k, centre.y + i);
            ring.look(centre.x + k, centre.y + i);
        }
        ++work.ring;
        budget -= std::min<std::uint64_t>(budget, 1U + static_cast<std::uint64_t>(k) / 2);
    }
    return NearestProgress::running;
}

}  // namespace fairlead::grid
