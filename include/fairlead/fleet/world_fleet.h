// WorldFleet: a world behind a Fleet, one template for all: TileFleet, MeshFleet and VolumeFleet are it.
//
//     TileFleet town_port(*town);
//     Result<Fleet> fleet = Fleet::make(town_port.port());
//     ...
//     town->fill(rect, 0);
//     fleet->world_changed();
//
// It holds the newest revision that it was told of, what searches for each kind of unit need, and what the crowd asks about walls.
#pragma once

#include <fairlead/base/allocator.h>
#include <fairlead/fleet/fleet.h>

namespace fairlead {

namespace fleet {
template <class World>
struct PortData;  // src/fleet/port_data.h
}

template <class World>
class WorldFleet {
  public:
    /// The world must outlive it, and it its fleet.
    explicit WorldFleet(const World& world, const Allocator& allocator = {});
    WorldFleet(const WorldFleet&) = delete;
    WorldFleet& operator=(const WorldFleet&) = delete;
    ~WorldFleet();

    /// Valid while this object lives. Null functions if there was no memory for it: Fleet::make then says out_of_memory.
    [[nodiscard]] FleetPort port() const;

  private:
    Allocator allocator_;
    fleet::PortData<World>* data_ = nullptr;
};

}  // namespace fairlead
