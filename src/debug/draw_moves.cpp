// The primitives as a fan, the cells swept by one of them, and the core of a prepared map.
#include <fairlead/debug/draw_drive.h>

#include <algorithm>
#include <cmath>

#include "debug/box_batch.h"
#include "debug/cell_boxes.h"
#include "debug/drive_pieces.h"
#include "drive/lattice/grid_lattice.h"

namespace fairlead::debug {

namespace {

// Lengths of these drawings are in cells: a curve is scaled point by point as it is drawn.
struct Frame {
    Vec2 cell{};
    double size = 1.0;

    [[nodiscard]] Pose centre(double heading) const { return {cell + Vec2{0.5, 0.5} * size, heading}; }
};

void draw_cell_lines(const Frame& frame, std::int32_t reach, const Sink& sink) {
    const Stroke line{palette::kGridLine, 1.0};
    const double far = reach * frame.size;
    const Vec2 low = frame.cell - Vec2{far, far};
    const double side = (2 * reach + 1) * frame.size;
    for (std::int32_t i = 0; i <= 2 * reach + 1; ++i) {
        const double at = i * frame.size;
        draw_line(sink, at_height(low + Vec2{at, 0}), at_height(low + Vec2{at, side}), line);
        draw_line(sink, at_height(low + Vec2{0, at}), at_height(low + Vec2{side, at}), line);
    }
}

Color gear_color(Gear gear) { return gear == Gear::forward ? palette::kRoute : palette::kOther; }

void draw_primitives(const PrimitiveSet& set, std::int32_t heading, Gear gear, const Frame& frame,
                     const Sink& sink, double width) {
    const double radius = set.options().turning_radius * frame.size;
    const Pose start = frame.centre(heading_rad(set.headings(), heading));
    const Stroke stroke{gear_color(gear), width, 0.0, 0.8};
    for (const Primitive& move : set.from(heading)) {
        if (move.gear != gear) continue;
        const Place end =
            each_leg(move.word, start, radius, [&](const Leg& leg) { draw_leg_line(leg, sink, stroke); });
        draw_tick(end, 6.0 * sink.point, sink, Stroke{gear_color(gear), 2.0 * width});
        draw_circle(sink, end.position, 1.8 * sink.point, Fill{gear_color(gear)}, kNoStroke);
    }
}

std::int32_t heading_of(const DriveTable& table, std::size_t primitive) {
    return table.primitives().all()[primitive].from;
}

void draw_runs(std::span<const CellRun> runs, const Frame& frame, const Sink& sink, const Fill& fill) {
    BoxBatch boxes{sink, 0.0, fill};
    for (const CellRun& run : runs) {
        const Vec2 low =
            frame.cell + Vec2{static_cast<double>(run.dx), static_cast<double>(run.dy)} * frame.size;
        boxes.add({low, low + Vec2{static_cast<double>(run.count), 1.0} * frame.size});
    }
}

// How many headings of the unit standing in the cell lead back to themselves: poses of a core.
std::int32_t core_count(const drive::MapData& map, std::int32_t x, std::int32_t y) {
    std::int32_t count = 0;
    for (std::int32_t h = 0; h < map.table().headings(); ++h) {
        const drive::LatticePose pose{x, y, h, Gear::forward};
        count += map.joined(pose, pose) == drive::MapData::Joined::yes ? 1 : 0;
    }
    return count;
}

}  // namespace

void draw_fan(const PrimitiveSet& set, std::int32_t heading, const Sink& sink, const FanDraw& options) {
    const Group group{sink, "fan"};
    const Frame frame{options.cell, options.cell_size};
    if (options.cells) draw_cell_lines(frame, set.reach(), sink);
    draw_primitives(set, heading, Gear::reverse, frame, sink, options.width);
    draw_primitives(set, heading, Gear::forward, frame, sink, options.width);
    const Pose start = frame.centre(0.0);
    draw_circle(sink, at_height(start.position), 4.0 * sink.point, Fill{palette::kInk},
                Stroke{palette::kPaper, 1.2});
}

void draw_swept_mask(const DriveTable& table, std::size_t primitive, Vec2 cell, const Sink& sink) {
    const Group group{sink, "swept_mask"};
    const Frame frame{cell, table.options().cell_size};
    const Primitive& move = table.primitives().all()[primitive];
    const double radius = table.options().agent.turning_radius;
    const Pose start = frame.centre(heading_rad(table.headings(), heading_of(table, primitive)));
    draw_runs(table.swept(primitive), frame, sink, Fill{palette::tint(4)});
    draw_cell_lines(frame, table.margin(), sink);

    const BodyCore body = body_core(table.options().agent);
    const double reach = circumscribed_radius(table.options().agent);
    const Fill swept{gear_color(move.gear), 0.3};
    const Place end =
        each_leg(move.word, start, radius, [&](const Leg& leg) { sweep_leg(body, reach, leg, sink, swept); });
    (void)each_leg(move.word, start, radius, [&](const Leg& leg) {
        draw_leg_line(leg, sink, Stroke{gear_color(move.gear), 2.0});
    });
    const Place first{at_height(start.position), start.heading_rad, 0};
    for (const Place& place : {first, end}) {
        draw_body(place, table.options().agent, sink, kNoFill, Stroke{palette::kInk, 1.3});
        draw_tick(place, 9.0 * sink.point, sink, Stroke{palette::kInk, 1.6});
    }
}

Color core_color(std::int32_t count, std::int32_t headings) {
    const double share = static_cast<double>(count) / std::max(headings, 1);
    return mix(rgb(0xeaf4ef), rgb(0x5fae91), share);
}

void draw_core(const DriveMapState& state, const Sink& sink) {
    const drive::MapData& map = state.data();
    const Group group{sink, "core"};
    const Vec2 origin = map.options().origin;
    const double size = map.table().options().cell_size;
    const CellRect all{{0, 0}, {map.edges().width(), map.edges().height()}, 0};
    for (std::int32_t count = 1; count <= map.table().headings(); ++count) {
        BoxBatch boxes{sink, 0.0, Fill{core_color(count, map.table().headings())}};
        merge_cells(
            all, [&](std::int32_t x, std::int32_t y) { return core_count(map, x, y) == count; },
            [&](const CellRect& rect) {
                const auto corner = [&](const CellRect::Corner& c) {
                    return origin + Vec2{static_cast<double>(c.x), static_cast<double>(c.y)} * size;
                };
                boxes.add({corner(rect.low), corner(rect.high)});
            });
    }
}

}  // namespace fairlead::debug
