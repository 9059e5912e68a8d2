#include "gallery/stages.h"

#include <algorithm>

#include <fairlead/verify/verify.h>

namespace fairlead::gallery {
namespace {

/// Tiles around the map, so that a curve that leaves it is still in the field.
constexpr std::int32_t kRim = 64;

[[nodiscard]] GridQuery walk_of(const StagesQuery& query, Smoothing smoothing) {
    return {.start = query.start.position,
            .goal = query.goal.position,
            .agent = {.radius = inscribed_radius(query.agent)},
            .planner = GridPlanner::astar,
            .smoothing = smoothing};
}

[[nodiscard]] Result<void> make_curves(const GridState& grid, const StagesQuery& query, Scratch& scratch,
                                       Stages& out) {
    Array<Vec2> waypoints;
    for (std::size_t i = 0; i < out.smoothed.legs.size(); ++i) {
        if (!waypoints.push_back(ground(leg_end(out.smoothed, i).position)))
            return Error{ErrorCode::out_of_memory};
    }
    if (waypoints.empty()) {
        out.curved.route.clear();
        out.curved.route.status = out.smoothed.status;
        out.curved.legal = false;
        return {};
    }
    Result<const DriveMap*> map = drive_map_in(scratch, grid, query.agent, stages_setup());
    if (!map) return map.error();
    Scratch own;
    return round_corners_into(**map,
                              {.start = query.start,
                               .waypoints = waypoints.span(),
                               .fix_goal_heading = !query.any_heading,
                               .goal_heading_rad = query.goal.heading_rad},
                              CornerMethod::ignore_walls, own, out.curved);
}

}  // namespace

GridDriveSetup stages_setup() { return {.headings = 16}; }

Result<void> make_stages_into(const GridState& grid, const StagesQuery& query, Scratch& scratch,
                              Stages& out) {
    Result<void> done = find_route_into(grid, walk_of(query, Smoothing::none), scratch, out.tiles);
    if (!done) return done;
    done = find_route_into(grid, walk_of(query, Smoothing::greedy_shortcut), scratch, out.smoothed);
    if (!done) return done;
    done = make_curves(grid, query, scratch, out);
    if (!done) return done;
    DriveQuery drive{.start = query.start, .goal = query.goal, .agent = query.agent};
    if (query.any_heading) drive.goal = Spot(query.goal.position);
    return find_route_into(grid, drive, scratch, out.driven, stages_setup());
}

Result<std::vector<Cell>> find_clipped(const GridState& grid, const Route& route, const Agent& agent) {
    const double size = grid.cell_size();
    Result<Grid> field = Grid::make({.width = grid.width() + 2 * kRim,
                                     .height = grid.height() + 2 * kRim,
                                     .origin = grid.origin() - Vec2{kRim * size, kRim * size},
                                     .cell_size = size});
    if (!field) return field.error();
    std::vector<Cell> clipped;
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            if (grid.tile({x, y}) != 0) continue;
            const Cell there{x + kRim, y + kRim};
            if (const Result<void> set = field->set(there, 0); !set) return set.error();
            const Violation bad = verify(route, field->state(), agent, {.check_revision = false});
            if (bad.kind == ViolationKind::wall) clipped.push_back({x, y});
            if (const Result<void> set = field->set(there, 1); !set) return set.error();
        }
    }
    return clipped;
}

}  // namespace fairlead::gallery
