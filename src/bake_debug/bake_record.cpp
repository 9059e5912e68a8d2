#include <fairlead/bake_debug/bake_record.h>

#include <algorithm>

#include <fairlead/debug/palette.h>

#include "debug/box_batch.h"

namespace fairlead::debug {

namespace {

using bake::BakeStage;
using bake::StageCell;
using bake::StageLine;

constexpr int kBakeBands = 16;  // heights, low to high
constexpr int kBakeShades = 12;

struct StageDrawing {
    const BakeRecord& record;
    BakeStage stage;
    const Sink& sink;
    const BakeDraw& options;
    double low = 0.0;
    double high = 0.0;
    bool any = false;

    [[nodiscard]] double z_of(double heights) const {
        return record.frame().origin.z + heights * record.frame().cell_height;
    }
    /// The height at which a cell is seen.
    [[nodiscard]] double top(const StageCell& cell) const {
        return z_of(stage == BakeStage::solid ? cell.high : cell.low);
    }
    [[nodiscard]] bool shown(const StageCell& cell) const {
        const double z = top(cell);
        return cell.stage == stage && z >= options.z_low && z <= options.z_high;
    }
    [[nodiscard]] double share(double z) const { return high > low ? (z - low) / (high - low) : 0.0; }
    [[nodiscard]] static int step_of(double t, int steps) {
        return std::clamp(static_cast<int>(t * steps), 0, steps - 1);
    }

    void measure() {
        for (const StageCell& cell : record.cells()) {
            if (!shown(cell)) continue;
            const double z = top(cell);
            low = any ? std::min(low, z) : z;
            high = any ? std::max(high, z) : z;
            any = true;
        }
    }

    /// Which of the stage's colors.
    [[nodiscard]] int shade_of(const StageCell& cell) const {
        switch (stage) {
            case BakeStage::solid:
                return cell.area == 0 ? kBakeShades : step_of(share(top(cell)), kBakeShades);
            case BakeStage::floors:
                return step_of(cell.clearance * record.frame().cell_size / options.clearance_max,
                               kBakeShades);
            case BakeStage::layers: return static_cast<int>(cell.layer % palette::kTints);
            default: return step_of(share(top(cell)), kBakeShades);
        }
    }
    [[nodiscard]] Color color_of(int shade) const {
        if (shade == kBakeShades) return mix(palette::kWall, palette::kPaper, 0.45);
        const double t = static_cast<double>(shade) / (kBakeShades - 1);
        if (stage == BakeStage::floors)
            return mix(palette::kOther, palette::clearance(t), std::min(1.0, 0.45 + t));
        if (stage == BakeStage::layers) return mix(palette::tint(shade), palette::kInk, 0.08);
        return mix(rgb(0xf1f6ee), rgb(0x3f7f74), t);
    }

    [[nodiscard]] Aabb box_of(const StageCell& cell) const {
        const GridFrame& f = record.frame();
        const Vec2 at{f.origin.x + cell.x * f.cell_size, f.origin.y + cell.y * f.cell_size};
        return {at, at + Vec2{f.cell_size, f.cell_size}};
    }

    /// Cells of one band and color; those beside each other in a row are one box.
    void draw_shade(int band, int shade) const {
        BoxBatch batch(sink, low + (high - low) * band / kBakeBands, Fill{color_of(shade)});
        const StageCell* last = nullptr;
        Aabb run{};
        for (const StageCell& cell : record.cells()) {
            if (!shown(cell) || shade_of(cell) != shade || step_of(share(top(cell)), kBakeBands) != band)
                continue;
            const Aabb box = box_of(cell);
            if (last != nullptr && last->y == cell.y && (last->x == cell.x || last->x + 1 == cell.x)) {
                run.high.x = box.high.x;
            } else {
                if (last != nullptr) batch.add(run);
                run = box;
            }
            last = &cell;
        }
        if (last != nullptr) batch.add(run);
    }

    void draw_cells() {
        measure();
        if (!any) return;
        bool used[kBakeBands][kBakeShades + 1] = {};
        for (const StageCell& cell : record.cells()) {
            if (shown(cell)) used[step_of(share(top(cell)), kBakeBands)][shade_of(cell)] = true;
        }
        for (int band = 0; band < kBakeBands; ++band) {
            for (int shade = 0; shade <= kBakeShades; ++shade) {
                if (used[band][shade]) draw_shade(band, shade);
            }
        }
    }

    [[nodiscard]] Vec3 place(Vec3 p) const {
        const GridFrame& f = record.frame();
        return {f.origin.x + p.x * f.cell_size, f.origin.y + p.y * f.cell_size, z_of(p.z)};
    }
    [[nodiscard]] bool shown(const StageLine& line) const {
        const double z = z_of(line.from.z);
        return line.stage == stage && z >= options.z_low && z <= options.z_high;
    }
    void draw_lines(bool open, const Stroke& stroke) const {
        for (const StageLine& line : record.lines()) {
            if (shown(line) && line.open == open) draw_line(sink, place(line.from), place(line.to), stroke);
        }
    }
    void draw_ends() const {
        for (const StageLine& line : record.lines()) {
            if (shown(line))
                draw_circle(sink, place(line.from), 2.2 * sink.point, Fill{palette::kRoute}, kNoStroke);
        }
    }

