// A window of a tile world: its whole tiles, with the discs that stand there as walls.
#include "fleet/tile_window.h"

#include <algorithm>
#include <cmath>

#include "bridge/tile_blocker.h"
#include "fleet/near_area.h"

namespace fairlead::fleet {

namespace {

struct WindowTiles {
    const GridState* grid;
    std::span<const Blocker> walls;
    Cell low{};
    std::int32_t width = 0;
    std::int32_t height = 0;
    Vec2 origin{};

    static void read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row) {
        const WindowTiles& self = *static_cast<const WindowTiles*>(user);
        std::fill(row.begin(), row.end(), std::uint64_t{0});
        for (std::int32_t x = 0; x < self.width; ++x) {
            const bool free = !self.grid->blocked({self.low.x + x, self.low.y + y, self.low.layer});
            if (free) row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
        }
        for (const Blocker& wall : self.walls)
            bridge::TileBlocker(wall, self.origin, self.grid->cell_size()).close(y, self.width, row);
    }
};

std::int32_t whole_tiles(double v, std::int32_t most) {
    if (!(v > 0.0)) return 0;
    return v < most ? static_cast<std::int32_t>(v) : most;
}

}  // namespace

bool TileWindow::touches(const Place& at, double radius) const {
    return at.layer == layer_ && is_near(area_, ground(at.position), radius);
}

bool TileWindow::overlaps(const TileWindow& other) const {
    return layer_ == other.layer_ && fairlead::overlaps(area_, other.area_);
}

Result<DriveMap> TileWindow::map(const GridState& grid, const DriveTable& table,
                                 std::span<const Blocker> walls) const {
    const double size = grid.cell_size();
    const Vec2 low = (area_.low - grid.origin()) * (1.0 / size);
    const Vec2 high = (area_.high - grid.origin()) * (1.0 / size);
    WindowTiles tiles{&grid, walls};
    tiles.low = {whole_tiles(std::ceil(low.x), grid.width()), whole_tiles(std::ceil(low.y), grid.height()),
                 layer_};
    tiles.width = whole_tiles(high.x, grid.width()) - tiles.low.x;
    tiles.height = whole_tiles(high.y, grid.height()) - tiles.low.y;
    if (tiles.width <= 0 || tiles.height <= 0) return Error{ErrorCode::size_zero};
    tiles.origin = grid.origin() + Vec2{tiles.low.x * size, tiles.low.y * size};
    DriveMapOptions options;
    options.origin = tiles.origin;
    options.layer = layer_;
    options.revision = grid.revision();
    const DriveGround rows{tiles.width, tiles.height, WindowTiles::read_free, nullptr, &tiles};
    return DriveMap::make(rows, table, options);
}

}  // namespace fairlead::fleet
