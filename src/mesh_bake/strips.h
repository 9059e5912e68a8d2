// The columns of a world, filled once each, in strips as high as a tile. Strip i is the row of tiles with y = first_y + i.
#pragma once

#include <fairlead/base/jobs.h>

#include "base/owned.h"
#include "mesh_bake/floors.h"
#include "raster/soup_rows.h"

namespace fairlead::bake {

/// The cell of a grid coordinate, which is within kGridMax.
inline std::int32_t cell_of(double value) {
    const auto cut = static_cast<std::int32_t>(value);
    return cut - (static_cast<double>(cut) > value ? 1 : 0);
}

/// The columns that triangles touch.
inline CellBox box_of(const GridSoup& soup) {
    return {cell_of(soup.low[0]), cell_of(soup.low[1]), cell_of(soup.high[0]) + 1, cell_of(soup.high[1]) + 1};
}

/// The tiles over the columns that triangles touch.
struct TileGrid {
    CellBox box{};
    std::int32_t size = 0;  ///< of a tile, cells
    std::int32_t first_x = 0;
    std::int32_t first_y = 0;
    std::int32_t tiles_x = 0;
    std::int32_t tiles_y = 0;
    double tiles_a_cell = 0.0;

    /// Error: size_limit (index 1).
    [[nodiscard]] static Result<TileGrid> make(const CellBox& box, std::int32_t size);

    /// The one of a cell. The cell's middle is half a cell away from every border, so that rounding does not matter.
    [[nodiscard]] std::int32_t tile_of_cell(std::int32_t cell) const {
        return cell_of((static_cast<double>(cell) + 0.5) * tiles_a_cell);
    }
    [[nodiscard]] std::size_t tiles() const {
        return static_cast<std::size_t>(tiles_y) * static_cast<std::size_t>(tiles_x);
    }
};

class Strips {
  public:
    Strips(const Settings& settings, const GridSoup& soup, const TileGrid& grid);

    /// Sorts the triangles by strip; `rows` are theirs. `kept`: so many strips at a time are there.
    [[nodiscard]] Result<void> prepare(std::span<const raster::CellRows> rows, std::int32_t kept);
    /// Fills strips from .. to - 1, each a job, those with most triangles first. `kept` strips before `to` remain.
    [[nodiscard]] Result<void> fill(const Jobs& jobs, std::int32_t from, std::int32_t to);

    /// The rows of solid columns round a row of tiles that its windows read.
    [[nodiscard]] bool gather_rows(std::int32_t row, SolidRows& rows) const;

  private:
    struct Strip {
        Result<SpanField> field = Error{ErrorCode::out_of_memory, -1, 0};
        bool empty = true;  ///< no triangle touches it, and there is no field
    };

    [[nodiscard]] std::uint32_t triangles_of(std::int32_t strip) const;
    [[nodiscard]] Result<void> sort_triangles(std::span<const raster::CellRows> rows);
    static void fill_one(void* self, std::size_t index);

    const Settings& settings_;
    const GridSoup& soup_;
    const TileGrid& grid_;
    Array<std::uint32_t> first_;      ///< triangles of strip i: triangles_[first_[i]] ..
    Array<std::uint32_t> triangles_;  ///< by strip
    Array<std::uint32_t> order_;      ///< strips in hand, in the order of their jobs
    Owned<Strip> strips_;             ///< a ring: strip i is at i modulo size
};

}  // namespace fairlead::bake
