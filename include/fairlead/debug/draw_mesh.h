// Drawing a level mesh into a sink: polygons, the portals between them, walls, borders of tiles, as the group "mesh" (with
// "ground", "floor", "portals", "borders", "gates", "walls").
//
//     debug::SvgWriter svg({.bounds = debug::world_bounds(*level), .y_up = true});
//     debug::draw(*level, svg.sink(), {.tint = debug::MeshTint::component});
//     debug::draw_links(*level, svg.sink());                 // off-mesh links
//     debug::draw_corridor(*level, *route, svg.sink());      // the polygons that the route crosses
//     debug::draw(*route, agent, svg.sink());                // draw.h
//     debug::draw(crates, svg.sink());                       // obstacles, as they were put in
//
// What is not surface (outside, holes of obstacles) is the ground, a little darker. Floors above each other are drawn from
// low to high, in 24 steps; z_low and z_high pick out one of them. Nothing here allocates.
#pragma once

#include <limits>
#include <span>

#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/obstacle.h>
#include <fairlead/mesh/query.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

/// What the colors of polygons mean.
enum class MeshTint : std::uint8_t {
    area,       ///< area 0 is paper
    component,  ///< polygons that hang together
    height,     ///< low is pale, high is dark
    polygon,    ///< neighbours mostly differ
};

struct MeshDraw {
    MeshTint tint = MeshTint::area;
    MeshFilter filter{};  ///< closed areas are drawn as solid, their sides as walls
    bool ground = true;   ///< a rectangle below everything
    bool portals = true;
    bool borders = true;  ///< sides between tiles, dashed
    bool gates =
        true;  ///< sides that know the gap between walls that they are part of (NavMeshOptions::radius_max)
    bool walls = true;
    double wall_width = 2.2;  ///< points
    double z_low =
        -std::numeric_limits<double>::infinity();  ///< only polygons with their middle at such heights
    double z_high = std::numeric_limits<double>::infinity();
};

void draw(const NavMeshState& mesh, const Sink& sink, const MeshDraw& options = {});

/// The off-mesh links, as the group "links": bowed lines from end to end with an arrow head where they lead to, at both ends
/// where they lead both ways; the sides of wide ones. Those that sleep, or are closed by the filter, are dashed.
void draw_links(const NavMeshState& mesh, const Sink& sink, const MeshFilter& filter = {});

struct CorridorDraw {
    Fill fill{.color = palette::kRoute, .opacity = 0.14};
    bool portals = false;  ///< the sides that legs go over, but at their ends; as the group "crossed"
    Stroke portal{.color = palette::kOther, .width = 2.0};
};

/// The polygons that the drive legs of a route cross, as the group "corridor". Arcs are followed in steps of a 64th, and
/// no sides are told of them.
void draw_corridor(const NavMeshState& mesh, const Route& route, const Sink& sink,
                   const CorridorDraw& options = {});

/// Outlines of obstacles, not grown by any radius, as the group "obstacles".
void draw(std::span<const MeshObstacle> obstacles, const Sink& sink,
          const Fill& fill = {.color = palette::kWarning, .opacity = 0.25});

/// The box around the mesh with a rim of a 30th of its larger side (at least 0.5).
[[nodiscard]] Aabb world_bounds(const NavMeshState& mesh);

}  // namespace fairlead::debug
