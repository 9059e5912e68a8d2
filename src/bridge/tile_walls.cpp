// Tiles as a raster: each one is cut into parts x parts cells, so what the finder measures between their corners is exact.
#include <cmath>
#include <cstring>

#include <fairlead/bridge/narrow_places_of.h>

namespace fairlead {

namespace {

std::int32_t parts_of(double tile, double radius, double detail) {
    const double parts = std::ceil(tile * detail / radius * (1.0 - 1e-9));
    if (!(parts > 1.0)) return 1;
    if (!(parts < kPlaceSideMax)) return kPlaceSideMax;
    const auto whole = static_cast<std::int32_t>(parts);
    return whole + whole % 2;
}

}  // namespace

TileWalls::TileWalls(const GridState& grid, const WallsOptions& options)
    : grid_(&grid), options_(options), parts_(parts_of(grid.cell_size(), options.radius, options.detail)) {}

PlacesOptions TileWalls::options() const {
    const auto cells = [this](std::int32_t tiles) {
        // More than the finder takes is one more than that: it says so.
        const std::int64_t all = std::int64_t{tiles} * parts_;
        return all > kPlaceSideMax ? kPlaceSideMax + 1 : static_cast<std::int32_t>(all);
    };
    return {.origin = grid_->origin(),
            .cell = grid_->cell_size() / parts_,
            .width = cells(grid_->width()),
            .height = cells(grid_->height()),
            .radius = options_.radius,
            .margin = options_.margin,
            .pocket = options_.pocket,
            .allocator = options_.allocator};
}

WallRows TileWalls::rows() const {
    const auto row = [](std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
        const auto& walls = *static_cast<const TileWalls*>(user);
        const std::int32_t parts = walls.parts_;
        const std::int32_t layer = walls.options_.layer;
        for (std::size_t i = 0; i < blocked.size();) {
            const std::int32_t at = x + static_cast<std::int32_t>(i);
            const std::size_t rest = static_cast<std::size_t>(parts - at % parts);
            const std::size_t count = rest < blocked.size() - i ? rest : blocked.size() - i;
            const bool wall = walls.grid_->blocked({at / parts, y / parts, layer});
            std::memset(blocked.data() + i, wall ? 1 : 0, count);
            i += count;
        }
    };
    return {row, const_cast<TileWalls*>(this)};
}

RasterRect TileWalls::rect(const CellRect& tiles) const {
    return {{tiles.low.x * parts_, tiles.low.y * parts_}, {tiles.high.x * parts_, tiles.high.y * parts_}};
}

}  // namespace fairlead
