// Triangles sorted into strips, strips filled one by one.

#include "mesh_bake/strips.h"

#include <algorithm>

#include "base/no_memory.h"
#include "base/run_jobs.h"

namespace fairlead::bake {

Result<TileGrid> TileGrid::make(const CellBox& box, std::int32_t size) {
    TileGrid grid;
    grid.box = box;
    grid.size = size;
    grid.tiles_a_cell = 1.0 / static_cast<double>(size);
    grid.first_x = grid.tile_of_cell(box.x0);
    grid.first_y = grid.tile_of_cell(box.y0);
    grid.tiles_x = grid.tile_of_cell(box.x1 - 1) - grid.first_x + 1;
    grid.tiles_y = grid.tile_of_cell(box.y1 - 1) - grid.first_y + 1;
    constexpr std::int64_t kTilesMax = std::int64_t{1} << 24;
    if (std::int64_t{grid.tiles_x} * grid.tiles_y > kTilesMax)
        return Error{ErrorCode::size_limit, 1, kTilesMax};
    return grid;
}

Strips::Strips(const Settings& settings, const GridSoup& soup, const TileGrid& grid)
    : settings_(settings),
      soup_(soup),
      grid_(grid),
      first_(settings.allocator),
      triangles_(settings.allocator),
      order_(settings.allocator),
      strips_(settings.allocator) {}

Result<void> Strips::prepare(std::span<const raster::CellRows> rows, std::int32_t kept) {
    if (grid_.box.width() * grid_.size * kept > kSpanColumnsMax)
        return Error{ErrorCode::size_limit, 0, kSpanColumnsMax};
    const auto count = static_cast<std::size_t>(kept);
    if (!strips_.reserve(count) || !order_.reserve(count)) return kNoMemory;
    for (std::size_t i = 0; i < count; ++i) strips_.add(Strip{});
    return sort_triangles(rows);
}

std::uint32_t Strips::triangles_of(std::int32_t strip) const {
    const auto i = static_cast<std::size_t>(strip);
    return first_[i + 1] - first_[i];
}

Result<void> Strips::sort_triangles(std::span<const raster::CellRows> rows) {
    if (!first_.resize(static_cast<std::size_t>(grid_.tiles_y) + 2)) return kNoMemory;
    const auto strip = [this](std::int32_t cell) {
        return static_cast<std::size_t>(grid_.tile_of_cell(cell) - grid_.first_y);
    };
    std::uint64_t all = 0;
    for (const raster::CellRows& row : rows) {
        const std::size_t last = strip(row.high);
        for (std::size_t i = strip(row.low); i <= last; ++i, ++all) ++first_[i + 2];
    }
    if (all > 0x7fffffffU) return Error{ErrorCode::size_limit, 0, 0x7fffffff};
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    if (!triangles_.resize_uninitialized(static_cast<std::size_t>(all))) return kNoMemory;
    for (std::uint32_t t = 0; t < rows.size(); ++t) {
        const std::size_t last = strip(rows[t].high);
        for (std::size_t i = strip(rows[t].low); i <= last; ++i) triangles_[first_[i + 1]++] = t;
    }
    return {};
}

void Strips::fill_one(void* context, std::size_t index) {
    auto& self = *static_cast<Strips*>(context);
    const auto i = static_cast<std::int32_t>(self.order_[index]);
    Strip& strip = self.strips_[static_cast<std::size_t>(i) % self.strips_.size()];
    const std::uint32_t count = self.triangles_of(i);
    strip.empty = count == 0;
    if (strip.empty) return;
    const TileGrid& grid = self.grid_;
    const std::int32_t low = (grid.first_y + i) * grid.size;
    const CellBox box{grid.box.x0, std::max(grid.box.y0, low), grid.box.x1,
                      std::min(grid.box.y1, low + grid.size)};
    const std::span<const std::uint32_t> triangles =
        self.triangles_.span().subspan(self.first_[static_cast<std::size_t>(i)], count);
    strip.field = SpanField::make(box, self.settings_.allocator);
    if (!strip.field) return;
    const Result<void> added = strip.field->add(self.soup_, triangles);
    if (!added) strip.field = added.error();
}

Result<void> Strips::fill(const Jobs& jobs, std::int32_t from, std::int32_t to) {
    FAIRLEAD_DEBUG_ASSERT(static_cast<std::size_t>(to - from) <= strips_.size());
    order_.clear();
    for (std::int32_t i = from; i < to; ++i) {
        if (!order_.push_back(static_cast<std::uint32_t>(i))) return kNoMemory;
    }
    const auto larger = [this](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t of_a = triangles_of(static_cast<std::int32_t>(a));
        const std::uint32_t of_b = triangles_of(static_cast<std::int32_t>(b));
        return of_a != of_b ? of_a > of_b : a < b;
    };
    std::sort(order_.begin(), order_.end(), larger);  // total order: by strip at last
    run_jobs(jobs, order_.size(), fill_one, this);
    for (std::int32_t i = from; i < to; ++i) {
        const Strip& strip = strips_[static_cast<std::size_t>(i) % strips_.size()];
        if (!strip.empty && !strip.field) return strip.field.error();
    }
    return {};
}

bool Strips::gather_rows(std::int32_t row, SolidRows& rows) const {
    const std::int32_t low = (grid_.first_y + row) * grid_.size - settings_.halo - 1;
    const std::int32_t high = (grid_.first_y + row + 1) * grid_.size + settings_.halo + 1;
    rows.box = {grid_.box.x0, std::max(low, grid_.box.y0), grid_.box.x1, std::min(high, grid_.box.y1)};
    if (!rows.rows.resize(static_cast<std::size_t>(rows.box.height()))) return false;
    for (std::int32_t y = rows.box.y0; y < rows.box.y1; ++y) {
        const auto i = static_cast<std::size_t>(grid_.tile_of_cell(y) - grid_.first_y);
        const Strip& strip = strips_[i % strips_.size()];
        if (strip.empty) continue;
        rows.rows[static_cast<std::size_t>(y - rows.box.y0)] = {strip.field->row(y), strip.field->upper()};
    }
    return true;
}

}  // namespace fairlead::bake
