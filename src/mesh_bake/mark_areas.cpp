// Area marks: polygons with a range of heights, by cell centre, even-odd.

#include <algorithm>
#include <cmath>

#include "mesh_bake/floors.h"

namespace fairlead::bake {

namespace {

bool holds(std::span<const Vec2> outline, Vec2 p) {
    bool inside = false;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
        const Vec2 a = outline[i];
        const Vec2 b = outline[j];
        if ((a.y > p.y) == (b.y > p.y)) continue;
        if (p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
}

void mark_cells(const Settings& s, const AreaMark& mark, const CellBox& cells, Floors& floors) {
    const double low = (mark.low_z - s.frame.origin.z) / s.frame.cell_height;
    const double high = (mark.high_z - s.frame.origin.z) / s.frame.cell_height;
    for (std::int32_t y = cells.y0; y < cells.y1; ++y) {
        for (std::int32_t x = cells.x0; x < cells.x1; ++x) {
            const auto i =
                static_cast<std::size_t>(y - floors.box.y0) * static_cast<std::size_t>(floors.box.width()) +
                static_cast<std::size_t>(x - floors.box.x0);
            if (floors.first[i] == floors.first[i + 1]) continue;
            const Vec2 centre{s.frame.origin.x + (x + 0.5) * s.frame.cell_size,
                              s.frame.origin.y + (y + 0.5) * s.frame.cell_size};
            if (!holds(mark.outline, centre)) continue;
            for (std::uint32_t floor = floors.first[i]; floor < floors.first[i + 1]; ++floor) {
                const double z = floors.z[floor];
                if (floors.area[floor] != 0 && z >= low && z <= high) floors.area[floor] = mark.area;
            }
        }
    }
}

std::int32_t clamp_cell(double value, std::int32_t low, std::int32_t high) {
    return value <= low ? low : (value >= high ? high : static_cast<std::int32_t>(value));
}

}  // namespace

Result<void> mark_areas(const Settings& s, Floors& floors) {
    const CellBox& box = floors.box;
    for (const AreaMark& mark : s.marks) {
        Vec2 low = mark.outline[0];
        Vec2 high = low;
        for (const Vec2 p : mark.outline) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const auto cell = [&s](double value, double origin) {
            return std::floor((value - origin) / s.frame.cell_size);
        };
        const CellBox cells{clamp_cell(cell(low.x, s.frame.origin.x) - 1.0, box.x0, box.x1),
                            clamp_cell(cell(low.y, s.frame.origin.y) - 1.0, box.y0, box.y1),
                            clamp_cell(cell(high.x, s.frame.origin.x) + 2.0, box.x0, box.x1),
                            clamp_cell(cell(high.y, s.frame.origin.y) + 2.0, box.y0, box.y1)};
        mark_cells(s, mark, cells, floors);
    }
    return {};
}

}  // namespace fairlead::bake
