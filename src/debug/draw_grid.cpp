#include <algorithm>
#include <array>

#include <fairlead/debug/draw.h>

#include "debug/box_batch.h"
#include "debug/cell_boxes.h"

namespace fairlead::debug {
namespace {

constexpr double kLineCellMin = 5.0;  // points: in smaller cells the grid lines would be all one sees
constexpr int kClearanceSteps = 10;

[[nodiscard]] CellRect clip(const GridState& grid, const CellRect& region) {
    const CellRect all{{0, 0}, {grid.width(), grid.height()}, region.layer};
    if (region.empty()) return all;
    return {{std::max(region.low.x, 0), std::max(region.low.y, 0)},
            {std::min(region.high.x, all.high.x), std::min(region.high.y, all.high.y)},
            region.layer};
}

[[nodiscard]] Aabb world_box(const GridState& grid, const CellRect& rect) {
    const Vec2 origin = grid.origin();
    const double size = grid.cell_size();
    return {{origin.x + rect.low.x * size, origin.y + rect.low.y * size},
            {origin.x + rect.high.x * size, origin.y + rect.high.y * size}};
}

/// All cells of the region for which `wanted(Cell)` holds, as few boxes.
template <class Wanted>
void fill_cells(const GridState& grid, const CellRect& region, const Sink& sink, double z, const Fill& fill,
                const Wanted& wanted) {
    BoxBatch batch{sink, z, fill};
    merge_cells(
        region,
        [&](std::int32_t x, std::int32_t y) {
            return wanted(Cell{x, y, region.layer});
        },
        [&](const CellRect& rect) { batch.add(world_box(grid, rect)); });
}

void draw_terrain(const GridState& grid, const CellRect& region, const Sink& sink, double z) {
    if (grid.uniform()) return;
    bool used[palette::kTerrainClasses + 1] = {};
    for (std::int32_t y = region.low.y; y < region.high.y; ++y) {
        for (std::int32_t x = region.low.x; x < region.high.x; ++x) {
            used[palette::terrain_class(grid.cost({x, y, region.layer}))] = true;
        }
    }
    const Group group{sink, "terrain"};
    for (int kind = 1; kind <= palette::kTerrainClasses; ++kind) {
        if (!used[kind]) continue;
        fill_cells(grid, region, sink, z, Fill{palette::terrain(kind)},
                   [&](Cell cell) { return palette::terrain_class(grid.cost(cell)) == kind; });
    }
}

void draw_clearance(const GridState& grid, const CellRect& region, const Sink& sink, double z, double limit) {
    const Group group{sink, "clearance"};
    const auto step_of = [&](Cell cell) {
        if (grid.blocked(cell)) return -1;
        const double t = grid.clearance(cell, limit) / limit * kClearanceSteps;
        return std::min(static_cast<int>(t), kClearanceSteps - 1);
    };
    for (int step = 0; step < kClearanceSteps; ++step) {
        const Fill fill{palette::clearance(static_cast<double>(step) / (kClearanceSteps - 1))};
        fill_cells(grid, region, sink, z, fill, [&](Cell cell) { return step_of(cell) == step; });
    }
}

void draw_grid_lines(const GridState& grid, const CellRect& region, const Sink& sink, double z) {
    if (grid.cell_size() < kLineCellMin * sink.point) return;
    const Group group{sink, "lines"};
    const Stroke stroke{.color = palette::kGridLine, .width = 0.75};
    const Aabb box = world_box(grid, region);
    for (std::int32_t x = region.low.x + 1; x < region.high.x; ++x) {
        const double at = grid.origin().x + x * grid.cell_size();
        draw_line(sink, {at, box.low.y, z}, {at, box.high.y, z}, stroke);
    }
    for (std::int32_t y = region.low.y + 1; y < region.high.y; ++y) {
        const double at = grid.origin().y + y * grid.cell_size();
        draw_line(sink, {box.low.x, at, z}, {box.high.x, at, z}, stroke);
    }
}

void draw_portal_end(const GridState& grid, Cell cell, const Sink& sink, double z) {
    const double half = 0.5 * grid.cell_size();
    const Vec2 at = grid.cell_centre(cell);
    const Aabb box{at - Vec2{half, half}, at + Vec2{half, half}};
    draw_boxes(sink, std::span{&box, 1}, z, Fill{mix(palette::kPaper, palette::kPortal, 0.3)});
    const Stroke stroke{.color = palette::kPortal, .width = 1.5};
    for (int i = -2; i <= 2; ++i) {  // the treads of a stair
        const double y = at.y + i * 0.5 * half;
        draw_line(sink, {at.x - half, y, z}, {at.x + half, y, z}, stroke);
    }
}

void draw_portals(const GridState& grid, const CellRect& region, const Sink& sink, double z) {
    const auto shown = [&](Cell cell) {
        return cell.layer == region.layer && cell.x >= region.low.x && cell.x < region.high.x &&
               cell.y >= region.low.y && cell.y < region.high.y;
    };
    const Group group{sink, "portals"};
    for (const Portal& portal : grid.portals()) {
        if (shown(portal.from)) draw_portal_end(grid, portal.from, sink, z);
        if (shown(portal.to)) draw_portal_end(grid, portal.to, sink, z);
        if (!shown(portal.from) || !shown(portal.to)) continue;
        const Stroke stroke{.color = palette::kPortal, .width = 1.0, .dash = 3.0};
        const Vec3 a = at_height(grid.cell_centre(portal.from), z);
        const Vec3 b = at_height(grid.cell_centre(portal.to), z);
        if (portal.two_way) {
            draw_line(sink, a, b, stroke);
        } else {
            draw_arrow(sink, a, b, stroke);
        }
    }
}

}  // namespace

Aabb world_bounds(const GridState& grid) { return world_box(grid, clip(grid, {})); }

void draw(const GridState& grid, const Sink& sink, const GridDraw& options) {
    const CellRect region = clip(grid, options.region);
    if (region.empty() || region.layer < 0 || region.layer >= grid.layers()) return;
    const Aabb box = world_box(grid, region);
    const double z = options.z;
    const Group group{sink, "grid"};

    if (options.paper) draw_boxes(sink, std::span{&box, 1}, z, Fill{palette::kPaper});
    if (options.clearance_max > 0.0) {
        draw_clearance(grid, region, sink, z, options.clearance_max);
    } else if (options.terrain) {
        draw_terrain(grid, region, sink, z);
    }
    if (options.lines) draw_grid_lines(grid, region, sink, z);
    {
        const Group walls{sink, "walls"};
        fill_cells(grid, region, sink, z, Fill{palette::kWall},
                   [&](Cell cell) { return grid.blocked(cell); });
    }
    if (options.portals && !grid.portals().empty()) draw_portals(grid, region, sink, z);
    if (options.frame) {
        const std::array<Vec3, 4> corners = {{{box.low.x, box.low.y, z},
                                              {box.high.x, box.low.y, z},
                                              {box.high.x, box.high.y, z},
                                              {box.low.x, box.high.y, z}}};
        draw_outline(sink, corners, Stroke{.color = palette::kFrame, .width = 1.5});
    }
}

void draw_cells(const GridState& grid, const CellRect& region,
                std::uint8_t (*class_of)(Cell cell, void* user), void* user, std::span<const Fill> fills,
                const Sink& sink) {
    const CellRect clipped = clip(grid, region);
    if (clipped.empty() || clipped.layer < 0 || clipped.layer >= grid.layers()) return;
    const Group group{sink, "cells"};
    for (std::size_t kind = 0; kind < fills.size() && kind < kNoClass; ++kind) {
        fill_cells(grid, clipped, sink, 0.0, fills[kind],
                   [&](Cell cell) { return class_of(cell, user) == kind; });
    }
}

}  // namespace fairlead::debug
