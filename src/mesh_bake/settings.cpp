// Checks the options of a bake and turns them into cells.

#include "mesh_bake/settings.h"

#include <cmath>

namespace fairlead::bake {

Result<Settings> make_settings(const BakeOptions& o, Vec3 origin) {
    constexpr double kHeightsMax = 1e6;
    constexpr double kRadiusMax = 1000.0;
    const auto outside = [](double value, double low, double high) {
        return !(value >= low && value <= high);
    };
    if (outside(o.cell_size, 1e-6, 1e6)) return Error{ErrorCode::out_of_range, Field::cell_size};
    if (outside(o.cell_height, 1e-6, 1e6)) return Error{ErrorCode::out_of_range, Field::cell_height};
    Settings s;
    s.frame = {origin, effective_cell_size(o.cell_size), o.cell_height};
    const double height = o.agent_height / o.cell_height;
    const double climb = o.climb / o.cell_height;
    s.radius = o.agent_radius / s.frame.cell_size;
    s.edge_error = o.edge_error;
    if (outside(height, 0.0, kHeightsMax)) return Error{ErrorCode::out_of_range, Field::agent_height};
    if (outside(s.radius, 0.0, kRadiusMax)) return Error{ErrorCode::out_of_range, Field::agent_radius};
    if (outside(climb, 0.0, kHeightsMax)) return Error{ErrorCode::out_of_range, Field::climb};
    if (outside(o.slope_max_rad, 0.0, 1.5707963267948966))
        return Error{ErrorCode::out_of_range, Field::slope_max};
    if (outside(o.edge_error, 0.0, 16.0)) return Error{ErrorCode::out_of_range, Field::edge_error};
    if (o.tile_cells != 0 && (o.tile_cells < 16 || o.tile_cells > 4096))
        return Error{ErrorCode::out_of_range, Field::tile_cells, o.tile_cells};
    if (!std::isfinite(origin.x) || !std::isfinite(origin.y) || !std::isfinite(origin.z))
        return Error{ErrorCode::out_of_range, Field::origin};
    // 2 / 0.2 is 10 and 0.9 / 0.3 is 3, whatever the last bit says.
    constexpr double kRound = 1e-6;
    s.height = static_cast<std::int32_t>(std::ceil(height - kRound));
    if (s.height < 1) s.height = 1;
    s.climb = static_cast<std::int32_t>(std::floor(climb + kRound));
    s.radius *= 1.0 - 2e-5;  // the cell size is within 2^-16
    s.island_min = o.island_cells_min;
    s.tile = static_cast<std::int32_t>(o.tile_cells);
    s.halo = static_cast<std::int32_t>(std::ceil(s.radius)) +
             1;  // as erode.cpp needs for the floors beside the tile
    if (s.tile != 0 && s.halo > s.tile) return Error{ErrorCode::incompatible, Field::tile_cells, s.halo};
    s.marks = o.marks;
    s.stages = o.stages;
    s.allocator = o.allocator;
    for (std::size_t i = 0; i < o.marks.size(); ++i) {
        const AreaMark& mark = o.marks[i];
        bool good = mark.outline.size() >= 3 && std::isfinite(mark.low_z) && std::isfinite(mark.high_z);
        for (const Vec2 p : mark.outline) good = good && is_finite(p);
        if (!good) return Error{ErrorCode::not_finite, Field::areas, static_cast<std::int64_t>(i), 0};
    }
    return s;
}

}  // namespace fairlead::bake
