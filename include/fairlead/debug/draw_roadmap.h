// Drawing a roadmap into a sink: walls, edges, waypoints, as the groups "roadmap" (with "walls", "edges", "nodes").
//
//     debug::SvgWriter svg({.bounds = debug::world_bounds(*harbour)});
//     debug::draw(*harbour, svg.sink());
//     debug::draw(*route, agent, svg.sink());
//
// A one-way edge has an arrow head in its middle; a link is dashed. Nothing here allocates; walls of more than 512
// points are drawn as lines, not filled.
#pragma once

#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead::debug {

struct RoadmapDraw {
    bool walls = true;
    bool edges = true;
    bool nodes = true;
    Color color = palette::kFaint;  ///< of edges and waypoints
    double width = 1.5;             ///< of edges, points
};

void draw(const RoadmapState& roadmap, const Sink& sink, const RoadmapDraw& options = {});

/// The smallest box around waypoints and walls, with a rim of a 30th of its larger side (at least 0.5).
[[nodiscard]] Aabb world_bounds(const RoadmapState& roadmap);

}  // namespace fairlead::debug
