// Triangles sorted into strips, strips filled one by one.

#include "mesh_bake/strips.h"

#include <algorithm>

#include <fairlead/mesh_bake/bake.h>

#include "base/no_memory.h"

namespace fairlead::bake {

Result<TileGrid> TileGrid::make(const CellBox& box, std::int32_t size) {
    TileGrid grid;
    grid.box = box;
    grid.size = size;
    grid.inverse = (std::uint64_t{1} << 40) / static_cast<std::uint64_t>(size) + 1;
    grid.first_x = floor_divide(box.x0, size);
    grid.first_y = floor_divide(box.y0, size);
    grid.tiles_x = floor_divide(box.x1 - 1, size) - grid.first_x + 1;
    grid.tiles_y = floor_divide(box.y1 - 1, size) - grid.first_y + 1;
    constexpr std::int64_t kTilesMax = std::int64_t{1} << 24;
    if (std::int64_t{grid.tiles_x} * grid.tiles_y > kTilesMax)
        return Error{ErrorCode::size_limit, Field::tile_cells, kTilesMax};
    return grid;
}

Strips::Strips(const Settings& settings, const GridSoup& soup, const TileGrid& grid)
    : settings_(settings),
      soup_(soup),
      grid_(grid),
      first_(settings.allocator),
      triangles_(settings.allocator),
      strips_(settings.allocator) {}

Result<void> Strips::prepare(std::span<const raster::CellRows> rows, std::int32_t kept) {
    if (grid_.box.width() * grid_.size * kStripsAtOnce > kSpanColumnsMax)  // whatever the number of threads
        return Error{ErrorCode::size_limit, Field::cell_size, kSpanColumnsMax};
    const auto count = static_cast<std::size_t>(kept);
    if (!strips_.reserve(count)) return kNoMemory;
    for (std::size_t i = 0; i < count; ++i) strips_.add(Strip{});
    return sort_triangles(rows);
}

Result<void> Strips::sort_triangles(std::span<const raster::CellRows> rows) {
    if (!first_.resize(static_cast<std::size_t>(grid_.tiles_y) + 2)) return kNoMemory;
    std::uint64_t all = 0;
    for (const raster::CellRows& row : rows) {
        const std::size_t last = grid_.row_of(row.high);
        for (std::size_t i = grid_.row_of(row.low); i <= last; ++i, ++all) ++first_[i + 2];
    }
    if (all > 0x7fffffffU) return Error{ErrorCode::size_limit, Field::cell_size, 0x7fffffff};
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    if (!triangles_.resize_uninitialized(static_cast<std::size_t>(all))) return kNoMemory;
    for (std::uint32_t t = 0; t < rows.size(); ++t) {
        const std::size_t last = grid_.row_of(rows[t].high);
        for (std::size_t i = grid_.row_of(rows[t].low); i <= last; ++i) triangles_[first_[i + 1]++] = t;
    }
    return {};
}

bool Strips::fill(std::int32_t i, bool wanted) {
    Strip& strip = strips_[static_cast<std::size_t>(i) % strips_.size()];
    const std::uint32_t first = first_[static_cast<std::size_t>(i)];
    const std::uint32_t count = first_[static_cast<std::size_t>(i) + 1] - first;
    strip.empty = count == 0 || !wanted;
    strip.field = Error{ErrorCode::out_of_memory, -1, 0};  // its memory is for the next
    if (strip.empty) return true;
    const std::int32_t low = (grid_.first_y + i) * grid_.size;
    strip.field = SpanField::make(
        {grid_.box.x0, std::max(grid_.box.y0, low), grid_.box.x1, std::min(grid_.box.y1, low + grid_.size)},
        settings_.allocator);
    const std::span<const std::uint32_t> which = triangles_.span().subspan(first, count);
    if (!strip.field || !strip.field->add(soup_, which)) return false;
    strip.field->measure_tops(soup_, which);
    return true;
}

bool Strips::gather_rows(std::int32_t row, SolidRows& rows) const {
    const std::int32_t low = (grid_.first_y + row) * grid_.size - settings_.halo - 1;
    const std::int32_t high = (grid_.first_y + row + 1) * grid_.size + settings_.halo + 1;
    rows.box = {grid_.box.x0, std::max(low, grid_.box.y0), grid_.box.x1, std::min(high, grid_.box.y1)};
    if (!rows.rows.resize(static_cast<std::size_t>(rows.box.height()))) return false;
    for (std::int32_t y = rows.box.y0; y < rows.box.y1; ++y) {
        const Strip& strip = strips_[grid_.row_of(y) % strips_.size()];
        if (strip.empty) continue;
        rows.rows[static_cast<std::size_t>(y - rows.box.y0)] = {strip.field->row(y), strip.field->upper()};
    }
    return true;
}

}  // namespace fairlead::bake
