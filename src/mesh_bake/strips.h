// The columns of a world, filled once each, in strips as high as a tile. Strip i is the row of tiles with y = first_y + i.
#pragma once

#include "base/owned.h"
#include "mesh_bake/cells.h"
#include "mesh_bake/floors.h"
#include "raster/soup_rows.h"

namespace fairlead::bake {

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
    std::uint64_t inverse = 0;  ///< 2^40 / size, and up to 1 more

    /// Error: size_limit (index 1).
    [[nodiscard]] static Result<TileGrid> make(const CellBox& box, std::int32_t size);

    /// The row of tiles, from the first, that a row of cells is in. Exact: fewer than 2^26 cells, and sizes below 2^13.
    [[nodiscard]] std::size_t row_of(std::int32_t y) const {
        const auto cells = static_cast<std::uint64_t>(y - first_y * size);
        return static_cast<std::size_t>((cells * inverse) >> 40);
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
    /// Fills a strip, in the place of the one `kept` before it, or leaves it empty where nobody wants it. Several threads may fill
    /// different ones. False: no memory.
    [[nodiscard]] bool fill(std::int32_t i, bool wanted);

    /// The rows of solid columns round a row of tiles that its windows read.
    [[nodiscard]] bool gather_rows(std::int32_t row, SolidRows& rows) const;

  private:
    struct Strip {
        Result<SpanField> field = Error{ErrorCode::out_of_memory, -1, 0};
        bool empty = true;  ///< no triangle touches it, and there is no field
    };

    [[nodiscard]] Result<void> sort_triangles(std::span<const raster::CellRows> rows);

    const Settings& settings_;
    const GridSoup& soup_;
    const TileGrid& grid_;
    Array<std::uint32_t> first_;      ///< triangles of strip i: triangles_[first_[i]] ..
    Array<std::uint32_t> triangles_;  ///< by strip
    Owned<Strip> strips_;             ///< a ring: strip i is at i modulo size
};

}  // namespace fairlead::bake
