// MeshFleet: a level mesh for a Fleet. Walkers of any radius up to the mesh's radius_max, vehicles with a turning circle.
//
//     MeshFleet level_port(*level);
//     Result<Fleet> fleet = Fleet::make(level_port.port());
//
// For each kind of vehicle it makes a DriveTable when the kind is added; for the first kind of walker it finds the narrow places of
// the mesh, if it is one floor.
#pragma once

#include <fairlead/fleet/fleet.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead {

namespace fleet {
struct MeshPortData;
}

class MeshFleet {
  public:
    /// The mesh must outlive it, and it its fleet.
    explicit MeshFleet(const NavMesh& mesh, const Allocator& allocator = {});
    MeshFleet(const MeshFleet&) = delete;
    MeshFleet& operator=(const MeshFleet&) = delete;
    ~MeshFleet();

    /// As TileFleet::port().
    [[nodiscard]] FleetPort port() const;

  private:
    Allocator allocator_;
    fleet::MeshPortData* data_ = nullptr;
};

}  // namespace fairlead
