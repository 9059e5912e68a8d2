// TileFleet: a tile world for a Fleet. Walkers of any radius, vehicles with a turning circle.
//
//     TileFleet town_port(*town);
//     Result<Fleet> fleet = Fleet::make(town_port.port());
//     ...
//     town->fill(rect, 0);
//     fleet->world_changed();
//
// For each kind of vehicle it makes a DriveTable and a DriveMap, when the kind is added and after edits; for the first kind of walker
// it finds the narrow places. Walkers' radii are looked up in the grid: register the sizes that are common (Grid::register_size).
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/fleet/fleet.h>
#include <fairlead/grid/grid.h>

namespace fairlead {

namespace fleet {
struct TilePortData;
}

class TileFleet {
  public:
    /// The grid must outlive it, and it its fleet.
    explicit TileFleet(const Grid& grid, const Allocator& allocator = {});
    TileFleet(const TileFleet&) = delete;
    TileFleet& operator=(const TileFleet&) = delete;
    ~TileFleet();

    /// Valid while this object lives. Null functions if there was no memory for it: Fleet::make then says out_of_memory.
    [[nodiscard]] FleetPort port() const;

  private:
    Allocator allocator_;
    fleet::TilePortData* data_ = nullptr;
};

}  // namespace fairlead
