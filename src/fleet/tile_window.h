// The part of a tile world in which a knot of vehicles is planned.
#pragma once

#include <fairlead/drive/drive_map.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/grid/grid.h>

namespace fairlead::fleet {

class TileWindow {
  public:
    explicit TileWindow(const Allocator&) {}

    [[nodiscard]] Result<void> open(const GridSnapshot&, const FleetWindow& window) {
        area_ = window.area;
        layer_ = window.layer;
        return {};
    }
    [[nodiscard]] bool touches(const Place& at, double radius) const;
    [[nodiscard]] bool overlaps(const TileWindow& other) const;
    /// Of the tiles that lie wholly in it. Errors: size_zero (there are none), those of DriveMap::make.
    [[nodiscard]] Result<DriveMap> map(const GridState& grid, const DriveTable& table,
                                       std::span<const Blocker> walls) const;
    void drop() {}

  private:
    Aabb area_{};
    std::int32_t layer_ = 0;
};

}  // namespace fairlead::fleet
