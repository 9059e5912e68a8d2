// Tiles, level meshes and volumes as the worlds that a crowd asks (crowd/crowd_world.h).
//
//     const TileCrowd over_town(town->state());
//     crowd->update(1.0 / 30.0, over_town.world());
//
// Tiles. Walls are the blocked cells, and what is outside the map; a place's layer says on which floor. Terrain, portals and filters
// of queries are the route's matter. Level meshes. Walls are the sides of polygons with nothing behind them; the surface ends
// agent_radius before the walls that it was made from, so a unit of that radius may stand at its very rim. Heights come from the surface.
//
// Volumes, for crowds in space (CrowdOptions::space). Walls are the solid voxels and the bounds. `planes`: some ten at most where it
// is rugged; a look reaches over at most 56 voxels, so units whose radius and way to a stop are longer than 27 go slower near walls.
//
// Exact as in their own searches. No memory is allocated. Cost, on game maps: `walls` 0.1 to 0.3 us, `clear` 0.1 us and 6 ns a row of tiles
// or 30 ns a polygon, `ray` 3 ns a tile; `planes` 0.1 us in the open, 1 to 3 us near walls.
// They read the state that they were given: make one anew for a newer revision.
#pragma once

#include <fairlead/crowd/crowd_world.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

class TileCrowd {
  public:
    /// The grid (or the snapshot) must outlive it.
    explicit TileCrowd(const GridState& grid) : grid_(&grid) {}

    /// Valid while this object stays where it is.
    [[nodiscard]] CrowdWorld world() const;

  private:
    const GridState* grid_;
};

class MeshCrowd {
  public:
    /// The mesh (or the snapshot) must outlive it.
    explicit MeshCrowd(const NavMeshState& mesh) : mesh_(&mesh) {}

    /// Valid while this object stays where it is.
    [[nodiscard]] CrowdWorld world() const;

  private:
    const NavMeshState* mesh_;
};

class VolumeCrowd {
  public:
    /// The volume (or the snapshot) must outlive it.
    explicit VolumeCrowd(const VolumeState& volume) : volume_(&volume) {}

    /// Valid while this object stays where it is.
    [[nodiscard]] CrowdWorld world() const;

  private:
    const VolumeState* volume_;
};

}  // namespace fairlead
