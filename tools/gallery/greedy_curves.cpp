#include "gallery/greedy_curves.h"

#include <algorithm>
#include <cmath>

#include <fairlead/formats/file.h>
#include <fairlead/grid/find_route.h>

#include "gallery/stages.h"

namespace fairlead::gallery {

namespace {

template <class T>
[[nodiscard]] T need(Result<T> result, const World& world) {
    if (!result) throw DemoError{formats::error_line(world.scene.title, result.error())};
    return std::move(*result);
}

[[nodiscard]] RoundedCorners curves_to(const World& world, const DriveMap& map, const Pose& from,
                                       std::span<const Vec2> way, Scratch& scratch) {
    return need(round_corners(map, {.start = from, .waypoints = way}, CornerMethod::ignore_walls, scratch),
                world);
}

[[nodiscard]] Pose end_of(const Route& route) { return {ground(route.end.position), route.end.heading_rad}; }

// Listing 1 of the article with a curved Walkable: the waypoints that it keeps.
[[nodiscard]] std::vector<Vec2> keep_greedily(const World& world, const DriveMap& map, const Pose& start,
                                              std::span<const Vec2> way, Scratch& scratch) {
    std::vector<Vec2> kept;
    Pose anchor = start;
    for (std::size_t next = 0; next < way.size(); ++next) {
        while (next + 1 < way.size() &&
               curves_to(world, map, anchor, way.subspan(next + 1, 1), scratch).legal)
            ++next;
        kept.push_back(way[next]);
        anchor = end_of(curves_to(world, map, anchor, way.subspan(next, 1), scratch).route);
    }
    return kept;
}

// Every tile of the way but the first.
[[nodiscard]] std::vector<Vec2> middles(const Route& tiles) {
    std::vector<Vec2> way;
    for (std::size_t i = 0; i < tiles.legs.size(); ++i) {
        const Vec2 from = ground(tiles.legs[i].start.position);
        const Vec2 step = ground(leg_end(tiles, i).position) - from;
        const int count = static_cast<int>(std::lround(std::max(std::abs(step.x), std::abs(step.y))));
        for (int k = 1; k <= count; ++k) way.push_back(from + step * (static_cast<double>(k) / count));
    }
    return way;
}

[[nodiscard]] TileCell cell_of(Vec2 p) {
    return {static_cast<std::int32_t>(std::floor(p.x)), static_cast<std::int32_t>(std::floor(p.y))};
}

[[nodiscard]] Route tile_way(const World& world, const formats::SceneQuery& query, Scratch& scratch) {
    GridQuery walk = query.grid_query();
    walk.agent = Agent{.radius = query.plain.agent.radius};
    walk.smoothing = Smoothing::none;
    walk.planner = GridPlanner::automatic;
    return need(find_route(world.grid.state(), walk, scratch), world);
}

}  // namespace

GreedyCurves make_greedy_curves(const World& world, const formats::SceneQuery& query) {
    GreedyCurves out;
    out.search = make_drive_plan(world, query);
    const DriveQuery& drive = out.search.query;
    const GridState& grid = world.grid.state();
    const DriveTable table = need(DriveTable::make({.agent = drive.agent, .headings = 8, .rings = 3}), world);
    const DriveMap map = need(make_drive_map(grid, table), world);
    Scratch scratch;

    out.tiles = tile_way(world, query, scratch);
    const std::vector<Vec2> way = middles(out.tiles);
    const std::vector<Vec2> kept = keep_greedily(world, map, drive.start.pose(), way, scratch);
    out.greedy = curves_to(world, map, drive.start.pose(), kept, scratch);
    out.greedy_violation = verify(out.greedy.route, grid, drive.agent);
    for (const Cell& cell : need(find_clipped(grid, out.greedy.route, drive.agent), world))
        out.clipped.push_back({{cell.x + 0.0, cell.y + 0.0}, {cell.x + 1.0, cell.y + 1.0}});

    std::vector<TileCell> tiles = {cell_of(drive.start.ground())};
    for (const Vec2 p : way) tiles.push_back(cell_of(p));
    const TileDriveQuery along{
        .start = drive.start.pose(), .goal = drive.goal.at.pose(), .tiles = tiles, .ahead = 3};
    out.along = need(drive_along_tiles(map, along, scratch), world);
    out.along_violation = verify(out.along.route, grid, drive.agent);
    return out;
}

}  // namespace fairlead::gallery
