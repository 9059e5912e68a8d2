// Drawing turning units into a sink: bodies along a route, motion primitives, swept cells, prepared maps.
//
//     debug::draw(*town, svg.sink());
//     debug::draw_drive(*route, truck, svg.sink());
//
// Groups: "drive" (with "swept", "bodies", "route", "cusps", "ends"), "fan", "swept_mask", "core". Nothing here
// allocates. Curves are drawn as chords that stay within 1/20 point of them.
#pragma once

#include <cstdint>

#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/drive/primitives.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

struct DriveDraw {
    Color color = palette::kRoute;    ///< forward
    Color reverse = palette::kOther;  ///< in reverse
    double width = 2.0;               ///< of the axle's line, points; 0: no line
    double spacing = 0.0;             ///< from outline to outline along the route; 0: 1.5 x the body's reach
    bool swept = true;                ///< the ground that the body sweeps, pale, in the gear's color
    bool bodies = true;               ///< outlines of the body, with a tick where it faces
    bool cusps = true;                ///< a ring where the gear changes
    bool ends = true;                 ///< start (disc) and goal (target), and the body there
    std::int32_t layer = -1;          ///< only the legs on this layer; -1: all
};

/// A route of drive and turn legs. Footprints have no heading: for them use draw(route, agent, sink).
void draw_drive(const Route& route, const Agent& agent, const Sink& sink, const DriveDraw& options = {});

/// The body where it stands. Not for footprints.
void draw_body(const Place& place, const Agent& agent, const Sink& sink, const Fill& fill,
               const Stroke& stroke);

struct FanDraw {
    Vec2 cell{};  ///< low corner of the cell that the primitives start in, world units
    double cell_size = 1.0;
    bool cells = true;   ///< lines between the cells within reach, and dots in their centres
    double width = 1.2;  ///< points
};

/// The primitives of a set from one heading: forward ones in the color of routes, those in reverse in that of reverse
/// gear, each with a tick where it ends.
void draw_fan(const PrimitiveSet& set, std::int32_t heading, const Sink& sink, const FanDraw& options = {});

/// The cells that the table says primitive i sweeps, and on top the ground that the body really sweeps, its outline at both
/// ends and the axle's line. `cell`: low corner of the cell that it starts in.
void draw_swept_mask(const DriveTable& table, std::size_t primitive, Vec2 cell, const Sink& sink);

/// In each cell the number of headings in which the unit standing there belongs to the map's core (drive_map.h), so that it
/// can go on and come back: the darker the more; cells with none stay as they are.
void draw_core(const DriveMapState& map, const Sink& sink);
/// Of that drawing: what `count` of `headings` looks like.
[[nodiscard]] Color core_color(std::int32_t count, std::int32_t headings);

}  // namespace fairlead::debug
