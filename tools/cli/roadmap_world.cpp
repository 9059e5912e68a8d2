// Roadmap files as WORLD.

#include "cli/roadmap_world.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_explain.h>
#include <fairlead/debug/draw_roadmap.h>
#include <fairlead/debug/svg.h>
#include <fairlead/formats/roadmap_world.h>

#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/limits.h"

namespace fairlead::cli {

namespace {

Aabb joined(const Aabb& a, const Aabb& b) {
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)}};
}

}  // namespace

RoadmapWorld load_roadmap_world(const WorldFlags& world, CornerRule corner) {
    world.refuse_closed_parts();
    const std::string text = read_file(world.path());
    const formats::RoadmapFile file = expect(world.path(), text, formats::load_roadmap(text, file_limits()));
    RoadmapWorld made{expect(world.path(), {}, formats::make_roadmap(file)), nullptr, nullptr};
    if (file.map_file.empty()) return made;
    const std::string map = (std::filesystem::path{world.path()}.parent_path() / file.map_file).string();
    const formats::TileTable table = world.table();
    made.tiles = std::make_unique<Grid>(load_map_grid(map, table, Agent{}, corner));
    made.over = std::make_unique<TileSight>(*made.tiles, 0, corner);
    return made;
}

void refuse_blockers(std::span<const Blocker> blockers) {
    if (!blockers.empty()) fail("--blocker: for tile worlds; a roadmap, a mesh or a volume has its walls");
}

RoadmapQuery roadmap_query(const GridQuery& flags, const RoadmapWorld& world, bool check_edges) {
    RoadmapQuery query;
    switch (flags.planner) {
        case GridPlanner::automatic:
        case GridPlanner::astar: query.planner = RoadmapPlanner::astar; break;
        case GridPlanner::dijkstra: query.planner = RoadmapPlanner::dijkstra; break;
        case GridPlanner::greedy_best_first: query.planner = RoadmapPlanner::greedy_best_first; break;
        default:
            fail(
                fmt::format("--planner: {} is for tile worlds; a roadmap takes auto, astar, dijkstra, "
                            "greedy_best_first",
                            planner_name(flags.planner)));
    }
    refuse_blockers(flags.blockers);
    query.agent = flags.agent;
    query.partial = flags.partial;
    query.expansions_max = flags.expansions_max;
    query.sight = world.sight();
    query.check_edges = check_edges;
    return query;
}

std::string roadmap_error_text(const Error& error) {
    if (error.code == ErrorCode::incompatible)
        return roadmap_rule_text(static_cast<RoadmapRule>(error.detail));
    return flag_error_text(error);
}

std::string make_svg(const RoadmapWorld& world, const RoadmapQuery& query, const Route& route,
                     const debug::Trace& trace, bool y_up, const Explanation* why) {
    const std::string title = why != nullptr ? std::string(why->text().c_str())
                                             : fmt::format("{}, {}: cost {:.2f}", status_name(route.status),
                                                           route.planner, route.cost);
    Aabb bounds = debug::world_bounds(world.roadmap);
    if (world.tiles) bounds = joined(bounds, debug::world_bounds(*world.tiles));
    for (const Leg& leg : route.legs) {
        const Vec2 at = ground(leg.start.position);
        bounds = joined(bounds, {at, at});
    }
    if (!route.legs.empty())
        bounds = joined(bounds, {ground(route.end.position), ground(route.end.position)});
    debug::SvgOptions options{.bounds = bounds, .y_up = y_up};
    options.title = title.c_str();
    debug::SvgWriter svg{options};
    const debug::Sink sink = svg.sink();
    if (world.tiles) debug::draw(*world.tiles, sink);
    debug::draw(trace.events(), sink, {.cell_size = 14 * sink.point});
    debug::draw(world.roadmap, sink);
    if (why != nullptr) {
        debug::draw(*why, sink);
    } else {
        debug::draw(route, query.agent, sink);
    }
    const Result<std::span<const char>> text = svg.finish();
    if (!text) fail_at("--svg", error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

}  // namespace fairlead::cli
