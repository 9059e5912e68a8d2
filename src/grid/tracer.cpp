// Where the states of each tile search lie.
#include "grid/tracer.h"

#include "grid/work.h"

namespace fairlead::grid {

namespace {

Place in_world(const GridWork& work, Vec2 cells, std::int32_t layer) {
    const StateData& state = *work.query.cells.state;
    const Vec2 at = state.origin + cells * state.cell_size;
    return {{at.x, at.y, 0.0}, 0.0, layer};
}

Place centre_of(const GridWork& work, const Cell& cell) {
    return in_world(work, cell_centre(cell.x, cell.y), cell.layer);
}

Place point_of(const GridWork& work, std::uint32_t state) {
    const HalfCode& code = work.half.code();
    return in_world(work, position_of(code.point(state)), code.layer(state));
}

}  // namespace

Place PlaceTrace::place_of(std::uint32_t state) const {
    const CellQuery& cells = work->query.cells;
    const std::int32_t floor = cells.code.cell(cells.start).layer;
    switch (states) {
        case States::cells: return centre_of(*work, cells.code.cell(state));
        case States::turns: return centre_of(*work, cells.code.cell(state >> 3));
        case States::jumps:
            return centre_of(*work, {JumpPointSpace::x_of(state), JumpPointSpace::y_of(state), floor});
        case States::window: return centre_of(*work, work->window.cell(state));
        case States::half: break;
        case States::half_jumps:
            return in_world(*work, position_of(HalfJumpSpace::point(state)), work->half_start_layer);
        case States::clusters: return in_world(*work, work->clusters.space.position(state), floor);
    }
    // Behind the points of the half lattice come places where start and goals are joined to it.
    if (state < work->half.places_at()) return point_of(*work, state);
    const std::size_t goal = state - work->half.places_at();
    const Vec2 at = goal < cells.goal_points.size() ? cells.goal_points[goal] : cells.start_point;
    return in_world(*work, at, goal < cells.goal_points.size() ? cells.goal.layer : floor);
}

void PlaceTrace::tell(TraceEventKind kind, std::uint32_t state, Cost g) const {
    SearchEvent event{.kind = kind, .state = state, .g = g, .at = place_of(state)};
    event.left = event.right = event.at.position;
    work->trace.event(event, work->trace.user);
}

}  // namespace fairlead::grid