    void draw_tiles() const {
        if (!options.tiles || record.tiles().size() < 2) return;
        const Stroke stroke{.color = palette::kFaint, .width = 0.9, .dash = 4.0};
        for (const CellBox& box : record.tiles()) {
            const double x0 = box.x0, y0 = box.y0, x1 = box.x1, y1 = box.y1;
            const Vec3 ring[] = {place({x0, y0, 0}), place({x1, y0, 0}), place({x1, y1, 0}),
                                 place({x0, y1, 0})};
            draw_outline(sink, ring, stroke);
        }
    }

    void draw_all() {
        const Group group{sink, "stage"};
        if (stage == BakeStage::borders || stage == BakeStage::straightened) {
            draw_lines(true, {.color = palette::kOther, .width = 1.2});
            draw_lines(false, {.color = palette::kWall, .width = 1.8});
            if (stage == BakeStage::straightened) draw_ends();
        } else {
            draw_cells();
        }
        draw_tiles();
    }
};

struct SectionDrawing {
    const BakeRecord& record;
    std::int32_t y;
    const Sink& sink;

    [[nodiscard]] Vec2 place(double x, double z) const {
        const GridFrame& f = record.frame();
        return {f.origin.x + x * f.cell_size, f.origin.z + z * f.cell_height};
    }
    template <class Each>
    void each(BakeStage stage, const Each& use) const {
        for (const StageCell& cell : record.cells()) {
            if (cell.stage == stage && cell.y == y) use(cell);
        }
    }
    void draw_spans(bool walkable, const Color& color) const {
        BoxBatch batch(sink, 0.0, Fill{color});
        each(BakeStage::solid, [&](const StageCell& cell) {
            if ((cell.area != 0) == walkable)
                batch.add({place(cell.x, cell.low), place(cell.x + 1.0, cell.high)});
        });
    }
    void draw_floors(BakeStage stage, const Stroke& stroke) const {
        each(stage, [&](const StageCell& cell) {
            draw_line(sink, at_height(place(cell.x, cell.low)), at_height(place(cell.x + 1.0, cell.low)),
                      stroke);
        });
    }
};

}  // namespace

bake::BakeStageHook BakeRecord::hook() {
    return {.tile =
                [](const GridFrame& frame, const CellBox& box, void* user) {
                    BakeRecord& self = *static_cast<BakeRecord*>(user);
                    self.frame_ = frame;
                    if (!self.tiles_.push_back(box)) self.complete_ = false;
                },
            .cell =
                [](const StageCell& cell, void* user) {
                    BakeRecord& self = *static_cast<BakeRecord*>(user);
                    if (!self.cells_.push_back(cell)) self.complete_ = false;
                },
            .line =
                [](const StageLine& line, void* user) {
                    BakeRecord& self = *static_cast<BakeRecord*>(user);
                    if (!self.lines_.push_back(line)) self.complete_ = false;
                },
            .user = this};
}

void draw(const BakeRecord& record, BakeStage stage, const Sink& sink, const BakeDraw& options) {
    StageDrawing{record, stage, sink, options}.draw_all();
}

void draw_section(const BakeRecord& record, std::int32_t y, const Sink& sink) {
    const Group group{sink, "section"};
    const SectionDrawing drawing{record, y, sink};
    drawing.draw_spans(false, mix(palette::kWall, palette::kPaper, 0.35));
    drawing.draw_spans(true, mix(palette::kWall, palette::kPaper, 0.65));
    drawing.draw_floors(BakeStage::floors, {.color = palette::kOther, .width = 2.0});
    drawing.draw_floors(BakeStage::eroded, {.color = palette::kRoute, .width = 3.0});
}

Aabb world_bounds(const BakeRecord& record) {
    const GridFrame& f = record.frame();
    if (record.tiles().empty()) return {{0, 0}, {1, 1}};
    CellBox all = record.tiles()[0];
    for (const CellBox& box : record.tiles()) {
        all = {std::min(all.x0, box.x0), std::min(all.y0, box.y0), std::max(all.x1, box.x1),
               std::max(all.y1, box.y1)};
    }
    return {{f.origin.x + all.x0 * f.cell_size, f.origin.y + all.y0 * f.cell_size},
            {f.origin.x + all.x1 * f.cell_size, f.origin.y + all.y1 * f.cell_size}};
}

Aabb section_bounds(const BakeRecord& record, std::int32_t y) {
    const Aabb across = world_bounds(record);
    const GridFrame& f = record.frame();
    double low = f.origin.z, high = f.origin.z + f.cell_height;
    for (const StageCell& cell : record.cells()) {
        if (cell.stage != BakeStage::solid || cell.y != y) continue;
        low = std::min(low, f.origin.z + cell.low * f.cell_height);
        high = std::max(high, f.origin.z + cell.high * f.cell_height);
    }
    return {{across.low.x, low}, {across.high.x, high}};
}

}  // namespace fairlead::debug
