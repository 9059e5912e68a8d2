// prepare_soup() for those who sort the triangles by rows.
#pragma once

#include <fairlead/raster/soup.h>

namespace fairlead::raster {

/// The rows of cells that a triangle touches, both included.
struct CellRows {
    std::int32_t low, high;
};

/// The same as prepare_soup(), and the rows of every triangle that is kept. `rows` may be null.
[[nodiscard]] Result<GridSoup> prepare_soup_rows(const TriangleSoup& soup, const GridFrame& frame,
                                                 const SoupOptions& options, const Allocator& allocator,
                                                 Array<CellRows>* rows);

}  // namespace fairlead::raster
