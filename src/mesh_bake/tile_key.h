// What one tile depends on, and a hash of it.
#pragma once

#include <fairlead/base/result.h>
#include <fairlead/mesh_bake/bake.h>
#include <fairlead/raster/span_field.h>

#include "mesh_bake/settings.h"
#include "raster/soup_rows.h"

namespace fairlead::bake {

/// A tile by itself: its cells and those that it depends on.
struct LoneTile {
    Settings settings{};
    CellBox interior{};
    CellBox padded{};
};

[[nodiscard]] Result<LoneTile> lone_tile(const BakeOptions& options, std::int32_t x, std::int32_t y);

/// `rows`: of each triangle, if wanted.
[[nodiscard]] Result<GridSoup> grid_soup(const TriangleSoup& soup, const BakeOptions& options,
                                         const Settings& settings, Array<raster::CellRows>* rows = nullptr);

}  // namespace fairlead::bake
