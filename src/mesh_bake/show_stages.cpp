#include "mesh_bake/show_stages.h"

#include <algorithm>
#include <cmath>

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

void show_cell(const Settings& settings, const StageCell& cell) {
    if (settings.stages.cell != nullptr) settings.stages.cell(cell, settings.stages.user);
}

void show_line(const Settings& settings, const StageLine& line) {
    if (settings.stages.line != nullptr) settings.stages.line(line, settings.stages.user);
}

bool in_box(const CellBox& box, std::int32_t x, std::int32_t y) {
    return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
}

StageCell floor_cell(const Floors& f, std::uint32_t floor, BakeStage stage) {
    return {.stage = stage,
            .area = f.area[floor],
            .x = f.x_of(floor),
            .y = f.y_of(floor),
            .low = f.z[floor],
            .high = f.ceiling[floor]};
}

/// The distance that erode.cpp compares with the radius, without a limit.
struct FloorClearance {
    const Floors& f;
    Array<std::int32_t> gap;  ///< free columns in x up to the nearer wall

    [[nodiscard]] std::uint32_t next(std::uint32_t floor, std::uint32_t direction) const {
        const std::uint32_t to = f.link[4 * std::size_t{floor} + direction];
        return to == kNone || f.area[to] == 0 ? kNone : to;  // marks make walls of floors
    }
    [[nodiscard]] bool prepare(const Allocator& allocator) {
        const auto count = static_cast<std::uint32_t>(f.size());
        Array<std::int32_t> left(allocator);
        if (!gap.resize(count) || !left.resize(count)) return false;
        // Neighbours in +x have higher numbers, those in -x lower ones.
        for (std::uint32_t floor = 0; floor < count; ++floor) {
            const std::uint32_t before = next(floor, 2);
            left[floor] = before == kNone ? 0 : left[before] + 1;
        }
        for (std::uint32_t floor = count; floor-- > 0;) {
            const std::uint32_t after = next(floor, 0);
            gap[floor] = after == kNone ? 0 : gap[after] + 1;
        }
        for (std::uint32_t floor = 0; floor < count; ++floor) gap[floor] = std::min(gap[floor], left[floor]);
        return true;
    }
    [[nodiscard]] double of(std::uint32_t floor) const {
        double best = gap[floor];
        for (const std::uint32_t direction : {1U, 3U}) {
            std::uint32_t at = floor;
            for (std::int32_t rows = 0; rows < best; ++rows) {
                at = next(at, direction);
                const double x = at == kNone ? 0.0 : gap[at], y = rows;
                best = std::min(best, std::sqrt(x * x + y * y));
                if (at == kNone) break;
            }
        }
        return best;
    }
};

}  // namespace

const char* stage_name(BakeStage stage) {
    switch (stage) {
        case BakeStage::solid: return "solid";
        case BakeStage::floors: return "floors";
        case BakeStage::eroded: return "eroded";
        case BakeStage::layers: return "layers";
        case BakeStage::borders: return "borders";
        case BakeStage::straightened: return "straightened";
        case BakeStage::count_: break;
    }
    return "";
}

void show_solid(const Settings& settings, const CellBox& interior, const SolidRows& solid) {
    if (!settings.stages.on()) return;
    if (settings.stages.tile != nullptr) settings.stages.tile(settings.frame, interior, settings.stages.user);
    for (std::int32_t y = std::max(interior.y0, solid.box.y0); y < std::min(interior.y1, solid.box.y1); ++y) {
        const SolidRow& row = solid.rows[static_cast<std::size_t>(y - solid.box.y0)];
        if (row.columns == nullptr) continue;
        for (std::int32_t x = std::max(interior.x0, solid.box.x0); x < std::min(interior.x1, solid.box.x1);
             ++x) {
            const Span* span = row.columns + (x - solid.box.x0);
            if (span->high <= span->low) continue;
            for (;; span = row.upper + span->above) {
                show_cell(settings, {.stage = BakeStage::solid,
                                     .area = static_cast<std::uint8_t>(span->area),
                                     .x = x,
                                     .y = y,
                                     .low = span->low,
                                     .high = span->high});
                if (span->above == 0) break;
            }
        }
    }
}

Result<void> show_floors(const Settings& settings, const CellBox& interior, const Floors& floors) {
    if (!settings.stages.on()) return {};
    FloorClearance clearance{floors, Array<std::int32_t>(settings.allocator)};
    if (!clearance.prepare(settings.allocator)) return kNoMemory;
    for (std::uint32_t floor = 0; floor < floors.size(); ++floor) {
        StageCell cell = floor_cell(floors, floor, BakeStage::floors);
        if (cell.area == 0 || !in_box(interior, cell.x, cell.y)) continue;
        cell.clearance = clearance.of(floor);
        show_cell(settings, cell);
    }
    return {};
}

void show_eroded(const Settings& settings, const CellBox& interior, const Floors& floors) {
    if (!settings.stages.on()) return;
    for (std::uint32_t floor = 0; floor < floors.size(); ++floor) {
        const StageCell cell = floor_cell(floors, floor, BakeStage::eroded);
        if (cell.area != 0 && in_box(interior, cell.x, cell.y)) show_cell(settings, cell);
    }
}

void show_layers(const Settings& settings, const CellBox& interior, const Floors& floors,
                 const Layers& layers) {
    if (!settings.stages.on()) return;
    for (std::uint32_t floor = 0; floor < floors.size(); ++floor) {
        StageCell cell = floor_cell(floors, floor, BakeStage::layers);
        if (!is_label(layers.label[floor]) || !in_box(interior, cell.x, cell.y)) continue;
        cell.layer = layer_of(layers.label[floor]);
        show_cell(settings, cell);
    }
}

void show_borders(const Settings& settings, const CellBox& interior, const Floors& floors,
                  const Borders& borders) {
    if (!settings.stages.on()) return;
    for (const UnitEdge& edge : borders.edges) {
        const BorderVertex& from = borders.vertices[edge.from];
        const BorderVertex& to = borders.vertices[edge.to];
        const double z = floors.z[edge.floor];
        show_line(settings, {.stage = BakeStage::borders,
                             .open = edge.open,
                             .from = {static_cast<double>(interior.x0) + from.x,
                                      static_cast<double>(interior.y0) + from.y, z},
                             .to = {static_cast<double>(interior.x0) + to.x,
                                    static_cast<double>(interior.y0) + to.y, z}});
    }
}

void show_straightened(const Settings& settings, const CellBox& interior, const Borders& borders,
                       const Array<Segment>& segments) {
    if (!settings.stages.on()) return;
    const auto place = [&](std::uint32_t vertex) {
        const BorderVertex& v = borders.vertices[vertex];
        return Vec3{static_cast<double>(interior.x0) + v.x, static_cast<double>(interior.y0) + v.y, v.z};
    };
    for (const Segment& s : segments) {
        show_line(
            settings,
            {.stage = BakeStage::straightened, .open = s.open, .from = place(s.from), .to = place(s.to)});
    }
}

}  // namespace fairlead::bake
