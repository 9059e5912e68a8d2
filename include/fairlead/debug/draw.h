// Drawing the things of the library into a sink (sink.h).
//
//     debug::SvgWriter svg({.bounds = {{0, 0}, {64, 64}}});
//     debug::draw(*town, svg.sink());                         // walls, terrain, grid lines
//     debug::draw(trace.events(), svg.sink());                // what the search looked at
//     debug::draw(*route, agent, svg.sink());                 // the line, the body along it, start and goal
//
// Draw in this order: each covers a little of what is below. Nothing here allocates, and drawing never
// changes what is drawn. Every drawing is one group of the sink: "grid" (with "terrain", "lines", "walls",
// "portals"), "trace", "route" (with "body", "line", "ends"), "cells", "blockers", "goal".
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/debug/trace.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

struct GridDraw {
    CellRect region{};           ///< what to draw, clipped to the map; empty: all of layer region.layer
    bool paper = true;           ///< white under the free cells
    bool terrain = true;         ///< cells that cost more than 1 in sand colors, darker for dearer
    bool lines = true;           ///< between cells, where a cell is at least 5 points wide
    bool portals = true;         ///< marks at both ends, and the line between them on one layer
    bool frame = true;           ///< around the region
    double clearance_max = 0.0;  ///< > 0: in place of terrain, the distance to the nearest wall up to this
    double z = 0.0;              ///< height of the drawing
};

/// Walls are merged into rectangles, runs of equal rows at a time: a map of 1024 x 1024 cells with straight
/// walls takes a few thousand numbers. Reads each cell a few times per color in use.
void draw(const GridState& grid, const Sink& sink, const GridDraw& options = {});

/// The rectangle of the world that a map covers: bounds for a picture.
[[nodiscard]] Aabb world_bounds(const GridState& grid);

inline constexpr std::uint8_t kNoClass = 255;

/// Cells colored by class: components, coverage, influence, any field of the caller's. `class_of` is asked
/// several times for each cell of the region (clipped to the map; empty: all of the layer) and gives an index
/// into `fills` or kNoClass.
void draw_cells(const GridState& grid, const CellRect& region,
                std::uint8_t (*class_of)(Cell cell, void* user), void* user, std::span<const Fill> fills,
                const Sink& sink);

struct RouteDraw {
    Color color = palette::kRoute;
    double width = 2.5;       ///< of the centre line, points; 0: no line
    double dash = 0.0;        ///< points, 0: solid
    bool body = true;         ///< the ground that the body sweeps, pale
    bool casing = true;       ///< a white rim, so that the line stands out on any ground
    bool waypoints = true;    ///< dots where legs meet at an angle or change their curvature
    bool ends = true;         ///< start (disc) and goal (target), with the body's outline
    bool headings = false;    ///< arrows where the unit faces at start and goal
    std::int32_t layer = -1;  ///< only the legs on this layer; -1: all
    double cell_size = 1.0;   ///< of the grid, for agents with a footprint
    double z = 0.0;           ///< added to the height of each point
};

/// Straight legs, arcs, reverse gear (in the second color, dashed), turns on the spot (a dot) and links
/// (dashed, in the color of portals). A straight leg sweeps a stadium, an arc a ring sector with round ends,
/// a square footprint a hexagon. Arcs are drawn as chords that stay within 1/20 point of the arc.
void draw(const Route& route, const Agent& agent, const Sink& sink, const RouteDraw& options = {});

struct TraceDraw {
    double cell_size = 1.0;  ///< side of the square of one state, world units
    bool search = true;  ///< expanded states as heat, and those left on the open list; false: the path only
    bool links = false;  ///< a line from where each expanded state was reached
    bool fans = true;    ///< level meshes: the triangles between places and the sides that are seen from them
    bool open = true;    ///< level meshes: the sides that were put on the open list
    std::int32_t layer = -1;               ///< only the events on this layer; -1: all
    std::uint32_t order_end = UINT32_MAX;  ///< only earlier events: a frame of a film
    double z = 0.0;
};

/// Level meshes: opened sides and their fans, light to dark in order, below them what was put on the open list; as the group
/// "intervals" (with "open", "fans", "expanded", "roots"). Elsewhere: expanded states as squares, light to dark in order; states only generated as small squares; poses as strokes from
/// their place to where they face, those only generated short and pale; the path, if recorded, as a line.
/// Reads the events a few dozen times.
void draw(std::span<const TraceEvent> events, const Sink& sink, const TraceDraw& options = {});

/// Temporary obstacles of a query; only those on the layer (-1: all).
void draw(std::span<const Blocker> blockers, const Sink& sink, std::int32_t layer = -1);

/// A goal: a target at the point or at each of the points; a region with a dot at its middle. `cell_size` is that
/// of the grid.
void draw(const Goal& goal, const Sink& sink, double cell_size = 1.0);

}  // namespace fairlead::debug
